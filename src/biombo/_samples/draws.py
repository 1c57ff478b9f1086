"""Random numbers, and drawing by table: a uniform number is the place of a value, so a draw is one array access."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from biombo._documents import check_whole

Floats = NDArray[np.float64]
Codes = NDArray[np.unsignedinteger[Any]]


def random(seed: int, *purpose: int) -> np.random.Generator:
    """Random numbers of their own for each purpose under one seed."""
    check_whole("seed", seed, 0)
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=purpose))


def lookup(weights: Floats, places: int) -> Codes:
    """The inverse of each row's distribution function, tabulated at ``places`` evenly spaced points.

    Value i fills about ``weights[i] / weights.sum()`` of its row's places.

    >>> lookup(np.array([[1.0, 0.0, 3.0]]), places=8).tolist()
    [[0, 0, 2, 2, 2, 2, 2, 2]]
    """
    rows, values = weights.shape
    upto = np.cumsum(weights, axis=1)
    upto /= upto[:, -1:]
    row = np.arange(rows)[:, None]
    # Row r's distribution function runs from r to r + 1, so that one search serves all the rows.
    found = np.searchsorted((upto + row).ravel(), (row + (np.arange(places) + 0.5) / places).ravel())
    table: Codes = (found.reshape(rows, places) - row * values).astype(narrowest(values))
    return table


def spread(total: int, weights: Floats) -> NDArray[np.int64]:
    """Whole numbers in proportion to ``weights`` that add up to ``total``.

    >>> spread(10, np.array([1.0, 1.0, 2.0])).tolist()
    [2, 3, 5]
    """
    upto = np.cumsum(weights)
    ends = np.rint(upto * (total / upto[-1])).astype(np.int64)
    parts: NDArray[np.int64] = np.diff(ends, prepend=0)
    return parts


def narrowest(values: int) -> np.dtype[np.unsignedinteger[Any]]:
    """The smallest unsigned type that tells ``values`` values apart."""
    return np.min_scalar_type(max(values - 1, 0))
