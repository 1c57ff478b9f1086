"""What the quasi columns and the groups that they make lost, by the measures of the search."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Counts, records_of, tallied
from biombo._data import Column, ColumnSchema, Dataset, Schema
from biombo._engine import LEFT_OUT, Fate, Fates, Paired, are, numbered
from biombo._engine import NAMES as FATES
from biombo._errors import UsageError
from biombo._hierarchy import Hierarchy
from biombo._measures import Costs, LocalCosts, LossDomain, Marginals, ReleaseCosts, lost_with
from biombo._plan import (
    Generalise,
    Outcome,
    Plan,
    RecodeLocally,
    costs_as_shown,
    follows_a_rule,
    masked_records,
    outcome_on,
)
from biombo._search import QuasiColumn
from biombo._utility.correspondence import is_of_original, is_of_release
from biombo._utility.reasons import Reason
from biombo._utility.tables import Tables

NAMES = ("completeness", "precision", "loss", "granularity", "entropy", "discernibility", "class_size")

Rows = NDArray[np.bool_]


@dataclass(frozen=True)
class Measures:
    """What a release costs in detail, in records and in groups; ``None`` where that cannot be told, see ``reasons``."""

    completeness: float | None = None
    """The share of records that stay, masked ones included (Samarati and Sweeney 1998)."""
    precision: float | None = None
    """1 less the mean of level/height over quasi columns and records, a suppressed or masked record counting 1."""
    loss: float | None = None
    """The share of the domain that values stand for, as a geometric mean over columns."""
    loss_domain: LossDomain = "data"
    """The domain: the values that occur in the records asked for, or all of the columns' hierarchies."""
    granularity: float | None = None
    """1 less the arithmetic mean of the same."""
    entropy: float | None = None
    """Non-uniform entropy that is lost, in bits."""
    discernibility: float | None = None
    """Σ size² over groups, a suppressed or masked record counting as many as there are records."""
    class_size: float | None = None
    """Records per group, all suppressed or masked ones being one group."""
    masked: int | None = None
    """Records that stay with their quasi values replaced by a mark."""
    column_loss: Mapping[str, float] = field(default_factory=dict)
    """The loss of each quasi column."""
    unseen: Mapping[str, str] = field(default_factory=dict)
    """Quasi columns that are changed by other operations than generalising: precision, loss, granularity and entropy
    do not see that."""
    reasons: Mapping[str, Reason] = field(default_factory=dict)
    """By measure: why it is missing."""


def measures_of(tables: Tables, outcome: Outcome | None = None, loss_domain: LossDomain = "data") -> Measures:
    """All measures where it is known what the plan did; else those that the two tables show."""
    plan = tables.plan
    if outcome is not None and plan is not None and outcome.original.columns:
        return measures_of_outcome(outcome, plan, loss_domain)
    if tables.quasi and plan is None:
        return _by_release(tables)
    quasi = tuple(name for name in tables.quasi if name in tables.before.columns)
    if plan is None or not quasi:
        return _without_quasi(tables)
    if not follows_a_rule(plan, tables.schema, quasi):
        return _of_unknown_outcome(tables, plan, "drawn")
    found = outcome_on(tables.before.source, plan, tables.schema, quasi, tables.after.columns)
    if not is_of_release(found, tables):
        return _of_unknown_outcome(tables, plan, "other-release")
    return measures_of_outcome(found, plan, loss_domain)


def measures_of_outcome(outcome: Outcome, plan: Plan, loss_domain: LossDomain) -> Measures:
    """All measures, from what became of the records."""
    return _measured(outcome.original, plan, outcome.fates, list(outcome.released.columns.values()), loss_domain)


def measures_of_release(paired: Paired, plan: Plan, schema: Schema) -> Measures | None:
    """What released records lost beside their own originals; nobody else counts.

    Loss is told over the values of hierarchies: over those that occur it would tell whether one person has a value that
    nobody else has. None where there are no quasi columns.
    """
    own, released = paired.own, paired.released
    quasi = tuple(name for name in plan.quasi or schema.quasi if name in own.columns)
    if not quasi:
        return None
    fates = np.where(_masked(released, plan, schema), int(Fate.MASKED), int(Fate.RELEASED)).astype(np.uint8)
    before = replace(own, columns={name: own[name] for name in quasi})
    return _measured(before, plan, fates, [released[name] for name in quasi if name in released.columns], "hierarchy")


def checked_outcome(outcome: Outcome, tables: Tables) -> Outcome:
    """Raise where ``outcome`` is not what this plan did to this table, or where another release came of it."""
    of_plan = outcome.plan_hash == tables.plan_hash
    if not of_plan or not is_of_original(outcome, tables) or not is_of_release(outcome, tables):
        raise UsageError("utility.other-outcome", outcome=outcome.original.label, records=outcome.total.total)
    return outcome


def _without_quasi(tables: Tables) -> Measures:
    before, after = tables.before.records, tables.after.records
    missing: dict[str, Reason] = dict.fromkeys(NAMES, "no-quasi")
    del missing["completeness"]
    if after > before:
        return Measures(reasons=missing | {"completeness": "more-records"})
    return Measures(after / before, reasons=missing)


def _by_release(tables: Tables) -> Measures:
    """What can be told from the groups of the release and the number of records that are missing from it."""
    missing: dict[str, Reason] = dict.fromkeys(("precision", "loss", "granularity", "entropy"), "no-plan")
    lost = tables.before.records - tables.after.records
    if lost < 0:
        shown = ("completeness", "discernibility", "class_size")
        return Measures(reasons=missing | dict.fromkeys(shown, "more-records"))
    names = [name for name in tables.quasi if name in tables.columns]
    release = tables.asked(*names or tables.columns[:1]).release
    sizes = _group_sizes([release[name] for name in names], np.ones(release.rows, bool), release.counts)
    costs = _costs(Marginals((), tables.before.records), [], sizes, lost)
    return Measures(
        completeness=float(costs.completeness[0]),
        discernibility=float(costs.discernibility[0]),
        class_size=float(costs.class_size[0]),
        reasons=missing,
    )


def _of_unknown_outcome(tables: Tables, plan: Plan, reason: Reason) -> Measures:
    """What the release shows of a plan of which nobody knows what it did: carrying it out once more would draw anew, or
    gives other records.
    """
    missing = dict.fromkeys(NAMES, reason)
    release = tables.asked(*tables.quasi).release
    masked = release.records_in(_masked(release, plan, tables.schema))
    kept, whole = tables.after.records, tables.before.records
    if kept <= whole and not any(operation.leaves_out for operation in plan.operations):
        del missing["completeness"]
        return Measures(kept / whole, masked=masked, unseen=_unseen(plan, tables.quasi), reasons=missing)
    return Measures(masked=masked, unseen=_unseen(plan, tables.quasi), reasons=missing)


def _masked(released: Dataset, plan: Plan, schema: Schema) -> Rows:
    """The records with nothing but a mark in every quasi column."""
    found = list(masked_records(released, plan.operations, schema.quasi).values())
    return np.logical_or.reduce(found) if found else np.zeros(released.rows, bool)


def _measured(data: Dataset, plan: Plan, fates: Fates, shown: list[Column], loss_domain: LossDomain) -> Measures:
    """The quasi columns of ``data``, with what became of its tuples, and what is ``shown`` of them."""
    asked_for = ~are(fates, *LEFT_OUT)
    kept = asked_for & ~are(fates, *FATES["suppressed"], *FATES["masked"])
    suppressed = asked_for & ~kept
    if (locally := plan.local_recoding) is not None:
        of_groups = _locally(data, locally, shown, asked_for, kept, loss_domain)
        return _told(of_groups, data, tuple(data.columns), plan, fates, loss_domain)
    columns = {name: _quasi_column(data, name, plan, asked_for, loss_domain) for name in data.columns}
    levels = [column.lowest for column in columns.values()]
    levelled = [column.all_levels for column in columns.values()]
    costs = _costs(
        Marginals.of(levelled, data.rows, asked_for, data.counts),
        levels,
        _group_sizes(shown, kept, data.counts),
        data.records_in(suppressed),
        [lost_with(column, level, suppressed, data.counts) for column, level in zip(levelled, levels, strict=True)],
    )
    return _told(costs, data, tuple(columns), plan, fates, loss_domain)


def _locally(
    data: Dataset, operation: RecodeLocally, shown: list[Column], asked_for: Rows, kept: Rows, domain: LossDomain
) -> LocalCosts:
    """What it costs that groups of records are each at levels of their own."""
    by_name = {column.name: column for column in shown}
    recoded = [column for column in operation.columns_ if column.column in by_name]
    return costs_as_shown(data, by_name, recoded, asked_for=asked_for, kept=kept, loss_domain=domain)


def _told(
    costs: ReleaseCosts, data: Dataset, columns: tuple[str, ...], plan: Plan, fates: Fates, loss_domain: LossDomain
) -> Measures:
    asked_for, dropped, masked = ~are(fates, *LEFT_OUT), are(fates, *FATES["suppressed"]), are(fates, *FATES["masked"])
    return Measures(
        completeness=1 - data.records_in(dropped) / max(1, data.records_in(asked_for)),
        precision=1 - float(costs.imprecision[0]),
        loss=float(costs.loss[0]),
        loss_domain=loss_domain,
        granularity=float(costs.granularity[0]),
        entropy=float(costs.entropy[0]),
        discernibility=float(costs.discernibility[0]),
        class_size=float(costs.class_size[0]),
        masked=data.records_in(masked),
        column_loss=dict(zip(columns, costs.column_loss[0].tolist(), strict=True)),
        unseen=_unseen(plan, columns),
    )


def _quasi_column(data: Dataset, name: str, plan: Plan, asked_for: Rows, loss_domain: LossDomain) -> QuasiColumn:
    """A column as the search would see it, at the one level that the plan gives it."""
    over: dict[str, Any] = {"keep": asked_for, "loss_domain": loss_domain}
    for operation in plan.operations:
        if isinstance(operation, Generalise) and operation.column == name:
            apart = ColumnSchema(invalid=frozenset(operation.apart))
            described = replace(data, schema=Schema({name: apart}))
            hierarchy, level = operation.hierarchy, operation.level
            return QuasiColumn.of(described, name, hierarchy, missing=operation.missing, bounds=level, **over)
    is_removed = any(name in operation.removes for operation in plan.operations)
    undescribed = replace(data, schema=Schema())
    return QuasiColumn.of(undescribed, name, Hierarchy.all_or_nothing(), bounds=int(is_removed), **over)


def _unseen(plan: Plan, quasi: Sequence[str]) -> dict[str, str]:
    return {
        name: operation.name
        for operation in plan.operations
        for name in operation.columns
        if name in quasi and not isinstance(operation, Generalise | RecodeLocally) and name not in operation.removes
    }


def _group_sizes(columns: Sequence[Column], kept: Rows, counts: Counts | None) -> NDArray[np.int64]:
    """How many of the records that are ``kept`` share their values; all are one group where there are no columns."""
    if not columns:
        size = records_of(len(kept), counts, kept)
        return np.array([size] if size else [], np.int64)
    group, groups = numbered([column.codes[kept] for column in columns], [column.cardinality for column in columns])
    return tallied(group, groups, None if counts is None else counts[kept])


def _costs(
    marginals: Marginals,
    levels: Sequence[int],
    sizes: NDArray[np.int64],
    suppressed: int,
    told: Sequence[tuple[float, float]] = (),
) -> Costs:
    """What columns at ``levels`` cost with groups of these ``sizes``, in the form in which the search has it of many.

    ``told`` has, by column, what the suppressed records would have told: Σ of the share of the domain under their
    value, and −Σ c log₂(c/suppressed) over their values.
    """
    share, entropy = np.array(told, np.float64).reshape(-1, 2).T
    return Costs(
        marginals,
        np.array([levels], np.int64).reshape(1, -1),
        np.array([suppressed]),
        np.array([len(sizes)]),
        np.array([float((sizes.astype(float) ** 2).sum())]),
        share[None, :],
        entropy[None, :],
        np.ones(len(levels)),
    )
