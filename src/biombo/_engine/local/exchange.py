"""Columns of all rows in one place, whose values change places between records."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from biombo._cells import Codes
from biombo._data import Column, Dataset, value_type
from biombo._engine.engine import Flow, Places
from biombo._engine.fates import Fates, Rows
from biombo._engine.local.encode import Recorded
from biombo._engine.step import Batch, Change, Step


@dataclass(frozen=True, eq=False)
class InOnePlace:
    """The columns, and what takes them back."""

    recorded: Recorded
    back: Callable[[Change], Flow]

    @property
    def data(self) -> Dataset:
        """The columns, a row for each record."""
        return self.recorded.data

    @property
    def fates(self) -> Fates:
        """By record."""
        return self.recorded.fates

    def exchanged(self, columns: Sequence[str], rows: Rows, taken_from: Places) -> Flow:
        """Each of ``rows`` takes the values of one of them: of the one at its place in ``taken_from``."""
        return self.back(Exchange({name: _exchanged(self.data[name], rows, taken_from) for name in columns}))


@dataclass(frozen=True, eq=False)
class Exchange(Change):
    """The records take the values that other records had in some columns."""

    exchanged: Mapping[str, Column]
    """The columns as they are afterwards, all records of them."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns whose values change places."""
        return tuple(self.exchanged)

    def start(self, context: Any) -> Step:  # noqa: ARG002
        """Put the values in, batch by batch."""
        return _Exchanging(self)


class _Exchanging(Step):
    def __init__(self, exchange: Exchange) -> None:
        self._exchanged = exchange.exchanged
        self._values: dict[str, pa.Array] = {}
        self._seen = 0

    def __call__(self, batch: Batch) -> Batch:
        start, self._seen = self._seen, self._seen + batch.table.num_rows
        for name, column in self._exchanged.items():
            if name not in self._values:
                self._values[name] = _of_type(column, _value_type(batch.table.column(name)))
            batch = batch.with_column(name, _chunk(column.codes[start : self._seen], self._values[name]))
        return batch


def _exchanged(column: Column, rows: Rows, taken_from: Places) -> Column:
    codes = column.codes.copy()
    codes[rows] = column.codes[rows][taken_from]
    return replace(column, codes=codes)


def _chunk(codes: Codes, values: pa.Array) -> pa.Array:
    """The values of these codes; a dictionary longer than the rows would cost each later step more than it saves."""
    places = pa.array(codes)
    return values.take(places) if len(values) > len(codes) else pa.DictionaryArray.from_arrays(places, values)


def _value_type(chunk: pa.Array) -> pa.DataType:
    kind = value_type(chunk)
    return pa.large_string() if pa.types.is_string_view(kind) else kind  # Arrow takes no values from views


def _of_type(column: Column, kind: pa.DataType) -> pa.Array:
    """The column's values in the type that the table has for them, where all of them fit."""
    values = column.values.to_arrow()
    try:
        return values.cast(kind)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):  # several sources, each with a type of its own
        return values
