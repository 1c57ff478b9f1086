from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet
from refusal import refused

from biombo._data import read
from biombo._data.formats import ParquetFile


@pytest.fixture
def written(tmp_path):
    def write(table: pa.Table | dict, **options: object) -> Path:
        path = tmp_path / "table.parquet"
        parquet.write_table(table if isinstance(table, pa.Table) else pa.table(table), path, **options)
        return path

    return write


def test_text_numbers_and_dates_keep_their_types(written):
    data = read(written({"code": ["007", None], "age": [7, 8], "weight": [1.5, None], "day": [date(2024, 1, 2)] * 2}))
    assert data["code"].values.to_list() == ["007", None]
    assert data["age"].values.dtype == pl.Int64
    assert data["weight"].decoded().to_list() == [1.5, None]
    assert data["day"].values.to_list() == [date(2024, 1, 2)]


def test_the_dictionaries_of_the_file_are_used(written):
    path = written({"sex": ["F", "M", "F"] * 100, "age": [1, 2, 3] * 100})
    batch = next(iter(ParquetFile(path).batches(["sex", "age"])))
    assert pa.types.is_dictionary(batch.column("sex").type)
    assert batch.column("sex").dictionary.to_pylist() == ["F", "M"]


def test_a_column_whose_values_the_file_does_not_list_comes_without_a_dictionary(written):
    table = {"lists": [[1, 2]] * 3, "records": [{"x": "a", "y": "b"}] * 3, "coded": ["x"] * 3, "plain": ["x"] * 3}
    path = written(table, use_dictionary=["coded"])
    batch = next(iter(ParquetFile(path).batches(["coded", "plain"])))
    assert [pa.types.is_dictionary(column.type) for column in batch.columns] == [True, False]


def test_row_groups_with_different_dictionaries_are_one_column(written):
    values = [f"{place // 10:03d}" for place in range(1_000)]
    data = read(written({"x": values}, row_group_size=37))
    assert data["x"].decoded().to_list() == values
    assert data["x"].cardinality == 100


@given(
    st.lists(st.none() | st.text(st.characters(blacklist_categories=["Cs"]), max_size=4), min_size=1), st.integers(1, 9)
)
def test_values_survive_any_division_into_row_groups(tmp_path_factory, values, size):
    path = tmp_path_factory.mktemp("parquet") / "x.parquet"
    parquet.write_table(pa.table({"x": pa.array(values, pa.string())}), path, row_group_size=size)
    column = read(path)["x"]
    meant = [value or None for value in values]  # an empty text is a missing value
    assert column.decoded().to_list() == meant
    assert column.cardinality == len(set(meant))


def test_names_and_rows_are_known_without_reading_rows(written):
    file = ParquetFile(written({"a": ["x"], "b.c": ["y"]}))
    assert (file.columns, file.rows) == (["a", "b.c"], 1)


def test_a_column_with_a_dot_in_its_name_is_read(written):
    assert read(written({"a.b": ["x"], "a": ["y"]}), columns=["a.b"])["a.b"].values.to_list() == ["x"]


def test_text_kept_as_bytes_is_decoded(written):
    assert read(written({"x": [b"S\xe3o", "São".encode()]}))["x"].decoded().to_list() == ["São", "São"]


def test_nested_columns_are_refused_only_when_asked_for(written):
    path = written({"a": ["x"], "list": [[1, 2]]})
    assert read(path, columns=["a"]).rows == 1
    with refused("input.nested", "'list'", str(path)):
        read(path)


def test_a_file_cut_off_anywhere_is_refused(written):
    path = written({"x": [f"{place}" for place in range(1_000)]})
    whole = path.read_bytes()
    for length in (3, 4, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with refused("input.damaged", str(path)):
            read(path)


def test_damaged_pages_are_refused_or_read_but_never_crash(written):
    path = written({"x": [f"{place % 50}" for place in range(5_000)]}, compression="snappy")
    whole = path.read_bytes()
    path.write_bytes(whole[:60] + b"\xff" * 200 + whole[260:])
    with refused("input.damaged"):
        read(path)


def test_an_empty_table_is_refused(written):
    with refused("input.empty"):
        read(written({"x": pa.array([], pa.string())}))


def test_the_file_is_not_in_memory_as_a_whole(tmp_path):
    path = tmp_path / "large.parquet"
    parquet.write_table(pa.table({"x": np.random.default_rng(0).random(4_000_000)}), path, row_group_size=200_000)
    before = pa.total_allocated_bytes()
    taken = max(pa.total_allocated_bytes() - before for _ in ParquetFile(path).batches(["x"]))
    assert taken < 0.6 * path.stat().st_size
