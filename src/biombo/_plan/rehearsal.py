"""A plan, or some of it, carried out on records that have been read: nothing is released by that."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from biombo._data import Column, Dataset, Schema, SourceTable
from biombo._engine import LOCAL, Engine, Flow
from biombo._plan.apply import apply_to_table
from biombo._plan.columns import keeping, schema_in_use
from biombo._plan.execution import decide
from biombo._plan.operations import RowOperation
from biombo._plan.operations.operation import Context
from biombo._plan.outcome import Outcome, counted_columns
from biombo._plan.plan import Plan


def columns_after(
    data: Dataset, operations: Sequence[RowOperation], columns: Sequence[str], schema: Schema, engine: Engine = LOCAL
) -> dict[str, Column]:
    """``columns`` of the same rows, in their order, with what ``operations`` make of them."""
    read = dict.fromkeys(name for operation in operations for name in operation.reads)
    flow, _ = _flow(data, read, schema, engine)
    for operation in operations:
        flow = flow.mapped(operation)
    return dict(flow.gathered(columns).data.columns)


def outcome_on(original: Dataset, plan: Plan, schema: Schema, quasi: Sequence[str], engine: Engine = LOCAL) -> Outcome:
    """What the plan makes of the records of ``original``, however many it suppresses."""
    unlimited = replace(plan, max_suppression=None)
    flow, context = _flow(original, original.columns, schema_in_use(plan, schema), engine)
    flow = decide(flow, unlimited, context, quasi)
    return Outcome.of(flow.counted(counted_columns(plan, quasi)), plan, quasi)


def released_of(original: Dataset, plan: Plan, rows: NDArray[np.intp], columns: Iterable[str]) -> pl.DataFrame:
    """What comes out of the plan when there are no other records than ``rows``, in their order.

    The ``columns`` of the release come out, also those that were kept by somebody's word, which no plan knows.
    """
    table = as_arrow(original, original.columns, rows)
    used = schema_in_use(plan, original.schema)
    declared = keeping(original.schema, [name for name in columns if used[name].role == "undecided"], plan)
    quiet = Context(warn=_unheard)
    applied = apply_to_table(SourceTable.open(table), plan, None, declared, keep_order=True, context=quiet)
    assert applied.data is not None
    return applied.data


def as_arrow(data: Dataset, columns: Iterable[str], rows: NDArray[np.intp] | None = None) -> pa.Table:
    """``columns`` with their dictionaries, all rows or some."""
    data.need_rows()
    arrays = {}
    for name in columns:
        column = data[name]
        codes = column.codes if rows is None else column.codes[rows]
        missing = column.values.is_null().to_numpy()[codes]
        indices = pa.array(codes.astype(np.int32), mask=missing)
        arrays[name] = pa.DictionaryArray.from_arrays(indices, column.values.to_arrow())
    return pa.table(arrays)


def _flow(data: Dataset, columns: Iterable[str], schema: Schema, engine: Engine) -> tuple[Flow, Context]:
    context = Context(warn=_unheard)
    table = engine.open(SourceTable.open(as_arrow(data, columns)))
    return table.flow(schema, context, random=context.random, folder=None, warn=context.warn), context


def _unheard(sentence: str) -> None:
    """Nobody is warned: whoever made the release was."""
