"""What follows from answers by adding and subtracting, of groups that nobody asked for.

Of 71 people 50 are women and 50 are ill. That 30 are both is no small number, and neither are the 20 women and the 20
ill people that it leaves. But one is neither: 71 - 50 - 50 + 30.

Groups are vectors over base cells, and what follows from some is what they span. Whatever is looked at has some values
in each column, so that how much two have in common is a product over columns, and no vector is ever written out.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod

import numpy as np

from biombo._query.members import Members
from biombo._query.outcome import Part
from biombo._tabulate import Group, Numbers, Value

MOST_LOOKED_AT = 20_000_000
"""Groups that are looked at, times cells that were asked for."""
_EXACT = 1e-9

Sides = list[Numbers]
"""By column: some sets of its atoms."""


class Consequences:
    """Of groups that have one side of each column, or all of it: which follow from cells that were answered?"""

    def __init__(self, members: Members, sides: Sides) -> None:
        self._columns = [*members.atoms.columns.items()]
        self._sides = sides
        self._cells = [_asked(members.groups, column, of) for column, of in self._columns]
        self._at = np.array([*product(*(range(len(each)) for each in sides))], np.int64)
        self._along = np.zeros((len(members.groups), len(self._at) + len(members.groups)))
        """By direction that is known: how far each group goes along it; those that are looked at, then all cells."""
        self._rest = self._common([np.ones(each.shape[1]) for each in sides])
        """By group: the square of how far it goes beyond all that is known."""
        self._near = _EXACT * (1 + self._rest)
        self._known = 0
        self._told = 0

    def learn(self, cells: Sequence[int]) -> None:
        """Take in the cells that were answered, beyond those that were taken in."""
        for cell in cells[self._told :]:
            beyond, length = self._beyond(cell)
            if length:
                self._along[self._known] = beyond / np.sqrt(length)
                self._rest = self._rest - self._along[self._known] ** 2
                self._known += 1
        self._told = len(cells)

    def of(self, cell: int) -> list[Part]:
        """What follows with the number of this cell, and not before."""
        beyond, length = self._beyond(cell)
        if not length:
            return []
        follows = (self._rest - beyond**2 / length <= self._near) & (self._rest > self._near)
        return [self._part(int(number)) for number in np.flatnonzero(follows[: len(self._at)])]

    def _beyond(self, cell: int) -> tuple[Numbers, float]:
        """What all groups have in common with what is not known of a cell, and the square of how far that goes; nothing
        where all of it is known.
        """
        place, known = len(self._at) + cell, self._along[: self._known]
        length = float(self._rest[place])
        if length <= self._near[place]:
            return self._rest, 0.0
        return self._common([each[cell] for each in self._cells]) - known[:, place] @ known, length

    def _common(self, sides: Sequence[Numbers]) -> Numbers:
        """How many base cells each group has in common with one that has these sides."""
        looked_at, cells = np.ones(len(self._at)), np.ones(self._along.shape[0])
        for number, mine in enumerate(sides):
            looked_at *= (self._sides[number] @ mine)[self._at[:, number]]
            cells *= self._cells[number] @ mine
        return np.concatenate([looked_at, cells])

    def _part(self, number: int) -> Part:
        """A group that is looked at, by its values."""
        chosen = [each[at] for each, at in zip(self._sides, self._at[number], strict=True)]
        return Part(
            named=tuple(
                (column, tuple(value for value, atom in of.items() if side[atom]))
                for (column, of), side in zip(self._columns, chosen, strict=True)
                if not side.all()
            )
        )


def sides_of(members: Members) -> Sides | None:
    """By column: what was asked for, values that nothing tells apart, and all that was not asked for; or only the first
    of these where there would be too many groups. None where there are too many anyway.
    """
    asked = [_asked(members.groups, column, of) for column, of in members.atoms.columns.items()]
    for wanted in (3, 2, 1):
        sides = [_sides(each, wanted) for each in asked]
        groups = prod(map(len, sides)) + len(members.groups)
        if groups * len(members.groups) <= MOST_LOOKED_AT:
            return sides
    return None


def _asked(groups: Sequence[Group], column: str, of: Mapping[Value, int]) -> Numbers:
    """By group: the atoms of a column that it has."""
    found = np.zeros((len(groups), max(of.values(), default=-1) + 1))
    for row, group in zip(found, groups, strict=True):
        row[[of[value] for value in group[column] if value in of] if column in group else slice(None)] = 1.0
    return found


def _sides(asked: Numbers, wanted: int) -> Numbers:
    """The sides of a column, each once: all of it, what was asked for, atoms, and what was not asked for."""
    kinds = [np.ones((1, asked.shape[1])), asked, np.eye(asked.shape[1]), 1 - asked]
    found = np.unique(np.vstack(kinds[: wanted + 1]), axis=0)
    return np.asarray(found[found.any(axis=1)])
