"""All measures, by carrying out the plan on the original: the release's records need no link to it."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from biombo._cells import LevelledColumn
from biombo._data import Column, ColumnSchema, Dataset, Schema
from biombo._engine import LEFT_OUT, NAMES, are
from biombo._hierarchy import Hierarchy
from biombo._measures import Marginals
from biombo._plan import Generalise, Plan, masked_records
from biombo._search import QuasiColumn
from biombo._utility.carrying_out import decided
from biombo._utility.measures import Measures
from biombo._utility.one_node import costs_of, group_sizes
from biombo._utility.tables import Tables

Rows = NDArray[np.bool_]


def measures_by_plan(tables: Tables, plan: Plan) -> Measures:
    """The plan is carried out on the original once more, so the release's records need no link to it."""
    shown, fates = decided(tables.original, replace(plan, max_suppression=None), tables.schema, tables.quasi)
    fate = _Fate(~are(fates, *LEFT_OUT), are(fates, *NAMES["suppressed"]), are(fates, *NAMES["masked"]))
    return _measured(tables.original, plan, tables.quasi, fate, list(shown.columns.values()))


def measures_of_release(own: Dataset, released: Dataset, plan: Plan, schema: Schema) -> Measures | None:
    """What the ``released`` records lost beside their ``own`` originals, in the same order; nobody else counts.

    None where there are no quasi columns.
    """
    quasi = tuple(name for name in plan.quasi or schema.quasi if name in own.columns)
    if not quasi:
        return None
    nobody = np.zeros(own.rows, bool)
    fate = _Fate(~nobody, nobody, _masked(released, plan, schema))
    return _measured(own, plan, quasi, fate, [released[name] for name in quasi if name in released.columns])


@dataclass(frozen=True, eq=False)
class _Fate:
    """What became of each record."""

    asked_for: Rows
    """Not left out for what it says."""
    dropped: Rows
    masked: Rows


def _masked(released: Dataset, plan: Plan, schema: Schema) -> Rows:
    """The records with nothing but a mark in every quasi column."""
    found = list(masked_records(released, plan.operations, schema.quasi).values())
    return np.logical_or.reduce(found) if found else np.zeros(released.rows, bool)


def _measured(data: Dataset, plan: Plan, quasi: tuple[str, ...], fate: _Fate, shown: list[Column]) -> Measures:
    kept = fate.asked_for & ~fate.dropped & ~fate.masked
    columns = {name: _quasi_column(data, name, plan, fate.asked_for) for name in quasi}
    levels = [column.lowest for column in columns.values()]
    levelled = [column.all_levels for column in columns.values()]
    suppressed = fate.asked_for & ~kept
    costs = costs_of(
        Marginals.of(levelled, data.rows, fate.asked_for),
        levels,
        group_sizes(shown, data.rows, kept),
        int(suppressed.sum()),
        [_lost_with(column, level, suppressed) for column, level in zip(levelled, levels, strict=True)],
    )
    return Measures(
        completeness=1 - int((fate.dropped & fate.asked_for).sum()) / max(1, int(fate.asked_for.sum())),
        precision=1 - float(costs.imprecision[0]),
        loss=float(costs.loss[0]),
        granularity=float(costs.granularity[0]),
        entropy=float(costs.entropy[0]),
        discernibility=float(costs.discernibility[0]),
        class_size=float(costs.class_size[0]),
        masked=int((fate.masked & fate.asked_for).sum()),
        column_loss=dict(zip(columns, costs.column_loss[0].tolist(), strict=True)),
        unseen=_unseen(plan, quasi),
    )


def _quasi_column(data: Dataset, name: str, plan: Plan, asked_for: Rows) -> QuasiColumn:
    """A column as the search would see it, at the one level that the plan gives it."""
    for operation in plan.operations:
        if isinstance(operation, Generalise) and operation.column == name:
            apart = ColumnSchema(invalid=frozenset(operation.apart))
            described = replace(data, schema=Schema({name: apart}))
            hierarchy, level = operation.hierarchy, operation.level
            return QuasiColumn.of(described, name, hierarchy, missing=operation.missing, bounds=level, keep=asked_for)
    is_removed = any(name in operation.removes for operation in plan.operations)
    undescribed = replace(data, schema=Schema())
    return QuasiColumn.of(undescribed, name, Hierarchy.all_or_nothing(), bounds=int(is_removed), keep=asked_for)


def _unseen(plan: Plan, quasi: tuple[str, ...]) -> dict[str, str]:
    return {
        name: operation.name
        for operation in plan.operations
        for name in operation.columns
        if name in quasi and not isinstance(operation, Generalise) and name not in operation.removes
    }


def _lost_with(column: LevelledColumn, level: int, suppressed: Rows) -> tuple[float, float]:
    """Of the suppressed records: Σ share of the domain under their value, and −Σ c log₂(c/suppressed) over values."""
    codes = column.codes[suppressed]
    share = float(column.leaves[level][codes].sum()) / column.domain
    count = np.unique(column.levels[level][codes], return_counts=True)[1]
    return share, float(-(count * np.log2(count / max(1, len(codes)))).sum()) + 0.0
