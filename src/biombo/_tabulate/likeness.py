"""What most people of a cell have, and how many have something else: a sum tells how much these have."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._tabulate.classification import Places

Amounts = NDArray[np.float64]

_EXACT = 1e-14
"""Amounts that differ by this share of the largest are the same: they may have been added up in another order."""


@dataclass(frozen=True, eq=False)
class Likeness:
    """By cell: the amount that most people have, and those who have another one."""

    usual: Amounts
    """Of several amounts that as many people have, the one that most have in all cells; then the least."""
    common: Places
    """How many people have it in all cells. Everybody, where there are but two amounts: a sum of these is a count."""
    unlike: Places
    """How many people have another one."""
    apart: Amounts
    """How far what these have is from it, all together."""

    @classmethod
    def none(cls, cells: int) -> "Likeness":
        """Nobody is in any cell yet."""
        return cls(np.zeros(cells), np.zeros(cells, np.int64), np.zeros(cells, np.int64), np.zeros(cells))

    def note(self, where: Places, amounts: Amounts, people: Places) -> None:
        """Take in all people of all cells of one kind: what so many of them have, those of a cell by amount.

        >>> three = Likeness.none(3)
        >>> three.note(np.array([0, 0, 0, 2, 2]), np.array([0.0, 1.0, 3.0, 4.0, 7.0]), np.array([5, 1, 1, 2, 2]))
        >>> three.usual.tolist(), three.common.tolist(), three.unlike.tolist(), three.apart.tolist()
        ([0.0, 0.0, 4.0], [5, 0, 2], [2, 0, 2], [4.0, 0.0, 6.0])
        """
        if not len(where):
            return
        kinds = _kinds(amounts)
        starts = np.flatnonzero(np.append(True, (np.diff(kinds) != 0) | (np.diff(where) != 0)))
        where, kinds, amounts, people = where[starts], kinds[starts], amounts[starts], np.add.reduceat(people, starts)
        common = np.bincount(kinds, people).astype(np.int64)
        order = np.lexsort((kinds, -common[kinds], -people, where))
        first = order[np.diff(where[order], prepend=-1) != 0]
        self.usual[where[first]] = amounts[first]
        self.common[where[first]] = common[kinds[first]] if len(common) > 2 else common.sum()
        people[first] = 0
        np.add.at(self.unlike, where, people)
        np.add.at(self.apart, where, people * np.abs(amounts - self.usual[where]))

    def shaped(self, shape: tuple[int, ...]) -> "Likeness":
        """The same, with a place for each cell in every column."""
        usual, common, unlike, apart = self.usual, self.common, self.unlike, self.apart
        return Likeness(usual.reshape(shape), common.reshape(shape), unlike.reshape(shape), apart.reshape(shape))


def _kinds(amounts: Amounts) -> Places:
    """A number for each amount, the same for those that are the same, from the least up."""
    order = np.argsort(amounts, kind="stable")
    steps = np.diff(amounts[order], prepend=amounts[order[0]]) > _EXACT * np.abs(amounts).max()
    found = np.empty(len(amounts), np.int64)
    found[order] = np.cumsum(steps)
    return found
