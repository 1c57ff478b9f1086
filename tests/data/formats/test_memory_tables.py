from datetime import date, datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from refusal import refused

from biombo._data import read
from biombo._data.formats import open_sources
from biombo._errors import BiomboWarning

CODES = ["0000013", None, "0000014", "0000013"]


def arrow() -> pa.Table:
    return pa.table({"code": CODES, "age": [1, 2, None, 1]})


class OnlyAStream:
    """What some other library's table looks like."""

    def __arrow_c_stream__(self, requested_schema=None):
        return arrow().__arrow_c_stream__(requested_schema)


TABLES = {
    "Polars": lambda: pl.DataFrame({"code": CODES, "age": [1, 2, None, 1]}),
    "Polars query": lambda: pl.LazyFrame({"code": CODES, "age": [1, 2, None, 1]}),
    "pandas": lambda: pd.DataFrame({"code": CODES, "age": pd.array([1, 2, None, 1], dtype="Int64")}),
    "pandas objects": lambda: pd.DataFrame({"code": pd.Series(CODES, dtype=object), "age": [1, 2, None, 1]}),
    "pandas on Arrow": lambda: pd.DataFrame(
        {"code": pd.Series(CODES, dtype="string[pyarrow]"), "age": pd.Series([1, 2, None, 1], dtype="int64[pyarrow]")}
    ),
    "Arrow table": arrow,
    "Arrow batch": lambda: arrow().to_batches()[0],
    "Arrow reader": lambda: arrow().to_reader(max_chunksize=3),
    "Arrow stream": OnlyAStream,
}


@pytest.mark.parametrize("kind", TABLES)
def test_every_kind_of_table_gives_the_same_codes(kind):
    data = read(TABLES[kind]())
    assert data["code"].decoded().to_list() == CODES
    assert data["age"].decoded().to_list() == [1, 2, None, 1]
    assert data["code"].cardinality == 3


@pytest.mark.parametrize("kind", TABLES)
def test_only_the_columns_asked_for_are_kept(kind):
    assert list(read(TABLES[kind](), columns=["age"]).columns) == ["age"]


@pytest.mark.parametrize("kind", ["Polars", "pandas", "pandas objects"])
def test_the_table_is_not_changed(kind):
    table, untouched = TABLES[kind](), TABLES[kind]()
    read(table)
    assert table.equals(untouched)


def test_an_arrow_table_is_not_copied():
    table = arrow()
    (source,) = open_sources(table)
    batch = next(iter(source.batches(["age"])))
    assert batch.column("age").buffers()[1].address == table.column("age").chunk(0).buffers()[1].address


def test_a_large_table_is_read_in_parts():
    table = pl.DataFrame({"x": np.arange((1 << 20) + 5) % 3})
    (source,) = open_sources(table)
    assert [batch.num_rows for batch in source.batches(["x"])] == [1 << 20, 5]
    assert read(table)["x"].decoded().to_list() == table["x"].to_list()


def test_categories_of_polars_come_as_dictionaries():
    table = pl.DataFrame({"x": pl.Series(["b", "a", "b", None], dtype=pl.Categorical)})
    (source,) = open_sources(table)
    assert pa.types.is_dictionary(next(iter(source.batches(["x"]))).column("x").type)
    assert read(table)["x"].decoded().to_list() == ["b", "a", "b", None]


@pytest.mark.parametrize(
    "table",
    [
        pl.DataFrame({"x": pl.Series(["b", "a", None], dtype=pl.Enum(["a", "b", "never"]))}),
        pl.DataFrame({"x": pl.Series(["never", "b", "a", None], dtype=pl.Categorical)})[1:],
        pd.DataFrame({"x": pd.Categorical(["b", "a", None], categories=["never", "b", "a"])}),
        pa.table({"x": pa.DictionaryArray.from_arrays([1, 2, None], ["never", "b", "a"])}),
    ],
)
def test_categories_that_do_not_occur_are_no_values(table):
    column = read(table)["x"]
    assert column.decoded().to_list() == ["b", "a", None]
    assert column.cardinality == 3


def test_a_dictionary_with_the_same_value_twice_or_with_nothing_is_one_value():
    indices = pa.array([0, 1, 2, None], pa.int8())
    column = read(pa.table({"x": pa.DictionaryArray.from_arrays(indices, pa.array(["a", "a", None]))}))["x"]
    assert column.decoded().to_list() == ["a", "a", None, None]
    assert column.cardinality == 2


def test_nan_is_missing_wherever_it_comes_from():
    for table in (pl.DataFrame({"x": [1.5, float("nan"), None]}), pd.DataFrame({"x": [1.5, np.nan, None]})):
        assert read(table)["x"].decoded().to_list() == [1.5, None, None]


@pytest.mark.parametrize("kind", [pl.String, pl.Categorical, pl.Binary, pl.Object])
def test_an_empty_text_is_a_missing_value(kind):
    texts = [b"", None, b"a"] if kind == pl.Binary else ["", None, "a"]
    column = read(pl.DataFrame({"x": pl.Series(texts, dtype=kind)}))["x"]
    assert column.values.to_list() == [None, "a"]
    assert column.decoded().to_list() == [None, None, "a"]


def test_dates_and_times_stay_what_they_are():
    moments = [datetime(2024, 1, 2, 3, 4, 5), None]
    for table in (pl.DataFrame({"x": moments}), pd.DataFrame({"x": moments})):
        assert read(table)["x"].decoded().to_list() == moments
    assert read(pl.DataFrame({"x": [date(2024, 1, 2)]}))["x"].values.to_list() == [date(2024, 1, 2)]


def test_nanoseconds_are_not_rounded_away():
    moments = pa.array([1, 2], pa.timestamp("ns"))
    assert read(pa.table({"x": moments}))["x"].cardinality == 2


def test_names_that_are_no_text_become_text():
    assert list(read(pd.DataFrame([[1, 2]])).columns) == ["0", "1"]


def test_names_that_become_the_same_text_are_refused():
    with refused("input.repeated-columns", "1"):
        read(pd.DataFrame([[1, 2]], columns=[1, "1"]))


def test_repeated_names_are_refused():
    with refused("input.repeated-columns", "x"):
        read(pa.table([pa.array([1]), pa.array([2])], ["x", "x"]))


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"x": pd.Series([1, "1", "a", None, 2.0], dtype=object)}),
        pl.DataFrame({"x": pl.Series([1, "1", "a", None, 2.0], dtype=pl.Object)}),
    ],
)
def test_several_types_in_a_column_are_compared_as_written_with_a_warning(table):
    with pytest.warns(BiomboWarning, match="'x'"):
        column = read(table)["x"]
    assert column.decoded().to_list() == ["1", "1", "a", None, "2"]


@pytest.mark.parametrize("table", [pl.DataFrame({"x": [[1], [2]]}), pl.DataFrame({"x": [{"a": 1}]})])
def test_nested_columns_are_refused(table):
    with refused("column.nested", "'x'"):
        read(table)


def test_a_table_without_rows_is_refused():
    with refused("input.empty", "pandas"):
        read(pd.DataFrame({"x": []}))


def test_a_query_that_fails_is_refused(tmp_path):
    with refused("input.table", "Polars"):
        read(pl.scan_parquet(tmp_path / "none.parquet"))


@pytest.mark.parametrize("thing", [5, b"a,b", {"a": [1]}, object()])
def test_what_is_no_table_is_refused(thing):
    with refused("usage.source"):
        read(thing)


def test_invalid_utf_8_in_an_arrow_table_is_refused_or_decoded():
    broken = pa.array([b"S\xe3o"]).view(pa.string())
    assert read(pa.table({"x": broken}))["x"].values.to_list() == ["São"]


@pytest.mark.parametrize("table", [pl.DataFrame({"^a.*$": [1], "ab": [2]}), pl.LazyFrame({"^a.*$": [1], "ab": [2]})])
def test_a_name_that_polars_takes_for_a_pattern_is_refused(table):
    with refused("column.pattern", "^a.*$"):
        read(table, columns=["^a.*$"])
