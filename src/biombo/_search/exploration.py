"""Deciding which nodes of the lattice satisfy what is asked, at as little cost as that allows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from biombo._cells import TOLERANCE, Lattice, LatticeCounts, NodeState
from biombo._measures import Costs, Floats
from biombo._search.clock import Clock
from biombo._search.descent import Aim, Descent, by_score
from biombo._search.distance_vectors import candidates
from biombo._search.known_nodes import KnownNodes, costs, only, satisfying, with_table_judged
from biombo._search.policy import Policy
from biombo._search.question import Question

Marks = NDArray[np.bool_]


def from_the_top(lattice: Lattice) -> list[Marks]:
    """All nodes by the levels of the two columns with the most values, the highest first.

    At the top tables are small, what fails fails everywhere below, and what satisfies bounds the score of all others.
    """
    widths = [column.levels.shape[1] if column.height > 0 else 0 for column in lattice.columns]
    widest = sorted(range(len(widths)), key=lambda column: -widths[column])[:2]
    return _sliced(lattice, np.ones(len(lattice.nodes), bool), widest)


def _sliced(lattice: Lattice, nodes: Marks, by: Sequence[int]) -> list[Marks]:
    """Some nodes by their level in the first column of ``by``, those of the highest by the next one, and so on."""
    if not by:
        return [nodes]
    levels = lattice.nodes[:, by[0]]
    highest, *others = [nodes & (levels == level) for level in range(lattice.columns[by[0]].height, -1, -1)]
    return [*_sliced(lattice, highest, by[1:]), *others]


def minimal_nodes(lattice: Lattice, satisfying: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Of the satisfying nodes, those without a satisfying one below, in however many columns."""
    return np.asarray(satisfying & ~above_any(lattice, satisfying))


def above_any(lattice: Lattice, marked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The nodes with a marked one below, in however many columns."""
    at_or_above = lattice.on_grid(marked)
    for axis in range(at_or_above.ndim):
        at_or_above = np.logical_or.accumulate(at_or_above, axis=axis)
    above = np.zeros_like(at_or_above)
    for axis in range(at_or_above.ndim):
        upper, lower = np.moveaxis(above, axis, 0)[1:], np.moveaxis(at_or_above, axis, 0)[:-1]
        upper |= lower
    return lattice.off_grid(above)


Progress = Callable[[float], object]
Nodes = NDArray[np.intp]

CHEAP = 2_000_000_000
"""Nodes × tuples up to which all nodes are decided where that is of use: that takes about a second."""
TRIFLING = 20_000_000
"""Nodes × tuples up to which all nodes are decided in any case."""
GRACE = 0.25
"""Seconds for the way down from the top where the time was over before anything was found."""
FOR_COUNTING = 0.5
"""The share of the time that goes into counting, at most, where a model is fitted to what was counted at each node."""
FIRST_LOOK = 64
"""Nodes that are checked first to see whether most are hopeless, where deciding all would take long."""


@dataclass(frozen=True, eq=False)
class Explored:
    """What is known of the nodes under one or several values of k."""

    question: Question
    ks: tuple[int, ...]
    counts: LatticeCounts
    checked: int
    """How many nodes were checked."""
    candidates: NDArray[np.bool_] | None = field(default=None, kw_only=True)
    """The nodes that can be minimal, where only minimal ones are looked for; None: any."""

    @property
    def nodes(self) -> NDArray[np.int64]:
        """The levels of the nodes that the counts are of."""
        return self.question.nodes

    def satisfying(self, limit: int, place: int = 0) -> NDArray[np.bool_]:
        """The nodes that are known to satisfy the criteria with the k at ``place``, suppressing at most ``limit``."""
        return satisfying(self.question, self.counts, limit, place)

    def drops_all(self, limit: int, place: int = 0) -> bool:
        """Is there a node that would be within the limit, if dropping every record were a plan?"""
        suppressed = self.counts.suppressed[self.counts.state == NodeState.CHECKED, place]
        return bool(((suppressed == self.question.records) & (suppressed <= limit)).any())

    def minimal(self, limit: int, place: int = 0) -> NDArray[np.bool_]:
        """Those of the satisfying nodes below which none is known to satisfy."""
        return minimal_nodes(self.question.lattice, self.satisfying(limit, place))

    @cached_property
    def undecided(self) -> NDArray[np.bool_]:
        """The nodes of which nothing is known and that may matter."""
        unknown = np.asarray(self.counts.state == NodeState.UNKNOWN)
        return unknown if self.candidates is None else unknown & self.candidates

    @property
    def all_decided(self) -> bool:
        """Is everything known that may matter?"""
        return not self.undecided.any()

    def lowest_undecided(self, policy: Policy) -> float:
        """A score that no node can fall below of which nothing is known."""
        return float(lower_bounds(self.question, policy)[self.undecided].min(initial=np.inf))

    def are_minimal(self, nodes: Nodes, limit: int, place: int = 0) -> Sequence[bool | None]:
        """Whether nothing below some of the satisfying nodes satisfies; None where not all below was decided."""
        minimal = self.minimal(limit, place)
        unsure = above_any(self.question.lattice, self.undecided)
        return [None if minimal[node] and unsure[node] else bool(minimal[node]) for node in nodes]

    def in_full(self, limit: int) -> "Explored":
        """The same with all nodes decided that may be minimal, however long that takes."""
        return self if self.all_decided else explore_minimal(self.question, self.ks, limit)

    def costs(self, nodes: Nodes, place: int = 0) -> Costs:
        """What some of the satisfying nodes cost."""
        return costs(self.question, self.nodes[nodes], only(self.counts, nodes), place)


def explore_all(
    question: Question,
    ks: Sequence[int],
    limit: int,
    *,
    clock: Clock | None = None,
    progress: Progress | None = None,
) -> Explored:
    """Decide all nodes, for several k at once, as far as the time allows."""
    seconds = 0 if clock is None else clock.left
    return _explored(question, ks, _sweep(question, ks, limit, seconds=seconds, progress=progress))


def explore_minimal(
    question: Question,
    ks: Sequence[int],
    limit: int,
    *,
    clock: Clock | None = None,
    progress: Progress | None = None,
) -> Explored:
    """Decide all nodes that may be minimal, for several k at once, as far as the time allows."""
    clock = clock or Clock()
    if is_cheap(question):
        return explore_all(question, ks, limit, clock=clock, progress=progress)
    first = _first_look(question, ks, limit, clock.left)
    within = (first.counts.suppressed.min(axis=1) <= limit)[first.counts.state == NodeState.CHECKED]
    mostly_hopeless = within.sum() / FIRST_LOOK * _work(question) <= CHEAP
    wanted = None if mostly_hopeless else candidates(question, ks, seconds=clock.left)
    return replace(_closer_look(first, limit, wanted, clock.left, progress), candidates=wanted)


def explore(
    question: Question,
    policy: Policy,
    limit: int,
    plans: int,
    *,
    clock: Clock | None = None,
    progress: Progress | None = None,
) -> Explored:
    """Decide all nodes that may be among the best, as far as the time allows. Where it is over before any was found to
    satisfy, the way down from the top is gone all the same: that takes little.
    """
    clock = clock or Clock()
    if policy.among_minimal:
        found = explore_minimal(question, (question.k,), limit, clock=clock, progress=progress)
    elif _work(question) <= min(TRIFLING, CHEAP):
        found = explore_all(question, (question.k,), limit, clock=clock, progress=progress)
    else:
        found = _explore_best(question, policy, limit, plans, clock, progress)
    if found.all_decided or found.satisfying(limit).any() or not clock.was_any:
        return found
    known = KnownNodes(question, (question.k,), limit, Clock(GRACE))
    Descent(known, Aim(policy, limit)).run(1, by_score)
    return _merged(found, known)


def _explore_best(
    question: Question, policy: Policy, limit: int, plans: int, clock: Clock, progress: Progress | None
) -> Explored:
    """Decide the nodes whose score may be low enough, by what was found on the way down from the top."""
    bounds = lower_bounds(question, policy)
    known = KnownNodes(question, (question.k,), limit, clock)
    if clock.was_any:
        Descent(known, Aim(policy, limit)).run(1, by_score)
    found = _merged(_nothing_yet(known), known)
    everything = np.ones(len(bounds), bool)
    if is_cheap(question):
        promising = bounds <= _worst_of_best(found, policy, limit, 1)
        rounds = [(everything, plans)] if 2 * promising.sum() > len(bounds) else [(promising, 1), (everything, plans)]
    else:
        rounds = [(nodes, plans) for nodes in from_the_top(question.lattice)]
    for nth, (nodes, most) in enumerate(rounds):
        wanted = nodes & found.undecided & (bounds <= _worst_of_best(found, policy, limit, most))
        if not wanted.any():
            continue
        found = _closer_look(found, limit, wanted, clock.left, _share_of(progress, nth, len(rounds)))
    return found


def _nothing_yet(known: KnownNodes) -> Explored:
    """What is known of all nodes before anything was checked."""
    counts, nodes = known.counts, known.question.lattice.size
    arrays = [getattr(counts, each.name) for each in fields(LatticeCounts)]
    none = [None if own is None else np.zeros((nodes, *own.shape[1:]), own.dtype) for own in arrays]
    return _explored(known.question, known.ks, LatticeCounts(*none))  # type: ignore[arg-type]


def _merged(found: Explored, known: KnownNodes) -> Explored:
    """What was found, and what is known of single nodes besides."""
    places = found.question.lattice.places_of(known.levels)
    new = found.counts.state[places] == NodeState.UNKNOWN
    arrays: dict[str, Any] = {}
    for each in fields(LatticeCounts):
        own, more = getattr(found.counts, each.name), getattr(known.counts, each.name)
        if own is not None:
            arrays[each.name] = own.copy()
            arrays[each.name][places[new]] = more[new]
    return replace(found, counts=replace(found.counts, **arrays), checked=found.checked + int(new.sum()))


def is_cheap(question: Question) -> bool:
    """Does it take little to decide all nodes?"""
    return _work(question) <= CHEAP


def lower_bounds(question: Question, policy: Policy) -> Floats:
    """Per node: a score that it cannot fall below."""
    return policy.score(Costs.at_least(question.marginals, question.nodes, question.weights))


def _explored(question: Question, ks: Sequence[int], counts: LatticeCounts) -> Explored:
    return Explored(question, tuple(ks), counts, int((counts.state == NodeState.CHECKED).sum()))


def _work(question: Question) -> int:
    """What it takes to decide all nodes, at most."""
    return question.lattice.size * len(question.lattice)


def _share_of(progress: Progress | None, part: int, parts: int) -> Progress | None:
    """How to tell the progress of one of several parts.

    >>> _share_of(print, 1, 4)(0.5)
    0.375
    """
    return None if progress is None else lambda share: progress((part + share) / parts)


def _first_look(question: Question, ks: Sequence[int], limit: int, seconds: float) -> Explored:
    """Nodes spread over the lattice, the same ones each time."""
    wanted = np.zeros(len(question.lattice.nodes), bool)
    wanted[np.random.default_rng(0).choice(len(wanted), min(FIRST_LOOK, len(wanted)), replace=False)] = True
    return _explored(question, ks, _sweep(question, ks, limit, wanted=wanted, seconds=seconds))


def _closer_look(
    first: Explored, limit: int, wanted: NDArray[np.bool_] | None, seconds: float, progress: Progress | None
) -> Explored:
    """Decide the wanted nodes, all if None, that a first look left undecided."""
    state = first.counts.state
    checked = state == NodeState.CHECKED
    counts = _sweep(
        first.question,
        first.ks,
        limit,
        wanted=~checked if wanted is None else wanted & ~checked,
        hopeless=state == NodeState.HOPELESS,
        seconds=seconds,
        progress=progress,
    )
    return _explored(first.question, first.ks, _chosen(checked, first.counts, counts))


def _chosen(first: NDArray[np.bool_], ones: LatticeCounts, others: LatticeCounts) -> LatticeCounts:
    """The counts of the nodes marked ``first`` from ``ones``, of all else from ``others``."""
    found = {each.name: getattr(ones, each.name) for each in fields(LatticeCounts)}
    chosen: dict[str, Any] = {
        name: np.where(first.reshape(-1, *(1,) * (counts.ndim - 1)), counts, getattr(others, name))
        for name, counts in found.items()
        if counts is not None
    }
    return replace(others, **chosen)


def _worst_of_best(explored: Explored, policy: Policy, limit: int, plans: int) -> float:
    """The score that a node must not exceed to be among the best ``plans``."""
    found = np.flatnonzero(explored.satisfying(limit))
    alike = np.unique(explored.question.told_apart(explored.question.nodes[found]), axis=0, return_inverse=True)[1]
    best = np.full(int(alike.max(initial=-1)) + 1, np.inf)
    np.minimum.at(best, alike.ravel(), policy.score(explored.costs(found)))
    if len(best) < plans:
        return np.inf
    score = np.sort(best)[plans - 1]
    return float(score + abs(score) * TOLERANCE)


def _sweep(
    question: Question,
    ks: Sequence[int],
    limit: int,
    *,
    wanted: NDArray[np.bool_] | None = None,
    hopeless: NDArray[np.bool_] | None = None,
    seconds: float = 0,
    progress: Progress | None = None,
) -> LatticeCounts:
    clock = Clock(seconds)
    for_counting = clock.share(FOR_COUNTING) if question.demand.by_sizes else clock
    found = question.lattice.sweep(
        question.requirements(ks),
        limit,
        **question.telling,
        wanted=wanted,
        hopeless=hopeless,
        seconds=for_counting.left,
        progress=progress,
    )
    return with_table_judged(question, found, limit, clock)
