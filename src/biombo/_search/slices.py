"""The lattice from the top down, slice by slice."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Lattice

Marks = NDArray[np.bool_]


def from_the_top(lattice: Lattice) -> list[Marks]:
    """All nodes by the levels of the two columns with the most values, the highest first.

    At the top tables are small, what fails fails everywhere below, and what satisfies bounds the score of all others.
    """
    widths = [column.levels.shape[1] if column.height > 0 else 0 for column in lattice.columns]
    widest = sorted(range(len(widths)), key=lambda column: -widths[column])[:2]
    return _sliced(lattice, np.ones(len(lattice.nodes), bool), widest)


def _sliced(lattice: Lattice, nodes: Marks, by: Sequence[int]) -> list[Marks]:
    """Some nodes by their level in the first column of ``by``, those of the highest by the next one, and so on."""
    if not by:
        return [nodes]
    levels = lattice.nodes[:, by[0]]
    highest, *others = [nodes & (levels == level) for level in range(lattice.columns[by[0]].height, -1, -1)]
    return [*_sliced(lattice, highest, by[1:]), *others]
