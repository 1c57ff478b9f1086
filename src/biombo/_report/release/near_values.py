"""Numbers and dates in intervals, for an adversary who looks for near values where noise has moved them."""

from dataclasses import replace

import polars as pl

from biombo._attack import stacked
from biombo._data import Column, ColumnSchema, binned, written
from biombo._errors import ColumnError
from biombo._plan import is_date_text


def in_intervals(released: Column, truth: Column, marks: frozenset[str]) -> tuple[Column, Column] | None:
    """Both columns with the same intervals for values; none where there is nothing to be gained by it.

    A column that has other values than numbers, dates and ``marks``, or few of them, is looked up as it stands.
    """
    both = stacked(released, truth)
    numbers = Column(both.name, both.codes, _as_numbers(both.values))
    try:
        column, binning = binned(numbers, ColumnSchema(type="continuous", invalid=frozenset(marks)))
    except ColumnError:
        return None
    if binning.kind == "each-value":
        return None
    first = len(released.codes)
    return replace(column, codes=column.codes[:first]), replace(column, codes=column.codes[first:])


def _as_numbers(values: pl.Series) -> pl.Series:
    """Dates as days since 1970."""
    if not is_date_text(values):
        return values
    days = values.str.to_date("%Y-%m-%d", strict=False).to_physical()
    return written(days).fill_null(values)
