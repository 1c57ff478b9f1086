import gzip
import sqlite3

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biombo._data import SourceTable, TableSize

ROWS = 40_000


@pytest.fixture
def people() -> pl.DataFrame:
    return pl.DataFrame({"number": [f"{number:08}" for number in range(ROWS)], "sex": ["F", "M"] * (ROWS // 2)})


def size_of(source: object, **options: object) -> TableSize | None:
    return TableSize.of(SourceTable.open(source, **options))


@given(rows=st.integers(1, 50))
def test_small_csv_files_are_counted(tmp_path_factory, rows) -> None:
    path = tmp_path_factory.mktemp("size") / "small.csv"
    path.write_text("a,b\n" + "1,2\n" * rows)

    assert size_of(path) == TableSize(rows, 2, 4 * (rows + 1))


def test_large_csv_files_are_guessed_by_their_first_lines(people, tmp_path) -> None:
    people.write_csv(tmp_path / "people.csv")
    size = size_of(tmp_path / "people.csv")

    assert (tmp_path / "people.csv").stat().st_size > 1 << 18
    assert size.rows == pytest.approx(ROWS, rel=0.01)
    assert size.text_bytes == (tmp_path / "people.csv").stat().st_size


def test_compressed_files_are_guessed_too(people, tmp_path) -> None:
    path = tmp_path / "people.csv.gz"
    path.write_bytes(gzip.compress(people.write_csv().encode()))

    assert ROWS / 5 < size_of(path).rows < ROWS * 5


def test_what_says_how_many_rows_it_has_is_believed(people, tmp_path) -> None:
    people.write_parquet(tmp_path / "people.parquet")

    assert size_of(tmp_path / "people.parquet").rows == ROWS
    assert size_of([tmp_path / "people.parquet", people]).rows == 2 * ROWS
    assert size_of(people).columns == 2


def test_nobody_knows_the_size_of_a_query(tmp_path) -> None:
    with sqlite3.connect(tmp_path / "d.db") as database:
        database.execute("CREATE TABLE t (a)")

    assert size_of("SELECT a FROM t", database=f"sqlite:///{tmp_path}/d.db") is None
