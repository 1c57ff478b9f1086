"""Search by local recoding: groups of records at levels of their own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import polars as pl

from biombo._criteria import Criterion, KAnonymity, judge, smallest_group_asked
from biombo._data import Dataset
from biombo._glance import Glance, Result
from biombo._measures import ArxQuality, LocalCosts
from biombo._plan import Plan, Preference, RecodedColumn, RecodeLocally, Recoding, Regions
from biombo._search.arguments import RecodingName
from biombo._search.clock import Clock
from biombo._search.found_plans import FoundPlans
from biombo._search.policy import Policy
from biombo._search.quasi_column import QuasiColumn
from biombo._search.question import Question
from biombo._search.terms import plan_for


@dataclass(frozen=True, eq=False, repr=False)
class LocalPlan(Result):
    """Groups of records at levels of their own that satisfy what was asked, and what that costs."""

    levels: Mapping[str, Mapping[int, int]]
    """Per quasi column: how many records are at each level of its hierarchy."""
    groups: int
    smallest_group: int
    """How many are in the smallest of them: people where they are named and criteria count them, or records."""
    costs: LocalCosts
    plan: Plan
    """What to do to the table. Groups are formed anew when it is carried out: the same ones for the same records."""
    _question: Question
    _recoding: Recoding

    @property
    def mappings(self) -> pl.DataFrame:
        """Per quasi column: each value of the table, what is released for it, and for how many records. Private: it
        lists the values of the table.
        """
        return self._recoding.mappings

    @property
    def columns(self) -> tuple[QuasiColumn, ...]:
        """The quasi columns with their hierarchies."""
        return self._question.columns

    @property
    def steps(self) -> int | None:
        """By how many steps groups had become better when time was over, as the plan says; None where time sufficed for
        all that are worth it.
        """
        return self._recoding.groups.steps if self._recoding.groups.is_cut else None

    @cached_property
    def decided_by_values(self) -> int | None:
        """How many records are in groups that their size alone would allow to be told more precisely, so that sensitive
        values decided: whoever knows how groups are formed learns something of these. None where criteria ask for no
        more than sizes, and nothing is learned of sensitive values.
        """
        sensitive = any(each.about(self._question.sensitive) for each in self.plan.criteria)
        return self._recoding.decided_by_values(smallest_group_asked(self.plan.criteria) or 1) if sensitive else None

    @property
    def score(self) -> float:
        """What is lost: 1 less granularity."""
        return 1 - self.granularity

    def amount(self, policy: str) -> float:
        """The measure that plans of this policy are compared by."""
        return 1 - self.precision if policy == "precision" else float(getattr(self, policy))

    @property
    def suppressed(self) -> int:
        """None: a record that is like no other is told by broader values, in the end by ``*``."""
        return 0

    @property
    def precision(self) -> float:
        """1 less the mean of level/height over columns and records, a suppressed record counting 1."""
        return float(1 - self.costs.imprecision[0])

    @property
    def completeness(self) -> float:
        """The share of records that stay."""
        return float(self.costs.completeness[0])

    @property
    def loss(self) -> float:
        """The share of the domain that values stand for, as a geometric mean over columns."""
        return float(self.costs.loss[0])

    @property
    def granularity(self) -> float:
        """1 less the arithmetic mean of the same."""
        return float(self.costs.granularity[0])

    @property
    def entropy(self) -> float:
        """Non-uniform entropy that is lost, in bits."""
        return float(self.costs.entropy[0])

    @property
    def discernibility(self) -> float:
        """Σ size² over groups, a suppressed record counting as many as there are records."""
        return float(self.costs.discernibility[0])

    @property
    def class_size(self) -> float:
        """Records per group."""
        return float(self.costs.class_size[0])

    @property
    def column_loss(self) -> dict[str, float]:
        """The loss of each column."""
        return dict(zip(self._question.quasi, self.costs.column_loss[0].tolist(), strict=True))

    @cached_property
    def arx(self) -> ArxQuality:
        """The same as ARX tells it."""
        return ArxQuality.of(self.costs, self._recoding.groups.count)

    def as_json(self) -> dict[str, Any]:
        """The levels and what they cost, as plain values."""
        from biombo._search.as_json import local_plan_as_json

        return local_plan_as_json(self)

    def _glance(self) -> Glance:
        from biombo._search.glance import of_local_plan

        return of_local_plan(self)


@dataclass(frozen=True, eq=False, repr=False)
class LocalResult(FoundPlans[LocalPlan]):
    """The plan that local recoding found, or none. Made by :func:`biombo.search`."""

    plans: tuple[LocalPlan, ...]
    policy: Policy
    _question: Question
    recoding: RecodingName = "local"

    @property
    def question(self) -> Question:
        """What was asked."""
        return self._question

    @property
    def optimal(self) -> bool:
        """No: whether there are better groups is beyond any search."""
        return False

    def as_json(self) -> dict[str, Any]:
        """The plan as plain values."""
        from biombo._search.as_json import local_as_json

        return local_as_json(self)

    def _table(self) -> pl.DataFrame:
        from biombo._search.glance import local_table

        return local_table(self)

    def _glance(self) -> Glance:
        from biombo._search.glance import of_local_result

        return of_local_result(self)


def search_locally(
    question: Question, policy: Policy, recoding: RecodingName = "local", *, clock: Clock | None = None
) -> LocalResult:
    """The best groups that were found while there was time; the first ones, however little there was.

    Where criteria are about several sets of columns, all of them are asked of the groups of all columns, which is more
    than each asks of its own. Nobody is suppressed: one group of all meets whatever groups can.
    """
    found = _found(question, _operation(question, policy, recoding), question.criteria, clock or Clock())
    return LocalResult((found,) if isinstance(found, LocalPlan) else (), policy, question, recoding)


def local_by_k(
    question: Question,
    policy: Policy,
    ks: Sequence[int],
    recoding: RecodingName = "local",
    *,
    clock: Clock | None = None,
) -> dict[int, LocalPlan]:
    """What local recoding finds for each of several ``k`` in the place of the one asked for, each in its share of the
    time.
    """
    operation, clock = _operation(question, policy, recoding), clock or Clock()
    found = {
        k: _found(question, operation, question.with_k(k), clock.share(1 / (len(ks) - place)))
        for place, k in enumerate(ks)
    }
    return {k: plan for k, plan in found.items() if plan is not None}


_REGIONS: dict[RecodingName, Regions] = {
    "local": "free",
    "multidimensional": "strict",
    "multidimensional-relaxed": "relaxed",
}


def _operation(question: Question, policy: Policy, recoding: RecodingName) -> RecodeLocally:
    weighed = zip(question.columns, question.weights.tolist(), strict=True)
    columns = [RecodedColumn(each.name, each.hierarchy, each.missing, each.apart, weight) for each, weight in weighed]
    return RecodeLocally(
        tuple(columns),
        prefer=cast(Preference, policy.name),
        loss_domain=question.loss_domain,
        regions=_REGIONS[recoding],
    )


def _found(
    question: Question, operation: RecodeLocally, criteria: Sequence[Criterion], clock: Clock
) -> LocalPlan | None:
    """The plan, held against the criteria as any table is; none where all records together do not meet them."""
    data = question.data
    recoding = Recoding.of(
        data,
        operation.columns_,
        criteria,
        preference=operation.prefer,
        loss_domain=operation.loss_domain,
        regions=operation.regions,
        quasi=question.quasi,
        sensitive=question.sensitive,
        seconds=clock.left,
    )
    if recoding.groups.is_cut:
        operation = replace(operation, steps=recoding.groups.steps)
    released = recoding.released(data)
    if not judge(released, criteria, quasi=question.quasi, sensitive=question.sensitive).holds:
        return None
    (verdict,) = judge(_sized(released, criteria), KAnonymity(1), quasi=question.quasi).verdicts
    costs = recoding.costs()
    return LocalPlan(
        levels=_by_level(question.quasi, costs),
        groups=int(costs.groups[0]),
        smallest_group=int(verdict.achieved or 0),
        costs=costs,
        plan=_plan(question, operation, criteria),
        _question=question,
        _recoding=recoding,
    )


def _sized(released: Dataset, criteria: Sequence[Criterion]) -> Dataset:
    """The records by which groups are measured. Whose they are is known where criteria count people: else any of those
    who are alike in what criteria look at may be in a group, and records are what it has for sure.
    """
    if any(each.counts_members or each.group_size is not None for each in criteria):
        return released
    return replace(released, schema=replace(released.schema, person=None))


def _plan(question: Question, operation: RecodeLocally, criteria: Sequence[Criterion]) -> Plan:
    dropping = question.without_invalid and question.without_invalid.operation
    operations = (*question.selected_by, *([dropping] if dropping else []), operation)
    return plan_for(question.data, operations, criteria, question.quasi, question.sensitive, 0.0)


def _by_level(quasi: Sequence[str], costs: LocalCosts) -> dict[str, dict[int, int]]:
    """Per column: how many records are at each level."""
    at_level = [held.sum(axis=1).tolist() for held in costs.held]
    return {
        name: {level: records for level, records in enumerate(each) if records}
        for name, each in zip(quasi, at_level, strict=True)
    }
