"""Minimal generalisations (document 004): those that satisfy what is asked while nothing below them does."""

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Lattice


def minimal_nodes(lattice: Lattice, satisfying: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Of the satisfying nodes, those without a satisfying one below, in however many columns."""
    at_or_below = lattice.on_grid(satisfying)
    for axis in range(at_or_below.ndim):
        at_or_below = np.logical_or.accumulate(at_or_below, axis=axis)
    below = np.zeros_like(at_or_below)
    for axis in range(at_or_below.ndim):
        upper, lower = np.moveaxis(below, axis, 0)[1:], np.moveaxis(at_or_below, axis, 0)[:-1]
        upper |= lower
    return np.asarray(satisfying & ~lattice.off_grid(below))
