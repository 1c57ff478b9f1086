"""How far apart the values of a domain are."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from biombo._errors import UsageError
from biombo._hierarchy import Hierarchy
from biombo._plan.privacy.channel import Domain

Distances = NDArray[np.float64]


def equal(domain: Domain) -> Distances:
    """0 for a value and itself, 1 for any other."""
    return 1.0 - np.eye(len(domain))


def by_order(domain: Domain) -> Distances:
    """Steps between the places of two values in the domain; a missing one is as far from all as any can be."""
    places = {value: place for place, value in enumerate(value for value in domain if value is not None)}
    return _between(domain, max(1, len(places) - 1), lambda a, b: abs(places[a] - places[b]))


def by_hierarchy(domain: Domain, hierarchy: Hierarchy, column: str) -> Distances:
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
