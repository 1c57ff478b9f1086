"""k-map: everybody looks like at least k people of the population, whether or not these are in the table.

With f the people of a group in the table and F those in the population (Sweeney 2002): F ≥ k. Where a table of the
population is at hand, F is counted. Where only its size N is known, F is estimated: with π = n/N, n being the people of
the table,

    E(1/F | f) ≤ 1/k

by Benedetti and Franconi (1998). That falls with f, so it is a smallest group of the table: at most k, since F ≥ f.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from biombo._cells import TOLERANCE, Counts
from biombo._criteria.base import Criterion, Evidence
from biombo._criteria.population_size import expected_inverse, sampled_share
from biombo._criteria.targets import Ask, Targets
from biombo._criteria.whole_table import Floats
from biombo._documents import COLUMNS, check_limit, limited
from biombo._i18n import text


@dataclass(frozen=True)
class KMap(Criterion):
    """Every group has at least ``k`` people in the population that the table is a part of.

    An adversary who does not know whether a person is in the table links one of its records rightly with the chance
    1/F. Against a table of the population that is a count. With the size of the ``population`` alone it is an estimate:
    where there are many small groups, 1/F is higher than the model says.

    >>> print(KMap(5), KMap(5, population=100_000), sep="\\n")
    k-map with k = 5, counted in the population
    k-map with k = 5, estimated for 100,000 people
    """

    name: ClassVar[str] = "k-map"
    evidence: ClassVar[Evidence] = "original"

    k: int = field(metadata=limited(1))
    """How many people of the population must be in each group."""
    population: int | None = field(default=None, metadata=limited(1))
    """How many people there are, those of the table among them; ``None``: there is a table of them."""
    quasi: Sequence[str] | None = field(default=None, metadata=COLUMNS)
    """The quasi columns that it is about; ``None``: all that are used."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_limit(self, "k", whole=True)
        if self.population is not None:
            check_limit(self, "population", whole=True)

    @property
    def lowest_is_worst(self) -> bool:
        """The smallest group decides."""
        return True

    @property
    def against_population(self) -> bool:
        """Where its size alone is not what there is."""
        return self.population is None

    @property
    def counts_members(self) -> bool:
        """It is about how many share a group."""
        return True

    def monotonic(self, *, suppression: bool) -> bool:  # noqa: ARG002
        """Always: groups only grow, in the table and in the population."""
        return True

    def asks(self, targets: Targets) -> list[Ask]:
        """So many people of the population, or by estimate so many records, or people where these are named."""
        if self.population is None:
            return [targets.in_population(self, self.k)]
        share = sampled_share(targets, self.population)
        return [replace(targets.members(self, self._fewest(share)), prior=share)]

    def fewest(self, people: int) -> int:
        """The smallest group allowed in a table of so many ``people``: 1 where the population is at hand.

        >>> KMap(5, population=1_000).fewest(100), KMap(5, population=100).fewest(100)
        (2, 5)
        """
        return 1 if self.population is None else self._fewest(people / self.population)

    def _fewest(self, share: float) -> int:
        met = expected_inverse(np.arange(1, self.k + 1), share) <= 1 / self.k + TOLERANCE
        return int(np.argmax(met)) + 1

    def of_members(self, members: Counts, prior: float) -> Floats:
        """The people of each group in the population, as 1 / E(1/F)."""
        return 1 / expected_inverse(members, prior)

    def _worded(self) -> str:
        if self.population is None:
            return text("criteria.k-map.counted", k=self.k)
        return text("criteria.k-map.estimated", k=self.k, population=self.population)
