"""Nodes of a lattice that were checked one by one, whatever the size of the lattice."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from biombo._cells import LatticeCounts, NodeState
from biombo._criteria import KeptGroups, KeptPresence, TableBound
from biombo._measures import Costs, Floats
from biombo._search.clock import Clock
from biombo._search.policy import Policy
from biombo._search.question import Question

BYTES_AT_MOST = 1 << 28
"""What is kept of nodes that were checked, at most; while it grows, twice that."""

_TABLES_AT_ONCE = 16
"""Tables that a model is fitted to between two looks at the clock."""

Levels = NDArray[np.int64]
Places = NDArray[np.intp]
Marks = NDArray[np.bool_]


def satisfying(question: Question, counts: LatticeCounts, limit: int, place: int) -> Marks:
    """Which nodes are known to satisfy the criteria with the k at ``place``, suppressing at most ``limit`` records, and
    not all: who drops every record has no plan.
    """
    found = _within(question, counts, limit, place)
    return found if counts.met is None else found & counts.met[:, place]


def with_table_judged(question: Question, counts: LatticeCounts, limit: int, clock: Clock) -> LatticeCounts:
    """The counts, with what is asked of the table as a whole decided for all nodes that suppress at most ``limit``. A
    model may take long for each of them: what there was no time for is not known.
    """
    if not question.demand.table:
        return counts
    met = np.zeros(counts.suppressed.shape, bool)
    in_time = np.ones(len(counts.state), bool)
    for place in range(counts.suppressed.shape[-1]):
        nodes = np.flatnonzero(_within(question, counts, limit, place))
        for bound in question.demand.table:
            holds, reached = _holds(bound, _kept(question, counts, nodes, place), clock)
            in_time[nodes[reached:]] = False
            nodes = nodes[:reached][holds]
        met[nodes, place] = True
    state = np.where(in_time, counts.state, NodeState.UNKNOWN).astype(np.uint8)
    return replace(counts, state=state, met=met, sizes=None)


def _within(question: Question, counts: LatticeCounts, limit: int, place: int) -> Marks:
    """Which nodes were checked and suppress at most ``limit`` records, but not all."""
    suppressed = counts.suppressed[:, place]
    return np.asarray((counts.state == NodeState.CHECKED) & (suppressed <= limit) & (suppressed < question.records))


def _holds(bound: TableBound, kept: KeptGroups, clock: Clock) -> tuple[Marks, int]:
    """Whether the bound is met, table by table from the first on, and for how many there was time."""
    tables = len(kept.records)
    if not bound.criterion.by_sizes:
        return bound.holds(kept), tables
    found, reached = [np.zeros(0, bool)], 0
    while reached < tables and not clock.over:
        some = np.arange(reached, min(tables, reached + _TABLES_AT_ONCE))
        found.append(bound.holds(kept.only(some)))
        reached += len(some)
    return np.concatenate(found), reached


def _kept(question: Question, counts: LatticeCounts, nodes: Places, place: int) -> KeptGroups:
    """The groups that are kept at some nodes, as criteria over the whole table ask for them."""
    return KeptGroups(
        question.records - counts.suppressed[nodes, place],
        counts.unique[nodes, place],
        counts.picked[nodes, place],
        None if counts.tops is None else counts.tops[nodes, place],
        None if counts.sizes is None else counts.sizes[nodes, place].tolist(),
        _present(counts, nodes, place),
    )


def _present(counts: LatticeCounts, nodes: Places, place: int) -> KeptPresence | None:
    """How likely people of the population are in the groups that are kept at some nodes, where that is asked."""
    if counts.likely is None or counts.members is None or counts.least_present is None:
        return None
    return KeptPresence(counts.likely[nodes, place], counts.members[nodes, place], counts.least_present[nodes, place])


def costs(question: Question, nodes: Levels, counts: LatticeCounts, place: int) -> Costs:
    """What ``nodes``, levels of the hierarchies, cost by the counts of the same nodes."""
    target = question.target_place
    assert counts.suppressed_share is not None
    assert counts.suppressed_entropy is not None
    return Costs(
        question.marginals,
        nodes,
        counts.suppressed[:, place],
        counts.groups[:, place],
        counts.squares[:, place],
        counts.suppressed_share[:, place],
        counts.suppressed_entropy[:, place],
        question.weights,
        volume=None if counts.volume is None else counts.volume[:, place],
        density=None if counts.density is None else counts.density[:, place],
        guessed=None if target is None or counts.tops is None else counts.tops[:, place, target],
    )


def only(counts: LatticeCounts, nodes: Places | slice) -> LatticeCounts:
    """The counts of some of the nodes."""
    return LatticeCounts(*(None if own is None else own[nodes] for own in _arrays(counts)))  # type: ignore[arg-type]


def _arrays(counts: LatticeCounts) -> list[NDArray[Any] | None]:
    return [getattr(counts, each.name) for each in fields(LatticeCounts)]


class KnownNodes:
    """What was found of the nodes that were asked for, each checked once; levels are those of the lattice."""

    def __init__(self, question: Question, ks: Sequence[int], limit: int, clock: Clock) -> None:
        self.question, self.ks, self.limit, self.clock = question, tuple(ks), limit, clock
        self._requirements = question.requirements(ks)
        self._levels = np.empty((0, len(question.columns)), np.int64)
        self._counts: LatticeCounts | None = None
        self._places: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self._places)

    @property
    def full(self) -> bool:
        """Is there no room for more?"""
        wide = len(self.ks) * (24 + 16 * len(self.question.columns)) + 8 * len(self.question.columns) + 128
        return len(self) * wide > BYTES_AT_MOST

    @property
    def over(self) -> bool:
        """Can no more be found, for want of time or of room?"""
        return self.full or self.clock.over

    @property
    def levels(self) -> Levels:
        """Per node: the levels in the lattice."""
        return self._levels[: len(self)]

    @property
    def nodes(self) -> Levels:
        """Per node: the levels of the hierarchies."""
        return self.of_hierarchies(self.levels)

    @property
    def counts(self) -> LatticeCounts:
        """What was counted of them."""
        if self._counts is None:
            return self._checked(self.levels, self.levels)
        return only(self._counts, slice(len(self)))

    def check_top(self) -> Places:
        """Where the top stands: one look at the records, however little time is left, unless there never was any."""
        top = self.question.lattice.heights[None, :]
        given = self.clock
        self.clock = Clock() if given.was_any else given
        found = self.check(top, top)
        self.clock = given
        return found

    def check(self, nodes: Levels, below: Levels) -> Places:
        """Where ``nodes`` stand among those known, now that those that were not are; −1 where there was no time.

        ``below`` names for each a node that it is nowhere above; those that have the same one follow each other.
        """
        keys = [row.tobytes() for row in nodes.astype(np.uint16)]
        new = {key: place for place, key in enumerate(keys) if key not in self._places}
        asked = np.sort(np.fromiter(new.values(), np.intp, len(new)))
        if len(asked):
            found = self._checked(nodes[asked], below[asked])
            decided = np.flatnonzero(found.state != NodeState.UNKNOWN)
            self._keep(nodes[asked[decided]], only(found, decided), [keys[asked[i]] for i in decided])
        return np.array([self._places.get(key, -1) for key in keys], np.intp)

    def satisfying(self, places: Places, limit: int, place: int) -> Marks:
        """Which of the nodes at ``places`` satisfy."""
        assert self._counts is not None
        return satisfying(self.question, only(self._counts, places), limit, place)

    def scores(self, places: Places, policy: Policy, place: int) -> Floats:
        """What the policy makes of the nodes at ``places``."""
        assert self._counts is not None
        nodes = self.of_hierarchies(self._levels[places])
        return policy.score(costs(self.question, nodes, only(self._counts, places), place))

    def of_hierarchies(self, levels: Levels) -> Levels:
        """Levels of the lattice as those of the hierarchies."""
        return np.asarray(levels + np.array([column.lowest for column in self.question.columns]))

    def _checked(self, nodes: Levels, below: Levels) -> LatticeCounts:
        found = self.question.lattice.check(
            nodes,
            self._requirements,
            self.limit,
            below=below,
            **self.question.telling,
            seconds=self.clock.left,
        )
        return with_table_judged(self.question, found, self.limit, self.clock)

    def _keep(self, nodes: Levels, counts: LatticeCounts, keys: Sequence[bytes]) -> None:
        used = len(self)
        self._levels = _longer(self._levels, used, nodes)
        kept = _arrays(self._counts or only(counts, slice(0)))
        longer = [
            None if new is None else _longer(own, used, new) for own, new in zip(kept, _arrays(counts), strict=True)
        ]
        self._counts = LatticeCounts(*longer)  # type: ignore[arg-type]
        self._places.update(zip(keys, range(used, used + len(keys)), strict=True))


def _longer(kept: NDArray[Any] | None, used: int, more: NDArray[Any]) -> NDArray[Any]:
    """The ``used`` first rows with ``more`` behind them, in place where there is room."""
    assert kept is not None
    if used + len(more) > len(kept):
        grown = np.empty((max(2 * len(kept), used + len(more)), *kept.shape[1:]), more.dtype)
        grown[:used] = kept[:used]
        kept = grown
    kept[used : used + len(more)] = more
    return kept
