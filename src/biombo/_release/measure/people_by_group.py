"""How many people there are in groups of records, and how many of them in small ones."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Counts, distinct

People = NDArray[np.integer]
"""By record, or by tuple: a number for the person that it is about."""


def how_many(people: People) -> int:
    """How many different people these are.

    >>> how_many(np.array([5, 5, 7]))
    2
    """
    return int(np.count_nonzero(np.bincount(people)))


@dataclass(frozen=True, eq=False)
class PeopleByGroup:
    """Groups by their people. However often somebody is in a group, that is one of its people.

    >>> group, person = np.array([0, 0, 0, 1]), np.array([5, 5, 7, 5])
    >>> found = PeopleByGroup.of(group, 2, person)
    >>> found.sizes.tolist(), found.people, found.below(2)
    ([2, 1], 2, 1)
    """

    sizes: Counts
    """The people in each group."""
    in_group: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None
    """The groups that people are in, and these people; none where each record is somebody else's."""

    @classmethod
    def of(cls, group: NDArray[np.integer], groups: int, person: People) -> "PeopleByGroup":
        """By tuple: its group and its person."""
        width = int(person.max(initial=0)) + 1
        pairs = distinct(group.astype(np.int64) * width + person)
        in_group = pairs // width, pairs % width
        return cls(np.bincount(in_group[0], minlength=groups), in_group)

    @property
    def people(self) -> int:
        """All of them."""
        return int(self.sizes.sum()) if self.in_group is None else how_many(self.in_group[1])

    def below(self, k: int) -> int:
        """People who are in a group of fewer than ``k``."""
        small = self.sizes < k
        if self.in_group is None:
            return int(self.sizes[small].sum())
        group, person = self.in_group
        return how_many(person[small[group]])

    def share_below(self, k: int) -> float:
        """How many of all people are in groups of fewer than ``k``."""
        return self.below(k) / max(1, self.people)
