"""What follows from answers by adding and subtracting, of groups that nobody asked for.

Of 71 people 50 are women and 50 are ill. That 30 are both is no small number, and neither are the 20 women and the 20
ill people that it leaves. But one is neither: 71 - 50 - 50 + 30.

Groups are vectors over base cells, and what follows from some is what they span. Whatever is looked at has some values
in each column, so that how much two have in common is a product over columns, and no vector is ever written out.

A function of several columns is a sum of parts, one for each set of them, that are orthogonal to each other; that of a
group and the columns in which it has not all values is a product of what these sides are beyond their means, and never
nothing. So a group follows only from cells of which some have not all values in any of these columns either, and each
of its sides from the sides of such cells: it tells no values apart that these do not. No others are looked at.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import prod

import numpy as np

from biombo._query.members import Members
from biombo._query.outcome import Part
from biombo._tabulate import Group, Numbers, Places, Value

MOST_LOOKED_AT = 20_000_000
"""Groups that are looked at, times cells that were asked for."""
_EXACT = 1e-9


@dataclass(frozen=True, eq=False)
class Sides:
    """Groups that have one side of each column."""

    sets: list[Numbers]
    """By column: some sets of its atoms."""
    at: Places
    """By group and column: which of these it has."""


class Consequences:
    """Of groups that have one side of each column, or all of it: which follow from cells that were answered?"""

    def __init__(self, members: Members, sides: Sides) -> None:
        self._columns = [*members.atoms.columns.items()]
        self._sides = sides.sets
        self._cells = [_asked(members.groups, column, of) for column, of in self._columns]
        self._at = sides.at
        self._along = np.zeros((len(members.groups), len(self._at) + len(members.groups)))
        """By direction that is known: how far each group goes along it; those that are looked at, then all cells."""
        self._rest = self._common([np.ones(each.shape[1]) for each in self._sides])
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
    """What is looked at: by column what was asked for, values that nothing tells apart, all that was not asked for, and
    all; of these the groups that can follow. None where there are too many.
    """
    asked = [_asked(members.groups, column, of) for column, of in members.atoms.columns.items()]
    sets = [_sides(each) for each in asked]
    most = MOST_LOOKED_AT / max(1, len(members.groups)) - len(members.groups)
    found, groups = list[Places](), 0
    for sides in _of_columns(asked, sets, len(members.groups)):
        such = prod(map(len, sides))
        groups += such
        if groups > most:
            return None
        found.append(np.array([*product(*sides)], np.int64).reshape(such, len(sets)))
    return Sides(sets, np.concatenate(found))


def _of_columns(asked: Sequence[Numbers], sets: Sequence[Numbers], cells: int) -> Iterator[list[Places]]:
    """By set of columns in which some cell has not all values: the sides of each column, all of it in others, that the
    sides of such cells may add up to.
    """
    partial = np.array([~each.all(axis=1) for each in asked], bool).reshape(len(asked), cells)
    for some in _within({tuple(np.flatnonzero(cell).tolist()) for cell in partial.T}):
        such = partial[[*some]].all(axis=0)
        yield [
            _told(asked[column][such], each) if column in some else np.flatnonzero(each.all(axis=1))
            for column, each in enumerate(sets)
        ]


def _within(columns: set[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """All sets of columns that are in one of some, the smallest first, each once."""
    seen = set[tuple[int, ...]]()
    for size in range(max(map(len, columns), default=0) + 1):
        for some in (each for whole in sorted(columns) for each in combinations(whole, size)):
            if some not in seen:
                seen.add(some)
                yield some


def _told(asked: Numbers, sides: Numbers) -> Places:
    """The sides, not all of a column, that tell no atoms apart which no cell tells apart that was asked for."""
    _, first, alike = np.unique(asked, axis=1, return_index=True, return_inverse=True)
    same = (sides == sides[:, first[alike.ravel()]]).all(axis=1)
    return np.flatnonzero(same & ~sides.all(axis=1))


def _asked(groups: Sequence[Group], column: str, of: Mapping[Value, int]) -> Numbers:
    """By group: the atoms of a column that it has."""
    found = np.zeros((len(groups), max(of.values(), default=-1) + 1))
    for row, group in zip(found, groups, strict=True):
        row[[of[value] for value in group[column] if value in of] if column in group else slice(None)] = 1.0
    return found


def _sides(asked: Numbers) -> Numbers:
    """The sides of a column, each once: all of it, what was asked for, atoms, and what was not asked for."""
    found = np.unique(np.vstack([np.ones((1, asked.shape[1])), asked, np.eye(asked.shape[1]), 1 - asked]), axis=0)
    return np.asarray(found[found.any(axis=1)])
