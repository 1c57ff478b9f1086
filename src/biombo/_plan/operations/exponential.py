"""The exponential mechanism: local differential privacy that prefers values near the own one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from biombo._errors import UsageError
from biombo._hierarchy import Hierarchy
from biombo._plan.operations.mechanism import NoiseOverDomain
from biombo._plan.privacy.channel import Channel, Domain

Distance = Literal["equal", "order", "hierarchy"]
Distances = NDArray[np.float64]
"""How far each value of a domain is from each."""


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
            return _by_hierarchy(domain, self.hierarchy, self.column)
        return _by_order(domain) if self.distance == "order" else _equal(domain)


def _equal(domain: Domain) -> Distances:
    """0 for a value and itself, 1 for any other."""
    return 1.0 - np.eye(len(domain))


def _by_order(domain: Domain) -> Distances:
    """Steps between the places of two values in the domain; a missing one is as far from all as any can be."""
    places = {value: place for place, value in enumerate(value for value in domain if value is not None)}
    return _between(domain, max(1, len(places) - 1), lambda a, b: abs(places[a] - places[b]))


def _by_hierarchy(domain: Domain, hierarchy: Hierarchy, column: str) -> Distances:
    """The lowest level at which two values are the same, one more than there are where they never are."""
    above: dict[str, tuple[str, ...]] = {}
    for value in domain:
        found = None if value is None else hierarchy.ancestors(value)
        if value is not None and found is None:
            raise UsageError("privacy.no-place", column=column, value=value)
        if value is not None and found is not None:
            above[value] = (value, *found)

    def level(a: str, b: str) -> int:
        same = [one == other for one, other in zip(above[a], above[b], strict=True)]
        return same.index(True) if True in same else hierarchy.height + 1

    return _between(domain, hierarchy.height + 1, level)


def _between(domain: Domain, farthest: int, distance: Callable[[str, str], int]) -> Distances:
    """The distance of each value from each; from a missing one it is ``farthest``."""
    return np.array(
        [[0 if a == b else farthest if a is None or b is None else distance(a, b) for b in domain] for a in domain],
        np.float64,
    )
