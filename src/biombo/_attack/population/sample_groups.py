"""What the estimators read: the group sizes of a sample, and which share of the population the sample is."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from biombo._errors import UsageError


@dataclass(frozen=True, eq=False)
class SampleGroups:
    """A sample of n records in u groups, drawn from N = n/π.

    >>> sample = SampleGroups.of(np.array([1, 1, 2, 4]), fraction=0.1)
    >>> sample.records, sample.groups, sample.population, sample.uniques, sample.pairs
    (8, 4, 80.0, 2, 1)
    """

    sizes: NDArray[np.int64]
    """The different group sizes, ascending."""
    counts: NDArray[np.int64]
    """How many groups have each size."""
    fraction: float
    """π, the share of the population that was sampled: above 0, at most 1."""

    @classmethod
    def of(cls, group_sizes: NDArray[np.int64], fraction: float) -> "SampleGroups":
        """Gather groups by size."""
        check_fraction(fraction)
        if len(group_sizes) == 0 or group_sizes.min() < 1:
            raise UsageError("population.sizes")
        sizes, counts = np.unique(group_sizes, return_counts=True)
        return cls(sizes.astype(np.int64), counts.astype(np.int64), float(fraction))

    @cached_property
    def records(self) -> int:
        """n."""
        return int(np.dot(self.sizes, self.counts))

    @cached_property
    def groups(self) -> int:
        """u."""
        return int(self.counts.sum())

    @property
    def population(self) -> float:
        """N, not rounded."""
        return self.records / self.fraction

    @cached_property
    def uniques(self) -> int:
        """s₁, the groups of one record."""
        return self.of_size(1)

    @cached_property
    def pairs(self) -> int:
        """s₂, the groups of two."""
        return self.of_size(2)

    def by_size(self) -> Iterator[tuple[int, int]]:
        """Each size, and how many groups have it."""
        return zip(self.sizes.tolist(), self.counts.tolist(), strict=True)

    def of_size(self, size: int) -> int:
        """How many groups have ``size`` records."""
        return int(self.counts[self.sizes == size].sum())


def check_fraction(fraction: float) -> None:
    """Refuse what is no share of a population that can have been sampled."""
    if not 0 < fraction <= 1:
        raise UsageError("population.fraction", fraction=fraction)
