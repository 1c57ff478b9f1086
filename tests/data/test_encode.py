import decimal
from datetime import date

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused

from biombo._data import ColumnEncoder
from biombo._errors import BiomboWarning


def encoded(*chunks: pa.Array):
    encoder = ColumnEncoder("x")
    for chunk in chunks:
        encoder.add(chunk)
    return encoder.finish()


texts = st.lists(st.none() | st.text("ab", max_size=2))
numbers = st.lists(st.none() | st.integers(-3, 3))


@given(
    st.lists(texts | numbers.map(lambda values: [None if v is None else str(v) for v in values]), min_size=1),
    st.booleans(),
)
def test_decoding_gives_the_values_back_whatever_the_chunks(chunks, with_dictionary):
    arrays = [pa.array(chunk, pa.string()) for chunk in chunks]
    column = encoded(*(array.dictionary_encode() if with_dictionary else array for array in arrays))
    everything = [value or None for chunk in chunks for value in chunk]  # an empty text is a missing value
    assert column.decoded().to_list() == everything
    assert column.cardinality == len(set(everything))
    assert sorted(set(column.codes.tolist())) == list(range(column.cardinality))


@pytest.mark.parametrize(("cardinality", "width"), [(1, 1), (256, 1), (257, 2), (65_536, 2), (65_537, 4)])
def test_codes_are_as_narrow_as_the_values_allow(cardinality, width):
    column = encoded(pa.array(range(cardinality)))
    assert column.codes.dtype.itemsize == width
    assert column.decoded().to_list() == list(range(cardinality))


def test_codes_widen_when_later_chunks_bring_more_values():
    column = encoded(pa.array(["a", "b"]), pa.array([f"{place}" for place in range(300)]), pa.array(["b"]))
    assert column.codes.dtype == np.uint16
    assert column.decoded().to_list() == ["a", "b", *(f"{place}" for place in range(300)), "b"]


def test_a_missing_value_is_a_value_of_its_own_and_not_a_real_code():
    column = encoded(pa.array(["None", None, "null", ""]))
    assert column.cardinality == 3
    assert column.decoded().to_list() == ["None", None, "null", None]


@pytest.mark.parametrize("index", [pa.int8(), pa.uint8(), pa.int16(), pa.uint32(), pa.int64()])
def test_dictionaries_with_any_index_type_and_missing_rows_are_understood(index):
    indices = pa.array([0, None, 126, 0], index)
    column = encoded(pa.DictionaryArray.from_arrays(indices, [f"v{place}" for place in range(127)]))
    assert column.decoded().to_list() == ["v0", None, "v126", "v0"]


def test_a_full_dictionary_of_the_narrowest_index_leaves_room_for_the_missing():
    indices = pa.array([*range(128), None], pa.int8())
    column = encoded(pa.DictionaryArray.from_arrays(indices, [f"v{place}" for place in range(128)]))
    assert column.decoded().to_list()[-1] is None
    assert column.cardinality == 129


def test_a_value_that_only_occurs_late_in_a_long_chunk_is_found():
    indices = pa.array([0] * 100_000 + [1])
    assert encoded(pa.DictionaryArray.from_arrays(indices, ["a", "b", "never"])).values.to_list() == ["a", "b"]


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        (pa.array([1, None], pa.int8()), pl.Int64),
        (pa.array([1], pa.uint64()), pl.UInt64),
        (pa.array([1.5], pa.float32()), pl.Float64),
        (pa.array([True, False]), pl.Boolean),
        (pa.array([date(2024, 1, 1)], pa.date64()), pl.Date),
        (pa.array([1], pa.timestamp("s")), pl.Datetime("us")),
        (pa.array([1], pa.timestamp("ms", "UTC")), pl.Datetime("us", "UTC")),
        (pa.array([1], pa.time32("s")), pl.Time),
        (pa.array([1], pa.duration("ms")), pl.Duration("us")),
        (pa.array([decimal.Decimal("1.50")]), pl.Decimal(3, 2)),
        (pa.array([decimal.Decimal("1.5")], pa.decimal256(50, 1)), pl.String),
        (pa.array(["a"], pa.string_view()), pl.String),
        (pa.array([b"a"], pa.binary(1)), pl.String),
        (pa.nulls(2), pl.String),
        (pa.array(["a", "a"]).dictionary_encode(), pl.String),
        (pa.RunEndEncodedArray.from_arrays([2, 3], ["a", "b"]), pl.String),
    ],
)
def test_every_type_of_arrow_becomes_one_of_a_few(values, dtype):
    column = encoded(values)
    assert column.values.dtype == dtype
    assert len(column.codes) == len(values)


def test_whole_numbers_and_others_in_different_files_are_numbers():
    column = encoded(pa.array([1, 2]), pa.array([1.0, 2.5, None]), pa.array([decimal.Decimal("2.5")]))
    assert column.decoded().to_list() == [1.0, 2.0, 1.0, 2.5, None, 2.5]


def test_decimals_of_different_scales_stay_exact():
    column = encoded(pa.array([decimal.Decimal("1.5")]), pa.array([decimal.Decimal("1.50"), decimal.Decimal("0.125")]))
    assert column.decoded().to_list() == [decimal.Decimal("1.5"), decimal.Decimal("1.5"), decimal.Decimal("0.125")]


def test_numbers_and_text_in_different_files_are_compared_as_written_with_a_warning():
    with pytest.warns(BiomboWarning, match="'x'"):
        column = encoded(pa.array([1, 2, None]), pa.array(["1", "a"]), pa.array([2.0]))
    assert column.decoded().to_list() == ["1", "2", None, "1", "a", "2"]
    assert column.cardinality == 4


def test_a_chunk_of_missing_values_does_not_change_the_type():
    assert encoded(pa.nulls(1), pa.array([1])).values.dtype == pl.Int64


def test_zero_and_minus_zero_are_the_same_number():
    assert encoded(pa.array([0.0, -0.0])).cardinality == 1


def test_constants_are_coded_beside_other_values():
    acre, amazonas = (
        pa.DictionaryArray.from_arrays(pa.array([0] * n, pa.int8()), [v]) for n, v in ((2, "AC"), (1, "AM"))
    )
    column = encoded(acre, amazonas, pa.array(["AC"]))
    assert column.decoded().to_list() == ["AC", "AC", "AM", "AC"]
    assert column.cardinality == 2


def test_bytes_that_are_no_text_are_refused_with_column_and_source():
    encoder = ColumnEncoder("x")
    with refused("input.undecodable", "'x'", "some.parquet"):
        encoder.add(pa.array([b"\x81"]), "some.parquet")


def test_the_codes_do_not_hang_on_the_memory_of_the_source():
    column = encoded(pa.array(["a", "b"]))
    assert column.codes.flags.owndata
    assert column.codes.flags.writeable
