"""Records as points, those that are alike as one, and how they are shared out among groups."""

from dataclasses import dataclass

import numpy as np

from biombo._engine import Floats, Numbers


@dataclass(frozen=True, eq=False)
class Points:
    """Distinct places of records."""

    places: Floats
    """By point: its numbers, in units that can be compared."""
    counts: Numbers
    """By point: how many records are there."""
    people: Numbers | None = None
    """By point: whose records these are; without it each record is somebody else's."""

    @property
    def size(self) -> int:
        """How many people there are."""
        return int(self.counts.sum()) if self.people is None else len(np.unique(self.people))


@dataclass(frozen=True, eq=False)
class Shares:
    """How many records of which point are in which group; groups are numbered from 0."""

    point: Numbers
    group: Numbers
    count: Numbers

    def means(self, numbers: Floats) -> Floats:
        """By group: the mean of numbers that the points have."""
        records = np.bincount(self.group, self.count)
        return np.asarray(np.bincount(self.group, self.count * numbers[self.point]) / records)


def standardised(numbers: Floats, counts: Numbers) -> Floats:
    """Columns with mean 0 and standard deviation 1, so that their units do not matter; one that is constant is 0."""
    centred = numbers - np.average(numbers, axis=0, weights=counts)
    deviation = np.sqrt(np.average(centred**2, axis=0, weights=counts))
    return np.asarray(np.divide(centred, deviation, out=np.zeros_like(centred), where=deviation > 0))
