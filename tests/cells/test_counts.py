"""Tuples that stand for many records, in all that counts, against plain Python integers of any size."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biombo import _kernel
from biombo._cells import (
    SIZE_CLASSES,
    Cells,
    Codes,
    Lattice,
    LevelledColumn,
    Requirement,
    Rule,
    SampledCells,
    TargetColumn,
    judge_groups,
    narrowest,
    tallied,
)


@dataclass(frozen=True)
class Coded:
    name: str
    codes: Codes
    cardinality: int


Row = tuple[int, ...]


@dataclass(frozen=True)
class CountedTable:
    rows: list[Row]
    counts: list[int]
    cardinality: list[int]

    @property
    def columns(self) -> list[Coded]:
        return [
            Coded(f"c{i}", np.array([row[i] for row in self.rows], narrowest(c)), c)
            for i, c in enumerate(self.cardinality)
        ]

    def groups(self, subset: tuple[int, ...], target: int) -> list[Counter[int]]:
        found: defaultdict[Row, Counter[int]] = defaultdict(Counter)
        for row, count in zip(self.rows, self.counts, strict=True):
            found[tuple(row[i] for i in subset)][row[target]] += count
        return list(found.values())


@st.composite
def counted_tables(draw: st.DrawFn, most: int = 2**20) -> CountedTable:
    """A few tuples, some of them equal, with counts from 1 to more than 40 bits hold; codes that leave any room."""
    cardinality = [draw(st.sampled_from([1, 2, 5, 300, most])) for _ in range(3)]
    values = [draw(st.lists(st.integers(0, c - 1), min_size=1, max_size=3)) for c in cardinality]
    rows = draw(st.lists(st.tuples(*map(st.sampled_from, values)), min_size=1, max_size=12))
    count = st.integers(1, 300) | st.integers(2**31, 2**33) | st.integers(2**40, 2**45)
    counts = draw(st.lists(count, min_size=len(rows), max_size=len(rows)))
    return CountedTable(rows, counts, cardinality)


def size_class(size: int) -> int:
    return max(place for place, low in enumerate(SIZE_CLASSES) if size >= low)


@given(counted_tables())
def test_the_sweep_adds_up_counts(table: CountedTable) -> None:
    columns = table.columns
    cells = Cells.count(columns[:2], columns[2:], len(table.rows), counts=np.array(table.counts))
    assert len(cells) == len(set(table.rows))
    found = cells.sweep(2)
    assert found.top_of_all[0] == max(table.groups((), 2)[0].values())
    for place, subset in enumerate(s for size in (1, 2) for s in combinations(range(2), size)):
        groups = table.groups(subset, 2)
        assert found.top[place, 0] == sum(max(group.values()) for group in groups)
        of_class = Counter(size_class(group.total()) for group in groups)
        assert found.groups[place].tolist() == [of_class[c] for c in range(len(SIZE_CLASSES))]
        assert found.records[place].sum() == sum(table.counts)
        listed = cells.groups([f"c{i}" for i in subset], "c2")
        assert sorted(zip(listed.size.tolist(), listed.top.tolist(), strict=True)) == sorted(
            (group.total(), max(group.values())) for group in groups
        )


@given(counted_tables(most=2_000), st.integers(1, 2**34))
def test_the_lattice_adds_up_counts(table: CountedTable, k: int) -> None:
    first, second, target = table.columns
    targets = [TargetColumn("c2", target.codes, target.cardinality)]
    columns = [LevelledColumn.ungeneralised(first), LevelledColumn.ungeneralised(second)]
    counts = np.array(table.counts)
    lattice = Lattice.count(columns, targets, len(table.rows), counts=counts)
    groups = table.groups((0, 1), 2)
    small = [group.total() for group in groups if group.total() < k]
    found = lattice.sweep([Requirement(k)], limit=sum(table.counts), tops=True)
    assert (lattice.records, len(lattice)) == (sum(table.counts), len(set(table.rows)))
    assert (found.suppressed[0, 0], found.groups[0, 0]) == (sum(small), len(groups) - len(small))
    judged = judge_groups([first, second], targets, len(table.rows), [Rule(0, "distinct", 1)], counts=counts)
    assert sorted(judged.size.tolist()) == sorted(group.total() for group in groups)
    assert sorted(judged.top[:, 0].tolist()) == sorted(max(group.values()) for group in groups)


@given(counted_tables(), st.data())
def test_a_sample_and_its_population_add_up_counts(table: CountedTable, more: st.DataObject) -> None:
    asked = [more.draw(st.integers(0, count)) for count in table.counts]
    columns, rows = table.columns, (len(table.rows), len(table.rows))
    sample = CountedTable(table.rows, asked, table.cardinality)
    cells = SampledCells.count(columns, columns, rows, counts=(np.array(table.counts), np.array(asked)))
    swept = cells.sweep(3)
    for place, subset in enumerate(s for size in (1, 2, 3) for s in combinations(range(3), size)):
        n = [group.total() for group in table.groups(subset, 0)]
        d = [group.total() for group in sample.groups(subset, 0)]
        assert swept.found[place] == sum(d)
        assert swept.right[place] == sum(max(there, of - there) for there, of in zip(d, n, strict=True))
        listed = cells.groups([f"c{i}" for i in subset])
        expected = sorted((of, there) for there, of in zip(d, n, strict=True) if there)
        assert sorted(zip(listed.n.tolist(), listed.d.tolist(), strict=True)) == expected


@given(counted_tables(), st.data())
def test_rows_that_are_not_kept_do_not_count(table: CountedTable, more: st.DataObject) -> None:
    keep = more.draw(st.lists(st.booleans(), min_size=len(table.rows), max_size=len(table.rows)))
    columns = table.columns
    cells = Cells.count(columns, [], len(table.rows), np.array(keep), np.array(table.counts))
    kept = [count for count, there in zip(table.counts, keep, strict=True) if there]
    assert cells.groups([]).size.sum() == sum(kept)


def test_more_records_than_can_be_added_up_are_refused() -> None:
    codes, half = np.zeros(2, np.uint8), np.full(2, 2**62, np.uint64)
    for count in (
        lambda counts: _kernel.count_cells([codes], [1], [], [], 2, counts=counts),
        lambda counts: _kernel.PackedTuples().add([codes], [1], 2, counts),
        lambda counts: _kernel.count_sampled([codes], 2, None, [codes], 2, None, [1], counts // 2, counts // 2),
    ):
        with pytest.raises(OverflowError, match="records"):
            count(half)
        count(half - 1)
    packed = _kernel.PackedTuples()
    packed.add([codes], [1], 2, half - 1)
    with pytest.raises(OverflowError, match="records"):
        packed.add([codes], [1], 2)
    packed.add([codes[:1]], [1], 1)
    assert packed.take()[1].tolist() == [[2**63 - 1]]


def test_a_count_for_each_row_is_asked_for() -> None:
    column = Coded("a", np.zeros(3, np.uint8), 1)
    with pytest.raises(ValueError, match="counts"):
        Cells.count([column], [], 3, counts=np.ones(2, np.int64))


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2**55), st.booleans()), max_size=20))
def test_tallies_are_exact(rows: list[tuple[int, int, bool]]) -> None:
    codes, counts, keep = (
        np.array([row[i] for row in rows], kind) for i, kind in enumerate((np.uint8, np.int64, bool))
    )
    expected = [sum(count for code, count, kept in rows if code == value and kept) for value in range(5)]
    assert tallied(codes, 5, counts, keep).tolist() == expected
