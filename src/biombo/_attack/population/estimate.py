"""All that a sample's group sizes say about a population that nobody has."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from biombo._attack.population.individual_risk import Matching, individual_risk
from biombo._attack.population.pitman import PitmanModel, pitman_uniques
from biombo._attack.population.sample_groups import SampleGroups
from biombo._attack.population.snb import shlosser_groups, snb_uniques
from biombo._attack.population.uniques import PITMAN_UP_TO, Uniques, dankar_uniques
from biombo._attack.population.zayatz import zayatz_uniques
from biombo._errors import UsageError


@dataclass(frozen=True, eq=False)
class PopulationEstimate:
    """Risk in the population, estimated from the group sizes f_j of a sample. Each estimate is made when asked for.

    >>> estimate = PopulationEstimate.of(np.array([1] * 60 + [2] * 15 + [5] * 2), fraction=0.05)
    >>> estimate.prosecutor.highest, estimate.prosecutor.mean
    (1.0, 0.77)
    >>> estimate.dankar.model, round(estimate.dankar.share, 3), round(estimate.marketer, 3)
    ('pitman', 0.079, 0.21)
    """

    sizes: NDArray[np.int64]
    """f_j, for each group of the sample."""
    weight_sums: NDArray[np.float64]
    """What the weights of each group add up to: a first guess of F_j. Without weights, f_j/π."""
    sample: SampleGroups

    @classmethod
    def of(cls, sizes: NDArray[np.int64], fraction: float) -> "PopulationEstimate":
        """From group sizes and the sampling fraction π = n/N, for a simple random sample."""
        return cls(sizes, sizes / SampleGroups.of(sizes, fraction).fraction, SampleGroups.of(sizes, fraction))

    @classmethod
    def weighted(cls, sizes: NDArray[np.int64], weight_sums: NDArray[np.float64]) -> "PopulationEstimate":
        """From group sizes and the sums of their weights, whose total is N.

        Matching risks use the weights of each group; the models of population uniques know only the mean, π = n/N.
        """
        if len(sizes) != len(weight_sums) or len(sizes) == 0:
            raise UsageError("population.sizes")
        individual_risk(sizes, weight_sums)
        return cls(sizes, weight_sums, SampleGroups.of(sizes, min(1.0, float(sizes.sum() / weight_sums.sum()))))

    @property
    def sample_uniques(self) -> int:
        """Records alone in their group of the sample."""
        return self.sample.uniques

    @cached_property
    def prosecutor(self) -> Matching:
        """The target is known to be in the sample: 1/f_j. No estimate."""
        return Matching.of(self.sizes, 1 / self.sizes)

    @property
    def journalist(self) -> float:
        """The target may be anyone: the highest 1/F_j over the groups of the sample, as Pitman's model expects it.

        Whoever holds a register of the population knows F_j: for them it is 1 once a population unique was sampled.
        """
        return self.by_pitman.highest

    @property
    def marketer(self) -> float:
        """The share of correct matches when all records are linked, (1/n) Σ f_j/F_j, as Pitman's model expects it."""
        return self.by_pitman.mean

    @cached_property
    def by_pitman(self) -> Matching:
        """Matching risks with 1/F_j expected by Pitman's model."""
        return Matching.of(self.sizes, self.pitman_risk)

    @cached_property
    def by_benedetti_franconi(self) -> Matching:
        """Matching risks with 1/F_j expected by Benedetti and Franconi."""
        return Matching.of(self.sizes, self.individual_risk)

    @cached_property
    def pitman_risk(self) -> NDArray[np.float64]:
        """E(1/F_j | f_j) of each group by Pitman's model."""
        shares = np.minimum(self.sizes / self.weight_sums, 1.0)
        return self.pitman_model.expected_inverse_size(self.sizes, shares, self.sample.population)

    @cached_property
    def individual_risk(self) -> NDArray[np.float64]:
        """E(1/F_j | f_j) of each group by Benedetti and Franconi."""
        return individual_risk(self.sizes, self.weight_sums)

    @cached_property
    def groups(self) -> float:
        """How many groups the population has, by Shlosser. Over N it is what (1/n) Σ f_j/F_j is on average."""
        return shlosser_groups(self.sample)

    @cached_property
    def pitman_model(self) -> PitmanModel:
        """Pitman's model as it fits the sample."""
        return PitmanModel.fit(self.sample)

    @cached_property
    def zayatz(self) -> Uniques:
        """Population uniques by Zayatz."""
        return zayatz_uniques(self.sample)

    @cached_property
    def snb(self) -> Uniques:
        """Population uniques by the slide negative binomial model."""
        return snb_uniques(self.sample)

    @cached_property
    def pitman(self) -> Uniques:
        """Population uniques by Pitman's model."""
        return pitman_uniques(self.sample, self.pitman_model)

    @cached_property
    def dankar(self) -> Uniques:
        """Population uniques by the model that Dankar et al. would choose."""
        fraction = self.sample.fraction
        by_pitman = fraction <= PITMAN_UP_TO
        return dankar_uniques(
            fraction, self.pitman if by_pitman else None, None if by_pitman else self.snb, self.zayatz
        )
