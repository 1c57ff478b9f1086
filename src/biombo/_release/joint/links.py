"""Columns that two releases tell alike, and the records that anybody can link by them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from biombo._attack import stacked
from biombo._data import Column
from biombo._engine import numbered
from biombo._release.joint.intersection import Numbers
from biombo._release.joint.side import Rows, Side

_MOSTLY = 0.5
"""A column that tells the same of so many of the records in both is worth trying, too."""


@dataclass(frozen=True, eq=False)
class SharedColumns:
    """The columns of both releases that tell the same, over the records of the first and then of the second."""

    alike: tuple[Column, ...]
    """What they tell alike of every record that is in both."""
    mostly: tuple[Column, ...]
    """What they tell alike of most of them: masked records say something else."""
    first: int
    """The records of the first."""
    second: int
    rows: tuple[Rows, Rows]
    """The records that are in both, in the one and in the other."""

    @classmethod
    def of(cls, first: Side, second: Side, rows: tuple[Rows, Rows]) -> "SharedColumns":
        """Found by the records that are in both."""
        beginning = first.data.rows
        names = [name for name in first.data.columns if name in second.data.columns]
        columns = [stacked(first.data[name], second.data[name]) for name in names]
        same = [np.mean(each.codes[rows[0]] == each.codes[beginning + rows[1]]) for each in columns]
        found = list(zip(columns, same, strict=True))
        alike = tuple(column for column, share in found if share == 1)
        mostly = tuple(column for column, share in found if _MOSTLY <= share < 1)
        return cls(alike, mostly, beginning, second.data.rows, rows)

    def tuples(self) -> tuple[Numbers, Numbers]:
        """By record of the first and of the second: a number for all that they tell alike."""
        return self._tuples(self.alike)

    def links(self) -> tuple[int, int]:
        """How many records of the two anybody takes for the same, because no other record of either has their values;
        and how many of them are.
        """
        found = [self._links(columns) for columns in (self.alike, (*self.alike, *self.mostly)) if columns]
        made = np.unique(np.concatenate([np.zeros(0, np.int64), *found]))
        own = self.rows[0] * self.second + self.rows[1]
        return len(made), int(np.isin(own, made).sum())

    def _links(self, columns: Sequence[Column]) -> Numbers:
        """A number for each pair of records that are linked."""
        first, second = self._tuples(columns)
        tuples = int(max(first.max(), second.max())) + 1
        alone = (np.bincount(first, minlength=tuples) == 1) & (np.bincount(second, minlength=tuples) == 1)
        place_of = np.zeros(tuples, np.int64)
        place_of[second] = np.arange(self.second)
        linked = np.flatnonzero(alone[first])
        return linked * self.second + place_of[first[linked]]

    def _tuples(self, columns: Sequence[Column]) -> tuple[Numbers, Numbers]:
        if not columns:
            return np.zeros(self.first, np.int64), np.zeros(self.second, np.int64)
        codes, _ = numbered([each.codes for each in columns], [each.cardinality for each in columns])
        wide = codes.astype(np.int64)
        return wide[: self.first], wide[self.first :]
