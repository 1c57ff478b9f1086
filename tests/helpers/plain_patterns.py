"""Patterns as they are meant, found by weighing every one; slow, for tables of a few cells."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from biombo._tabulate import Cube, Rules, weighed

NEVER = np.inf


@dataclass(frozen=True, eq=False)
class Route:
    """How a pattern runs along one column: from the leaf up, and from another leaf up to where both meet."""

    more: np.ndarray
    others: np.ndarray
    """By leaf and level. One leaf and no level where the total changes as well."""


@dataclass(eq=False)
class PlainPatterns:
    """The cells that are left out, with the patterns of those that tell too much."""

    cube: Cube
    rules: Rules
    used: dict[int, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.measures = self.rules.measures(self.cube)
        self.sensitive = self.rules.sensitive(self.cube)
        self.hidden = self.sensitive.copy()
        self.weights = weighed(self.cube, self.measures[0], np.zeros(self.cube.shape, bool))
        self.fixed = np.isinf(self.weights)
        self.alone = self.cube.people == 1

    def found(self) -> np.ndarray:
        """What is left out in the end."""
        need = np.where(self.sensitive, self.measures[0].up, -1).ravel()
        for cell in np.argsort(-need, kind="stable")[: np.count_nonzero(self.sensitive)]:
            self._protect(int(cell))
        further = np.flatnonzero(self.hidden & ~self.sensitive)
        order = further[np.argsort(-self.weights.ravel()[further], kind="stable")]
        self.weights = np.full(self.cube.shape, NEVER)
        for cell in order:
            self._try_without(int(cell))
        return self.hidden

    def _try_without(self, cell: int) -> None:
        before = {user: cells for user, cells in self.used.items() if cell in cells}
        self.hidden.ravel()[cell] = False
        if not all(map(self._protect, before)):
            self.hidden.ravel()[cell] = True
            self.used |= before

    def _protect(self, cell: int) -> bool:
        found: list[list[int]] = []
        for leaf in self._leaves(cell):
            best = next(filter(None, (self._cheapest(cell, each) for each in self._routes(cell, leaf))), None)
            if best is None:
                continue
            found.append(best)
            self.hidden.ravel()[best] = True
            if self.alone.ravel()[cell] or not self.alone.ravel()[leaf] or len(found) == 2:
                self.used[cell] = [each for pattern in found for each in pattern]
                return True
        return False

    def _leaves(self, cell: int) -> list[int]:
        places = np.unravel_index(cell, self.cube.shape)
        under = [tree.leaves_under(int(at)) for tree, at in zip(self.cube.classifications, places, strict=True)]
        leaves = np.ravel_multi_index(np.ix_(*under), self.cube.shape).ravel()
        leaves = leaves[~self.fixed.ravel()[leaves]]
        spare = np.sum([each.slack.ravel()[leaves] for each in self.measures], axis=0)
        return [int(leaf) for leaf in leaves[np.lexsort((-spare, self.alone.ravel()[leaves]))]]

    def _routes(self, cell: int, leaf: int) -> Iterator[list[Route]]:
        at, leaves = np.unravel_index(cell, self.cube.shape), np.unravel_index(leaf, self.cube.shape)
        each = [
            [self._route(axis, int(leaves[axis]), level) for level in range(tree.levels[at[axis]] + 1, tree.height + 2)]
            for axis, tree in enumerate(self.cube.classifications)
        ]
        for chosen in sorted(product(*(range(len(routes)) for routes in each)), key=sum):
            yield [routes[height] for routes, height in zip(each, chosen, strict=True)]

    def _route(self, axis: int, leaf: int, level: int) -> Route:
        tree = self.cube.classifications[axis]
        if level > tree.height:
            return Route(tree.path(leaf, level), np.empty((1, 0), np.int64))
        ancestors = tree.ancestors
        beside = (ancestors[:, level] == ancestors[leaf, level]) & (
            ancestors[:, level - 1] != ancestors[leaf, level - 1]
        )
        return Route(tree.path(leaf, level), ancestors[beside, :level])

    def _cheapest(self, cell: int, routes: Sequence[Route]) -> list[int] | None:
        """Of all that cost least the one whose other leaves are the best by themselves, column by column."""
        alone = [[self._price(cell, routes, {axis: other}) for other in route.others] for axis, route in _turns(routes)]
        ordered = [np.argsort(prices, kind="stable") for prices in alone]
        best, price = None, NEVER
        for chosen in product(*ordered):
            others = {axis: route.others[place] for place, (axis, route) in zip(chosen, _turns(routes), strict=True)}
            now = sum(self._price(cell, routes, some) for some in _subsets(others))
            if now < price:
                best, price = others, now
        return None if best is None else [place for some in _subsets(best) for place in self._cells(routes, some)]

    def _price(self, cell: int, routes: Sequence[Route], crossed: dict[int, np.ndarray]) -> float:
        """What the part of a pattern costs that went over in just these columns."""
        return sum(self._price_of(cell, place, len(crossed)) for place in self._cells(routes, crossed))

    def _cells(self, routes: Sequence[Route], crossed: dict[int, np.ndarray]) -> list[int]:
        steps = [crossed.get(axis, route.more) for axis, route in enumerate(routes)]
        return [int(np.ravel_multi_index(at, self.cube.shape)) for at in product(*steps)]

    def _price_of(self, cell: int, place: int, crossed: int) -> float:
        if not crossed and place == cell:
            return 0.0
        if self.fixed.ravel()[place] or (crossed and self.alone.ravel()[place]):
            return NEVER
        for measure in self.measures:
            need = (measure.up if crossed % 2 else measure.down).ravel()[cell]
            spare = measure.slack if crossed else measure.values - measure.floor
            if spare.ravel()[place] < need:
                return NEVER
        return 0.0 if self.hidden.ravel()[place] else float(self.weights.ravel()[place])


def _turns(routes: Sequence[Route]) -> list[tuple[int, Route]]:
    return [(axis, route) for axis, route in enumerate(routes) if route.others.shape[1]]


def _subsets(others: dict[int, np.ndarray]) -> Iterator[dict[int, np.ndarray]]:
    for taken in product([False, True], repeat=len(others)):
        yield {axis: other for (axis, other), is_taken in zip(others.items(), taken, strict=True) if is_taken}
