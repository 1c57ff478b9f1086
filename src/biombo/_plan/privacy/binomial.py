"""Bounds on a chance by how often something happened (Clopper and Pearson 1934)."""

import numpy as np
from numpy.typing import NDArray

from biombo._attack import falling_root


def lowest_chance(happened: int, draws: int, error: float) -> float:
    """The chance at which ``happened`` or more of ``draws`` would still be seen with probability ``error``.

    >>> round(lowest_chance(10, 10, 0.005), 4) == round(0.005 ** (1 / 10), 4)
    True
    """
    if happened == 0:
        return 0.0
    log_ways = _log_ways(draws)[happened:]
    counts = np.arange(happened, draws + 1)
    return falling_root(lambda chance: error - _sum(log_ways, counts, draws, chance), 0.0, 1.0)


def highest_chance(happened: int, draws: int, error: float) -> float:
    """The chance at which ``happened`` or fewer of ``draws`` would still be seen with probability ``error``."""
    return 1.0 - lowest_chance(draws - happened, draws, error)


def _log_ways(draws: int) -> NDArray[np.float64]:
    """The logarithm of the number of ways to choose 0, 1, … of ``draws``."""
    log_factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, draws + 1)))])
    return np.asarray(log_factorial[-1] - log_factorial - log_factorial[::-1])


def _sum(log_ways: NDArray[np.float64], counts: NDArray[np.int64], draws: int, chance: float) -> float:
    if chance >= 1:
        return 1.0
    return float(np.exp(log_ways + counts * np.log(chance) + (draws - counts) * np.log1p(-chance)).sum())
