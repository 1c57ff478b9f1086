"""How sure anybody can be whose a released record is, where quasi values were drawn at random.

The adversary knows the plan and the true quasi values of everybody in the release, and looks at one record at a time.
With q(r) the true values of record r, as they were before anything was drawn, and v values of the quasi columns that
occur in the release:

    P(v | q)   = the chance that v is drawn for q: the product over the columns that were noised, and 0 where v and q
                 differ in another column
    c(x, v)    = Σ P(v | q(r)) over the records r of person x  /  Σ P(v | q(r)) over all released records r
    surest     = the largest c(x, v) of all people x and all v that occur

c(x, v) is the chance, over the draw, that a record which reads v is about x. Where nothing is drawn it is 1 / people in
the group of v, so that the surest guess is right with the chance 1 / smallest group, as with k-anonymity.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from biombo._attack import stacked
from biombo._cells import tallied
from biombo._criteria import Count
from biombo._data import Column, Dataset, Schema
from biombo._engine import Numbers, Pairs, Rows, numbered
from biombo._plan import (
    ExponentialAsPublished,
    GroupNoise,
    MaskGroups,
    Operation,
    Plan,
    PrivateOperation,
    as_understood,
    masked_records,
    noised_columns,
)
from biombo._release.measure.chances import Places
from biombo._release.measure.noise_pattern import Noise, NoisePattern, Tally, numbers_of
from biombo._release.measure.truth import columns_of_truth, truth_of

_MOST = 1 << 27
"""So many pairs of true and released values are gone through; with more, what ε allows at most is told."""


@dataclass(frozen=True)
class Exposure:
    """What whoever has the release can tell about whose a record is."""

    columns: tuple[str, ...]
    """The quasi columns that were noised."""
    surest: float
    """The chance that the surest guess is right."""
    at_most: bool
    """Is that a bound, and the chance perhaps lower?"""
    alone: Count
    """Records with quasi values that no other has in the release."""
    alone_and_true: int
    """Of these, the ones whose values are still true."""


def records_alone(data: Dataset, quasi: Sequence[str]) -> int:
    """Records with quasi values that no other has."""
    columns = [data[name] for name in quasi]
    group, groups = numbered([each.codes for each in columns], [each.cardinality for each in columns])
    return int((tallied(group, groups, data.counts) == 1).sum())


def exposure_of(pairs: Pairs, plan: Plan, used: Schema) -> Exposure | None:
    """Measured on the released records beside their own originals; none where no quasi column is noised."""
    quasi = [name for name in used.quasi if name in pairs.columns]
    if not {*quasi} & {*noised_columns(plan)}:
        return None
    people = [name for name in pairs.originals if name == used.person]
    true = [name for name in columns_of_truth(plan, quasi) if name in pairs.originals]
    both = pairs.counted(quasi, list(dict.fromkeys([*true, *people])))
    unmasked = replace(plan, operations=tuple(each for each in plan.operations if not isinstance(each, MaskGroups)))
    person = next((both.own[name] for name in people), None)
    return _Records(replace(both.released, schema=used), truth_of(both, unmasked, used), person, plan).exposure()


@dataclass(frozen=True, eq=False)
class _Records:
    """The released records, or tuples of them, with what is true of them."""

    released: Dataset
    truth: Dataset
    person: Column | None
    plan: Plan

    def exposure(self) -> Exposure:
        """How sure anybody can be, and who is alone."""
        patterns = self._patterns()
        if sum(each.cells for each in patterns) > _MOST:
            surest, at_most = max([self._surest([self._unnoised]), *(each.bound for each in patterns)]), True
        else:
            surest, at_most = self._surest([self._unnoised, *(each.tally() for each in patterns)]), self._overlap
        return Exposure(self.drawn, min(1.0, surest), at_most, *self._alone())

    @cached_property
    def quasi(self) -> tuple[str, ...]:
        """The quasi columns."""
        return tuple(self.released.columns)

    @property
    def drawn(self) -> tuple[str, ...]:
        """Those with noise."""
        return tuple(name for name in self.quasi if name in noised_columns(self.plan))

    @cached_property
    def counts(self) -> Numbers:
        """Records by row."""
        counts = self.released.counts
        return np.ones(self.released.rows, np.int64) if counts is None else counts

    @cached_property
    def values(self) -> Numbers:
        """By row: a number for its released quasi values."""
        return numbers_of(self.released[name] for name in self.quasi)

    @cached_property
    def example(self) -> Places:
        """By number of values: a row that has them."""
        rows = np.empty(int(self.values.max()) + 1, np.intp)
        rows[self.values] = np.arange(len(self.values))
        return rows

    @cached_property
    def noises(self) -> tuple[Noise, ...]:
        """Those whose chances are known. What others made of values counts as known to the adversary."""
        known = [each for each in self.plan.operations if isinstance(each, _KNOWN)]
        pairs = [(each, column) for each in known for column in each.columns if column in self.quasi]
        return tuple(Noise(column, each.drawing(column), self._chosen(each)) for each, column in pairs)

    @cached_property
    def noised(self) -> Rows:
        """By row and noise: was it drawn?"""
        return np.array([each.rows for each in self.noises], bool).reshape(len(self.noises), self.released.rows).T

    @cached_property
    def pattern(self) -> Numbers:
        """By row: a number for what was drawn for it."""
        bits = self.noised @ (1 << np.arange(len(self.noises), dtype=np.int64))
        return np.unique(bits, return_inverse=True)[1].ravel()

    @cached_property
    def masked(self) -> Rows:
        """The rows of which nothing but marks is left, whatever was drawn."""
        found = masked_records(self.released, self.plan.operations, self.quasi).values()
        return np.asarray(np.logical_or.reduce([np.zeros(self.released.rows, bool), *found]))

    def _chosen(self, operation: Operation) -> Rows:
        """The rows that an operation has drawn values for."""
        if not isinstance(operation, GroupNoise):
            return ~self.masked
        by_then = {name: self.truth[name] for name in operation.columns}
        people = {} if self.person is None else {self.person.name: self.person}
        data = replace(self.released, columns={**self.released.columns, **by_then, **people})
        return operation.failing(as_understood(data, self.plan.operations))

    def _patterns(self) -> list[NoisePattern]:
        """The rows by what was drawn for them, where anything was."""
        found = [np.flatnonzero(self.pattern == place) for place in range(int(self.pattern.max()) + 1)]
        return [NoisePattern.of(self, rows, self.noised[rows[0]]) for rows in found if self.noised[rows[0]].any()]

    @cached_property
    def _unnoised(self) -> Tally:
        """What the records say for which nothing was drawn."""
        rows = np.flatnonzero(~self.noised.any(axis=1))
        expected = tallied(self.values[rows], len(self.example), self.counts[rows]).astype(np.float64)
        if self.person is None:
            return Tally(expected, np.minimum(expected, 1))
        both = np.stack([self.values[rows], self.person.codes[rows].astype(np.int64)])
        (value, _), pair = np.unique(both, axis=1, return_inverse=True)
        of_one = np.zeros(len(self.example))
        np.maximum.at(of_one, value, tallied(pair.ravel(), len(value), self.counts[rows]))
        return Tally(expected, of_one)

    @cached_property
    def _overlap(self) -> bool:
        """Has somebody records for which different columns were drawn, or none?"""
        if self.person is None:
            return False
        pairs = np.unique(np.stack([self.person.codes.astype(np.int64), self.pattern]), axis=1)
        return len(np.unique(pairs[0])) < int(pairs.shape[1])

    def _surest(self, tallies: Sequence[Tally]) -> float:
        """The largest share of one person. Where people are in several tallies, they may be the same in all of them."""
        expected = np.sum([each.expected for each in tallies], axis=0)
        of_one = (np.sum if self._overlap else np.max)([each.of_one for each in tallies], axis=0)
        there = expected > 0
        return float((of_one[there] / expected[there]).max(initial=0.0))

    def _alone(self) -> tuple[Count, int]:
        alone = tallied(self.values, len(self.example), self.counts)[self.values] == 1
        true = alone.copy()
        for name in self.drawn:
            both = stacked(self.released[name], self.truth[name]).codes.reshape(2, -1)
            true &= both[0] == both[1]
        people = int(alone.sum()) if self.person is None else len(np.unique(self.person.codes[alone]))
        return Count(int(alone.sum()), people), int(true.sum())


_KNOWN = (PrivateOperation, GroupNoise, ExponentialAsPublished)
