"""Population uniqueness: how many records are alone in the population that the table is a sample of, by estimate."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, Literal

import numpy as np

from biombo._cells import Counts
from biombo._criteria.base import Evidence, IdentityCriterion
from biombo._criteria.population_size import sampled_share
from biombo._criteria.targets import Ask, Targets
from biombo._criteria.whole_table import Floats, KeptGroups, Sizes
from biombo._criteria.wording import shown
from biombo._documents import COLUMNS, check_limit, checked, limited
from biombo._i18n import text

Estimator = Literal["dankar", "pitman", "snb", "zayatz"]


@dataclass(frozen=True)
class PopulationUniqueness(IdentityCriterion):
    """At most the share ``max`` of the records is estimated to be alone in its group of the population.

    The records that are released are taken for a random sample of ``population`` people, one record a person; the
    models are those of :func:`biombo.population_risk`, and so are their limits. It is an estimate and no guarantee.

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
    was sampled. Where a model has no estimate for some groups, they count as not met."""
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
        sampled_share(targets, self.population)
        return super().asks(targets)

    def of_members(self, members: Counts, prior: float) -> Floats:  # noqa: ARG002
        """1 for a group of one, else 0: nobody else can be unique in the population."""
        return np.where(members == 1, 1.0, 0.0)

    def of_table(self, kept: KeptGroups, target: int | None) -> Floats:  # noqa: ARG002
        """The share of records that are estimated to be alone in the population; infinite without an estimate."""
        return np.array([self._estimated(each) for each in kept.sizes or ()])

    def _estimated(self, sizes: Sizes | None) -> float:
        if sizes is None:
            return 0.0
        return _share(self.model, self.population, *(tuple(each.tolist()) for each in sizes))

    def _worded(self) -> str:
        told = {"max": shown(self.max), "population": self.population, "model": self.model}
        return text("criteria.population-uniqueness", **told)


@lru_cache(maxsize=1 << 16)  # the slices of a search ask for the same nodes again
def _share(model: Estimator, population: int, sizes: tuple[int, ...], groups: tuple[int, ...]) -> float:
    from biombo._attack import PopulationEstimate

    of_groups = np.repeat(np.array(sizes, np.int64), groups)
    estimate = PopulationEstimate.of(of_groups, min(1.0, of_groups.sum() / population))
    share = getattr(estimate, model).share
    return float("inf") if share is None else float(share)
