"""Tables cut into parts that are read apart."""

import pickle
from itertools import pairwise
from pathlib import Path

import polars as pl
import pyarrow as pa
from hypothesis import example, given
from hypothesis import strategies as st
from pyarrow import parquet

from biombo._data import SourceTable

GROUPS = st.lists(st.integers(0, 9), max_size=6)


def written(folder: Path, sizes: list[int], name: str = "part.parquet") -> Path:
    """A Parquet file with row groups of these sizes."""
    path, rows = folder / name, 0
    schema = pa.schema({"number": pa.int64(), "name": pa.string()})
    with parquet.ParquetWriter(path, schema) as file:
        for size in sizes:
            numbers = range(rows, rows + size)
            file.write_table(pa.table([numbers, [f"{name}{each % 3}" for each in numbers]], schema=schema))
            rows += size
    return path


def rows_of(table: SourceTable) -> list[dict[str, object]]:
    return [row for _, batch in table.batches(table.columns) for row in batch.to_pylist()]


@given(sizes=GROUPS, rows=st.integers(1, 30))
@example(sizes=[], rows=5)
@example(sizes=[0], rows=5)
@example(sizes=[9, 0, 1, 9, 0], rows=9)
def test_the_parts_of_a_file_are_the_whole(tmp_path_factory, sizes, rows) -> None:
    path = written(tmp_path_factory.mktemp("cut"), sizes)
    assert parquet.read_metadata(path).num_row_groups == len(sizes)
    table = SourceTable.open(path)
    parts = table.cut(rows)

    assert [row for part in parts for row in rows_of(part)] == rows_of(table)
    assert [part.rows for part in parts] == [len(rows_of(part)) for part in parts]
    assert all(part.rows <= max(rows, *sizes) for part in parts if sizes)
    assert all(first.rows + second.rows > rows for first, second in pairwise(parts) if sizes[-1:] != [0])


@given(files=st.lists(GROUPS, min_size=1, max_size=3), rows=st.integers(1, 20))
def test_the_parts_of_several_files_are_the_whole(tmp_path_factory, files, rows) -> None:
    folder = tmp_path_factory.mktemp("cut")
    for number, sizes in enumerate(files):
        written(folder, sizes, f"A{number}.parquet")
    table = SourceTable.open(folder / "*.parquet", filename="{letter:1}{year:1}.parquet")
    parts = [pickle.loads(pickle.dumps(part)) for part in table.cut(rows)]

    assert [row for part in parts for row in rows_of(part)] == rows_of(table)
    assert all(part.columns == table.columns for part in parts)
    assert {len(part.sources) for part in parts} == {1}


def test_what_cannot_be_read_from_its_middle_stays_whole(tmp_path) -> None:
    (tmp_path / "a.csv").write_text("x\n1\n2\n3\n")
    table = SourceTable.open([tmp_path / "a.csv", pl.DataFrame({"x": ["4", "5"]})])

    assert [rows_of(part) for part in table.cut(1)] == [
        [{"x": "1"}, {"x": "2"}, {"x": "3"}],
        [{"x": "4"}, {"x": "5"}],
    ]


def test_a_part_knows_nothing_of_what_the_file_was_when_it_was_cut(tmp_path) -> None:
    """Workers read the footer for themselves, so that it does not travel with every part."""
    table = SourceTable.open(written(tmp_path, [3] * 200))
    assert table.rows == 600
    part = table.cut(3)[7]

    assert len(pickle.dumps(part)) < 1000
    assert [row["number"] for row in rows_of(part)] == [21, 22, 23]
