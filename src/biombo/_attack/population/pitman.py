"""Population uniques by Pitman's model, a population in which new groups keep appearing.

People come one after the other. With i people in u groups, the next one joins a group of j with probability
(j − α)/(θ + i) and starts a new one with (θ + uα)/(θ + i), for 0 ≤ α < 1 and θ > −α. The larger α is, the heavier the
tail of small groups; α = 0 is Ewens' model. A simple random sample follows the same model as its population, with the
same parameters, so they are estimated from the sample alone.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._attack.population.numerics import expected_inverse_size, falling_root, harmonic, harmonics, log_gamma_ratio
from biombo._attack.population.sample_groups import SampleGroups
from biombo._attack.population.uniques import Reason, Uniques, settled


@dataclass(frozen=True)
class PitmanModel:
    """The two parameters, and what they say."""

    theta: float
    alpha: float

    @classmethod
    def fit(cls, sample: SampleGroups) -> "PitmanModel":
        """The parameters of the highest likelihood,

            log L = Σ_{i=1}^{u−1} log(θ + iα) − Σ_{i=1}^{n−1} log(θ + i) + Σ_j s_j Σ_{i=1}^{j−1} log(i − α),

        found as a root in α, and for each α in θ, which always ends (the tests look for a second maximum on random
        samples; there was none). At the edges: only unique records give α = 1 (every newcomer is new), only one group
        of several records gives α = θ = 0 (no newcomer is). Fewer small groups than any α > 0 explains give α = 0.
        """
        if sample.uniques == sample.records:
            return cls(0.0, 1.0)
        if sample.groups == 1:
            return cls(0.0, 0.0)
        if _slope(sample, 0.0) <= 0:
            return cls(_theta(sample, 0.0), 0.0)
        alpha = falling_root(lambda alpha: _slope(sample, alpha), 0.0, 1.0)
        return cls(_theta(sample, alpha), alpha)

    def expected_uniques(self, people: float) -> float:
        """E(S₁) = N · Γ(θ+1) Γ(θ+α+N−1) / (Γ(θ+α) Γ(θ+N)): a person stays alone while N − 1 others come.

        For N → ∞ it is the better known Γ(θ+1)/Γ(θ+α) · N^α, which is too high unless N ≫ θ.
        """
        step = self.alpha - 1
        return people * math.exp(log_gamma_ratio(self.theta + people, step) - log_gamma_ratio(self.theta + 1, step))

    def expected_inverse_size(
        self, sizes: NDArray[np.int64], shares: NDArray[np.float64], people: float
    ) -> NDArray[np.float64]:
        """E(1/F | f) for groups of ``sizes``, of which ``shares`` are sampled (π for all in a simple random sample).

        Given the sample, F − f is beta-binomial (N − n draws, f − α, θ + n − f + α), for which stands its limit for
        large n, the negative binomial with f − α and (π + θ/N)/(1 + θ/N). With α = θ = 0 this is Benedetti and
        Franconi's risk.
        """
        still = self.theta / people
        return expected_inverse_size(sizes, (shares + still) / (1 + still), self.alpha)


def pitman_uniques(sample: SampleGroups, model: PitmanModel) -> Uniques:
    """S₁ = E(S₁) by Pitman's model with the parameters of the highest likelihood.

    Source: Hoshino, *Applying Pitman's sampling formula to microdata disclosure risk assessment*, Journal of Official
    Statistics 17 (2001). Valid for simple random samples of populations with a long tail of small groups; the choice of
    Dankar et al. for π ≤ 0.1. Where the sample has so few repetitions that α cannot be told, the estimate swings
    widely; where it shows no tail (α = 0), ``reason`` says so. For π → 0 the share falls as N^(α−1). Estimates above
    s₁/π are brought down to it; see :func:`settled` for the other edges.
    """
    if (known := settled("pitman", sample)) is not None:
        return known
    reason: Reason | None = "no-tail" if model.alpha == 0 else None
    return Uniques.estimated("pitman", sample, model.expected_uniques(sample.population), reason)


def _theta(sample: SampleGroups, alpha: float) -> float:
    """The most likely θ for a given α: the root of Σ 1/(θ + iα) − Σ 1/(θ + i), sought on the scale of log(θ + α)."""

    def slope(log_above: float) -> float:
        theta = math.exp(log_above) - alpha
        return _new_groups(sample, theta, alpha) - harmonic(theta, sample.records - 1)

    # The second sum is at most harmonic(−α, n − 1); the first term of the first is 1/(θ + α).
    low = -math.log(harmonic(-alpha, sample.records - 1))
    high = low + 1
    while slope(high) > 0:
        high += 2
    return math.exp(falling_root(slope, low, high)) - alpha


def _slope(sample: SampleGroups, alpha: float) -> float:
    """How the likelihood grows with α, θ following it: Σ i/(θ + iα) − Σ_j s_j Σ_{i<j} 1/(i − α)."""
    theta = _theta(sample, alpha)
    others = sample.groups - 1
    if alpha > 0:
        grown = (others - theta * _new_groups(sample, theta, alpha)) / alpha
    else:
        grown = others * (others + 1) / 2 / theta
    return float(grown - np.dot(sample.counts, harmonics(-alpha, sample.sizes - 1)))


def _new_groups(sample: SampleGroups, theta: float, alpha: float) -> float:
    """Σ_{i=1}^{u−1} 1/(θ + iα)."""
    others = sample.groups - 1
    return harmonic(theta / alpha, others) / alpha if alpha > 0 else others / theta
