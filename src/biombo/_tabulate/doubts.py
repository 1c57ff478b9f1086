"""What must stay possible in the eyes of whoever has several tables, whether it is, and what must go so that it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from biombo._errors import UsageError
from biombo._tabulate.bounds import EXACT, Program, System
from biombo._tabulate.classification import Places
from biombo._tabulate.cube import Numbers
from biombo._tabulate.linked import LinkedTables
from biombo._tabulate.rules import RECORDS, Marks, column_of
from biombo._watch import stoppable

_MOST_TRIED = 20_000
"""Cells that are left out besides are looked at once more where there are not so many of them, times the doubts."""

_MANY = 20
"""So many doubts are worth a program that leaves as many of them as it can."""


@dataclass(frozen=True, eq=False)
class Aim:
    """Some base cells must be able to have so much together: at least, or at most."""

    places: Places
    bound: float
    upwards: bool = True
    or_nobody: bool = False
    """Is it as good if it is known that they have nothing?"""

    def is_met_by(self, found: float | None) -> bool:
        """Is it as much, or as little?"""
        if found is None:
            return False
        return found >= self.bound - EXACT if self.upwards else found <= self.bound + EXACT

    def is_met_at(self, point: Numbers) -> bool:
        """Do the base cells have it where all have these numbers?"""
        return self.is_met_by(float(point[self.places].sum()))

    def added_to(self, system: System) -> System:
        """The system in whose solutions it is met."""
        low, high = (self.bound, np.inf) if self.upwards else (-np.inf, self.bound)
        return system.with_sums([self.places], np.array([low]), np.array([high]))


Doubt = tuple[Aim, ...]
"""One of these must be possible."""


@dataclass(frozen=True, eq=False)
class Joined:
    """What became of a table beside those that were published earlier."""

    hidden: Marks
    public: int
    """Doubts that were gone before: what everybody knows already cannot be taken back."""


@dataclass(frozen=True, eq=False)
class Joining:
    """Protects the new one of linked tables, so that all of them together leave every doubt."""

    linked: LinkedTables
    weights: Numbers
    """By cell of the new table: what it costs to change it by one."""

    def joined(self, hidden: Marks, doubts: Mapping[str, Sequence[Doubt]]) -> Joined:
        """Leave out what is needed besides what is ``hidden``; then look at all tables as others will."""
        kept = {measure: [*wanted] for measure, wanted in doubts.items()}
        found = more = self._more(Joined(hidden, 0), kept)
        while more is not None:  # what nobody was known to be in may be in doubt by now, and too little
            found, more = more, self._more(more, kept)
        if found is None:
            return Joined(hidden, 0)
        tidied = self._tidied(hidden, found.hidden, kept)
        for measure, wanted in kept.items():
            if self.unmet(measure, tidied, wanted):
                raise UsageError("tabulate.not-protected", measure=column_of(measure))
        return Joined(tidied, found.public)

    def _more(self, found: Joined, kept: Mapping[str, list[Doubt]]) -> Joined | None:
        """Leave out more, so that the doubts are left that are gone; None where there is nothing more to leave out.
        Those that are ``kept`` are no more than what earlier tables alone left of them.
        """
        hidden, public = found.hidden, found.public
        for measure, wanted in kept.items():
            for number in self.unmet(measure, hidden, wanted):
                changed = self._changed(measure, hidden, wanted[number])
                if changed is None:
                    wanted[number], public = self._left(measure, wanted[number]), public + 1
                    changed = self._changed(measure, hidden, wanted[number])
                if changed is None:
                    raise UsageError("tabulate.zeros-tell", measure=column_of(measure))
                hidden = hidden | changed
        is_same = public == found.public and np.array_equal(hidden, found.hidden)
        return None if is_same else Joined(hidden, public)

    def _tidied(self, before: Marks, hidden: Marks, doubts: Mapping[str, Sequence[Doubt]]) -> Marks:
        """Show again what turned out not to be needed, those that have most first."""
        further = np.flatnonzero(hidden & ~before)
        if len(further) * sum(map(len, doubts.values())) > _MOST_TRIED:
            return hidden
        for cell in stoppable(further[np.argsort(-self.weights.ravel()[further], kind="stable")]):
            fewer = hidden.copy()
            fewer.flat[cell] = False
            if not any(self.unmet(measure, fewer, wanted, first=True) for measure, wanted in doubts.items()):
                hidden = fewer
        return hidden

    def unmet(self, measure: str, hidden: Marks, doubts: Sequence[Doubt], *, first: bool = False) -> list[int]:
        """The doubts that are gone, or the first of them. Numbers that leave one are a proof, and mostly leave others
        as well.
        """
        system = self.linked.system(measure, hidden)
        program, left, failed = Program(system), _without_many(measure, system, doubts), list[int]()
        for number, doubt in stoppable([*left.items()]):
            if number not in left or (first and failed):
                continue
            if _is_nobody(program, doubt):
                continue
            point = _witness(measure, program, system, doubt)
            if point is None:
                failed.append(number)
            else:
                left = _left_by(left, point)
        return failed

    def _changed(self, measure: str, hidden: Marks, doubt: Doubt) -> Marks | None:
        """The shown cells of the new table that have other numbers in the cheapest other table in which an aim is met,
        with all that was published earlier as it is; None where there is no such table.
        """
        found = [each for aim in doubt if (each := self._cheapest(measure, hidden, aim)) is not None]
        return min(found, key=lambda each: each[0])[1] if found else None

    def _cheapest(self, measure: str, hidden: Marks, aim: Aim) -> tuple[float, Marks] | None:
        shown = np.flatnonzero(self._can_go & ~hidden) if measure in self.linked.new.values else np.zeros(0, np.int64)
        system = self._changing(measure, aim, shown)
        differences = np.arange(len(self.linked), len(system.floor))
        costs = np.tile(self.weights.ravel()[shown], 2)
        program = Program(system)
        cost = program.end(differences, costs, upwards=False)
        if cost is not None and measure == RECORDS and not _is_whole(program.point):
            program = Program(system, whole=True)
            cost = program.end(differences, costs, upwards=False)
        if cost is None:
            return None
        changed = program.point[differences].reshape(2, -1).sum(axis=0) > EXACT
        marks = np.zeros(hidden.size, bool)
        marks[shown[changed]] = True
        return cost, marks.reshape(hidden.shape)

    def _changing(self, measure: str, aim: Aim, shown: Places) -> System:
        """The system in which an aim is met and ``shown`` cells have more and less, each by numbers of its own."""
        bare = aim.added_to(self.linked.system(measure, self._can_go))
        values = self.linked.new.values.get(measure, self.weights).ravel()[shown]
        fixed = bare.with_sums([self.linked.cells[-1][cell] for cell in shown], values, values)
        rows, free = len(bare.low) + np.arange(len(shown)), np.full(len(shown), np.inf)
        return fixed.with_numbers(rows, -1.0, free).with_numbers(rows, 1.0, free)

    def _left(self, measure: str, doubt: Doubt) -> Doubt:
        """What earlier tables alone left of a doubt, where that is less."""
        program = Program(self.linked.system(measure, None), whole=measure == RECORDS)
        ends = [program.most(aim.places) if aim.upwards else program.least(aim.places) for aim in doubt]
        if any(aim.is_met_by(end) for aim, end in zip(doubt, ends, strict=True)):
            raise UsageError("tabulate.zeros-tell", measure=column_of(measure))
        return tuple(replace(aim, bound=end) for aim, end in zip(doubt, ends, strict=True))

    @property
    def _can_go(self) -> Marks:
        """The cells of the new table that may be left out."""
        new = self.linked.new
        return np.asarray((new.values[RECORDS] > 0) | (not new.zeros_shown))


def _without_many(measure: str, system: System, doubts: Sequence[Doubt]) -> dict[int, Doubt]:
    """By number: the doubts that are to be looked at one by one, once there are numbers that leave many others."""
    left = dict(enumerate(doubts))
    while len(left) > _MANY:
        point = _best_for_all(system, [doubt[-1] for doubt in left.values() if doubt[-1].upwards])
        fewer = left if point is None or (measure == RECORDS and not _is_whole(point)) else _left_by(left, point)
        if len(fewer) == len(left):
            break
        left = fewer
    return left


def _best_for_all(system: System, aims: Sequence[Aim]) -> Numbers | None:
    """Numbers with which some base cells have together what they must be able to have, each as far as it goes."""
    size = len(system.floor)
    wider = system.with_sums([aim.places for aim in aims], np.zeros(len(aims)), np.full(len(aims), np.inf))
    rows = len(system.low) + np.arange(len(aims))
    program = Program(wider.with_numbers(rows, -1.0, np.array([aim.bound for aim in aims])))
    found = program.end(size + np.arange(len(aims)), upwards=True)
    return None if found is None else program.point[:size]


def _left_by(doubts: Mapping[int, Doubt], point: Numbers) -> dict[int, Doubt]:
    """The doubts that these numbers do not leave."""
    return {number: doubt for number, doubt in doubts.items() if not any(aim.is_met_at(point) for aim in doubt)}


def _is_nobody(program: Program, doubt: Doubt) -> bool:
    """Is it known that there is nobody, where that is as good?"""
    found = [program.end(aim.places, upwards=True) for aim in doubt if aim.or_nobody]
    return any(end is not None and end <= EXACT for end in found)


def _witness(measure: str, program: Program, system: System, doubt: Doubt) -> Numbers | None:
    """Numbers that all tables may be of, and in which an aim is met; whole ones of records."""
    for aim in doubt:
        if not aim.is_met_by(program.end(aim.places, upwards=aim.upwards)):
            continue
        if measure != RECORDS or _is_whole(program.point):
            return program.point
        for whole in (False, True):  # another corner may be whole, and is found in no time
            search = Program(aim.added_to(system), whole=whole)
            if search.end(aim.places, 0.0, upwards=False) is not None and (whole or _is_whole(search.point)):
                return np.rint(search.point)
    return None


def _is_whole(point: Numbers) -> bool:
    return bool((np.abs(point - np.rint(point)) < EXACT).all())
