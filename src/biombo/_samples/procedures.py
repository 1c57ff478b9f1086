"""Made-up procedures: how popular each one is, and for which ages and which sex it is meant."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._samples.sampling import Floats

PROCEDURES = 1_800
BANDS = np.array([0.5, 5, 12, 20, 30, 42, 55, 65, 75, 87])
"""The middle of each age band that tells procedures apart."""


@dataclass(frozen=True, eq=False)
class Procedures:
    """``affinity[p, 2 * band + sex]`` says how much likelier p is for such a person than for anybody, on average 1."""

    common: int
    """The one done everywhere; it sets the prior and is not drawn for menus."""
    popularity: Floats
    affinity: Floats


def draw_procedures(rng: np.random.Generator) -> Procedures:
    """Procedures of skewed popularity, most of them for some ages more than for others, a tenth for one sex."""
    common = int(rng.integers(PROCEDURES))
    popularity = (rng.permutation(PROCEDURES) + 30.0) ** -0.8
    popularity[common] = 0
    affinity = _age_affinity(rng)[:, :, None] * _sex_affinity(rng)[:, None, :]
    affinity /= affinity.mean(axis=(1, 2), keepdims=True)
    affinity[common] = 1
    return Procedures(common, popularity / popularity.sum(), affinity.reshape(PROCEDURES, -1))


def _age_affinity(rng: np.random.Generator) -> Floats:
    centre = rng.uniform(0, 90, (PROCEDURES, 1))
    width = rng.uniform(8, 60, (PROCEDURES, 1))
    return np.exp(-0.5 * ((BANDS - centre) / width) ** 2) + 0.02


def _sex_affinity(rng: np.random.Generator) -> Floats:
    one_sex = rng.random(PROCEDURES) < 0.1
    women = np.where(one_sex, rng.choice([0.02, 0.98], PROCEDURES), 0.5)
    return np.stack([women, 1 - women], axis=1)


def band_of(ages: int) -> NDArray[np.uint8]:
    """The age band of every age below ``ages``."""
    bands: NDArray[np.uint8] = np.abs(np.arange(ages)[:, None] - BANDS).argmin(axis=1).astype(np.uint8)
    return bands
