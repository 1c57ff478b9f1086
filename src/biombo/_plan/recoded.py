"""Columns of a dataset as operations on rows leave them."""

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from biombo._data import Column, Dataset, Schema, SourceTable
from biombo._engine import LOCAL
from biombo._plan.context import Context, unheard
from biombo._plan.operations import RowOperation


def columns_after(
    data: Dataset, operations: Sequence[RowOperation], columns: Sequence[str], schema: Schema
) -> dict[str, Column]:
    """``columns`` of the same rows, in their order, with what ``operations`` make of them."""
    read = dict.fromkeys(name for operation in operations for name in operation.reads)
    context = Context(warn=unheard)
    table = LOCAL.open(SourceTable.open(as_arrow(data, read)))
    flow = table.flow(schema, context, random=context.random, folder=None, warn=context.warn)
    for operation in operations:
        flow = flow.mapped(operation)
    return dict(flow.gathered(columns).data.columns)


def as_arrow(data: Dataset, columns: Iterable[str], rows: NDArray[np.intp] | None = None) -> pa.Table:
    """``columns`` with their dictionaries, all rows or some."""
    arrays = {}
    for name in columns:
        column = data[name]
        codes = column.codes if rows is None else column.codes[rows]
        missing = column.values.is_null().to_numpy()[codes]
        indices = pa.array(codes.astype(np.int32), mask=missing)
        arrays[name] = pa.DictionaryArray.from_arrays(indices, column.values.to_arrow())
    return pa.table(arrays)
