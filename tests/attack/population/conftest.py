from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

Draw = Callable[[NDArray[np.int64], float, int], NDArray[np.int64]]


@pytest.fixture
def drawn() -> Draw:
    """Group sizes of a simple random sample from a population with given group sizes; groups not drawn keep size 0."""

    def draw(population: NDArray[np.int64], fraction: float, seed: int) -> NDArray[np.int64]:
        people = np.repeat(np.arange(len(population)), population)
        chosen = np.random.default_rng(seed).choice(people, round(fraction * len(people)), replace=False)
        return np.bincount(chosen, minlength=len(population))

    return draw


@pytest.fixture(scope="session")
def pitman_population() -> Callable[[float, float, int], NDArray[np.int64]]:
    """Group sizes of people who come one after the other and join a group of j with probability (j − α)/(θ + i)."""

    def come(theta: float, alpha: float, people: int) -> NDArray[np.int64]:
        rng = np.random.default_rng(7)
        group, sizes = [0], [1]
        for i in range(1, people):
            if rng.random() * (theta + i) < theta + alpha * len(sizes):
                group.append(len(sizes))
                sizes.append(1)
                continue
            joined = group[rng.integers(i)]
            while rng.random() * sizes[joined] >= sizes[joined] - alpha:
                joined = group[rng.integers(i)]
            group.append(joined)
            sizes[joined] += 1
        return np.array(sizes)

    return come
