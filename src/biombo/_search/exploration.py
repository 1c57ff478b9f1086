"""Deciding which nodes of the lattice satisfy what is asked, at as little cost as that allows."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from biombo._cells import TOLERANCE, Lattice, LatticeCounts, NodeState
from biombo._criteria import KeptGroups
from biombo._measures import Costs, Floats
from biombo._search.distance_vectors import candidates
from biombo._search.policy import Policy
from biombo._search.question import Question


class Clock:
    """Counts down from ``seconds``; 0 is no limit."""

    _HARDLY_ANY = 1e-9

    def __init__(self, seconds: float) -> None:
        self._ends = time.monotonic() + seconds if seconds > 0 else None

    @property
    def left(self) -> float:
        """Seconds, hardly any where the time is over; 0 where there is no limit."""
        return 0 if self._ends is None else max(self._ends - time.monotonic(), self._HARDLY_ANY)


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
"""Nodes × tuples up to which all nodes are decided: that takes about a second."""
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

    def satisfying(self, limit: int, place: int = 0) -> NDArray[np.bool_]:
        """The nodes that are known to satisfy the criteria with the k at ``place``, suppressing at most ``limit``."""
        suppressed = self.counts.suppressed[:, place]
        found = np.asarray((self.counts.state == NodeState.CHECKED) & (suppressed <= limit))
        for bound in self.question.demand.table:
            nodes = np.flatnonzero(found)
            found[nodes] = bound.holds(self._kept(nodes, place))
        return found

    def _kept(self, nodes: Nodes, place: int) -> KeptGroups:
        """The groups that are kept at some nodes, as criteria over the whole table ask for them."""
        counts = self.counts
        return KeptGroups(
            self.question.records - counts.suppressed[nodes, place],
            counts.unique[nodes, place],
            counts.picked[nodes, place],
            None if counts.tops is None else counts.tops[nodes, place],
            None if counts.sizes is None else counts.sizes[nodes, place].tolist(),
        )

    def minimal(self, limit: int, place: int = 0) -> NDArray[np.bool_]:
        """Those of the satisfying nodes below which none is known to satisfy."""
        return minimal_nodes(self.question.lattice, self.satisfying(limit, place))

    @cached_property
    def undecided(self) -> NDArray[np.bool_]:
        """The nodes of which nothing is known and that may matter."""
        unknown = np.asarray(self.counts.state == NodeState.UNKNOWN)
        return unknown if self.candidates is None else unknown & self.candidates

    def in_full(self, limit: int) -> "Explored":
        """The same with all nodes decided that may be minimal, however long that takes."""
        return explore_minimal(self.question, self.ks, limit) if self.undecided.any() else self

    def costs(self, nodes: Nodes, place: int = 0) -> Costs:
        """What some of the satisfying nodes cost."""
        counts, target = self.counts, self.question.target_place
        assert counts.suppressed_share is not None
        assert counts.suppressed_entropy is not None
        return Costs(
            self.question.marginals,
            self.question.nodes[nodes],
            counts.suppressed[nodes, place],
            counts.groups[nodes, place],
            counts.squares[nodes, place],
            counts.suppressed_share[nodes, place],
            counts.suppressed_entropy[nodes, place],
            self.question.weights,
            volume=None if counts.volume is None else counts.volume[nodes, place],
            density=None if counts.density is None else counts.density[nodes, place],
            guessed=None if target is None or counts.tops is None else counts.tops[nodes, place, target],
        )


def explore_all(
    question: Question, ks: Sequence[int], limit: int, *, seconds: float = 0, progress: Progress | None = None
) -> Explored:
    """Decide all nodes, for several k at once, as far as the time allows."""
    return _explored(question, ks, _sweep(question, ks, limit, seconds=seconds, progress=progress))


def explore_minimal(
    question: Question, ks: Sequence[int], limit: int, *, seconds: float = 0, progress: Progress | None = None
) -> Explored:
    """Decide all nodes that may be minimal, for several k at once, as far as the time allows."""
    if is_cheap(question):
        return explore_all(question, ks, limit, seconds=seconds, progress=progress)
    clock = Clock(seconds)
    first = _first_look(question, ks, limit, clock.left)
    within = (first.counts.suppressed.min(axis=1) <= limit)[first.counts.state == NodeState.CHECKED]
    mostly_hopeless = within.sum() / FIRST_LOOK * _work(question) <= CHEAP
    wanted = None if mostly_hopeless else candidates(question, ks, seconds=clock.left)
    return replace(_closer_look(first, limit, wanted, clock.left, progress), candidates=wanted)


def explore(
    question: Question, policy: Policy, limit: int, plans: int, *, seconds: float = 0, progress: Progress | None = None
) -> Explored:
    """Decide all nodes that may be among the best, as far as the time allows."""
    ks = (question.k,)
    if policy.among_minimal:
        return explore_minimal(question, ks, limit, seconds=seconds, progress=progress)
    if is_cheap(question):
        return explore_all(question, ks, limit, seconds=seconds, progress=progress)
    clock = Clock(seconds)
    bounds = lower_bounds(question, policy)
    first, *others = from_the_top(question.lattice)
    shown = [_share_of(progress, i, 1 + len(others)) for i in range(1 + len(others))]
    counts = _sweep(question, ks, limit, wanted=first, seconds=clock.left, progress=shown[0])
    found = _explored(question, ks, counts)
    for nodes, show in zip(others, shown[1:], strict=True):
        wanted = nodes & (bounds <= _worst_of_best(found, policy, limit, plans))
        found = _closer_look(found, limit, wanted, clock.left, show)
    return found


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
    return len(question.lattice.nodes) * len(question.lattice)


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
    return question.lattice.sweep(
        question.requirements(ks),
        limit,
        tops=any(bound.target is not None for bound in question.demand.table) or question.target_place is not None,
        people=question.demand.people,
        sizes=question.demand.by_sizes,
        volumes=question.by_volume,
        wanted=wanted,
        hopeless=hopeless,
        seconds=seconds,
        progress=progress,
    )
