"""Cells that are left out besides, so that nothing left out can be computed from what is shown.

A pattern is a way in which a table could be another one without anybody noticing: some cells have more, others less,
and every total is as it is. In its simplest form it has four cells, in two rows and two columns: what one has more, its
neighbours have less, and the one across has more. Where nothing in a pattern is shown, each of its cells may have other
values as far as anybody can tell, by as much as those that would have less can spare. So a pattern is a proof.

Along each column a pattern runs from a leaf of the cell up, and from another leaf up to where both meet: those on its
own side have more with the cell, and those on the other side less; in several columns, by how many times it went over.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from biombo import _kernel
from biombo._tabulate.cube import Cube, Numbers
from biombo._tabulate.rules import Marks, Measure
from biombo._watch import advance_share

_MOST_SEARCHES = 2_000_000
"""So many patterns are looked for once more to show again what is not needed; the cells that have most come first."""
_GRAIN = 2.0**-20
"""Weights are multiples of this, so that sums of them are exact and ties are ties."""


@dataclass(eq=False)
class Patterns:
    """Finds patterns, and keeps what they leave out."""

    cube: Cube
    measures: Sequence[Measure]
    sensitive: Marks
    locked: Marks
    """Cells that are public already."""
    suppressed: Marks = field(init=False)

    def __post_init__(self) -> None:
        self.suppressed = self.sensitive & ~self.locked
        self._weights = weighed(self.cube, self.measures[0], self.locked).ravel()

    def protect(self) -> list[int]:
        """Leave out what must be, for the cells first that need most; those that no pattern protects are given back."""
        need = np.where(self.suppressed & self.sensitive, self.measures[0].up, -1).ravel()
        order = np.argsort(-need, kind="stable")[: np.count_nonzero(need >= 0)]
        self._found = self._of_kernel()
        without = self._found.protect(order.astype(np.int64), advance_share)
        self._look()
        return [int(cell) for cell in without.ravel()]

    def tidy(self) -> None:
        """Show again what was left out for no cell's sake: those that have most first, where all cells whose patterns
        they are in have others among what is left out.
        """
        further = np.flatnonzero(self.suppressed & ~self.sensitive)
        order = further[np.argsort(-self._weights[further], kind="stable")]
        self._found.tidy(order.astype(np.int64), _MOST_SEARCHES, advance_share)
        self._look()

    def _of_kernel(self) -> _kernel.Patterns:
        return _kernel.Patterns(
            [(tree.ancestors.ravel(), tree.levels.astype(np.int64)) for tree in self.cube.classifications],
            self._weights,
            self.suppressed.ravel(),
            (self.cube.people == 1).ravel(),
            [
                [np.ravel(each) for each in (measure.values - measure.floor, measure.slack, measure.down, measure.up)]
                for measure in self.measures
            ],
        )

    def _look(self) -> None:
        self.suppressed = self._found.hidden().astype(bool).reshape(self.cube.shape)


def weighed(cube: Cube, records: Measure, locked: Marks) -> Numbers:
    """What it costs to leave each cell out: about the logarithm of its records. Infinite where that cannot be."""
    weights = np.asarray(np.round((np.log2(cube.records + 1.0) + 1) / _GRAIN) * _GRAIN, np.float64)
    weights[locked | (np.asarray(records.floor > 0) & (cube.records == 0))] = np.inf
    return weights
