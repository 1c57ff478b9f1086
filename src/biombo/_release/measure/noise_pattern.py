"""Records for which the same columns were drawn, and what is expected of them over the draw."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp
from typing import Protocol

import numpy as np

from biombo._cells import tallied
from biombo._data import Column, Dataset
from biombo._engine import Floats, Numbers, Rows, numbered
from biombo._plan import Operation, PrivateOperation
from biombo._release.measure.chances import AT_ONCE, Chances, Places, WideChances, chances_between, joined


@dataclass(frozen=True, eq=False)
class Noise:
    """What draws one column, and for which records."""

    column: str
    mechanism: Operation
    rows: Rows

    @property
    def epsilon(self) -> float:
        """How far apart the chances of a released value can be; nothing is told by what ignores the true value."""
        return self.mechanism.epsilon if isinstance(self.mechanism, PrivateOperation) else 0.0


@dataclass(frozen=True, eq=False)
class Tally:
    """By released value: how many records are expected to have it, and how many of these are one person's at most."""

    expected: Floats
    of_one: Floats


class Measured(Protocol):
    """The released records, or tuples of them, with what is true of them."""

    @property
    def released(self) -> Dataset:
        """Their quasi columns."""

    @property
    def truth(self) -> Dataset:
        """The same columns before anything was drawn."""

    @property
    def person(self) -> Column | None:
        """Whom they are about, where that is known."""

    @property
    def counts(self) -> Numbers:
        """Records by row."""

    @property
    def example(self) -> Places:
        """By number of released values: a row that has them."""

    @property
    def noises(self) -> tuple[Noise, ...]:
        """What draws."""

    @property
    def masked(self) -> Rows:
        """The rows of which nothing but marks is left."""


@dataclass(frozen=True, eq=False)
class NoisePattern:
    """Records for which the same columns were drawn: distinct tuples of their true values, and of people."""

    records: Measured
    noises: tuple[Noise, ...]
    rows: Places
    """One for each tuple; those that may become the same, since they agree in all other columns, beside each other, and
    so are those of a person among them."""
    counts: Numbers
    block: Numbers
    """By tuple: a number for the values of the other columns."""
    reached: Numbers
    """By number of released values: the block that they can have come from; -1 where there is none."""

    @classmethod
    def of(cls, records: Measured, rows: Places, drawn: Rows) -> "NoisePattern":
        """The tuples of ``rows``, for which the noises that ``drawn`` marks did so."""
        noises = tuple(noise for noise, is_drawn in zip(records.noises, drawn, strict=True) if is_drawn)
        drawn_columns = {noise.column for noise in noises}
        staying = [records.released[name] for name in records.released.columns if name not in drawn_columns]
        block = numbers_of(staying) if staying else np.zeros(records.released.rows, np.int64)
        people = [] if records.person is None else [records.person]
        true = [*staying, *(records.truth[name] for name in drawn_columns), *people]
        _, some, tuples = np.unique(numbers_of(true)[rows], return_index=True, return_inverse=True)
        counts = tallied(tuples.ravel(), len(some), records.counts[rows])
        owner = np.zeros(len(some)) if records.person is None else records.person.codes[rows[some]]
        order = np.lexsort([owner, block[rows[some]]])
        chosen = rows[some[order]]
        reached = block[records.example]
        there = np.isin(reached, block[chosen]) & ~records.masked[records.example]
        return cls(records, noises, chosen, counts[order], block[chosen], np.where(there, reached, -1))

    @cached_property
    def cells(self) -> int:
        """Pairs of true and released values."""
        most, reached = int(self.block.max()) + 1, self.reached[self.reached >= 0]
        return int(np.bincount(self.block, minlength=most) @ np.bincount(reached, minlength=most))

    @cached_property
    def bound(self) -> float:
        """What ε allows: of m records of which one person has o, c ≤ o / (o + (m − o) e^−ε)."""
        least = exp(-sum(noise.epsilon for noise in self.noises))
        return max(o / (o + (m - o) * least) for m, o in self._sizes())

    def _sizes(self) -> Iterator[tuple[int, int]]:
        """By block: its records, and those of the person who has most of them."""
        for own in self._blocks():
            yield int(self.counts[own].sum()), int(self._of_one(np.ones((own.stop - own.start, 1)), own)[0])

    def tally(self) -> Tally:
        """What is expected of the records, over the draw."""
        expected, of_one = np.zeros(len(self.reached)), np.zeros(len(self.reached))
        by_block = np.argsort(self.reached, kind="stable")
        for own in self._blocks():
            ends = np.searchsorted(self.reached[by_block], [self.block[own.start], self.block[own.start] + 1])
            into = by_block[slice(*ends)]
            step = max(1, AT_ONCE // (own.stop - own.start))
            for some in (into[start : start + step] for start in range(0, len(into), step)):
                chances = self._product(own, some)
                expected[some] = np.einsum("i,ij->j", self.counts[own], chances)
                of_one[some] = self._of_one(chances, own)
        return Tally(expected, of_one)

    def _blocks(self) -> Iterator[slice]:
        ends = np.flatnonzero(np.diff(self.block, append=-1)) + 1
        yield from (slice(start, end) for start, end in zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True))

    def _product(self, own: slice, some: Places) -> Floats:
        """How likely each of some tuples of a block becomes each of some released values."""
        if not self._chances:
            return np.ones((own.stop - own.start, len(some)))
        first, *others = self._chances
        product = first.at(own, some)
        for each in others:
            product *= each.at(own, some)
        return product

    @cached_property
    def _chances(self) -> list[Chances | WideChances]:
        """Those of each column, but for what draws without regard to the true value, which is alike for everybody."""
        there = np.where(self.reached >= 0, self.records.example, self.records.example[np.argmax(self.reached)])
        found: list[Chances | WideChances] = []
        for noise in self.noises:
            if isinstance(noise.mechanism, PrivateOperation):
                true, released = self.records.truth[noise.column], self.records.released[noise.column]
                values = replace(true, codes=true.codes[self.rows]), replace(released, codes=released.codes[there])
                found.append(chances_between(noise.mechanism, *values))
        return joined(found)

    def _of_one(self, chances: Floats, own: slice) -> Floats:
        """The most that one person adds; each record is somebody else's where nobody says otherwise."""
        person = self.records.person
        if person is None:
            return np.asarray(chances.max(axis=0))
        starts = np.flatnonzero(np.diff(person.codes[self.rows[own]].astype(np.int64), prepend=-1))
        return np.asarray(np.add.reduceat(chances * self.counts[own][:, None], starts).max(axis=0))


def numbers_of(columns: Iterable[Column]) -> Numbers:
    """By row: a number for what the columns say there."""
    listed = list(columns)
    return numbered([each.codes for each in listed], [each.cardinality for each in listed])[0].astype(np.int64)
