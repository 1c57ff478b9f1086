"""What counts as one value is written as one, and what is written as one counts as one: for every type of Arrow."""

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biombo._data import ColumnEncoder, as_written, plain_values, written

NAN = float("nan")
FLOATS = [None, NAN, 0.0, -0.0, 1.0, 1.5, 0.1, -2.5, 1e-7, 1e16, 2.0**53, 2.0**63, 1e20, float("inf"), float("-inf")]
WHOLE = [None, 0, 1, -1, 127]
TIMES = [None, 0, 1, 999, 1_000, 1_000_000, 1_500_000_000, 86_399_000_000_000]
"""In nanoseconds, taken down to the unit at hand."""
HOUR = 3_600_000_000_000
SUMMER_TIME_ENDS = [1_550_368_800_000_000_000, 1_550_368_800_000_000_000 + HOUR, 1_550_368_800_000_000_000 - HOUR]
"""São Paulo, 17 February 2019: two of these hours have the same name."""

TEXTS = [None, "", " ", "1", "1.0", "01", "NA", "NaN", "null", "é", "é", "=1", "'=1"]
UNITS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}


def times(make: Callable[[str], pa.DataType], units: str, moments: list[int | None]) -> list[tuple[pa.DataType, list]]:
    return [(make(unit), [m if m is None else m // UNITS[unit] for m in moments]) for unit in units.split()]


TYPES: list[tuple[pa.DataType, list[Any]]] = [
    *((kind, WHOLE) for kind in (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.float16())),
    (pa.uint64(), [None, 0, 1, 2**64 - 1, 2**63]),
    (pa.int64(), [None, 2**53, 2**53 + 1, -(2**63), 2**63 - 1]),
    (pa.float32(), FLOATS),
    (pa.float64(), FLOATS),
    (pa.decimal128(20, 3), [None, Decimal("1"), Decimal("1.5"), Decimal("0"), Decimal("-0.125"), Decimal("100")]),
    (pa.bool_(), [None, True, False]),
    *((kind, TEXTS) for kind in (pa.string(), pa.large_string(), pa.string_view())),
    (pa.binary(), [None, b"", b"a", "ã".encode(), "ã".encode("latin-1")]),
    (pa.date32(), [None, 0, 1, -1]),
    (pa.date64(), [None, 0, 86_400_000]),
    *times(pa.timestamp, "s ms us ns", TIMES),
    *times(lambda unit: pa.timestamp(unit, "America/Sao_Paulo"), "s us ns", [*TIMES, *SUMMER_TIME_ENDS]),
    *times(pa.time32, "s ms", TIMES),
    *times(pa.time64, "us ns", TIMES),
    *times(pa.duration, "s ms us ns", TIMES),
    (pa.null(), [None]),
]


@st.composite
def chunks(draw: st.DrawFn) -> list[pa.Array]:
    kind, values = draw(st.sampled_from(TYPES))
    parts = draw(st.lists(st.lists(st.sampled_from(values), max_size=6), min_size=1, max_size=3))
    arrays = [pa.array(part, kind) for part in parts]
    coded = draw(st.booleans()) and not pa.types.is_null(kind) and kind != pa.string_view()
    return [array.dictionary_encode() if coded else array for array in arrays]


@given(chunks())
def test_equal_codes_and_equal_texts_are_the_same_thing(parts) -> None:
    encoder = ColumnEncoder("x")
    for part in parts:
        encoder.add(part)
    codes = encoder.finish().codes.tolist()
    texts = [text for part in parts for text in written(plain_values(part, "x", "")).to_list()]

    assert len({*zip(codes, texts, strict=True)}) == len({*codes}) == len({*texts})


@given(chunks())
def test_what_was_coded_is_written_as_it_would_have_been(parts) -> None:
    encoder = ColumnEncoder("x")
    for part in parts:
        encoder.add(part)
    texts = [text for part in parts for text in written(plain_values(part, "x", "")).to_list()]

    assert written(encoder.finish().decoded()).to_list() == texts


VALUES = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.decimals(allow_nan=False, allow_infinity=False, places=3).filter(lambda number: abs(number) < 10**20),
    st.dates(),
    st.datetimes(),
    st.times(),
)


@given(VALUES)
def test_one_value_is_written_as_a_column_of_it_is(value) -> None:
    assert as_written(value) == written(pl.Series([value]))[0]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"),
        (-0.0, "0"),
        (1e16, "10000000000000000"),
        (0.1, "0.1"),
        (Decimal("1.50"), "1.5"),
        (Decimal("100"), "100"),
        (True, "true"),
        (dt.datetime(2024, 1, 31, 10), "2024-01-31T10:00:00"),
        (dt.datetime(2024, 1, 31, 10, 0, 0, 500_000), "2024-01-31T10:00:00.500"),
        (dt.time(10, 0, 0, 5), "10:00:00.000005"),
        (dt.timedelta(seconds=90.5), "PT1M30.5S"),
    ],
)
def test_values_as_people_write_them(value, text) -> None:
    assert as_written(value) == text


@given(st.lists(st.sampled_from([None, 0, 1, 2, -5, 10**16]), min_size=1))
def test_how_a_number_is_written_does_not_tell_the_type_of_its_column(numbers) -> None:
    kinds = (pl.Int64, pl.Float64, pl.Decimal(38, 2), pl.Int128)
    texts = [written(pl.Series(numbers, dtype=pl.Int64).cast(kind)).to_list() for kind in kinds]

    assert texts == [[None if number is None else str(number) for number in numbers]] * len(kinds)


def test_truth_and_one_are_not_the_same_in_several_files() -> None:
    encoder = ColumnEncoder("x")
    encoder.add(pa.array([True, False]))
    encoder.add(pa.array([1, 0]))
    with pytest.warns(match="'x'"):
        assert encoder.finish().decoded().to_list() == ["true", "false", "1", "0"]
