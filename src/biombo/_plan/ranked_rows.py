"""Rows by the size of their group."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._data import Dataset
from biombo._plan.numbering import numbered
from biombo._plan.step import Rows


@dataclass(frozen=True, eq=False)
class RankedRows:
    """Rows that fail, then the others by the size of their group over the quasi columns, the smallest first."""

    groups: int
    """Groups that do not fail."""
    _rank: NDArray[np.int64]

    @classmethod
    def of(cls, data: Dataset, failing: Rows, suppressed: Rows) -> "RankedRows":
        """Rank the rows that are not suppressed; those of one group fail together."""
        group, size = _groups(data, ~suppressed)
        size[group[failing[~suppressed]]] = 0
        others = int(np.count_nonzero(size))
        place = np.empty(len(size), np.int64)
        place[np.argsort(size, kind="stable")] = np.arange(1, len(size) + 1) - (len(size) - others)
        rank = np.full(data.rows, others + 1)
        rank[~suppressed] = place[group]
        return cls(others, rank)

    def up_to(self, groups: int) -> Rows:
        """The failing rows and those of the first ``groups`` others."""
        return self._rank <= groups


def _groups(data: Dataset, rows: Rows) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The group of each of ``rows``, and each group's size: people where they are named, else records."""
    quasi = [data[name] for name in data.schema.quasi]
    group, count = numbered([column.codes[rows] for column in quasi], [column.cardinality for column in quasi])
    if data.schema.person is None:
        return group, np.bincount(group, minlength=count)
    person = data[data.schema.person]
    pair, pairs = numbered([group, person.codes[rows]], [count, person.cardinality])
    group_of = np.empty(pairs, np.int64)
    group_of[pair] = group
    return group, np.bincount(group_of, minlength=count)
