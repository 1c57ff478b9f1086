"""Population uniques by the slide negative binomial model, and Shlosser's estimate of the groups, which it needs."""

import math

import numpy as np

from biombo._attack.population.numerics import falling_root
from biombo._attack.population.sample_groups import SampleGroups
from biombo._attack.population.uniques import Uniques, settled


def shlosser_groups(sample: SampleGroups) -> float:
    """With s_i the number of groups of size i in the sample,

        K = u + s₁ · Σ i π²(1−π²)^(i−1) s_i / Σ (1−π)^i ((1+π)^i − 1) s_i · (Σ (1−π)^i s_i / Σ i π(1−π)^(i−1) s_i)².

    Source: Haas and Stokes, *Estimating the number of classes in a finite population*, Journal of the American
    Statistical Association 93 (1998), their third form of Shlosser's (1981). Valid for simple random samples in which
    groups are seen with the same frequencies as in the population. Without sample uniques and for π = 1, K = u; with
    only sample uniques, K = N. Never above the number of groups that u groups and N − n people more can make.

    >>> shlosser_groups(SampleGroups.of(np.array([1, 1, 1]), fraction=0.25))
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


_ALMOST_POISSON = 1e-9
"""As t → 0, α → ∞ and F − 1 becomes Poisson: the most equal groups that the model knows."""


def snb_uniques(sample: SampleGroups) -> Uniques:
    """F − 1 is negative binomial: P(F = 1+j) = Γ(j+α)/(Γ(α) j!) β^α (1−β)^j, so S₁ = K β^α.

    K is the number of groups by :func:`shlosser_groups`; α and β are those for which the expected numbers of groups
    seen once and twice are the observed s₁ and s₂. From F's generating function G(z) = z (β/(1−(1−β)z))^α, with
    r = (1−β)/(β + π(1−β)):

        E(s₁) = K π G′(1−π)    = K π (1−πr)^α (1 + α(1−π)r)
        E(s₂) = K π²/2 G″(1−π) = K π²/2 · αr (1−πr)^α (2 + (1+α)(1−π)r)

    The second over the first gives α for each r, the first then t = −log(1−πr), in which it falls (the tests look).

    Source: Chen and Keller-McNulty, *Estimation of identification disclosure risk in microdata*, Journal of Official
    Statistics 14 (1998). Valid for simple random samples; good from π of about 0.2 on, mostly too high below, as K is
    then. No estimate without groups of two (α is then undetermined), or where no α and β reproduce s₁ and s₂. See
    :func:`settled` for the other edges.
    """
    if (known := settled("snb", sample)) is not None:
        return known
    if sample.pairs == 0:
        return Uniques.missing("snb", "no-pairs")
    groups, rest = shlosser_groups(sample), 1 - sample.fraction
    log_target = math.log(sample.uniques / (groups * sample.fraction))

    def excess(t: float) -> float:
        r, alpha = snb_parameters(sample, t)
        return math.log1p(alpha * rest * r) - alpha * t - log_target

    if excess(_ALMOST_POISSON) <= 0:
        return Uniques.missing("snb", "no-fit")
    high = 1.0
    while excess(high) > 0:
        high *= 2
    t = falling_root(excess, _ALMOST_POISSON, high)
    r, alpha = snb_parameters(sample, t)
    return Uniques.estimated("snb", sample, groups * math.exp(-alpha * (t + math.log1p(rest * r))))


def snb_parameters(sample: SampleGroups, t: float) -> tuple[float, float]:
    """r = (1 − e^(−t))/π, and the α for which E(s₂)/E(s₁) = s₂/s₁.

    With R = 2s₂/(πs₁), αr is the positive root m of (1−π)m² + (2 + (1−π)(r−R))m − R.
    """
    rest = 1 - sample.fraction
    r = -math.expm1(-t) / sample.fraction
    ratio = 2 * sample.pairs / (sample.fraction * sample.uniques)
    half = 1 + rest * (r - ratio) / 2
    root = math.hypot(half, math.sqrt(rest * ratio))
    m = ratio / (half + root) if half > 0 else (root - half) / rest
    return r, m / r
