"""Privacy against utility: the best plan for each k and each limit, all from one pass over the lattice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import polars as pl

from biombo._criteria import Criterion, shown
from biombo._data import Dataset, as_dataset
from biombo._errors import UsageError
from biombo._frames import Frame, Framed, FrameKind
from biombo._glance import Glance, Result
from biombo._i18n import text
from biombo._search.arguments import RecodingName, check_ks, check_recoding, check_seconds
from biombo._search.clock import Clock
from biombo._search.exploration import Explored
from biombo._search.large_lattice import explore_points
from biombo._search.local_search import LocalPlan, local_by_k
from biombo._search.policy import Policy, PolicyName, check_predicted
from biombo._search.question import Question
from biombo._search.ranking import RankedPlan, ranked
from biombo._search.search import question_of
from biombo._watch import advance_share, instead

_GLOBAL_BESIDE_LOCAL = 0.5
"""The part of the time that the plans of one level for each column have where others stand beside them."""


def at_most(limit: float) -> str:
    """A share with as many decimals as it was given with.

    >>> at_most(0.02), at_most(0.005)
    ('at most 2%', 'at most 0.5%')
    """
    return text("search.at-most", share=bare_percent(limit))


def bound(limit: float) -> str:
    """The same in a few letters, for a chart or a heading.

    >>> bound(0.07)
    '≤ 7%'
    """
    return f"≤ {bare_percent(limit)}"


def bare_percent(limit: float) -> str:
    """A share with as many decimals as it was given with, and nothing else."""
    return f"{shown(float(Decimal(str(limit)) * 100))}%"


KS = (2, 3, 5, 10, 20, 50, 100)
LIMITS = (0.0, 0.01, 0.02, 0.05, 0.1)


@dataclass(frozen=True, eq=False)
class FrontierPoint:
    """The best that one k and one limit allow."""

    k: int
    max_suppression: float
    best: RankedPlan | None
    """None where no plan satisfies them."""


@dataclass(frozen=True, eq=False, repr=False)
class Frontier(Result, Framed):
    """The best plan for each k and each limit. Made by :func:`biombo.frontier`."""

    points: tuple[FrontierPoint, ...]
    """By k, then by limit."""
    policy: Policy
    explored: Explored
    local: Mapping[int, LocalPlan] = field(default_factory=dict)
    """By k: what local recoding finds with nothing suppressed, where that was asked for."""
    recoding: RecodingName = "global"
    """Which kind of local recoding that is."""

    @property
    def ks(self) -> tuple[int, ...]:
        """The values of k, ascending."""
        return self.explored.ks

    @property
    def limits(self) -> tuple[float, ...]:
        """The limits of suppression, ascending."""
        return tuple(sorted({point.max_suppression for point in self.points}))

    def best_by_k(self, limit: float) -> dict[int, RankedPlan]:
        """The best plan for each k that has one, under one limit."""
        under = [point for point in self.points if point.max_suppression == limit]
        return {point.k: point.best for point in under if point.best is not None}

    @property
    def optimal(self) -> bool:
        """Is it proved that every point has the best plan there is, or none? Only a time limit can prevent that."""
        return self.explored.all_decided

    def as_json(self) -> dict[str, Any]:
        """The best plan for each k and each limit, as plain values."""
        from biombo._search.as_json import frontier_as_json

        return {"frontier": frontier_as_json(self)}

    def _table(self) -> pl.DataFrame:
        from biombo._search.glance import frontier_table

        return frontier_table(self)

    @property
    def _kind(self) -> FrameKind:
        return self.explored.question.data.kind

    def _glance(self) -> Glance:
        from biombo._search.glance import of_frontier

        return of_frontier(self)

    def at(self, k: int, max_suppression: float) -> FrontierPoint:
        """The point of one k and one limit."""
        for point in self.points:
            if (point.k, point.max_suppression) == (k, max_suppression):
                return point
        raise UsageError("search.no-point", k=k, limit=max_suppression)


def frontier(
    data: Dataset | Frame,
    criteria: Criterion | Sequence[Criterion] = (),
    *,
    ks: Sequence[int] = KS,
    limits: Sequence[float] = LIMITS,
    prefer: PolicyName | str = "loss",
    recoding: RecodingName = "global",
    **asked: Any,
) -> Frontier:
    """The best plan for each ``k`` and each of the ``limits`` of suppression, in one pass over the lattice.

    ``criteria`` hold besides; a k among them is replaced. With another ``recoding`` than the global one, what that
    finds for each k, with nothing suppressed, stands beside. All else is as in :func:`biombo.search`.

    >>> from biombo import Hierarchy, read, samples
    >>> by_column = {"age": "age", "city": Hierarchy.all_or_nothing()}
    >>> data = read(samples.clinic())
    >>> found = frontier(data, ks=[3, 4], limits=[0, 0.25], quasi=["age", "city"], hierarchies=by_column)
    >>> [(point.k, point.max_suppression, point.best.suppressed) for point in found.points if point.best]
    [(3, 0, 0), (3, 0.25, 0), (4, 0, 0), (4, 0.25, 0)]
    """
    progress, seconds = instead(asked.pop("progress", None), advance_share), asked.pop("seconds", 0)
    check_seconds(seconds)
    clock, policy = Clock.for_all_of(seconds), Policy.named(prefer)
    question = question_of(as_dataset(data), criteria, **asked).serving(policy)
    _refuse_sets(question)
    check_predicted(question.data, policy, question.quasi)
    check_ks(ks)
    possible = sorted({k for k in ks if k <= question.records})
    if not possible or not limits:
        raise UsageError("search.no-frontier")
    check_recoding(recoding, asked.get("bounds") or {}, [policy])
    most = [question.limit(limit) for limit in limits]
    own = clock if recoding == "global" else clock.share(_GLOBAL_BESIDE_LOCAL)
    explored = explore_points(question, policy, possible, most, clock=own, progress=progress)
    points = (
        FrontierPoint(k, limit, next(iter(ranked(explored, policy, limit, most=1, place=place)), None))
        for place, k in enumerate(possible)
        for limit in sorted(set(limits))
    )
    local = local_by_k(question, policy, possible, recoding, clock=clock) if recoding != "global" else {}
    return Frontier(tuple(points), policy, explored, local, recoding)


def _refuse_sets(question: Question) -> None:
    """The frontier is of one set of quasi columns."""
    for criterion in question.criteria:
        if criterion.quasi is not None and set(criterion.quasi) != set(question.quasi):
            raise UsageError("search.frontier-sets", quasi=", ".join(criterion.quasi))
