"""Samarati and Sweeney's distance vectors: which nodes can be minimal at all.

The distance vector of two tuples says, column by column, at which level they become equal; so a node brings two tuples
together if and only if it is nowhere below their vector. An *outlier* is a tuple whose group fails at the lowest node.
For a node v, let v′ be the maximum, column by column, of all vectors between an outlier and any tuple that are nowhere
above v. At v′ every outlier has the same group as at v, and all other groups are unions of groups that hold, so they
hold. Hence v′ suppresses the same records as v and is nowhere above it: a minimal node is its own v′. (Samarati and
Sweeney (1998) have it that a minimal node is such a vector itself. That is false: it may take the maximum of several.)
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from biombo._search.quasi_column import QuasiColumn
from biombo._search.question import Question

PAIRS_A_SECOND = 25_000_000
"""How many distance vectors are made in a second, about."""
PAIRS_AT_MOST = 4 * PAIRS_A_SECOND
PAIRS_AT_ONCE = 1 << 20

Marks = NDArray[np.bool_]


def candidates(question: Question, ks: Sequence[int], *, seconds: float = 0) -> Marks | None:
    """The nodes that can be minimal for any of the ``ks``, whatever the limit of suppression.

    None where that is not told: with a bound on the table as a whole, to which groups without outliers matter too; with
    one on the population, whose people come to the group of an outlier though no record does; and where outliers and
    tuples make too many pairs for the ``seconds`` (if any), or at all.
    """
    if question.demand.table or question.demand.population:
        return None
    tuples, fails = _lowest_groups(question, max(ks))
    most = min(PAIRS_AT_MOST, seconds * PAIRS_A_SECOND) if seconds > 0 else PAIRS_AT_MOST
    if int(fails.sum()) * len(tuples) > most:
        return None
    heights = tuple(column.highest - column.lowest for column in question.columns)
    return question.lattice.off_grid(closed(_distances(question.columns, tuples[fails], tuples, heights)))


def closed(marked: Marks) -> Marks:
    """The nodes of a grid that are the maximum, axis by axis, of marked ones; that of none is the lowest node."""
    found = np.ones(marked.shape, bool)
    levels: tuple[NDArray[np.uint8], ...] = np.indices(marked.shape, dtype=np.uint8, sparse=True)
    for level in levels:
        highest = np.where(marked, level, np.uint8(0))
        for axis in range(marked.ndim):
            np.maximum.accumulate(highest, axis=axis, out=highest)
        found &= highest == level
    return found


def _lowest_groups(question: Question, k: int) -> tuple[NDArray[np.uint32], Marks]:
    """Per group of the lowest node: its codes there, and whether it fails what is asked of groups."""
    lowest = [column.generalised(column.lowest) for column in question.columns]
    asked = question.requirements([k])[0]
    found = question.groups(lowest, asked)
    return found.codes, (found.size < asked.k) | ~found.holds.all(axis=1)


def _distances(
    columns: Sequence[QuasiColumn], outliers: NDArray[np.uint32], tuples: NDArray[np.uint32], heights: tuple[int, ...]
) -> Marks:
    """The nodes, as a grid, that are the distance vector of an outlier and a tuple."""
    marked = np.zeros(tuple(height + 1 for height in heights), bool)
    levels = [_from_lowest(column) for column in columns]
    for block in _blocks(outliers, len(tuples)):
        node = np.zeros((len(block), len(tuples)), np.int64)
        meets = np.ones(node.shape, bool)
        for column, height in enumerate(heights):
            apart = _levels_apart(levels[column], block[:, column], tuples[:, column])
            meets &= apart <= height
            node = node * (height + 1) + apart
        marked.ravel()[node[meets]] = True
    return marked


def _blocks(outliers: NDArray[np.uint32], tuples: int) -> Iterator[NDArray[np.uint32]]:
    size = max(1, PAIRS_AT_ONCE // max(1, tuples))
    for first in range(0, len(outliers), size):
        yield outliers[first : first + size]


def _from_lowest(column: QuasiColumn) -> NDArray[np.int64]:
    """Per allowed level and code at the lowest of them: the code at that level."""
    codes = column.all_levels.levels[column.lowest : column.highest + 1]
    levels = np.empty((len(codes), int(codes[0].max()) + 1), np.int64)
    levels[:, codes[0]] = codes
    return levels


def _levels_apart(levels: NDArray[np.int64], ones: NDArray[np.uint32], others: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Per pair: at how many levels the two differ, which is the level at which they meet."""
    apart = np.zeros((len(ones), len(others)), np.uint8)
    for level in levels:
        apart += level[ones][:, None] != level[others]
    return apart
