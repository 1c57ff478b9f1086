"""Groups of counted tuples: who shares the values of some columns, in records and in people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from biombo._cells import tallied
from biombo._data import Column, Dataset, written
from biombo._engine import Numbers, Rows, numbered


@dataclass(frozen=True, eq=False)
class Groups:
    """The groups that some ``columns`` of ``data`` make; one group where there are none."""

    data: Dataset
    columns: tuple[str, ...]
    _group: NDArray[np.uint32]
    count: int

    @classmethod
    def of(cls, data: Dataset, columns: Sequence[str]) -> "Groups":
        """Number the tuples by group."""
        if not columns:
            return cls(data, (), np.zeros(data.rows, np.uint32), int(data.rows > 0))
        return cls(data, tuple(columns), *_numbered(data, columns))

    @cached_property
    def records(self) -> Numbers:
        """Records by group."""
        return tallied(self._group, self.count, self.data.counts)

    @cached_property
    def people(self) -> Numbers:
        """People by group: records, where nobody says whose they are."""
        person = self.data.schema.person
        if person is None or person not in self.data.columns:
            return self.records
        return self._distinct(self.data[person])

    def values(self, column: Column) -> Numbers:
        """Different values of ``column`` by group."""
        return self._distinct(column)

    def top(self, column: Column, rows: Rows) -> int:
        """Σ over groups of the records with the most frequent value, among the tuples that ``rows`` marks."""
        if not rows.any():
            return 0
        pair, pairs, group_of = self._paired(column)
        records = tallied(pair, pairs, self.data.counts, rows)
        highest = np.zeros(self.count, np.int64)
        np.maximum.at(highest, group_of, records)
        return int(highest.sum())

    def in_groups(self, marked: Rows) -> Rows:
        """The tuples of the groups that are ``marked``."""
        return marked[self._group]

    def worded(self, column: Column, synonyms: Mapping[str, Sequence[str]]) -> Numbers:
        """Different words of ``column`` by group once the records of each value take its synonyms in turn."""
        pair, pairs, group_of = self._paired(column)
        records = tallied(pair, pairs, self.data.counts)
        code_of = np.empty(pairs, np.int64)
        code_of[pair] = column.codes
        words = np.array([1 + len(synonyms.get(value or "", ())) for value in written(column.values).to_list()])
        found = np.zeros(self.count, np.int64)
        np.add.at(found, group_of, np.minimum(records, words[code_of]))
        return found

    def _distinct(self, column: Column) -> Numbers:
        _, _, group_of = self._paired(column)
        return np.bincount(group_of, minlength=self.count)

    def _paired(self, column: Column) -> tuple[NDArray[np.uint32], int, NDArray[np.int64]]:
        """A number for each tuple by group and value, how many there are, and the group of each."""
        pair, pairs = numbered([self._group, column.codes], [self.count, column.cardinality])
        group_of = np.empty(pairs, np.int64)
        group_of[pair] = self._group
        return pair, pairs, group_of


def _numbered(data: Dataset, columns: Sequence[str]) -> tuple[NDArray[np.uint32], int]:
    chosen = [data[name] for name in columns]
    return numbered([column.codes for column in chosen], [column.cardinality for column in chosen])


def people_in(data: Dataset, rows: Rows) -> int:
    """The people behind the tuples that ``rows`` marks."""
    person = data.schema.person
    if person is None or person not in data.columns:
        return data.records_in(rows)
    return len(np.unique(data[person].codes[rows]))


def people_with(data: Dataset, column: Column, codes: Sequence[int]) -> list[int]:
    """For each of some ``codes`` of ``column``: the people who have it."""
    groups = Groups(data, (column.name,), column.codes.astype(np.uint32), column.cardinality)
    return [int(groups.people[code]) for code in codes]
