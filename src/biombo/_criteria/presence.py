"""δ-presence: how sure an adversary can be that somebody is in the table, who is in the population for sure.

With f the people of a group in the table and F those in the population, the chance is f/F (Nergiz, Atzori & Clifton
2007: f/F ≤ δ in every group; Rodrigues 2022: the mean of f/F over the people of the table). Where only the size of the
population is known, it is f · E(1/F | f), which falls with f towards the share that was sampled. So what is asked of
each group is a smallest group of the table.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from biombo._cells import TOLERANCE, Counts
from biombo._criteria.base import Criterion, Evidence, Scope
from biombo._criteria.population_size import expected_inverse, sampled_share
from biombo._criteria.targets import Ask, Targets
from biombo._criteria.whole_table import Floats, KeptGroups, Sizes
from biombo._criteria.wording import shown
from biombo._documents import COLUMNS, check_limit, checked, limited
from biombo._errors import UsageError
from biombo._i18n import text

_LARGEST = 1 << 40
"""No group has so many people."""


@dataclass(frozen=True)
class Presence(Criterion):
    """A person of the ``population`` is estimated to be in the table with a chance of at most ``max``.

    It is the upper bound of δ-presence, by estimate. Everybody is in the table with the chance that was sampled, so
    less cannot be asked for. Where the population has many small groups, chances are higher than the model says.

    >>> print(Presence(0.2, population=1_000))
    in the table with an estimated chance of at most 0.2 (δ-presence), of 1,000 people
    """

    name: ClassVar[str] = "presence"
    evidence: ClassVar[Evidence] = "original"

    max: float = field(metadata=limited(0, 1, above=True))
    """The highest chance allowed, above 0 and at most 1."""
    population: int = field(metadata=limited(1))
    """How many people there are, those of the table among them."""
    over: Scope = "group"
    """Whether this holds about everyone, whatever the group, or on average over the people of the table."""
    quasi: Sequence[str] | None = field(default=None, metadata=COLUMNS)
    """The quasi columns that it is about; ``None``: all that are used."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_limit(self, "max")
        check_limit(self, "population", whole=True)
        checked(Scope, "over", self.over)

    @property
    def scope(self) -> Scope:
        """Whether every group must meet it, or the table as a whole."""
        return self.over

    @property
    def by_sizes(self) -> bool:
        """The mean takes the sizes of all groups."""
        return self.over == "table"

    @property
    def can_fail(self) -> bool:
        """Nobody is more than certain."""
        return self.max < 1

    @property
    def counts_members(self) -> bool:
        """It is about how many share a group."""
        return True

    def monotonic(self, *, suppression: bool) -> bool:
        """Over groups always, since these only grow; over the table without suppression only."""
        return self.over == "group" or not suppression

    def asks(self, targets: Targets) -> list[Ask]:
        """So many people in each group, or a bound on the table. Raises where no group can be large enough."""
        share = sampled_share(targets, self.population)
        if self.over == "table":
            return [replace(targets.members(self).over_table(None, self.max, share), prior=share)]
        if self.can_fail and self.max < share + TOLERANCE:
            raise UsageError("criteria.presence-below-share", max=self.max, share=share)
        return [replace(targets.members(self, self._fewest(share)), prior=share)]

    def of_members(self, members: Counts, prior: float) -> Floats:
        """The chance of everybody in each group."""
        return np.asarray(members * expected_inverse(members, prior))

    def of_sample(self, kept: KeptGroups, share: float) -> Floats:
        """The mean chance of the people of the table."""
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
        return text(f"criteria.presence.{self.over}", max=shown(self.max), population=self.population)


def _mean(chances: Floats, sizes: Sizes) -> float:
    """Over the people of groups of such sizes."""
    members, groups = sizes
    return float(np.dot(chances, members * groups) / np.dot(members, groups))
