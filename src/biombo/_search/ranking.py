"""The best nodes, best first, as plans."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._criteria import Criterion
from biombo._glance import Glance, Result
from biombo._measures import ConstantColumn, Costs, Floats, LossDomain
from biombo._plan import Plan
from biombo._search.exploration import Explored, Nodes
from biombo._search.policy import Policy
from biombo._search.quasi_column import QuasiColumn
from biombo._search.question import Question

_INDEXED = 1 << 62
_DIGITS = 11
"""Scores that agree in so many significant digits are equal: more is noise of floating point."""


@dataclass(frozen=True, eq=False, repr=False)
class RankedPlan(Result):
    """One generalisation that satisfies what was asked, and what it costs."""

    levels: Mapping[str, int]
    """Per quasi column: the level of its hierarchy."""
    suppressed: int
    """Records that are dropped since their group fails."""
    groups: int
    """Groups that stay."""
    score: float
    """What the policy goes by, with weights; the lower the better."""
    precision: float
    """1 less the mean of level/height over columns and records, a suppressed record counting 1."""
    completeness: float
    """The share of records that stay."""
    loss: float
    """Σ over columns of the share of the domain that values stand for, as a geometric mean."""
    granularity: float
    """1 less the arithmetic mean of the same."""
    entropy: float
    """Non-uniform entropy that is lost, in bits."""
    discernibility: float
    class_size: float
    """Records per group."""
    column_loss: Mapping[str, float]
    """The loss of each column."""
    merged: int
    """How many other plans that satisfy differ from it only in columns that are constant anyway."""
    minimal: bool | None
    """Is nothing below it satisfying? None where not all nodes below were decided."""
    _question: Question
    _criteria: tuple[Criterion, ...]
    _max_suppression: float

    @property
    def columns(self) -> tuple[QuasiColumn, ...]:
        """The quasi columns with their hierarchies."""
        return self._question.columns

    @property
    def amount(self) -> float:
        """The score as people read it: it is negative where more is better, as of groups."""
        return abs(self.score)

    @property
    def loss_domain(self) -> LossDomain:
        """Over which values loss is told."""
        return self._question.loss_domain

    @cached_property
    def constant(self) -> tuple[ConstantColumn, ...]:
        """The quasi columns that tell nothing any more, or next to nothing, in the records that stay."""
        return self._question.became_constant(self.levels, self._criteria, self.suppressed)

    @cached_property
    def smallest_group(self) -> int | None:
        """How many are in the smallest group of the records that stay: people where the schema names them. None where
        no record stays.
        """
        return self._question.smallest_group(self.levels, self._criteria, self.suppressed)

    @property
    def level_labels(self) -> dict[str, str]:
        """Per quasi column: what its level is called, in the language in use."""
        return {each.name: each.hierarchy.level_label(self.levels[each.name]) for each in self.columns}

    @property
    def mappings(self) -> pl.DataFrame:
        """Per quasi column: each value of the table, what is released for it, and how many records have it, those that
        are suppressed too. Private: it lists the values of the table.
        """
        return pl.concat(column.mapping(self.levels[column.name]) for column in self.columns)

    @cached_property
    def plan(self) -> Plan:
        """What to do to the table."""
        return self._question.plan(self.levels, self._criteria, self._max_suppression)

    def as_json(self) -> dict[str, Any]:
        """The levels and what they cost, as plain values."""
        from biombo._search.as_json import plan_as_json

        return plan_as_json(self)

    def _glance(self) -> Glance:
        from biombo._search.glance import of_ranked_plan

        return of_ranked_plan(self)


def best_first(costs: Costs, policy: Policy) -> tuple[NDArray[np.intp], Floats]:
    """Places in ``costs`` by score, records suppressed, sum of levels and levels; and the scores."""
    score = rounded(policy.score(costs))
    by_levels = costs.nodes.T[::-1]
    return np.lexsort((*by_levels, costs.nodes.sum(axis=1), costs.suppressed, score)), score


def ranked(
    explored: Explored, policy: Policy, max_suppression: float, *, most: int, place: int = 0
) -> list[RankedPlan]:
    """The best plans that are known for the k at ``place``, ``most`` at most."""
    question = explored.question
    limit = question.limit(max_suppression)
    satisfies = explored.minimal if policy.among_minimal else explored.satisfying
    found = np.flatnonzero(satisfies(limit, place))
    if not len(found):
        return []
    order, score = best_first(explored.costs(found, place), policy)
    first, merged = told_apart(question, explored.nodes[found[order]])
    chosen, merged = order[first[:most]], merged[:most]
    criteria = question.criteria if explored.ks[place] == question.k else question.with_k(explored.ks[place])
    weighed = explored.costs(found[chosen], place)
    is_minimal = explored.are_minimal(found[chosen], limit, place)
    return [
        plan_of(question, weighed.only(i), score[chosen[i]], is_minimal[i], criteria, max_suppression, int(merged[i]))
        for i in range(len(chosen))
    ]


def told_apart(question: Question, nodes: NDArray[np.int64]) -> tuple[Nodes, NDArray[np.int64]]:
    """Places of the first of all nodes that are one plan, in order; and how many others each stands for."""
    alike = question.told_apart(nodes)
    sizes = [column.highest + 1 for column in question.columns]
    if prod(sizes) < _INDEXED:  # numbers are told apart faster than lists of levels
        keys = alike @ np.cumprod([1, *sizes[:-1]])
        _, first, times = np.unique(keys, return_index=True, return_counts=True)
    else:
        _, first, times = np.unique(alike, axis=0, return_index=True, return_counts=True)
    in_order = np.argsort(first)
    return first[in_order], times[in_order] - 1


def rounded(scores: Floats) -> Floats:
    """Scores without the noise of floating point.

    >>> rounded(np.array([0.1 + 0.2, 0.3])).tolist()
    [0.3, 0.3]
    """
    exponent = np.floor(np.log10(np.abs(scores), out=np.zeros_like(scores), where=scores != 0))
    scale = 10.0 ** (_DIGITS - 1 - exponent)
    return np.asarray(np.round(scores * scale) / scale)


def plan_of(
    question: Question,
    weighed: Costs,
    score: float,
    minimal: bool | None,
    criteria: tuple[Criterion, ...],
    max_suppression: float,
    merged: int = 0,
) -> RankedPlan:
    """The plan of the only node in ``weighed``. Measures are reported as if all columns counted alike."""
    costs = replace(weighed, weights=np.ones(len(weighed.weights)))
    return RankedPlan(
        levels=dict(zip(question.quasi, costs.nodes[0].tolist(), strict=True)),
        suppressed=int(costs.suppressed[0]),
        groups=int(costs.groups[0]),
        score=float(score) + 0.0,
        precision=float(1 - costs.imprecision[0]),
        completeness=float(costs.completeness[0]),
        loss=float(costs.loss[0]),
        granularity=float(costs.granularity[0]),
        entropy=float(costs.entropy[0]),
        discernibility=float(costs.discernibility[0]),
        class_size=float(costs.class_size[0]),
        column_loss=dict(zip(question.quasi, costs.column_loss[0].tolist(), strict=True)),
        merged=merged,
        minimal=minimal,
        _question=question,
        _criteria=criteria,
        _max_suppression=max_suppression,
    )
