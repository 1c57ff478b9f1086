"""How many groups the population has, by Shlosser's estimator as Haas and Stokes modified it."""

import numpy as np

from biombo._attack.unknown_population.sample import Sample


def shlosser_groups(sample: Sample) -> float:
    """With s_i the number of groups of size i in the sample,

        K = u + s₁ · Σ i π²(1−π²)^(i−1) s_i / Σ (1−π)^i ((1+π)^i − 1) s_i · (Σ (1−π)^i s_i / Σ i π(1−π)^(i−1) s_i)².

    Source: Haas and Stokes, *Estimating the number of classes in a finite population*, Journal of the American
    Statistical Association 93 (1998), their third form of Shlosser's (1981). Valid for simple random samples in which
    groups are seen with the same frequencies as in the population. Without sample uniques and for π = 1, K = u; with
    only sample uniques, K = N. Never above the number of groups that u groups and N − n people more can make.

    >>> shlosser_groups(Sample.of(np.array([1, 1, 1]), fraction=0.25))
    12.0
    """
    if sample.uniques == 0:
        return float(sample.groups)
    pi, i, s = sample.fraction, sample.sizes, sample.counts
    missed = (1 - pi) ** i
    once_in_square = np.dot(i * pi**2 * (1 - pi**2) ** (i - 1.0), s)
    seen_in_square = np.dot((1 - pi**2) ** i * -np.expm1(-i * np.log1p(pi)), s)
    if seen_in_square == 0:
        return float(sample.groups)
    unseen = np.dot(missed, s) / np.dot(i * pi * (1 - pi) ** (i - 1.0), s)
    found = sample.groups + sample.uniques * once_in_square / seen_in_square * unseen**2
    return min(float(found), sample.groups + sample.population - sample.records)
