"""δ-presence: how sure an adversary can be that somebody is in the table, who is in the population for sure.

With f the people of a group in the table and F those in the population, the chance is f/F (Nergiz, Atzori & Clifton
2007: f/F ≤ δ in every group; Rodrigues 2022: the mean of f/F over the people of the table). Where a table of the
population is at hand, both are counted. Where only its size is known, the chance is f · E(1/F | f), which falls with f
towards the share that was sampled. So what is asked of each group is a smallest group of the table.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from biombo._cells import TOLERANCE, Counts
from biombo._criteria.base import Criterion, Evidence, Scope
from biombo._criteria.population_size import expected_inverse, sampled_share
from biombo._criteria.targets import Ask, Targets
from biombo._criteria.whole_table import Floats, KeptGroups, Sizes, shares
from biombo._criteria.wording import shown
from biombo._documents import COLUMNS, check_limit, checked, limited
from biombo._errors import UsageError
from biombo._i18n import text

_LARGEST = 1 << 40
"""No group has so many people."""


@dataclass(frozen=True)
class Presence(Criterion):
    """A person of the population is in the table with a chance of at most ``max``.

    It is the upper bound of δ-presence; the lower one is :class:`Absence`. Against a table of the population it is a
    count. With the size of the ``population`` alone it is an estimate: everybody is in the table with the chance that
    was sampled, so less cannot be asked for, and where there are many small groups, chances are higher than the model
    says.

    >>> print(Presence(0.2), Presence(0.2, population=1_000), sep="\\n")
    in the table with a chance of at most 0.2 (δ-presence), counted in the population
    in the table with an estimated chance of at most 0.2 (δ-presence), of 1,000 people
    """

    name: ClassVar[str] = "presence"
    evidence: ClassVar[Evidence] = "original"

    max: float = field(metadata=limited(0, 1, above=True))
    """The highest chance allowed, above 0 and at most 1."""
    population: int | None = field(default=None, metadata=limited(1))
    """How many people there are, those of the table among them; ``None``: there is a table of them."""
    over: Scope = "group"
    """Whether this holds about everyone, whatever the group, or on average over the people of the table."""
    quasi: Sequence[str] | None = field(default=None, metadata=COLUMNS)
    """The quasi columns that it is about; ``None``: all that are used."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_limit(self, "max")
        if self.population is not None:
            check_limit(self, "population", whole=True)
        checked(Scope, "over", self.over)

    @property
    def scope(self) -> Scope:
        """Whether every group must meet it, or the table as a whole."""
        return self.over

    @property
    def by_sizes(self) -> bool:
        """The mean by estimate takes the sizes of all groups."""
        return self.over == "table" and self.population is not None

    @property
    def can_fail(self) -> bool:
        """Nobody is more than certain."""
        return self.max < 1

    @property
    def against_population(self) -> bool:
        """Where its size alone is not what there is."""
        return self.population is None

    @property
    def counts_members(self) -> bool:
        """It is about how many share a group."""
        return True

    def monotonic(self, *, suppression: bool) -> bool:
        """Without suppression always: (f₁ + f₂)/(F₁ + F₂) lies between f₁/F₁ and f₂/F₂, and (f₁ + f₂)²/(F₁ + F₂) is at
        most f₁²/F₁ + f₂²/F₂. With it, a group that holds may fail together with one that does not; by estimate over
        groups it holds all the same, since these only grow.
        """
        return not suppression or (self.over == "group" and self.population is not None)

    def asks(self, targets: Targets) -> list[Ask]:
        """A share of the population, or by estimate so many people in each group; or a bound on the table. Raises where
        no group can be large enough.
        """
        if self.population is None:
            by_group = self.over == "group"
            asked = targets.presence(self, self.max if by_group else 1.0)
            return [asked if by_group else asked.over_table(None, self.max)]
        share = sampled_share(targets, self.population)
        if self.over == "table":
            return [replace(targets.members(self).over_table(None, self.max, share), prior=share)]
        if self.can_fail and self.max < share + TOLERANCE:
            raise UsageError("criteria.presence-below-share", max=self.max, share=share)
        return [replace(targets.members(self, self._fewest(share)), prior=share)]

    def of_members(self, members: Counts, prior: float) -> Floats:
        """The chance of everybody in each group."""
        return np.asarray(members * expected_inverse(members, prior))

    def of_table(self, kept: KeptGroups, target: int | None) -> Floats:  # noqa: ARG002
        """The mean chance of the people of the table, counted."""
        assert kept.present is not None
        return shares(kept.present.likely, kept.present.members)

    def of_sample(self, kept: KeptGroups, share: float) -> Floats:
        """The mean chance of the people of the table, by estimate."""
        told = kept.sizes or ()
        met = [each[0] for each in told if each is not None]
        members = np.unique(np.concatenate(met)) if met else np.zeros(0, np.int64)
        chance = self.of_members(members, share)
        means = (_mean(chance[np.searchsorted(members, each[0])], each) if each else 0.0 for each in told)
        return np.fromiter(means, np.float64, len(told))

    def _fewest(self, share: float) -> int:
        """The smallest group in which the chance will do, found by halving."""
        if not self.can_fail:
            return 1
        below, enough = 0, 1
        while enough < _LARGEST and not self._will_do(enough, share):
            below, enough = enough, 2 * enough
        while enough - below > 1:
            middle = (below + enough) // 2
            below, enough = (below, middle) if self._will_do(middle, share) else (middle, enough)
        return enough

    def _will_do(self, members: int, share: float) -> bool:
        return bool(self.of_members(np.array([members]), share)[0] <= self.max + TOLERANCE)

    def _worded(self) -> str:
        if self.population is None:
            return text(f"criteria.presence.{self.over}-counted", max=shown(self.max))
        return text(f"criteria.presence.{self.over}", max=shown(self.max), population=self.population)


def _mean(chances: Floats, sizes: Sizes) -> float:
    """Over the people of groups of such sizes."""
    members, groups = sizes
    return float(np.dot(chances, members * groups) / np.dot(members, groups))
