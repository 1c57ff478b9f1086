"""How far apart two distributions are."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def total_variation(p: Floats, q: Floats) -> float:
    """½ Σ |p − q|: the share of records that would have to change their value.

    >>> total_variation(np.array([0.5, 0.5]), np.array([0.75, 0.25]))
    0.25
    """
    return min(1.0, float(np.abs(p - q).sum()) / 2)


def hellinger(p: Floats, q: Floats) -> float:
    """√(½ Σ (√p − √q)²), from 0 (alike) to 1 (nothing in common).

    >>> hellinger(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    1.0
    """
    return min(1.0, float(np.sqrt(((np.sqrt(p) - np.sqrt(q)) ** 2).sum() / 2)))


def earth_movers(places: Floats, p: Floats, q: Floats) -> float:
    """∫ |P − Q|: how far values must be moved on average to make one distribution of the other.

    >>> earth_movers(np.array([10.0, 20.0, 30.0]), np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.5, 0.5]))
    15.0
    """
    order = np.argsort(places, kind="stable")
    ahead = np.cumsum(p[order] - q[order])[:-1]
    return float((np.abs(ahead) * np.diff(places[order])).sum())
