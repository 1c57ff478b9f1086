"""Plans, best first, as a sequence."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf, isinf
from typing import Any

import numpy as np
import polars as pl

from biombo._cells import NodeState
from biombo._glance import Glance
from biombo._search.exploration import Explored, explore_all, is_cheap
from biombo._search.found_plans import FoundPlans
from biombo._search.policy import Policy
from biombo._search.question import Question
from biombo._search.ranking import RankedPlan, ranked, rounded


class PlanList(FoundPlans[RankedPlan]):
    """Plans that give each column one level."""

    @property
    @abstractmethod
    def lattice(self) -> int:
        """How many nodes there are: combinations of levels."""

    @property
    @abstractmethod
    def checked(self) -> int:
        """How many of them were checked."""

    def _table(self) -> pl.DataFrame:
        from biombo._search.glance import plan_table

        return plan_table(self.plans, self.question.quasi)

    def _glance(self) -> Glance:
        from biombo._search.glance import of_plans

        return of_plans(self)


@dataclass(frozen=True, eq=False, repr=False)
class SearchResult(PlanList):
    """Plans that satisfy what was asked, the best first. Made by :func:`biombo.search`."""

    plans: tuple[RankedPlan, ...]
    policy: Policy
    max_suppression: float
    explored: Explored
    """What is known of the nodes of the lattice."""

    @classmethod
    def of(cls, explored: Explored, policy: Policy, max_suppression: float, most: int) -> "SearchResult":
        """Rank what was found."""
        plans = ranked(explored, policy, max_suppression, most=most)
        return cls(tuple(plans), policy, max_suppression, explored)

    @property
    def question(self) -> Question:
        """What was asked."""
        return self.explored.question

    @property
    def lattice(self) -> int:
        """How many nodes there are: combinations of levels."""
        return self.question.nodes_allowed

    @property
    def checked(self) -> int:
        """How many of them were checked; the others could be decided without."""
        return self.explored.checked

    @cached_property
    def whole_lattice(self) -> Explored:
        """What is known of the nodes, and of those that were not decided as well, where that costs next to nothing."""
        listed = len(self.explored.nodes) == self.question.lattice.size
        if is_cheap(self.question) and not (listed and (self.explored.counts.state != NodeState.UNKNOWN).all()):
            return explore_all(self.question, self.explored.ks, self.question.limit(self.max_suppression))
        return self.explored

    @cached_property
    def bound(self) -> float | None:
        """A score that no plan can fall below, whatever was not decided; None where nothing satisfies at all."""
        lowest = min(self._best_score, self._lowest_undecided)
        return None if isinf(lowest) else lowest

    @property
    def optimal(self) -> bool:
        """Is it proved that no plan comes before the first, or, where there is none, that there is none?"""
        # Bounds never fall on the way up, so this also tells that nothing below the first plan is undecided.
        return self._best_score < self._lowest_undecided if self.plans else isinf(self._lowest_undecided)

    @property
    def _best_score(self) -> float:
        return self.plans[0].score if self.plans else inf

    @cached_property
    def _lowest_undecided(self) -> float:
        """A score that no undecided node can fall below."""
        lowest = self.explored.lowest_undecided(self.policy)
        return lowest if isinf(lowest) else float(rounded(np.array([lowest]))[0])

    @cached_property
    def minimal(self) -> tuple[Mapping[str, int], ...]:
        """All minimal generalisations (Samarati and Sweeney 1998): the levels of those that satisfy while nothing below
        does.
        """
        question = self.explored.question
        limit = question.limit(self.max_suppression)
        whole = self.explored.in_full(limit)
        nodes = whole.nodes[np.flatnonzero(whole.minimal(limit))]
        in_order = sorted(nodes.tolist(), key=lambda levels: (sum(levels), levels))
        return tuple(dict(zip(question.quasi, levels, strict=True)) for levels in in_order)

    def as_json(self) -> dict[str, Any]:
        """The plans and what was proved, as plain values."""
        from biombo._search.as_json import as_json

        return as_json(self)
