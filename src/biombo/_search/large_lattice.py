"""Lattices of any size: exact where the nodes can be listed, else the best that is found, and a bound that is proved.

Nothing is kept of nodes that were not checked. Ways down from the top are gone with more and more nodes abreast, until
time is over, or twice in a row nothing better is met. What no plan can fall below follows from a few columns at a time:
groups by some of the columns are unions of those by all, so that where criteria only get better by generalising, the
best for these columns alone is no worse than what they have in any plan.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from biombo._errors import UsageError
from biombo._measures import Costs
from biombo._search.clock import Clock
from biombo._search.descent import ORDERS, Aim, Descent, only_gets_better
from biombo._search.exploration import GRACE, Explored, Nodes, Progress, explore, explore_all, explore_minimal
from biombo._search.known_nodes import KnownNodes, Marks
from biombo._search.policy import Policy
from biombo._search.question import Question

LEVELS_AT_MOST = 1 << 23
"""Nodes × columns up to which nodes are listed, which takes about 70 bytes for each."""
LEVELS_A_SECOND = 1 << 20
"""The same for each second that a search may take: what is done with lists must keep to the time as well."""
COLUMNS_AT_MOST = 32
"""The same: lists of nodes have an axis for each column."""
WIDTHS = (1, 8, 64, 256, 1024, 4096)
"""How many nodes go down abreast, round by round."""
ENOUGH = 2
"""After so many rounds in a row in which nothing better was met, no wider one is gone."""
WITHOUT_LIMIT = 4
"""The rounds that are gone where there is no time limit."""
PART_NODES = {1: 1 << 13, 64: 1 << 16}
"""By the width after which it is proved: the nodes of a few columns that are searched alone for a bound, at most."""
TIME_FOR_BOUND = 0.3
"""The share of the time that is left that goes into a bound, at most."""


def is_listable(question: Question, seconds: float = 0) -> bool:
    """Can something be kept of every node, and in time?"""
    most = min(LEVELS_AT_MOST, seconds * LEVELS_A_SECOND) if seconds > 0 else LEVELS_AT_MOST
    columns = len(question.columns)
    return columns <= COLUMNS_AT_MOST and question.lattice.size * max(1, columns) <= most


def refuse_unlistable(question: Question) -> None:
    """What must know of every node: not for lattices of any size."""
    if not is_listable(question):
        most = LEVELS_AT_MOST // len(question.columns)
        raise UsageError("search.too-many-nodes", nodes=question.lattice.size, most=most)


@dataclass(frozen=True, eq=False)
class PartlyExplored(Explored):
    """What is known of the nodes that were checked one by one, of a lattice of any size."""

    known: NDArray[np.int64]
    """Their levels."""
    descents: tuple[Descent, ...]
    """How they were met, one for each aim."""
    least: float
    """A score that no plan can fall below, for the first aim."""

    @property
    def nodes(self) -> NDArray[np.int64]:
        """The levels of the nodes that the counts are of."""
        return self.known

    @property
    def all_decided(self) -> bool:
        """Is everything known that satisfies?"""
        return all(descent.complete for descent in self.descents)

    def lowest_undecided(self, policy: Policy) -> float:  # noqa: ARG002
        """A score that no node can fall below of which nothing is known."""
        return np.inf if self.all_decided else self.least

    def minimal(self, limit: int, place: int = 0) -> Marks:
        """Those of the satisfying nodes of which all nodes one step below are known not to satisfy; where there was no
        time to know that of any, those of which none is known to.
        """
        descent, found = self._towards(limit, place), self.satisfying(limit, place)
        found[sorted(descent.above)] = False
        expanded = np.zeros(len(found), bool)
        expanded[sorted(descent.expanded)] = True
        return found & expanded if (found & expanded).any() else found

    def are_minimal(self, nodes: Nodes, limit: int, place: int = 0) -> Sequence[bool | None]:
        """Whether nothing below some of the satisfying nodes satisfies; None where that was not decided."""
        descent = self._towards(limit, place)
        sure = descent.expanded if only_gets_better(self.question, limit) else set()
        return [False if node in descent.above else True if node in sure else None for node in nodes.tolist()]

    def in_full(self, limit: int) -> Explored:
        """Not all minimal nodes of a lattice of any size can be listed."""
        refuse_unlistable(self.question)
        return explore_minimal(self.question, self.ks, limit)

    def _towards(self, limit: int, place: int) -> Descent:
        return next(each for each in self.descents if (each.aim.limit, each.aim.place) == (limit, place))


def explore_any_size(
    question: Question,
    policy: Policy,
    limit: int,
    plans: int,
    *,
    clock: Clock | None = None,
    progress: Progress | None = None,
) -> Explored:
    """Decide all nodes that may be among the best, or as many as can be, as far as the time allows."""
    clock = clock or Clock()
    if is_listable(question, clock.seconds):
        return explore(question, policy, limit, plans, clock=clock, progress=progress)
    return _explored(question, (question.k,), [Aim(policy, limit)], clock, progress)


def explore_points(
    question: Question,
    policy: Policy,
    ks: Sequence[int],
    limits: Sequence[int],
    *,
    clock: Clock | None = None,
    progress: Progress | None = None,
) -> Explored:
    """The same for several k and several limits at once."""
    clock = clock or Clock()
    if is_listable(question, clock.seconds):
        decide = explore_minimal if policy.among_minimal else explore_all
        return decide(question, ks, max(limits), clock=clock, progress=progress)
    aims = [Aim(policy, limit, place) for limit in sorted(set(limits), reverse=True) for place in range(len(ks))]
    return _explored(question, tuple(ks), aims, clock, progress)


def _explored(
    question: Question, ks: tuple[int, ...], aims: Sequence[Aim], clock: Clock, progress: Progress | None
) -> PartlyExplored:
    """Go down towards each aim, and prove a bound for the first where there is only one."""
    known = KnownNodes(question, ks, max(aim.limit for aim in aims), clock)
    descents = tuple(Descent(known, aim) for aim in aims)
    least, in_vain = -np.inf, 0
    for width in _widths(clock, len(aims)):
        better = _go_down(descents, width)
        _rescue(descents, clock)
        if len(aims) == 1 and width in PART_NODES:
            least = max(least, _least(descents[0], clock.share(TIME_FOR_BOUND), PART_NODES[width]))
        if progress is not None:
            progress((1 + WIDTHS.index(width)) / len(WIDTHS))
        in_vain = 0 if better else in_vain + 1
        if in_vain == ENOUGH:
            break
    return PartlyExplored(question, ks, known.counts, len(known), known.nodes, descents, least)


def _widths(clock: Clock, aims: int) -> Sequence[int]:
    return WIDTHS if clock.seconds > 0 else WIDTHS[: WITHOUT_LIMIT if aims == 1 else 2]


def _go_down(descents: Sequence[Descent], width: int) -> bool:
    """One round, as long as there is time; says whether anything better was met."""
    before = [descent.best for descent in descents]
    for descent in descents:
        for order in ORDERS:
            if not descent.complete and not (descent.known.over and len(descent.known)):
                descent.run(width, order)
    return [descent.best for descent in descents] != before


def _rescue(descents: Sequence[Descent], clock: Clock) -> None:
    """Where the time was over before anything but the top was met: the steepest ways down all the same for a moment."""
    known = descents[0].known
    if len(known) <= 1 and clock.over and clock.was_any:
        known.clock = Clock(GRACE)
        _go_down(descents, 1)
        known.clock = clock


def _least(descent: Descent, clock: Clock, nodes: int) -> float:
    """A score that no plan can fall below, by as many columns at a time as have so many nodes."""
    question, policy, limit = descent.known.question, descent.aim.policy, descent.aim.limit
    lowest = np.array([[column.lowest for column in question.columns]])
    least = float(policy.score(Costs.at_least(question.marginals, lowest, question.weights))[0])
    if (
        descent.complete
        or policy.of_parts is None
        or policy.factor is not None
        or not only_gets_better(question, limit)
    ):
        return least
    parts = list(_parts(question, nodes))
    scores = [_least_of_part(part, policy, limit, clock.share(1 / (len(parts) - i))) for i, part in enumerate(parts)]
    together = policy.of_parts(np.array(scores), np.array([part.weights.sum() for part in parts]))
    return max(least, float(together))


def _parts(question: Question, most: int) -> Iterator[Question]:
    """The question about a few columns at a time, those together that tell records apart best."""
    by_width = sorted(question.columns, key=lambda column: -int((column.held > 0).sum()))
    weights = dict(zip(question.quasi, question.weights, strict=True))
    while by_width:
        taken, nodes = 0, 1
        for column in by_width:
            nodes *= column.highest - column.lowest + 1
            if taken and nodes > most:
                break
            taken += 1
        columns, by_width = tuple(by_width[:taken]), by_width[taken:]
        yield replace(question, columns=columns, weights=np.array([weights[column.name] for column in columns]))


def _least_of_part(part: Question, policy: Policy, limit: int, clock: Clock) -> float:
    """What no plan for these columns alone can fall below."""
    found = explore(part, policy, limit, 1, clock=clock)
    good = np.flatnonzero(found.satisfying(limit))
    best = float(policy.score(found.costs(good)).min(initial=np.inf))
    return min(best, found.lowest_undecided(policy))
