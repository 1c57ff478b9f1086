"""Parts of a column that are coded apart, and brought together by how their values are spelled, are one column."""

import datetime as dt
import warnings
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from biombo._data import Column, ColumnEncoder, SpelledValues

pytestmark = pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")

DAY = 86_400_000_000_000
NANOSECONDS = st.integers(-(10**18), 10**18) | st.sampled_from([0, 1, 1_000, 1_000_000, 10**9, DAY, DAY + 1, -1])
WHOLE = st.integers(-(2**63), 2**63 - 1) | st.sampled_from([0, 1, -1, 2**53, 2**53 + 1])
FLOATS = st.floats() | st.sampled_from([0.0, -0.0, 1.0, 0.5, 2.0**53, 1e20, float("nan"), float("inf")])
DECIMALS = st.decimals("-1e9", "1e9", places=3) | st.sampled_from([Decimal("1.000"), Decimal("0.500")])
NEARLY_ONE = 123 * 10**35
LONG = (st.integers(0, 10**38 - 1) | st.sampled_from([NEARLY_ONE, NEARLY_ONE + 1, NEARLY_ONE + 10])).map(
    lambda number: Decimal((0, tuple(map(int, str(number))), -35))
)
TEXTS = st.text(max_size=3) | st.sampled_from(["", "1", "0.5", "true", "n1", "t", "\0", "1970-01-01", "x\0y"])

KINDS: dict[pa.DataType, st.SearchStrategy[Any]] = {
    pa.int64(): WHOLE,
    pa.int8(): st.integers(-128, 127),
    pa.uint64(): st.integers(0, 2**64 - 1),
    pa.float64(): FLOATS,
    pa.float32(): st.floats(width=32),
    pa.decimal128(20, 3): DECIMALS,
    pa.decimal128(38, 35): LONG,
    pa.decimal128(38, 0): st.integers(-(10**38) + 1, 10**38 - 1).map(Decimal),
    pa.bool_(): st.booleans(),
    pa.string(): TEXTS,
    pa.date32(): st.dates(dt.date(1900, 1, 1), dt.date(2100, 1, 1)) | st.just(dt.date(1970, 1, 1)),
    pa.timestamp("us"): NANOSECONDS.map(lambda moment: moment // 1000),
    pa.timestamp("ns"): NANOSECONDS,
    pa.timestamp("ns", "America/Sao_Paulo"): NANOSECONDS,
    pa.time64("ns"): st.integers(0, DAY - 1) | st.sampled_from([0, 1, 1_000_000]),
    pa.duration("ns"): NANOSECONDS,
    pa.null(): st.none(),
}


@st.composite
def chunks(draw: st.DrawFn, kinds: list[pa.DataType]) -> pa.Array:
    """Some values of one type."""
    kind = draw(st.sampled_from(kinds))
    values = draw(st.lists(st.none() | KINDS[kind], max_size=5))
    array = pa.array(values, kind)
    return array.dictionary_encode() if draw(st.booleans()) and kind != pa.null() else array


@st.composite
def columns_in_parts(draw: st.DrawFn) -> list[list[pa.Array]]:
    """Parts of a column: mostly of one or two types, as in files of several years, sometimes of any."""
    few = draw(st.lists(st.sampled_from(list(KINDS)), min_size=1, max_size=2))
    kinds = draw(st.sampled_from([few, few, list(KINDS)]))
    return draw(st.lists(st.lists(chunks(kinds), max_size=3), min_size=1, max_size=4))


def coded_at_once(parts: list[list[pa.Array]]) -> Column:
    encoder = ColumnEncoder("x")
    for part in parts:
        for chunk in part:
            encoder.add(chunk)
    return encoder.finish()


def coded_apart(parts: list[list[pa.Array]]) -> Column:
    """Each part by an encoder of its own; all that is told of it are codes, texts and types."""
    number: dict[str | None, int] = {}
    codes, kinds = [], set()
    for part in parts:
        encoder = ColumnEncoder("x")
        coded = [encoder.coded(chunk) for chunk in part]
        told = encoder.spelled
        lookup = np.array([number.setdefault(text, len(number)) for text in told.texts], np.uint32)
        codes += [lookup[each] for each in coded if len(each)]
        kinds |= told.kinds
    whole = np.concatenate([np.empty(0, np.uint32), *codes])
    return SpelledValues(list(number), frozenset(kinds)).column("x", whole)


@given(columns_in_parts())
@example([[pa.array([1])], [pa.array([1.0])], [pa.array([Decimal("1.00")])], [pa.array([True])], [pa.array(["1"])]])
@example([[pa.array([0.1])], [pa.array([Decimal("0.1")])], [pa.array([Decimal("0.1000")])]])
@example([[pa.array([2**53 + 1])], [pa.array([2.0**53])]])
@example([[pa.array([1], pa.timestamp("ns"))], [pa.array([0], pa.timestamp("us"))], [pa.array([0], pa.date32())]])
@example([[pa.array([None, "a"])], [pa.array([None], pa.null())], []])
@example([[pa.array([2.0**64])], [pa.array([Decimal(2**64)])], [pa.array([False])]])
@example([[pa.array([Decimal(2**64)])], [pa.array([2.0**64])], [pa.array([False])]])
@example([[], [pa.array([float("nan"), -0.0])], [pa.array([None, 0.0])]])
def test_parts_coded_apart_are_the_column_that_one_encoder_makes(parts) -> None:
    whole, joined = coded_at_once(parts), coded_apart(parts)

    assert joined.codes.tolist() == whole.codes.tolist()
    assert joined.values.dtype == whole.values.dtype
    assert joined.values.equals(whole.values, null_equal=True)


@given(columns_in_parts())
def test_a_warning_about_types_is_given_where_one_encoder_gives_it(parts) -> None:
    heard = []
    for coded in (coded_at_once, coded_apart):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            coded(parts)
        heard.append([str(each.message) for each in caught])

    assert heard[0] == heard[1]


@given(columns_in_parts())
def test_a_text_tells_values_apart_as_codes_do(parts) -> None:
    encoder = ColumnEncoder("x")
    for part in parts:
        for chunk in part:
            encoder.coded(chunk)
    texts = encoder.spelled.texts

    assert len(set(texts)) == len(texts)
