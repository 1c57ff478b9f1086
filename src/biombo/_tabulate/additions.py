"""What was added to sums from one state of a source to a later one, which two tables may tell by subtraction.

Who came is on no record: of earlier tables it is known what they show. But nobody has brought more than they have now.
So with x1 and x2 as what the first two of a cell have now, those who came are as the p% rule asks where they brought
x1 + x2 + p x1 together. Where that is not certain, what they brought must be in doubt by p x1.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from biombo._tabulate.bounds import EXACT, Program
from biombo._tabulate.classification import Places
from biombo._tabulate.cube import Cube
from biombo._tabulate.doubts import Aim, Doubt
from biombo._tabulate.linked import LinkedTables
from biombo._tabulate.rules import RECORDS, Marks, Shown

_NOTHING = 1e-12
"""What the difference of two sums may be that are the same."""

Told = Mapping[bytes, float]
"""By base cells: what is shown of a cell that consists of these."""


@dataclass(frozen=True, eq=False)
class _Group:
    """Some base cells: a cell of a table, or what came to it at some time."""

    places: Places
    table: int
    cell: int
    had: Places | None = None
    """The base cells of the same cell before anything came."""


@dataclass(frozen=True, eq=False)
class Additions:
    """A column that tables of several states add up, the new one of the latest state among them."""

    linked: LinkedTables
    now: Mapping[int, Cube]
    """By place of the linked tables that show the column: their cells as they are by now."""
    column: str
    scale: float
    """What sums are divided by in the linked tables."""
    percent: float
    zeros: Shown

    def doubts(self, hidden: Marks) -> Iterator[Doubt]:
        """What must stay possible beside the new table, in which these cells are ``hidden``."""
        states = sorted({self.linked.tables[table].state for table in self.now})
        if len(states) == 1:
            return
        program = Program(self.linked.system(self.column, hidden))
        for before, after in combinations(states, 2):
            told = {measure: self._told(measure, before) for measure in (self.column, RECORDS)}
            for group in self._grown(before, after):
                if after == self.linked.new.state:
                    yield from self._added(group, told, program)
                else:
                    yield from self._as_open_as_before(group, program)
        for group in self._left_out():
            yield from self._as_open_as_before(group, program)

    def _grown(self, before: int, after: int) -> list[_Group]:
        """What came to cells after one state and up to another, each once."""
        found = {
            places.tobytes(): _Group(places, table, cell, had)
            for table in self.now
            if (linked := self.linked.tables[table]).state in (before, after)
            for cell, (places, had) in enumerate(
                zip(self.linked.grown(linked, before, after), self.linked.grown(linked, -1, before), strict=True)
            )
            if len(places)
        }
        return [*found.values()]

    def _left_out(self) -> Iterator[_Group]:
        """What tables of earlier states left out."""
        for table in self.now:
            if (linked := self.linked.tables[table]).state != self.linked.new.state:
                for cell in np.flatnonzero(linked.hidden):
                    yield _Group(self.linked.cells[table][cell], table, int(cell))

    def _added(self, group: _Group, told: Mapping[str, Told], program: Program) -> Iterator[Doubt]:
        """What was added since, unless it is certain to be enough. That it is nothing may be known where zeros are
        shown, and where nobody came.
        """
        doubt, enough = self._doubt(group)
        if not doubt:
            return
        added = self._difference(self.column, group, told)
        if added is None:
            least = program.least(group.places)
            if least - EXACT < enough:
                yield (Aim(group.places, least + 2 * doubt),)
        elif _NOTHING < added < enough:
            yield (Aim(group.places, added + doubt),)
            yield (Aim(group.places, max(0.0, added - doubt), upwards=False),)
        elif added <= _NOTHING and self.zeros == "protected" and self._difference(RECORDS, group, told) != 0:
            yield (Aim(group.places, doubt),)

    def _as_open_as_before(self, group: _Group, program: Program) -> Iterator[Doubt]:
        """What earlier tables alone left open stays so, as far as it must be."""
        least, most = self._earlier.least(group.places), self._earlier.most(group.places)
        width = min(2 * self._doubt(group)[0], most - least)
        if width <= EXACT:
            return
        now = program.least(group.places)
        yield (Aim(group.places, min(most, now + width)),)
        if now > most - width:
            yield (Aim(group.places, most - width, upwards=False),)

    @cached_property
    def _earlier(self) -> Program:
        return Program(self.linked.system(self.column, None))

    def _doubt(self, group: _Group) -> tuple[float, float]:
        """By how much what is added to a sum must be in doubt, more than programs may be off; and how much is enough so
        that it need not.
        """
        largest = self.now[group.table].sums[self.column].largest
        first, both = largest.reshape(-1, largest.shape[-1])[group.cell, :2] / self.scale
        doubt = self.percent * first
        return max(doubt, 2 * EXACT) if doubt else 0.0, both + doubt

    def _difference(self, measure: str, group: _Group, told: Mapping[str, Told]) -> float | None:
        """What a cell has more by now than before, where that was shown; it had nothing where it could not be."""
        cube = self.now[group.table]
        has = cube.records if measure == RECORDS else cube.sums[measure].totals / self.scale
        had = None if group.had is None else told[measure].get(group.had.tobytes(), None if len(group.had) else 0.0)
        return None if had is None else float(has.flat[group.cell]) - had

    def _told(self, measure: str, state: int) -> Told:
        """What tables of a state show."""
        return {
            places.tobytes(): float(value)
            for table in self.now
            if self.linked.tables[table].state == state
            for places, value in zip(
                self.linked.cells[table], self.linked.tables[table].values[measure].ravel(), strict=True
            )
            if not np.isnan(value)
        }
