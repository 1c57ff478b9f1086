"""What whoever has a table knows of the cells that are left out: totals are the sums of their parts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from biombo._tabulate.bounds import System
from biombo._tabulate.classification import Classification, Places
from biombo._tabulate.cube import Numbers
from biombo._tabulate.rules import Marks

_EXACT = 1e-7
_STEPS = 2000
_DRAWS = 3


@dataclass(frozen=True, eq=False)
class Equations:
    """Sums of cells that are left out, each of which is known: Σ sign · cell = what is shown."""

    cells: Places
    """The cells that are left out."""
    rows: Places
    columns: Places
    signs: Numbers
    """The entries of the matrix: which equation, which of the cells, 1 for a part and -1 for a total."""
    known: Numbers
    """By equation: what the cells come to."""

    @classmethod
    def of(cls, trees: Sequence[Classification], shown: Numbers, hidden: Marks) -> "Equations":
        """The equations of a table whose ``hidden`` cells are left out. What these have does not matter."""
        cells = np.flatnonzero(hidden)
        places = np.unravel_index(cells, shown.shape)
        order = np.arange(len(cells))
        visible = np.where(hidden, 0.0, shown)
        keys, columns, signs, known = [], [], [], []
        for axis, tree in enumerate(trees):
            rest = (visible - tree.added_up(visible, axis)).ravel() if len(tree) > 1 else None
            if rest is None:
                continue
            at = [*places]
            is_part, is_whole = places[axis] != tree.root, tree.levels[places[axis]] > 0
            at[axis] = np.where(is_part, tree.parents[places[axis]], tree.root)
            whole = np.ravel_multi_index(at, shown.shape)
            for mask, equation, sign in ((is_part, whole, 1.0), (is_whole, cells, -1.0)):
                keys.append(equation[mask] * len(trees) + axis)
                columns.append(order[mask])
                signs.append(np.full(np.count_nonzero(mask), sign))
                known.append(rest[equation[mask]])
        _, first, rows = np.unique(np.concatenate(keys), return_index=True, return_inverse=True)
        return cls(cells, rows.ravel(), np.concatenate(columns), np.concatenate(signs), np.concatenate(known)[first])

    def __len__(self) -> int:
        return len(self.known)

    def between(self, floor: Numbers, ceiling: Numbers) -> System:
        """The equations, with what each cell has at least and at most."""
        return System(self.rows, self.columns, self.signs, self.known, self.known, floor, ceiling)

    def blocks(self) -> "Iterator[Equations]":
        """The equations apart that have no cell in common."""
        number = self._numbered()
        of_entry = np.argsort(number[self.columns], kind="stable")
        of_cell = np.argsort(number, kind="stable")
        names, sizes = np.unique(number, return_counts=True)
        entries = np.searchsorted(number[self.columns][of_entry], np.append(names, len(number)))
        place = np.empty(len(number), np.int64)
        for block, cells in enumerate(np.split(of_cell, np.cumsum(sizes)[:-1])):
            mine = of_entry[entries[block] : entries[block + 1]]
            place[cells] = np.arange(len(cells))
            rows, named = np.unique(self.rows[mine], return_inverse=True)
            columns = place[self.columns[mine]]
            yield Equations(self.cells[cells], named.ravel(), columns, self.signs[mine], self.known[rows])

    def _numbered(self) -> Places:
        """A number for each cell, the same for those that an equation ties together."""
        number = np.arange(len(self.cells))
        while True:
            of_row = np.full(len(self), len(number))
            np.minimum.at(of_row, self.rows, number[self.columns])
            lower = number.copy()
            np.minimum.at(lower, self.columns, of_row[self.rows])
            lower = lower[lower]
            if np.array_equal(lower, number):
                return number
            number = lower

    def determined(self) -> Marks:
        """The cells that these equations alone give away, whatever else is known of cells.

        A cell is given away if and only if it is the same in all solutions, so that no difference of two changes it. A
        difference drawn at random changes every cell that any changes, but for a chance of about 1 in 10⁷ that the
        change is taken for none: so where it seems that some do not change, another one is drawn.
        """
        random = np.random.default_rng(0)
        given = np.ones(len(self.cells), bool)
        for _ in range(_DRAWS):
            given &= np.abs(self._difference(random.standard_normal(len(self.cells)))) < _EXACT
            if not given.any():
                break
        return given

    def _difference(self, drawn: Numbers) -> Numbers:
        """The difference of two solutions that is nearest to ``drawn``: what is left of it once all that the equations
        fix is taken out, by conjugate gradients.
        """
        rest, step, square = self._sums(drawn), np.zeros(len(self)), 0.0
        multipliers = np.zeros(len(self))
        for turn in range(_STEPS + len(self)):
            now = float(rest @ rest)
            if now < _EXACT**4 * max(1, len(drawn)):
                return drawn - self._spread(multipliers)
            step = rest if turn == 0 else rest + now / square * step
            spread = self._spread(step)
            length = now / float(spread @ spread)
            multipliers += length * step
            rest, square = rest - length * self._sums(spread), now
        return np.zeros(len(drawn))  # it cannot be told, and no cell may be shown on a guess

    def _sums(self, values: Numbers) -> Numbers:
        return np.asarray(np.bincount(self.rows, self.signs * values[self.columns], len(self)), np.float64)

    def _spread(self, values: Numbers) -> Numbers:
        return np.asarray(np.bincount(self.columns, self.signs * values[self.rows], len(self.cells)), np.float64)
