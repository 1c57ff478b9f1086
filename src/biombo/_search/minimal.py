"""Minimal generalisations (document 004): those that satisfy what is asked while nothing below them does."""

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Lattice


def minimal_nodes(lattice: Lattice, satisfying: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Of the satisfying nodes, those without a satisfying one below, in however many columns."""
    return np.asarray(satisfying & ~above_any(lattice, satisfying))


def above_any(lattice: Lattice, marked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The nodes with a marked one below, in however many columns."""
    at_or_above = lattice.on_grid(marked)
    for axis in range(at_or_above.ndim):
        at_or_above = np.logical_or.accumulate(at_or_above, axis=axis)
    above = np.zeros_like(at_or_above)
    for axis in range(at_or_above.ndim):
        upper, lower = np.moveaxis(above, axis, 0)[1:], np.moveaxis(at_or_above, axis, 0)[:-1]
        upper |= lower
    return lattice.off_grid(above)
