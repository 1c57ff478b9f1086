"""Tuples by the size of their group."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._data import Dataset, written
from biombo._engine import Numbers, Rows, numbered


@dataclass(frozen=True, eq=False)
class RankedGroups:
    """Tuples that fail, then the others by the size of their group over the quasi columns, the smallest first.

    Groups of the same size are in the order of their values, so that the order of the records does not matter.
    """

    groups: int
    """Groups that do not fail."""
    _rank: Numbers

    @classmethod
    def of(cls, data: Dataset, counts: Numbers, failing: Rows, out: Rows) -> "RankedGroups":
        """Rank the tuples that are not out; those of one group fail together."""
        group, size = _groups(data, counts, ~out)
        size[group[failing[~out]]] = 0
        others = int(np.count_nonzero(size))
        place = np.empty(len(size), np.int64)
        place[_in_order(data, group, size, ~out)] = np.arange(1, len(size) + 1) - (len(size) - others)
        rank = np.full(data.rows, others + 1)
        rank[~out] = place[group]
        return cls(others, rank)

    def up_to(self, groups: int) -> Rows:
        """The failing tuples and those of the first ``groups`` others."""
        return self._rank <= groups


def _in_order(data: Dataset, group: NDArray[np.uint32], size: Numbers, there: Rows) -> NDArray[np.intp]:
    """Groups by size, and by their values as they are written."""
    some = np.empty(len(size), np.intp)
    some[group] = np.flatnonzero(there)
    ranks = [_ranks(data, name)[data[name].codes[some]] for name in reversed(data.schema.quasi)]
    return np.lexsort([*ranks, size])


def _ranks(data: Dataset, name: str) -> Numbers:
    """By code: its place in the order of the values; a missing one comes first."""
    order = written(data[name].values).arg_sort().to_numpy()
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order))
    return ranks


def _groups(data: Dataset, counts: Numbers, there: Rows) -> tuple[NDArray[np.uint32], Numbers]:
    """The group of each tuple that is there, and each group's size: people where they are named, else records."""
    quasi = [data[name] for name in data.schema.quasi]
    group, groups = numbered([column.codes[there] for column in quasi], [column.cardinality for column in quasi])
    if data.schema.person is None:
        size = np.zeros(groups, np.int64)
        np.add.at(size, group, counts[there])
        return group, size
    person = data[data.schema.person]
    pair, pairs = numbered([group, person.codes[there]], [groups, person.cardinality])
    group_of = np.empty(pairs, np.int64)
    group_of[pair] = group
    return group, np.bincount(group_of, minlength=groups)
