"""Which cells tell too much of somebody, and how much about them must stay in doubt."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from biombo._errors import UsageError
from biombo._tabulate.classification import Classification
from biombo._tabulate.cube import Cube, Numbers, Range, Sums
from biombo._tabulate.likeness import Likeness

Marks = NDArray[np.bool_]

Shown = Literal["shown", "protected"]

Reason = Literal["small", "dominated", "alike"]
"""Why a cell tells too much: few people, a sum that is nearly one person's, or one in which few differ from most."""

RECORDS = "records"
"""The first of the measures."""

_EXACT = 1e-12
"""Numbers that differ by this share may be the same, added up in another order."""

_LEAST = 0.001
"""By this share of what the first has a sum that is left out is in doubt at least, whatever share was asked for."""

_REST = "\0rest "
"""Between the column and the end in the name of a measure that nobody is shown; no column is called so."""


def is_whole(number: object) -> bool:
    """Is it a whole number, as numbers of people are?"""
    return isinstance(number, Integral) and not isinstance(number, bool)


@dataclass(frozen=True)
class Dominance:
    """The (n, k) rule: a sum tells too much where the ``first`` so many have more than ``share`` of it."""

    first: int
    share: float

    def __post_init__(self) -> None:
        if not is_whole(self.first) or self.first < 1 or not 0 < self.share < 1:
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
        if not is_whole(self.k) or self.k < 1:
            raise UsageError("tabulate.k", k=self.k)
        if not 0 <= self.percent < 1:
            raise UsageError("tabulate.percent", percent=self.percent)

    @property
    def largest(self) -> int:
        """How many of those that have most of a sum must be known."""
        return max(2, 0 if self.dominance is None else self.dominance.first)

    def sensitive(self, cube: Cube) -> Marks:
        """The cells that tell too much by themselves."""
        return np.asarray(np.logical_or.reduce([*self.reasons(cube).values()]))

    def reasons(self, cube: Cube) -> dict[Reason, Marks]:
        """The same, by why they do."""
        small = cube.people < self.k
        if self.zeros == "shown":
            small &= cube.records > 0
        dominated, alike = (np.zeros(cube.shape, bool) for _ in range(2))
        for sums in cube.sums.values():
            dominated |= self.tells_first(sums.totals, sums.largest)
            if self.dominance is not None:
                dominated |= self.dominance.fails(sums) & (cube.records > 0)
            alike |= self.tells_few(sums.likeness, cube.people)
        return {"small": small, "dominated": dominated, "alike": alike}

    def tells_first(self, totals: Numbers, largest: Numbers) -> Marks:
        """Where does what is left without the first two not cover the share of the first? total - x1 - x2 < p x1"""
        return np.asarray(totals - largest[..., 1] < self.percent * largest[..., 0])

    def tells_few(self, likeness: Likeness, people: NDArray[np.int64]) -> Marks:
        """Where do half of the people or more have the same amount, which is no rare one, and fewer than k another one?
        That nobody has another one is like a cell that has all of a total, and shown with these.
        """
        few = (likeness.unlike < self.k) & (2 * likeness.unlike <= people) & (likeness.common >= self.k)
        return few & (likeness.unlike > 0) if self.zeros == "shown" else few

    def measures(self, cube: Cube) -> "list[Measure]":
        """What is shown of cells, with what must stay in doubt about those that are not."""
        return [self._records(cube), *(each for name in cube.sums for each in self._sums(name, cube))]

    def _records(self, cube: Cube) -> "Measure":
        """As far as anybody can tell, a cell may have k records; where it has so many that are of few, one more."""
        values = cube.records.astype(np.float64)
        up = np.where(cube.records < self.k, self.k - values, 1.0)
        floor = known_floor(cube.classifications, self.k, zeros_shown=self.zeros == "shown")
        others = np.where(floor > 1, self.k - 1, 0)
        slack = values - np.maximum(floor, cube.most_of_one + others)
        return Measure(RECORDS, values, floor, np.maximum(slack, 0), np.zeros(cube.shape), up, is_whole=True)

    def _sums(self, name: str, cube: Cube) -> "Iterator[Measure]":
        """As far as anybody can tell, a sum may be more and less by that share of what the first has; and where few
        have another amount than most, k people may have one, also for whoever knows the ends of what a record has.
        """
        sums, none = cube.sums[name], np.zeros(cube.shape)
        doubt = max(self.percent, _LEAST) * sums.largest[..., 0]
        up, down = self._of_few(sums, cube.people)
        slack = np.maximum(sums.totals - sums.largest[..., 0], 0)
        least = np.minimum(np.maximum(doubt, down), sums.totals)
        yield Measure(name, sums.totals, none, slack, least, np.maximum(doubt, up))
        if not (up.any() or down.any()):
            return
        own = (sums.each.most - sums.each.least) * cube.most_of_one
        for rest, values in rests(name, cube.records, sums.totals, sums.each).items():
            more, less = (down, up) if is_below(rest) else (up, down)
            yield Measure(rest, values, none, np.maximum(values - own, 0), np.minimum(less, values), more)

    def _of_few(self, sums: Sums, people: NDArray[np.int64]) -> tuple[Numbers, Numbers]:
        """How much more and less there would be if k people had another amount than most, each as far from it as those
        few who have one: (k / u - 1) Σ |a - m|. Where there are none, each by as much as anybody has at least.
        """
        likeness = sums.likeness
        unlike = np.maximum(likeness.unlike, 1)
        further = np.where(
            likeness.unlike > 0, (self.k - unlike) * likeness.apart / unlike, self.k * sums.each.smallest
        )
        further = np.where(self.tells_few(likeness, people), further, 0.0)
        all_alike = people * likeness.usual
        not_less = sums.totals >= all_alike * (1 - _EXACT)
        is_more = np.where(likeness.unlike > 0, not_less, all_alike == 0)
        return np.where(is_more, further, 0.0), np.where(is_more, 0.0, further)


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

    @property
    def is_shown(self) -> bool:
        """Does the table show it, or does it follow from what is shown and the ends of a column?"""
        return _REST not in self.name


def rests(name: str, records: NDArray[Any], totals: Numbers, each: Range) -> dict[str, Numbers]:
    """How far sums are from the most that records can have, and from the least: to whoever knows these ends, numbers
    that are never below zero, as the sum itself. Of a sum of ones and noughts, how many have nought.
    """
    found = {f"{name}{_REST}below": each.most * records - totals}
    if each.least > 0:
        found[f"{name}{_REST}above"] = totals - each.least * records
    return {rest: np.maximum(values, 0) for rest, values in found.items()}


def is_below(measure: str) -> bool:
    """Is it what a sum is below the most that records can have?"""
    return measure.endswith(f"{_REST}below")


def column_of(measure: str) -> str:
    """What a measure is called for people: that of a sum and of what is left of it alike."""
    return measure.partition(_REST)[0]


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
