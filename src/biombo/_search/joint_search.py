"""Several sets of quasi columns at once (Samarati and Sweeney 1998).

Sets that share no column are searched on their own, each with a policy of its own, and then put together. A record that
is suppressed for one set leaves a group of another smaller, so what must go is counted anew for all sets together. Sets
that share columns are searched in one lattice, and only without suppression: a node must satisfy what each set asks.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from biombo._cells import NodeState, Requirement
from biombo._criteria import Criterion
from biombo._i18n import text
from biombo._measures import Costs, lost_with
from biombo._search.clock import Clock
from biombo._search.exploration import Explored, Progress, explore_all
from biombo._search.joint_sets import QuasiSets
from biombo._search.question import Question
from biombo._search.ranking import RankedPlan, plan_of
from biombo._search.result import PlanList, SearchResult

COMBINATIONS_AT_MOST = 500
"""Combinations of the sets' best plans that are put together, at most, until enough satisfy."""


def question_of_set(whole: Question, quasi: tuple[str, ...], criteria: tuple[Criterion, ...]) -> Question:
    """The part of a question that is about one set of quasi columns."""
    places = [whole.quasi.index(name) for name in quasi]
    return replace(
        whole, columns=tuple(whole.columns[i] for i in places), criteria=criteria, weights=whole.weights[places]
    )


# Sets that share columns


@dataclass(frozen=True, eq=False)
class JointlyExplored(Explored):
    """Nodes over the columns of all sets; one satisfies if it does for every set, with nothing suppressed."""

    parts: tuple[Explored, ...]

    def satisfying(self, limit: int, place: int = 0) -> NDArray[np.bool_]:
        """The nodes that satisfy for every set."""
        lattice = self.question.lattice
        found = lattice.on_grid(self.counts.state == NodeState.CHECKED).copy()
        for part in self.parts:
            found &= _on_all_axes(part, self.question.quasi, part.satisfying(limit, place))
        return lattice.off_grid(found)

    @cached_property
    def undecided(self) -> NDArray[np.bool_]:
        """The nodes of which something is not known, about all columns together or about a set's."""
        lattice = self.question.lattice
        found = lattice.on_grid(self.counts.state == NodeState.UNKNOWN).copy()
        for part in self.parts:
            found |= _on_all_axes(part, self.question.quasi, part.undecided)
        return lattice.off_grid(found)

    def in_full(self, limit: int) -> Explored:  # noqa: ARG002
        """The same with all nodes decided, however long that takes."""
        return _decided(self.question, [part.question for part in self.parts]) if not self.all_decided else self


def _on_all_axes(part: Explored, quasi: Sequence[str], per_node: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Values of a set's nodes with an axis for each column of all sets."""
    in_order = sorted(range(len(part.question.quasi)), key=lambda i: quasi.index(part.question.quasi[i]))
    grid = part.question.lattice.on_grid(per_node).transpose(in_order)
    own = [quasi.index(name) for name in part.question.quasi]
    return np.expand_dims(grid, tuple(axis for axis in range(len(quasi)) if axis not in own))


def explore_jointly(
    whole: Question, sets: QuasiSets, *, clock: Clock | None = None, progress: Progress | None = None
) -> JointlyExplored:
    """Decide all nodes over the columns of all sets, without suppression, as far as the time allows."""
    parts = [question_of_set(whole, quasi, criteria) for quasi, criteria in sets.items()]
    return _decided(whole, parts, clock, progress)


def _decided(
    whole: Question, parts: Sequence[Question], clock: Clock | None = None, progress: Progress | None = None
) -> JointlyExplored:
    explored = tuple(explore_all(part, (part.k,), 0, clock=clock) for part in parts)
    # Measures that look at groups look at those of all columns together, of whatever size.
    groups = explore_all(replace(whole, criteria=()), (1,), 0, clock=clock, progress=progress)
    return JointlyExplored(whole, (whole.k,), groups.counts, sum(part.checked for part in explored), explored)


# Sets that share none


@dataclass(frozen=True, eq=False, repr=False)
class JointResult(PlanList):
    """Plans for several sets of quasi columns that share none. The scores are sums of places in the sets' rankings."""

    plans: tuple[RankedPlan, ...]
    parts: tuple[SearchResult, ...]
    """What was found for each set on its own."""
    max_suppression: float

    @property
    def question(self) -> Question:
        """What was asked of the first set."""
        return self.parts[0].question

    @property
    def lattice(self) -> int:
        """How many nodes there are, in all sets' lattices."""
        return sum(part.lattice for part in self.parts)

    @property
    def checked(self) -> int:
        """How many of them were checked."""
        return sum(part.checked for part in self.parts)

    @property
    def optimal(self) -> bool:
        """Is the first plan proved to be the best for every set, or is it proved that there is none?"""
        if not self.plans:
            return any(part.optimal and not part.plans for part in self.parts)
        return self.plans[0].score == 0 and all(part.optimal for part in self.parts)

    def as_json(self) -> dict[str, Any]:
        """The plans and what was proved, as plain values."""
        from biombo._search.as_json import as_json

        return as_json(self)


def combined(whole: Question, parts: Sequence[SearchResult], max_suppression: float, most: int) -> JointResult:
    """Put the sets' best plans together: those that suppress no more than the limit all in all."""
    limit = whole.limit(max_suppression)
    plans: list[RankedPlan] = []
    for score, chosen in _combinations(parts):
        levels = {column.name: column.lowest for column in whole.columns}
        levels |= {column: level for plan in chosen for column, level in plan.levels.items()}
        suppressed = whole.suppressed_rows(levels, whole.criteria)
        if whole.data.records_in(suppressed) <= min(limit, whole.records - 1):
            costs = _costs(whole, levels, suppressed)
            plans.append(plan_of(whole, costs, score, None, whole.criteria, max_suppression))
        if len(plans) == most:
            break
    return JointResult(tuple(plans), tuple(parts), max_suppression)


def _combinations(parts: Sequence[SearchResult]) -> Iterator[tuple[int, tuple[RankedPlan, ...]]]:
    """One plan of each set, those first whose places in the rankings add up to least."""
    places = sorted(product(*(range(len(part)) for part in parts)), key=lambda chosen: (sum(chosen), chosen))
    for chosen in places[:COMBINATIONS_AT_MOST]:
        yield sum(chosen), tuple(part[place] for part, place in zip(parts, chosen, strict=True))


def _costs(whole: Question, levels: Mapping[str, int], suppressed: NDArray[np.bool_]) -> Costs:
    """What a combination costs, from the rows that it suppresses."""
    size = whole.groups(list(whole.generalised(levels).values()), Requirement(), ~suppressed).size
    counts = whole.data.counts
    lost = [lost_with(column.all_levels, levels[column.name], suppressed, counts) for column in whole.columns]
    return Costs(
        whole.marginals,
        np.array([[levels[name] for name in whole.quasi]]),
        np.array([whole.data.records_in(suppressed)]),
        np.array([len(size)]),
        np.array([float((size.astype(float) ** 2).sum())]),
        np.array([[share for share, _ in lost]]),
        np.array([[entropy for _, entropy in lost]]),
        whole.weights,
    )


def why_none(found: SearchResult | JointResult) -> str:
    """Why there is no plan, in the language in use."""
    if not found.optimal:
        return text("search.none-yet")
    parts = found.parts if isinstance(found, JointResult) else (found,)
    beyond = [each for part in parts for each in part.question.out_of_reach(part.max_suppression)]
    if beyond:
        return text("search.none-ever", criteria="; ".join(map(str, beyond)))
    dropping = any(part.explored.drops_all(part.question.limit(part.max_suppression)) for part in parts)
    return text("search.none-but-empty" if dropping else "search.none")


def proof(found: SearchResult | JointResult) -> str:
    """Whether the first plan is the best there is, or how far it may be from it, in the language in use."""
    numbers = {"lattice": found.lattice, "checked": found.checked}
    if found.optimal:
        none = "search.proved-none" if found.checked < found.lattice else "search.proved-none-of-all"
        return text("search.proved" if found else none, **numbers)
    if isinstance(found, SearchResult) and found and found.bound is not None:
        return text("search.bounded", **numbers, score=found[0].score, bound=found.bound)
    return text("search.not-proved", **numbers)
