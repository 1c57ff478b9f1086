"""Columns of Python values, as databases and object columns give them."""

import datetime as dt
from collections.abc import Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any

import pyarrow as pa

from biombo._data.plain import as_written
from biombo._errors import ColumnError
from biombo._i18n import text
from biombo._watch import warn

_NUMBERS = (int, float, Decimal)
_KINDS = (bool, _NUMBERS, (str, bytes), dt.datetime, dt.date, dt.time, dt.timedelta)
"""What values are by nature; the first that fits counts."""

_MIXED = {b"biombo": b"mixed"}
"""What Arrow's schema says of a column that holds text only because its values have no type in common."""


def batch_of(columns: Mapping[str, Sequence[Any]]) -> pa.RecordBatch:
    """Values by the names of their columns as a batch of Arrow."""
    found = [column_of(name, values) for name, values in columns.items()]
    fields = [
        pa.field(name, values.type, metadata=_MIXED if mixed else None)
        for name, (values, mixed) in zip(columns, found, strict=True)
    ]
    return pa.RecordBatch.from_arrays([values for values, _ in found], schema=pa.schema(fields))


def mixed_columns(batch: pa.RecordBatch) -> list[str]:
    """The columns that are text only because their values have no type in common."""
    return [field.name for field in batch.schema if field.metadata == _MIXED]


def column_of(name: str, values: Sequence[Any]) -> tuple[pa.Array, bool]:
    """The values of column ``name`` in Arrow: of their common type, else, with a warning, as text. And is it so?"""
    known = [_known(value) for value in values]
    if len({_nature(value) for value in known if value is not None}) <= 1:
        with suppress(pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
            return pa.array(known), False
    warn(text("errors.column.mixed", column=name))
    try:
        return pa.array([None if value is None else as_written(value) for value in known], pa.large_string()), True
    except ValueError:  # Python writes out no number of thousands of digits
        raise ColumnError("column.large-numbers", column=name) from None


def _known(value: Any) -> Any:
    if value is None or (isinstance(value, float | Decimal) and value != value):
        return None
    return value if any(isinstance(value, kind) for kind in _KINDS) else str(value)


def _nature(value: Any) -> object:
    kind = next(kind for kind in _KINDS if isinstance(value, kind))
    return (kind, value.utcoffset() is None) if isinstance(value, dt.datetime) else kind
