"""Columns of Python values, as databases and object columns give them."""

import datetime as dt
import warnings
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pyarrow as pa

from biombo._data.plain import as_written
from biombo._errors import BiomboWarning, ColumnError
from biombo._i18n import text

_KNOWN = (str, bytes, bool, int, float, Decimal, dt.date, dt.time, dt.timedelta)


def column_of(name: str, values: Sequence[Any]) -> pa.Array:
    """The values of column ``name`` in Arrow: of their common type, else, with a warning, as text."""
    try:
        return pa.array([value if value is None or isinstance(value, _KNOWN) else str(value) for value in values])
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        warnings.warn(text("errors.column.mixed", column=name), BiomboWarning, stacklevel=2)
    try:
        return pa.array([None if value is None else as_written(value) for value in values], pa.large_string())
    except ValueError:  # Python writes out no number of thousands of digits
        raise ColumnError("column.large-numbers", column=name) from None
