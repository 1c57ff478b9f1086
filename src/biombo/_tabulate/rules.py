"""Which cells tell too much of somebody, and how much about them must stay in doubt."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from biombo._errors import UsageError
from biombo._tabulate.classification import Classification
from biombo._tabulate.cube import Cube, Numbers, Sums

Marks = NDArray[np.bool_]

Shown = Literal["shown", "protected"]

RECORDS = "records"
"""The first of the measures."""


@dataclass(frozen=True)
class Dominance:
    """The (n, k) rule: a sum tells too much where the ``first`` so many have more than ``share`` of it."""

    first: int
    share: float

    def __post_init__(self) -> None:
        if self.first < 1 or not 0 < self.share < 1:
            raise UsageError("tabulate.dominance", first=self.first, share=self.share)

    def fails(self, sums: Sums) -> Marks:
        """The cells that tell too much."""
        return np.asarray(sums.largest[..., self.first - 1] > self.share * sums.totals)


@dataclass(frozen=True)
class Rules:
    """What a cell must be so that it may be shown."""

    k: int = 10
    """People, at least."""
    percent: float = 0.1
    """The p% rule: whoever has second most of a sum must not be able to tell within this share what the first has."""
    dominance: Dominance | None = None
    zeros: Shown = "shown"
    """May everybody know where there is nobody? Then it is also known where all of a total are in one of its parts."""

    def __post_init__(self) -> None:
        if self.k < 1:
            raise UsageError("tabulate.k", k=self.k)
        if not 0 <= self.percent < 1:
            raise UsageError("tabulate.percent", percent=self.percent)

    @property
    def largest(self) -> int:
        """How many of those that have most of a sum must be known."""
        return max(2, 0 if self.dominance is None else self.dominance.first)

    def sensitive(self, cube: Cube) -> Marks:
        """The cells that tell too much by themselves."""
        found = cube.people < self.k
        if self.zeros == "shown":
            found &= cube.records > 0
        for sums in cube.sums.values():
            found |= self.tells_first(sums)
            if self.dominance is not None:
                found |= self.dominance.fails(sums) & (cube.records > 0)
        return found

    def tells_first(self, sums: Sums) -> Marks:
        """Where does what is left without the first two not cover the share of the first? total - x1 - x2 < p x1"""
        first = sums.largest[..., 0]
        return np.asarray(sums.totals - sums.largest[..., 1] < self.percent * first)

    def measures(self, cube: Cube) -> "list[Measure]":
        """What is shown of cells, with what must stay in doubt about those that are not."""
        return [self._records(cube), *(self._sum(name, cube) for name in cube.sums)]

    def _records(self, cube: Cube) -> "Measure":
        """As far as anybody can tell, a cell may have k records; where it has so many that are of few, one more."""
        values = cube.records.astype(np.float64)
        up = np.where(cube.records < self.k, self.k - values, 1.0)
        floor = known_floor(cube.classifications, self.k, zeros_shown=self.zeros == "shown")
        others = np.where(floor > 1, self.k - 1, 0)
        slack = values - np.maximum(floor, cube.most_of_one + others)
        return Measure(RECORDS, values, floor, np.maximum(slack, 0), np.zeros(cube.shape), up, is_whole=True)

    def _sum(self, name: str, cube: Cube) -> "Measure":
        """As far as anybody can tell, a sum may be more and less by that share of what the first has."""
        sums = cube.sums[name]
        doubt = self.percent * sums.largest[..., 0]
        slack = np.maximum(sums.totals - sums.largest[..., 0], 0)
        return Measure(name, sums.totals, np.zeros(cube.shape), slack, np.minimum(doubt, sums.totals), doubt)


@dataclass(frozen=True, eq=False)
class Measure:
    """One number of each cell."""

    name: str
    values: Numbers
    floor: Numbers
    """What everybody knows that a cell has at least, if it is not shown."""
    slack: Numbers
    """How much less it may have in the eyes of whoever has most of it."""
    down: Numbers
    up: Numbers
    """How much less and more it must be possible that a cell has that tells too much."""
    is_whole: bool = False


def known_floor(trees: Sequence[Classification], k: int, *, zeros_shown: bool) -> Numbers:
    """What everybody knows that each cell has at least, if it is not shown: somebody, unless empty ones are left out as
    well; and k where a category that is there because k people have it is counted by itself.
    """
    floor = np.full(tuple(map(len, trees)), 1.0 if zeros_shown else 0.0)
    whole = [tree.root for tree in trees]
    for axis, tree in enumerate(trees):
        for category in tree.frequent:
            at = (*whole[:axis], category, *whole[axis + 1 :])
            floor[at] = max(floor[at], k)
    return floor


def full_cells(cube: Cube) -> Marks:
    """The parts that have all of a total: everybody in it is known to be in the part."""
    found = np.zeros(cube.shape, bool)
    for axis, tree in enumerate(cube.classifications):
        if len(tree) == 1:
            continue
        whole = np.take(cube.records, np.append(tree.parents[:-1], tree.root), axis)
        siblings = tree.added_up(np.ones(cube.shape, np.int64), axis)
        several = np.take(siblings, np.append(tree.parents[:-1], tree.root), axis) > 1
        is_part = np.expand_dims(
            np.arange(len(tree)) != tree.root, tuple(i for i in range(cube.records.ndim) if i != axis)
        )
        found |= several & is_part & (cube.records == whole) & (cube.records > 0)
    return found
