"""A plan, or some of it, carried out on records that have been read: nothing is released by that."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._data import Dataset, Schema, SourceTable
from biombo._engine import FateCounts, Table
from biombo._plan.apply import apply_to_table
from biombo._plan.columns import judged_columns, keeping, schema_in_use
from biombo._plan.columns_after import opened, quiet_flow, unheard
from biombo._plan.execution import decide
from biombo._plan.operations.operation import Context
from biombo._plan.outcome import Outcome, counted_columns
from biombo._plan.plan import Plan
from biombo._plan.values.arrow_table import as_arrow


def outcome_on(
    original: Dataset | Table, plan: Plan, schema: Schema, quasi: Sequence[str], released: Iterable[str]
) -> Outcome:
    """What the plan makes of the records of ``original``, however many it suppresses: where these are.

    Columns of the release that nobody spoke of were kept by somebody's word: they are in use like all others.
    """
    unlimited, context = replace(plan, max_suppression=None), Context(warn=unheard)
    table = opened(original, original.columns) if isinstance(original, Dataset) else original
    declared = _as_released(plan, schema, [name for name in released if name in table.columns])
    flow = decide(quiet_flow(table, schema_in_use(plan, declared), context), unlimited, context, quasi)
    return Outcome.of(flow.counted(counted_columns(plan, quasi)), plan, quasi)


def fates_on(original: Dataset | Table, plan: Plan, schema: Schema) -> FateCounts:
    """How many records of ``original`` the plan drops and masks. Raises where these are more than it may: it decides
    here as it does when something is released.
    """
    table = opened(original, original.columns) if isinstance(original, Dataset) else original
    population = original.population if isinstance(original, Dataset) else None
    context = Context(warn=unheard, population=population)
    plan = plan.completed(schema)
    used = schema_in_use(plan, schema)
    return decide(quiet_flow(table, used, context), plan, context).counted(judged_columns(plan.criteria, used)).total


def released_of(original: Dataset, plan: Plan, rows: NDArray[np.intp], columns: Iterable[str]) -> pl.DataFrame:
    """What comes out of the plan when there are no other records than ``rows``, in their order.

    The ``columns`` of the release come out, also those that were kept by somebody's word, which no plan knows. What was
    waived was so for all records together: nothing is held against it here.
    """
    table = as_arrow(original, original.columns, rows)
    declared = _as_released(plan, original.schema, columns)
    quiet, unwaived = Context(warn=unheard), replace(plan, waived=())
    applied = apply_to_table(SourceTable.open(table), unwaived, None, declared, keep_order=True, context=quiet)
    released: pl.DataFrame = applied.data
    return released


def _as_released(plan: Plan, schema: Schema, columns: Iterable[str]) -> Schema:
    """``schema`` with what must have been kept by somebody's word, since it was released."""
    used = schema_in_use(plan, schema)
    return keeping(schema, [name for name in columns if used[name].role == "undecided"], plan)
