"""The sweep against a definition anyone can check."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biombo._cells import SIZE_CLASSES, Cells, Codes, narrowest


@dataclass(frozen=True)
class Coded:
    name: str
    codes: Codes
    cardinality: int


def coded(name: str, codes: list[int], cardinality: int) -> Coded:
    return Coded(name, np.array(codes, narrowest(cardinality)), cardinality)


def slow_groups(rows: list[tuple[int, ...]], subset: tuple[int, ...], target: int) -> list[Counter[int]]:
    groups: defaultdict[tuple[int, ...], Counter[int]] = defaultdict(Counter)
    for row in rows:
        groups[tuple(row[column] for column in subset)][row[target]] += 1
    return list(groups.values())


def size_class(size: int) -> int:
    return max(place for place, low in enumerate(SIZE_CLASSES) if size >= low)


def check_against_definition(rows: list[tuple[int, ...]], quasi: int, cells: Cells, max_size: int) -> None:
    counts = cells.sweep(max_size)
    subsets = [s for size in range(1, max_size + 1) for s in combinations(range(quasi), size)]
    assert [tuple(np.flatnonzero(members)) for members in counts.members] == subsets
    for place, subset in enumerate(subsets):
        for target in range(len(cells.targets)):
            groups = slow_groups(rows, subset, quasi + target)
            assert counts.top[place, target] == sum(max(group.values()) for group in groups)
            found = cells.groups([cells.quasi[column] for column in subset], cells.targets[target])
            expected = [(g.total(), max(g.values()), list(g.values()).count(max(g.values()))) for g in groups]
            assert sorted(zip(found.size, found.top, found.ties, strict=True)) == sorted(expected)
        sizes = [group.total() for group in slow_groups(rows, subset, 0)]
        for c in range(len(SIZE_CLASSES)):
            in_class = [size for size in sizes if size_class(size) == c]
            assert counts.groups[place, c] == len(in_class)
            assert counts.records[place, c] == sum(in_class)
    for target in range(len(cells.targets)):
        assert counts.top_of_all[target] == max(Counter(row[quasi + target] for row in rows).values())


Table = tuple[list[tuple[int, ...]], list[int], int]


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Rows of codes, how many values each column may have, and how many of the columns are quasi."""
    quasi, targets = draw(st.integers(1, 5)), draw(st.integers(0, 3))
    cardinality = [draw(st.sampled_from([1, 2, 3, 7, 300, 70_000, 2**31])) for _ in range(quasi + targets)]
    values = [draw(st.lists(st.integers(0, c - 1), min_size=1, max_size=4)) for c in cardinality]
    row = st.tuples(*(st.sampled_from(v) for v in values))
    distinct = draw(st.lists(row, min_size=1, max_size=30))
    repeats = draw(st.lists(st.integers(1, 60), min_size=len(distinct), max_size=len(distinct)))
    return [r for r, times in zip(distinct, repeats, strict=True) for _ in range(times)], cardinality, quasi


def cells_of(rows: list[tuple[int, ...]], cardinality: list[int], quasi: int, keep: list[bool] | None = None) -> Cells:
    columns = [coded(f"c{i}", [row[i] for row in rows], c) for i, c in enumerate(cardinality)]
    return Cells.count(columns[:quasi], columns[quasi:], len(rows), None if keep is None else np.array(keep))


@settings(max_examples=150, deadline=None)
@given(tables(), st.data())
def test_every_subset_agrees_with_the_definition(table: Table, data: st.DataObject) -> None:
    rows, cardinality, quasi = table
    if max(cardinality[quasi:], default=0) > 70_000:  # the histogram of a target is as large as its cardinality says
        cardinality = [min(c, 70_000) if i >= quasi else c for i, c in enumerate(cardinality)]
        rows = [tuple(v if i < quasi else v % 70_000 for i, v in enumerate(row)) for row in rows]
    max_size = data.draw(st.integers(1, quasi))
    check_against_definition(rows, quasi, cells_of(rows, cardinality, quasi), max_size)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2000, 6000), st.sampled_from([(2, 2, 3), (40, 9, 2), (500, 30, 3)]))
def test_large_groups_agree_with_the_definition(seed: int, n: int, cardinality: tuple[int, ...]) -> None:
    random = np.random.default_rng(seed)
    columns = [(random.random(n) ** 2 * c).astype(int) for c in (*cardinality, 2, 6, 3)]
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    check_against_definition(rows, 4, cells_of(rows, [*cardinality, 2, 6, 3], 4), 4)


def test_rows_that_are_not_kept_do_not_count() -> None:
    rows = [(0, 1), (0, 1), (1, 0), (1, 1)]
    keep = [True, False, True, True]
    kept = [row for row, use in zip(rows, keep, strict=True) if use]
    check_against_definition(kept, 1, cells_of(rows, [2, 2], 1, keep), 1)


def test_counts_larger_than_their_field_are_not_lost() -> None:
    # 28 + 28 bits leave eight bits for the count: a cell of 100,000 records takes many rows.
    rows = [(5, 2**27, 1)] * 100_000 + [(5, 2**27, 0)] * 3 + [(6, 0, 1)] * 300
    check_against_definition(rows, 2, cells_of(rows, [2**28, 2**28, 2], 2), 2)


@pytest.mark.parametrize("columns", [3, 6, 12, 20, 40, 64])
def test_wide_rows_agree_with_the_definition(columns: int) -> None:
    random = np.random.default_rng(columns)
    codes = random.integers(2**31 - 3, 2**31, (60, columns)).tolist()
    rows = [(*row, int(random.integers(3))) for row in codes]
    size = 2 if columns < 30 else 1
    check_against_definition(rows, columns, cells_of(rows, [2**31] * columns + [3], columns), size)


def test_a_caller_who_is_wrong_about_its_codes_is_refused() -> None:
    column = Coded("a", np.array([0, 1, 2], np.uint8), 2)
    with pytest.raises(ValueError, match="cardinality"):
        Cells.count([column], [], 3)
    with pytest.raises(ValueError, match="keep"):
        Cells.count([Coded("a", column.codes, 3)], [], 3, np.ones(2, bool))
    with pytest.raises(ValueError, match="max_size"):
        Cells.count([Coded("a", column.codes, 3)], [], 3).sweep(2)
    with pytest.raises(ValueError, match="64 columns"):
        Cells.count([Coded(str(i), column.codes, 3) for i in range(65)], [], 3)


def test_a_sweep_can_be_interrupted() -> None:
    random = np.random.default_rng(0)
    columns = [Coded(f"c{i}", random.integers(0, 50, 200_000).astype(np.uint8), 50) for i in range(12)]
    cells = Cells.count(columns[:11], columns[11:], 200_000)

    def stop(share: float) -> None:
        assert 0 <= share <= 1
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cells.sweep(11, stop)
