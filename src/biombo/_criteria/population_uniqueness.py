"""Population uniqueness: how many records are alone in the population that the table is a sample of, by estimate."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Counts
from biombo._criteria.base import Evidence, IdentityCriterion
from biombo._criteria.population_size import sampled_share
from biombo._criteria.targets import Ask, Targets
from biombo._criteria.whole_table import Floats, KeptGroups, Sizes
from biombo._criteria.wording import shown
from biombo._documents import COLUMNS, check_limit, checked, limited
from biombo._i18n import text
from biombo._watch import stoppable

Estimator = Literal["dankar", "pitman", "snb", "zayatz"]


@dataclass(frozen=True)
class PopulationUniqueness(IdentityCriterion):
    """At most the share ``max`` of the records is estimated to be alone in its group of the population.

    The table is taken for a random sample of ``population`` people, one record a person, of whom those who look like a
    group that is kept were sampled at the same rate as all; the models are those of :func:`biombo.population_risk`, and
    so are their limits. It is an estimate and no guarantee.

    >>> print(PopulationUniqueness(0.01, population=100_000))
    at most 0.01 of the records estimated to be unique among 100,000 people (dankar)
    """

    name: ClassVar[str] = "population-uniqueness"
    evidence: ClassVar[Evidence] = "original"

    max: float = field(metadata=limited(0, 1))
    """The highest share allowed, from 0 to 1."""
    population: int = field(metadata=limited(1))
    """How many people there are, those of the table among them."""
    model: Estimator = "dankar"
    """Who estimates: Pitman's, the slide negative binomial or Zayatz's model; ``dankar`` chooses one by the share that
    was sampled. Where a model has no estimate, all count who are alone in the table: no estimate is above that."""
    quasi: Sequence[str] | None = field(default=None, metadata=COLUMNS)
    """The quasi columns that it is about; ``None``: all that are used."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_limit(self, "population", whole=True)
        checked(Estimator, "model", self.model)

    @property
    def by_sizes(self) -> bool:
        """The models read the sizes of all groups."""
        return True

    def monotonic(self, *, suppression: bool) -> bool:  # noqa: ARG002
        """Never: a model that fits other groups may estimate more."""
        return False

    def asks(self, targets: Targets) -> list[Ask]:
        """A bound on the table. Raises where the table has more people than the population."""
        share = sampled_share(targets, self.population)
        return [targets.members(self).over_table(None, self.max, share)]

    def of_members(self, members: Counts, prior: float) -> Floats:  # noqa: ARG002
        """1 for a group of one, else 0: nobody else can be unique in the population."""
        return np.where(members == 1, 1.0, 0.0)

    def of_sample(self, kept: KeptGroups, share: float) -> Floats:
        """The share of records that are estimated to be alone in the population."""
        return np.array([self._estimated(each, share) for each in stoppable(kept.sizes or ())])

    def surely_holds(self, kept: KeptGroups) -> NDArray[np.bool_]:
        """Are no more alone in the table than may be in the population? No estimate is above that."""
        return np.array([each is not None and _alone(each) <= self.max for each in kept.sizes or ()], bool)

    def _estimated(self, sizes: Sizes | None, fraction: float) -> float:
        if sizes is None:
            return 0.0
        share = _share(self.model, fraction, *(tuple(each.tolist()) for each in sizes))
        return _alone(sizes) if share is None else share

    def _worded(self) -> str:
        told = {"max": shown(self.max), "population": self.population, "model": self.model}
        return text("criteria.population-uniqueness", **told)


def _alone(sizes: Sizes) -> float:
    """The share of people who are alone in their group of the table."""
    members, groups = sizes
    return float(groups[members == 1].sum() / np.dot(members, groups))


@lru_cache(maxsize=1 << 16)  # the slices of a search ask for the same nodes again
def _share(model: Estimator, fraction: float, sizes: tuple[int, ...], groups: tuple[int, ...]) -> float | None:
    from biombo._attack import PopulationEstimate

    estimate = PopulationEstimate.of(np.repeat(np.array(sizes, np.int64), groups), fraction)
    share: float | None = getattr(estimate, model).share
    return share
