"""Rows in one canonical form: the same for the same values, and for no others."""

import datetime as dt
from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb
from biombo._data import canonical_rows

moments = st.datetimes(dt.datetime(1800, 1, 1), dt.datetime(2200, 1, 1))
KINDS = [
    (pa.string(), st.sampled_from(["", "-", "1", "t1:1", "a", "aa", "ção"]) | st.text(max_size=3)),
    (pa.int8(), st.integers(-128, 127)),
    (pa.uint64(), st.integers(0, 2**64 - 1)),
    (pa.float64(), st.floats(allow_nan=False)),
    (pa.bool_(), st.booleans()),
    (pa.decimal128(38, 2), st.decimals(-(10**35), 10**35, places=2)),
    (pa.date32(), moments.map(dt.datetime.date)),
    (pa.timestamp("us"), moments),
    (pa.duration("us"), st.timedeltas(dt.timedelta(-(10**8)), dt.timedelta(10**8))),
    (pa.null(), st.none()),
]


@st.composite
def tables(draw: st.DrawFn) -> pa.RecordBatch:
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=3))
    rows = draw(st.integers(2, 6))
    columns = [draw(st.lists(values | st.none(), min_size=rows, max_size=rows)) for _, values in kinds]
    arrays = [pa.array(values, kind) for values, (kind, _) in zip(columns, kinds, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, [f"c{place}" for place in range(len(arrays))])


def canonical(table: pa.RecordBatch) -> list[str]:
    return [row for rows in canonical_rows(table, "a table") for row in rows.to_pylist()]


def with_dictionaries(table: pa.RecordBatch) -> pa.RecordBatch:
    arrays = [column if pa.types.is_null(column.type) else column.dictionary_encode() for column in table.columns]
    return pa.RecordBatch.from_arrays(arrays, table.schema.names)


@given(tables())
def test_two_rows_are_the_same_text_where_their_values_are_the_same(table) -> None:
    rows, texts = table.to_pylist(), canonical(table)

    for one, text in zip(rows, texts, strict=True):
        assert [other == one for other in rows] == [other == text for other in texts]


@given(tables(), st.data())
def test_neither_dictionaries_nor_the_size_of_batches_play_a_part(table, data) -> None:
    cut = data.draw(st.integers(0, table.num_rows))

    assert canonical(with_dictionaries(table)) == canonical(table)
    assert canonical(table.slice(0, cut)) + canonical(table.slice(cut)) == canonical(table)


def test_many_rows_come_in_several_pieces() -> None:
    table = pa.record_batch({"number": list(range(100_000))})

    assert len(list(canonical_rows(table, "a table"))) > 1
    assert canonical(table) == [f"n{len(str(number))}:{number}" for number in range(100_000)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (pa.array([2], pa.int8()), pa.array([2], pa.uint64())),
        (pa.array([2], pa.int64()), pa.array([2.0], pa.float32())),
        (pa.array([-0.0], pa.float64()), pa.array([Decimal("0.00")], pa.decimal128(5, 2))),
        (pa.array([1.5], pa.float64()), pa.array([Decimal("1.50")], pa.decimal128(38, 2))),
        (pa.array([float("nan")], pa.float64()), pa.array([None], pa.null())),
        (pa.array(["é"], pa.string()), pa.array(["é".encode("latin-1")], pa.large_binary())),
        (pa.array(["a"], pa.string()), pa.array(["a"], pa.string_view())),
    ],
)
def test_how_values_are_stored_plays_no_part(one, other) -> None:
    assert canonical(pa.record_batch({"a": one})) == canonical(pa.record_batch({"a": other}))


@pytest.mark.parametrize("value", [["a"], {"a": 1}])
def test_what_is_no_single_value_is_named(value) -> None:
    with pytest.raises(bb.ColumnError, match="nested"):
        canonical(pa.record_batch({"nested": [value]}))
