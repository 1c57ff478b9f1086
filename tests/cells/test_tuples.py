"""Counting rows chunk by chunk against ``collections.Counter``."""

import tracemalloc
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biombo import _kernel
from biombo._cells import Codes, TupleCounter, Tuples, narrowest


def chunk_of(rows: list[tuple[int, ...]], columns: int) -> list[Codes]:
    """Columns of codes, as narrow as the chunk allows: a later one may be wider."""
    codes = [[row[column] for row in rows] for column in range(columns)]
    return [np.array(each, narrowest(max(each, default=0) + 1)) for each in codes]


def as_counter(tuples: Tuples) -> Counter[tuple[int, ...]]:
    counts = np.ones(tuples.rows, np.int64) if tuples.counts is None else tuples.counts
    found: Counter[tuple[int, ...]] = Counter()
    for row, count in zip(zip(*(codes.tolist() for codes in tuples.codes), strict=True), counts.tolist(), strict=True):
        found[row] += count
    return found


@st.composite
def chunks(draw: st.DrawFn) -> tuple[int, list[list[tuple[int, ...]]]]:
    """Chunks of rows whose codes become larger as chunks arrive."""
    columns = draw(st.integers(1, 4))
    highest = [draw(st.sampled_from([1, 3, 255, 256, 70_000, 2**32 - 1])) for _ in range(draw(st.integers(0, 6)))]
    codes = [st.integers(0, high) | st.integers(0, 1) for high in highest]
    rows = [draw(st.lists(st.tuples(*[code] * columns), max_size=12)) for code in codes]
    return columns, rows


@given(chunks(), st.integers(1, 20))
def test_the_counter_counts_whatever_the_chunks(
    asked: tuple[int, list[list[tuple[int, ...]]]], rows_at_once: int
) -> None:
    columns, arriving = asked
    counter = TupleCounter(columns, rows_at_once)
    for rows in arriving:
        counter.add(chunk_of(rows, columns))
    tuples = counter.finish()

    everything = [row for rows in arriving for row in rows]
    assert as_counter(tuples) == Counter(everything)
    assert all(len(codes) == tuples.rows for codes in tuples.codes)
    if tuples.counts is not None:
        assert tuples.rows == len(set(everything))
        assert (tuples.counts > 0).all()


@st.composite
def counted_chunks(draw: st.DrawFn) -> tuple[int, list[list[tuple[tuple[int, ...], int]]]]:
    """Chunks of rows with counts, both of any size: the fields into which they are packed become wider and narrower."""
    columns = draw(st.integers(1, 4))
    codes = st.sampled_from([0, 1, 2, 255, 256, 65_535, 65_536, 2**28, 2**32 - 1])
    counts = st.integers(1, 3) | st.sampled_from([2**7, 2**8 - 1, 2**8, 2**31, 2**32 - 1, 2**32, 2**40, 2**57])
    rows = st.tuples(st.tuples(*[codes] * columns), counts)
    return columns, draw(st.lists(st.lists(rows, min_size=1, max_size=8), min_size=1, max_size=5))


@given(counted_chunks())
def test_counts_of_any_size_are_added_up(
    asked: tuple[int, list[list[tuple[tuple[int, ...], int]]]],
) -> None:
    columns, arriving = asked
    packed, expected = _kernel.PackedTuples(), Counter[tuple[int, ...]]()
    for chunk in arriving:
        codes = chunk_of([row for row, _ in chunk], columns)
        cardinality = [int(column.max()) + 1 for column in codes]
        packed.add(codes, cardinality, len(chunk), np.array([count for _, count in chunk], np.uint64))
        for row, count in chunk:
            expected[row] += count
        assert len(packed) == len(expected)
    found, counts = packed.take()
    rows = list(zip(*(column.ravel().tolist() for column in found), strict=True))
    assert dict(zip(rows, counts.ravel().tolist(), strict=True)) == expected
    assert rows == sorted(expected)
    assert len(packed) == 0


def test_memory_follows_the_tuples() -> None:
    rng = np.random.default_rng(1)
    counter = TupleCounter(4, rows_at_once=10_000)
    tracemalloc.start()
    for _ in range(200):
        counter.add([rng.integers(0, 4, 10_000, np.uint8) for _ in range(4)])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    tuples = counter.finish()
    assert tuples.counts is not None
    assert (tuples.rows, int(tuples.counts.sum())) == (4**4, 2_000_000)
    assert peak < 2_000_000, "the codes of all rows take 8,000,000 bytes"


def test_rows_that_all_differ_are_kept_as_they_are() -> None:
    codes = np.arange(50_000, dtype=np.uint32)
    counter = TupleCounter(2, rows_at_once=1_000)
    for part in np.split(codes, 50):
        counter.add([part, part[::-1].copy()])
    tuples = counter.finish()
    assert tuples.counts is None
    np.testing.assert_array_equal(tuples.codes[0], codes)


@pytest.mark.parametrize("columns", [1, 2, 3, 9])
@pytest.mark.parametrize("repeated", [1, 2, 7])
def test_a_sample_tells_about_how_many_tuples_there_are(columns: int, repeated: int) -> None:
    distinct = 200_000 // repeated
    codes = [np.tile(np.arange(distinct, dtype=np.uint32) * (column + 1), repeated) for column in range(columns)]
    estimate = _kernel.estimate_tuples(codes, [distinct * columns] * columns, distinct * repeated)
    assert estimate == pytest.approx(distinct, rel=0.05)


def test_tuples_that_become_rare_late_are_still_counted_once_each() -> None:
    counter = TupleCounter(1, rows_at_once=100)
    for _ in range(20):
        counter.add([np.zeros(100, np.uint8)])
    counter.add([np.arange(5_000, dtype=np.uint16)])
    tuples = counter.finish()
    assert tuples.counts is not None
    assert tuples.counts.tolist() == [2_001, *[1] * 4_999]


def test_wide_rows_are_not_counted() -> None:
    counter = TupleCounter(65, rows_at_once=2)
    counter.add([np.zeros(5, np.uint8)] * 65)
    tuples = counter.finish()
    assert (tuples.counts, tuples.rows) == (None, 5)


@pytest.mark.parametrize("columns", [1, 3])
def test_nothing_makes_no_tuples(columns: int) -> None:
    assert TupleCounter(columns).finish().rows == 0
