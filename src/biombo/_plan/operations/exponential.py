"""The exponential mechanism: local differential privacy that prefers values near the own one."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from biombo._errors import UsageError
from biombo._hierarchy import Hierarchy
from biombo._plan.operations.over_domain import NoiseOverDomain
from biombo._plan.privacy.channel import Channel, Domain
from biombo._plan.privacy.distances import Distances, by_hierarchy, by_order, equal

Distance = Literal["equal", "order", "hierarchy"]


@dataclass(frozen=True)
class Exponential(NoiseOverDomain):
    """Release a value y of the domain for x with a probability ∝ exp(ε u / 2Δ), where u = −distance(x, y).

    (McSherry and Talwar 2007.) Δ is the largest distance in the domain. Distances are 0 or 1 (``equal``), steps in the
    order of the domain (``order``), or the lowest level of ``hierarchy`` at which x and y are the same (``hierarchy``).

    >>> schooling = Exponential("schooling", 4, ("none", "primary", "secondary", "higher"), distance="order")
    >>> schooling.channel.chances[0].round(2).tolist()
    [0.52, 0.27, 0.14, 0.07]
    """

    name: ClassVar[str] = "exponential"
    leaks: ClassVar[str] = "privacy.leaks.exponential"

    distance: Distance = "equal"
    hierarchy: Hierarchy | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.distance == "hierarchy") != (self.hierarchy is not None):
            raise UsageError("privacy.distance-hierarchy", column=self.column)
        if self.domain is not None:
            _ = self.channel

    def channel_over(self, domain: Domain) -> Channel:
        """exp(−ε d / 2Δ) for each distance d."""
        distances = self._distances(domain)
        return Channel(domain, np.exp(-self.epsilon * distances / (2 * distances.max())))

    def _distances(self, domain: Domain) -> Distances:
        if self.hierarchy is not None:
            return by_hierarchy(domain, self.hierarchy, self.column)
        return by_order(domain) if self.distance == "order" else equal(domain)
