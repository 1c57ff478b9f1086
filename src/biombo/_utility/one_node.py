"""The costs of one node of the lattice, in the form in which the search has those of many."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from biombo._data import Column
from biombo._engine import numbered
from biombo._measures import Costs, Marginals

Rows = NDArray[np.bool_]


def group_sizes(columns: Sequence[Column], rows: int, kept: Rows | None = None) -> NDArray[np.int64]:
    """How many of the rows, or of those ``kept``, share their values; all are one group where there are no columns."""
    there = slice(None) if kept is None else kept
    if not columns:
        size = rows if kept is None else int(kept.sum())
        return np.array([size] if size else [], np.int64)
    group, _ = numbered([column.codes[there] for column in columns], [column.cardinality for column in columns])
    return np.bincount(group).astype(np.int64)


def costs_of(
    marginals: Marginals,
    levels: Sequence[int],
    sizes: NDArray[np.int64],
    suppressed: int,
    lost_with: Sequence[tuple[float, float]] = (),
) -> Costs:
    """What columns at ``levels`` cost with groups of these ``sizes``.

    ``lost_with`` has, by column, what the suppressed records would have told: Σ of the share of the domain under their
    value, and −Σ c log₂(c/suppressed) over their values.
    """
    share, entropy = np.array(lost_with, np.float64).reshape(-1, 2).T
    return Costs(
        marginals,
        np.array([levels], np.int64).reshape(1, -1),
        np.array([suppressed]),
        np.array([len(sizes)]),
        np.array([float((sizes.astype(float) ** 2).sum())]),
        share[None, :],
        entropy[None, :],
        np.ones(len(levels)),
    )
