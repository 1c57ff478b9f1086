"""What the quasi columns and the groups that they make lost, by the measures of the search."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from biombo._cells import LevelledColumn
from biombo._data import Column, ColumnSchema, Dataset, Schema
from biombo._data.source_table import SourceTable
from biombo._hierarchy import Hierarchy
from biombo._measures import Costs, Marginals
from biombo._plan import Generalise, Plan
from biombo._plan.columns_in_use import schema_in_use
from biombo._plan.context import Context
from biombo._plan.deciding import Decided, decide
from biombo._plan.numbering import numbered
from biombo._plan.streaming import Stream
from biombo._search.quasi_column import QuasiColumn
from biombo._utility.coded_rows import as_arrow
from biombo._utility.reasons import Reason
from biombo._utility.tables import Tables

NAMES = ("completeness", "precision", "loss", "granularity", "entropy", "discernibility", "class_size")
Rows = NDArray[np.bool_]


@dataclass(frozen=True)
class Measures:
    """What a release costs in detail, in records and in groups; ``None`` where that cannot be told, see ``reasons``."""

    completeness: float | None = None
    """The share of records that stay, masked ones included (document 004)."""
    precision: float | None = None
    """1 less the mean of level/height over quasi columns and records, a suppressed or masked record counting 1."""
    loss: float | None = None
    """The share of the domain that values stand for, as a geometric mean over columns."""
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


def measures_of(tables: Tables) -> Measures:
    """All measures by the plan where there is one; else those that the two tables show."""
    if not tables.quasi:
        return _without_quasi(tables)
    return _by_release(tables) if tables.plan is None else _by_plan(tables, tables.plan)


def _without_quasi(tables: Tables) -> Measures:
    before, after = tables.original.rows, tables.release.rows
    missing: dict[str, Reason] = dict.fromkeys(NAMES, "no-quasi")
    del missing["completeness"]
    if after > before:
        return Measures(reasons=missing | {"completeness": "more-records"})
    return Measures(after / before, reasons=missing)


def _by_release(tables: Tables) -> Measures:
    """What can be told from the groups of the release and the number of records that are missing from it."""
    missing: dict[str, Reason] = dict.fromkeys(("precision", "loss", "granularity", "entropy"), "no-plan")
    lost = tables.original.rows - tables.release.rows
    if lost < 0:
        shown = ("completeness", "discernibility", "class_size")
        return Measures(reasons=missing | dict.fromkeys(shown, "more-records"))
    quasi = [tables.release[name] for name in tables.quasi if name in tables.columns]
    sizes = _group_sizes(quasi, tables.release.rows)
    costs = _costs(Marginals((), tables.original.rows), [], sizes, lost)
    return Measures(
        completeness=float(costs.completeness[0]),
        discernibility=float(costs.discernibility[0]),
        class_size=float(costs.class_size[0]),
        reasons=missing,
    )


def _by_plan(tables: Tables, plan: Plan) -> Measures:
    """The plan is carried out on the original once more, so the release's records need no link to it."""
    decided = _decided(tables.original, replace(plan, max_suppression=None), tables.schema)
    rows = tables.original.rows
    gone = decided.not_drawn | decided.duplicates if decided.rows else np.zeros(rows, bool)
    dropped, masked = (each if decided.rows else np.zeros(rows, bool) for each in (decided.suppressed, decided.masked))
    asked_for, kept = ~gone, ~(gone | dropped | masked)
    columns = {name: _quasi_column(tables.original, name, plan, asked_for) for name in tables.quasi}
    levels = [column.lowest for column in columns.values()]
    levelled = [column.all_levels for column in columns.values()]
    sizes = _group_sizes(_shown(decided, tables.quasi), rows, kept)
    suppressed = asked_for & ~kept
    costs = _costs(
        Marginals.of(levelled, rows, asked_for),
        levels,
        sizes,
        int(suppressed.sum()),
        [_lost_with(column, level, suppressed) for column, level in zip(levelled, levels, strict=True)],
    )
    return Measures(
        completeness=1 - int((dropped & asked_for).sum()) / max(1, int(asked_for.sum())),
        precision=1 - float(costs.imprecision[0]),
        loss=float(costs.loss[0]),
        granularity=float(costs.granularity[0]),
        entropy=float(costs.entropy[0]),
        discernibility=float(costs.discernibility[0]),
        class_size=float(costs.class_size[0]),
        masked=int((masked & asked_for).sum()),
        column_loss=dict(zip(columns, costs.column_loss[0].tolist(), strict=True)),
        unseen=_unseen(plan, tables.quasi),
    )


def _decided(original: Dataset, plan: Plan, schema: Schema) -> Decided:
    table = SourceTable.open(as_arrow(original, original.columns))
    return decide(Stream(table, schema_in_use(plan, schema), Context(), None, None), plan)


def _shown(decided: Decided, quasi: tuple[str, ...]) -> list[Column]:
    """The quasi columns as they come out, without those that do not."""
    stream = decided.stream
    names = [name for name in quasi if stream.schema[name].role == "quasi"]
    return list(stream.recorded(names, decided.starts, decided.rows)[0].columns.values()) if names else []


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


def _group_sizes(columns: list[Column], rows: int, kept: Rows | None = None) -> NDArray[np.int64]:
    there = slice(None) if kept is None else kept
    if not columns:
        size = rows if kept is None else int(kept.sum())
        return np.array([size] if size else [], np.int64)
    group, _ = numbered([column.codes[there] for column in columns], [column.cardinality for column in columns])
    return np.bincount(group).astype(np.int64)


def _lost_with(column: LevelledColumn, level: int, suppressed: Rows) -> tuple[float, float]:
    """Of the suppressed records: Σ share of the domain under their value, and −Σ c log₂(c/suppressed) over values."""
    codes = column.codes[suppressed]
    share = float(column.leaves[level][codes].sum()) / column.domain
    count = np.unique(column.levels[level][codes], return_counts=True)[1]
    return share, float(-(count * np.log2(count / max(1, len(codes)))).sum()) + 0.0


def _costs(
    marginals: Marginals,
    levels: list[int],
    sizes: NDArray[np.int64],
    suppressed: int,
    lost_with: list[tuple[float, float]] | None = None,
) -> Costs:
    share, entropy = np.array(lost_with or np.zeros((0, 2)), np.float64).reshape(-1, 2).T
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
