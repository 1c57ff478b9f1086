"""Columns that were read, with what some operations make of them: nothing is released by that."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from biombo._data import Column, Dataset, Schema, SourceTable
from biombo._engine import LOCAL, Flow, Table
from biombo._plan.operations import RowOperation
from biombo._plan.operations.operation import Context
from biombo._plan.values.arrow_table import as_arrow


def columns_after(
    data: Dataset, operations: Sequence[RowOperation], columns: Sequence[str], schema: Schema
) -> dict[str, Column]:
    """``columns`` of the same rows or tuples, in their order, with what ``operations`` make of them. They are in this
    process already, wherever they were counted; so this is where it is done.
    """
    read = dict.fromkeys(name for operation in operations for name in operation.reads)
    flow = quiet_flow(opened(replace(data, counts=None), read), schema, Context(warn=unheard))
    for operation in operations:
        flow = flow.mapped(operation)
    return dict(flow.gathered(columns).data.columns)


def opened(data: Dataset, columns: Iterable[str]) -> Table:
    """Some columns that were read, as a table of this process."""
    return LOCAL.open(SourceTable.open(as_arrow(data, columns)))


def quiet_flow(table: Table, schema: Schema, context: Context) -> Flow:
    """The rows of a table on their way, of which nothing is written."""
    return table.flow(schema, context, random=context.random, folder=None, warn=context.warn)


def unheard(sentence: str) -> None:
    """Nobody is warned: whoever made the release was."""
