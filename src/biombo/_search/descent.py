"""The way down from the top of a lattice, many nodes abreast: good plans long before all nodes are decided.

From every node that satisfies the way leads to those one step below it; of all of these, the most promising go on. One
node abreast is a greedy descent. Where none had to be left out and criteria only get better by generalising, everything
that satisfies was met, so that the best of it is the best there is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from biombo._cells import NodeState
from biombo._measures import Floats
from biombo._search.known_nodes import KnownNodes, Marks, Places
from biombo._search.policy import Policy
from biombo._search.question import Question

Order = Callable[[Floats, Floats, float], Floats]
"""Which of several nodes go on, those with the lowest number: by their scores, their groups, and the top's score."""


def by_score(scores: Floats, groups: Floats, top: float) -> Floats:  # noqa: ARG001
    """The best so far go on: the steepest way down."""
    return scores


def by_thrift(scores: Floats, groups: Floats, top: float) -> Floats:
    """Those go on that gained most for the groups that they made: there can only be so many of at least k records."""
    return (scores - top) / np.log1p(np.maximum(groups, 1))


ORDERS: Sequence[Order] = (by_thrift, by_score)


def only_gets_better(question: Question, limit: int) -> bool:
    """Does whatever satisfies still satisfy further up, with that limit of suppression?"""
    return all(each.scope == "group" and each.monotonic(suppression=limit > 0) for each in question.criteria)


@dataclass(frozen=True)
class Aim:
    """The best by a policy, for the k at ``place``, with at most ``limit`` records suppressed."""

    policy: Policy
    limit: int
    place: int = 0


class Descent:
    """Ways down to one aim through nodes that are known, or become so."""

    def __init__(self, known: KnownNodes, aim: Aim) -> None:
        self.known, self.aim = known, aim
        self.best = np.inf
        """The best score that was met."""
        self.complete = False
        """Was everything met that satisfies?"""
        self.expanded: set[int] = set()
        """The nodes all of which one step below are known, by their places."""
        self.above: set[int] = set()
        """Those of them with one that satisfies below."""

    def run(self, width: int, order: Order) -> None:
        """Go down with at most ``width`` nodes abreast, as far as time allows."""
        known = self.known
        front, met = known.check_top(), set[int]()
        if front[0] < 0:
            return
        good = self._satisfying(front)
        self._note(front, good)
        left_out = not only_gets_better(known.question, known.limit)
        if not left_out and not good.any():
            self.complete = True
            return
        top_score = float(known.scores(front, self.aim.policy, self.aim.place)[0])
        while len(front) and not known.over:
            lower = self._below(front)
            lower = np.array(sorted(set(lower.tolist()) - met), np.intp)
            met.update(lower.tolist())
            good = self._satisfying(lower)
            going_on = lower[good] if good.any() else self._hopeful(lower)
            self._note(lower, good)
            left_out |= len(going_on) > width
            front = self._chosen(going_on, width, order, top_score)
        self.complete |= not left_out and not known.over

    def _satisfying(self, places: Places) -> Marks:
        return self.known.satisfying(places, self.aim.limit, self.aim.place)

    def _note(self, places: Places, good: Marks) -> None:
        if good.any():
            scores = self.known.scores(places[good], self.aim.policy, self.aim.place)
            self.best = min(self.best, float(scores.min()))

    def _hopeful(self, places: Places) -> Places:
        """Where nothing satisfies: nodes below which something may."""
        return np.asarray(places[self.known.counts.state[places] == NodeState.CHECKED])

    def _chosen(self, places: Places, width: int, order: Order, top: float) -> Places:
        if len(places) <= width:
            return places
        scores = self.known.scores(places, self.aim.policy, self.aim.place)
        counts = self.known.counts
        groups = counts.groups[places, self.aim.place].astype(float)
        excess = np.maximum(counts.suppressed[places, self.aim.place] - self.aim.limit, 0)
        return np.asarray(places[np.lexsort((order(scores, groups, top), excess))[:width]])

    def _below(self, front: Places) -> Places:
        """The nodes one step below those in front, as far as there is time to check them."""
        levels = self.known.levels[front]
        parent, column = np.nonzero(levels)
        nodes, heads = levels[parent], levels[parent]
        nodes[np.arange(len(parent)), column] -= 1
        places = self.known.check(nodes, heads)
        unsure = {int(front[i]) for i in parent[places < 0]}
        decided = places >= 0
        good = np.zeros(len(places), bool)
        good[decided] = self._satisfying(places[decided])
        self.above.update(front[parent[good]].tolist())
        self.expanded.update(set(front.tolist()) - unsure)
        return places[decided]
