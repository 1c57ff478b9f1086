"""Population uniques by Zayatz: the sample's group sizes stand in for the population's."""

import math

from biombo._attack.population.numerics import log_gamma_ratio
from biombo._attack.population.sample_groups import SampleGroups
from biombo._attack.population.uniques import Uniques, settled

_ROUNDING = 1e-12
"""The size of the population is a quotient, which may be off by so much of it."""


def zayatz_uniques(sample: SampleGroups) -> Uniques:
    """By Bayes' rule, with p_j the share of groups of size j in the population, estimated by that in the sample:

        P(F=1 | f=1) = p₁ P(f=1 | F=1) / Σ_j p_j P(f=1 | F=j),    S₁ = s₁ P(F=1 | f=1) / π,

    where f given F is hypergeometric: P(f=1 | F=j) = j C(N−j, n−1)/C(N, n) = j π Π_{i<j−1} (N−n−i)/(N−1−i).

    Source: Zayatz, *Estimation of the percent of unique population elements on a microdata file using the sample*,
    U.S. Bureau of the Census, 1991. Valid for simple random samples. As small groups are more frequent in a sample than
    in the population, it overestimates, the more the smaller π is, and is close from π of about ½ on. For π → 0 the
    share tends to (s₁/n)². Always has an estimate; see :func:`settled` for the edges.

    >>> import numpy as np
    >>> found = zayatz_uniques(SampleGroups.of(np.array([1, 1, 2]), fraction=0.5))
    >>> round(found.of_sample_uniques, 12) == round(7 / 11, 12)  # 2·½ / (2·½ + 1·2·½·4/7)
    True
    """
    if (known := settled("zayatz", sample)) is not None:
        return known
    seen_once = sum(count * _seen_once(size, sample) for size, count in sample.by_size())
    within = sample.uniques * sample.fraction / seen_once
    return Uniques.estimated("zayatz", sample, sample.uniques * within / sample.fraction)


def _seen_once(size: int, sample: SampleGroups) -> float:
    """P(f=1 | F=size)."""
    population = sample.population
    unsampled = population - sample.records
    if size - 1 > unsampled + population * _ROUNDING:
        return sample.fraction if size == 1 else 0.0
    others_missed = log_gamma_ratio(population, 1 - size) - log_gamma_ratio(unsampled + 1, 1 - size)
    return size * sample.fraction * math.exp(others_missed)
