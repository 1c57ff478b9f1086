"""Cells that are left out besides, so that nothing left out can be computed from what is shown.

A pattern is a way in which a table could be another one without anybody noticing: some cells have more, others less,
and every total is as it is. In its simplest form it has four cells, in two rows and two columns: what one has more, its
neighbours have less, and the one across has more. Where nothing in a pattern is shown, each of its cells may have other
values as far as anybody can tell, by as much as those that would have less can spare. So a pattern is a proof.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod

import numpy as np

from biombo._tabulate.classification import Places
from biombo._tabulate.cube import Cube, Numbers
from biombo._tabulate.rules import Marks, Measure
from biombo._watch import stoppable

_WAYS = (1 << 12, 1 << 18, 1 << 24)
"""So many patterns are weighed at once, where fewer were forbidden."""
_NEVER = np.inf


@dataclass(frozen=True, eq=False)
class Route:
    """How a pattern runs along one column: from the leaf up, and from another leaf up to where both meet."""

    more: Places
    """Categories that have more when the cell has more."""
    others: Places
    """By leaf and level: those that may have less instead. One leaf and no level where the total changes as well."""

    def side(self, number: int, leaves: Places) -> Places:
        """The categories of one step of the route, for some of the other leaves."""
        steps = len(self.more)
        return self.more[number : number + 1] if number < steps else self.others[leaves, number - steps]

    @property
    def steps(self) -> int:
        """How many steps there are on both sides."""
        return len(self.more) + int(self.others.shape[1])


@dataclass(frozen=True, eq=False)
class Prices:
    """What it costs to leave cells out along with one: nothing where they are left out already. Whoever is alone in a
    cell would not be in doubt about it; those that the leaf is part of may have nobody but the leaf's person.
    """

    patterns: "Patterns"
    cell: int

    def of(self, crossed: int, *places: Places) -> Numbers:
        """What cells cost, by how many times the pattern went over to another leaf on its way to them."""
        of = self.patterns
        at = np.ix_(*places)
        found = np.where(of.suppressed[at], 0.0, of.weights[at])
        found[of.fixed[at] | (of.alone[at] & (crossed > 0))] = _NEVER
        for measure in of.measures:
            need = (measure.up if crossed % 2 else measure.down).ravel()[self.cell]
            spare = measure.slack[at] if crossed else measure.values[at] - measure.floor[at]
            found[spare < need] = _NEVER
        if not crossed:
            found[np.ravel_multi_index(at, of.suppressed.shape) == self.cell] = 0.0
        return found


@dataclass(eq=False)
class Patterns:
    """Finds patterns, and keeps what they leave out."""

    cube: Cube
    measures: Sequence[Measure]
    sensitive: Marks
    locked: Marks
    """Cells that are public already."""
    suppressed: Marks = field(init=False)
    used: dict[int, list[Places]] = field(default_factory=dict)
    """By sensitive cell: the cells of its patterns."""

    def __post_init__(self) -> None:
        self.suppressed = self.sensitive & ~self.locked
        self.weights = np.log2(self.cube.records + 1.0) + 1
        self.fixed = self.locked | (np.asarray(self.measures[0].floor > 0) & (self.cube.records == 0))
        self.alone = self.cube.people == 1

    def protect(self) -> list[int]:
        """Leave out what must be; the cells that no pattern protects are given back."""
        need = np.where(self.suppressed & self.sensitive, self.measures[0].up, -1).ravel()
        order = np.argsort(-need, kind="stable")[: np.count_nonzero(need >= 0)]
        return [int(cell) for cell in stoppable(order) if not self._protected(int(cell))]

    def _protected(self, cell: int) -> bool:
        """Find patterns for a cell. One whose leaf has one person is no doubt for that person, so that another is
        needed, unless the cell has nobody else.
        """
        found: list[Places] = []
        for leaf in self._leaves(cell):
            best = self._best(cell, leaf)
            if best is None:
                continue
            found.append(best)
            self.suppressed.ravel()[best] = True
            if self.alone.ravel()[cell] or not self.alone.ravel()[leaf] or len(found) == 2:
                self.used[cell] = found
                return True
        return False

    def tidy(self) -> None:
        """Show again what is left out for no cell's sake: those that have most first, where all cells whose patterns
        they are in have others among what is left out.
        """
        users = defaultdict[int, set[int]](set)
        for cell in self.used:
            self._note(cell, users)
        further = np.flatnonzero(self.suppressed & ~self.sensitive)
        weights, self.weights = self.weights, np.full(self.cube.shape, _NEVER)
        for cell in stoppable(further[np.argsort(-weights.ravel()[further], kind="stable")]):
            before = {user: self.used[user] for user in users[int(cell)]}
            self.suppressed.ravel()[cell] = False
            if all(map(self._protected, before)):
                for user in before:
                    self._note(user, users)
            else:
                self.suppressed.ravel()[cell] = True
                self.used |= before
        self.weights = weights

    def _note(self, cell: int, users: dict[int, set[int]]) -> None:
        for part in np.concatenate(self.used[cell]):
            users[int(part)].add(cell)

    def _leaves(self, cell: int) -> list[int]:
        """Cells without parts within a cell, those that can spare most first: the only ones that have records of their
        own to be more or fewer.
        """
        places = np.unravel_index(cell, self.cube.shape)
        under = [tree.leaves_under(int(at)) for tree, at in zip(self.cube.classifications, places, strict=True)]
        leaves = np.ravel_multi_index(np.ix_(*under), self.cube.shape).ravel()
        leaves = leaves[~self.fixed.ravel()[leaves]]
        spare = np.sum([each.slack.ravel()[leaves] for each in self.measures], axis=0)
        return [int(leaf) for leaf in leaves[np.lexsort((-spare, self.alone.ravel()[leaves]))]]

    def _best(self, cell: int, leaf: int) -> Places | None:
        """The pattern of a cell through one of its leaves that leaves out least; None where there is none."""
        prices = Prices(self, cell)
        for routes in self._routes(cell, leaf):
            found = cheapest(routes, prices)
            if found is not None:
                return found
        return None

    def _routes(self, cell: int, leaf: int) -> Iterator[list[Route]]:
        """The ways in which a pattern may run, those first that change few totals."""
        at, leaves = np.unravel_index(cell, self.cube.shape), np.unravel_index(leaf, self.cube.shape)
        each = [
            [self._route(axis, int(leaves[axis]), level) for level in range(tree.levels[at[axis]] + 1, tree.height + 2)]
            for axis, tree in enumerate(self.cube.classifications)
        ]
        heights = sorted(product(*(range(len(routes)) for routes in each)), key=sum)
        for chosen in heights:
            yield [routes[height] for routes, height in zip(each, chosen, strict=True)]

    def _route(self, axis: int, leaf: int, level: int) -> Route:
        """The route whose two sides meet at a level; above the total they never do."""
        tree = self.cube.classifications[axis]
        more = tree.path(leaf, level)
        if level > tree.height:
            return Route(more, np.empty((1, 0), np.int64))
        ancestors = tree.ancestors
        beside = (ancestors[:, level] == ancestors[leaf, level]) & (
            ancestors[:, level - 1] != ancestors[leaf, level - 1]
        )
        return Route(more, ancestors[beside, :level])


def cheapest(routes: Sequence[Route], prices: Prices) -> Places | None:
    """The cells of the pattern along ``routes`` that costs least; None where all are forbidden. Where there are very
    many, those are weighed first that begin best.
    """
    every = [np.arange(len(route.others)) for route in routes]
    for most in _WAYS:
        leaves = _promising(routes, prices, every, most)
        if not all(map(len, leaves)):
            return None
        costs = np.zeros([len(each) for each in leaves])
        for crossed, places in _parts(routes, leaves):
            costs += prices.of(crossed, *places)
        best = np.unravel_index(int(costs.argmin()), costs.shape)
        if np.isfinite(costs[best]):
            chosen = [each[at : at + 1] for each, at in zip(leaves, best, strict=True)]
            shape = prices.patterns.suppressed.shape
            cells = [np.ravel_multi_index(places, shape) for _, places in _parts(routes, chosen)]
            return np.concatenate(cells).astype(np.int64)
        if prod(map(len, leaves)) == prod(map(len, every)):
            return None
    return None


def _parts(routes: Sequence[Route], leaves: Sequence[Places]) -> Iterator[tuple[int, list[Places]]]:
    """The cells of patterns through some other leaves, one of each pattern at a time, as categories by column; with how
    many times the pattern went over to the other leaf.
    """
    for steps in product(*(range(route.steps) for route in routes)):
        crossed = sum(step >= len(route.more) for step, route in zip(steps, routes, strict=True))
        yield crossed, [route.side(step, each) for route, step, each in zip(routes, steps, leaves, strict=True)]


def _promising(routes: Sequence[Route], prices: Prices, every: list[Places], most: int) -> list[Places]:
    """Few enough of the other leaves to weigh all patterns: those that cost least where a pattern first meets them."""
    if prod(map(len, every)) <= most:
        return every
    turns = sum(len(leaves) > 1 for leaves in every)
    each = int(most ** (1 / turns))
    found = []
    for axis, leaves in enumerate(every):
        corner = [route.more[:1] for route in routes]
        if len(leaves) > each:
            corner[axis] = routes[axis].others[:, 0]
            cost = prices.of(1, *corner).ravel()
            leaves = np.argsort(cost, kind="stable")[:each]
            leaves = leaves[np.isfinite(cost[leaves])]
        found.append(leaves)
    return found
