"""Random numbers that nobody can foresee."""

import os
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Randomness:
    """Draws from the system's secure source; from a seed in tests only.

    >>> sorted(Randomness().order(3).tolist())
    [0, 1, 2]
    """

    def __init__(self, draw: Callable[[int], bytes] = os.urandom) -> None:
        self._draw = draw

    @classmethod
    def seeded(cls, seed: int) -> "Randomness":
        """The same draws each time: never for data that is released."""
        return cls(np.random.default_rng(seed).bytes)

    def words(self, n: int) -> NDArray[np.uint64]:
        """Numbers of 64 bits, each with the same chance."""
        return np.frombuffer(self._draw(8 * n), np.uint64)

    def order(self, n: int) -> NDArray[np.intp]:
        """Each order of ``n`` things with the same chance: they are sorted by random numbers of 64 bits."""
        return np.argsort(self.words(n))

    def uniform(self, n: int) -> Floats:
        """Numbers from 0 up to, but not including, 1, with 53 random bits."""
        return np.asarray((self.words(n) >> np.uint64(11)).astype(np.float64) * 2.0**-53)

    def normal(self, n: int) -> Floats:
        """Numbers of mean 0 and deviation 1, by the method of Box and Muller."""
        radius = np.sqrt(-2 * np.log1p(-self.uniform(n)))
        return np.asarray(radius * np.cos(2 * np.pi * self.uniform(n)))
