"""Population uniques by the slide negative binomial model: a group is one person and a random number of others."""

import math

from biombo._attack.unknown_population.bisection import falling_root
from biombo._attack.unknown_population.sample import Sample
from biombo._attack.unknown_population.shlosser import shlosser_groups
from biombo._attack.unknown_population.uniques import Uniques, settled

_ALMOST_POISSON = 1e-9
"""As t → 0, α → ∞ and F − 1 becomes Poisson: the most equal groups that the model knows."""


def snb_uniques(sample: Sample) -> Uniques:
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
        r, alpha = _parameters(sample, t)
        return math.log1p(alpha * rest * r) - alpha * t - log_target

    if excess(_ALMOST_POISSON) <= 0:
        return Uniques.missing("snb", "no-fit")
    high = 1.0
    while excess(high) > 0:
        high *= 2
    t = falling_root(excess, _ALMOST_POISSON, high)
    r, alpha = _parameters(sample, t)
    return Uniques.estimated("snb", sample, groups * math.exp(-alpha * (t + math.log1p(rest * r))))


def _parameters(sample: Sample, t: float) -> tuple[float, float]:
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
