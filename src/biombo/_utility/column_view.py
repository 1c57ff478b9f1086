"""A column for statistics: amounts, an interval by its middle, or numbered values; and where nothing is told."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._cells import Counts, tallied
from biombo._data import Column, Schema, column_type, parse_numbers, value_sample, written

Floats = NDArray[np.float64]
Reading = Callable[[pl.Series], Floats]
"""How values become numbers."""

_HALF_OPEN = re.compile(r"\[(?P<low>[^ ;\[\]]+?)[;,] (?P<high>[^ ;\[\]]+)\)")
_INCLUSIVE = re.compile(r"(?P<low>[+-]?\d+)-(?P<high>[+-]?\d+)")


def is_numeric(column: Column, schema: Schema, counts: Counts | None = None) -> bool:
    """Does the column hold amounts?"""
    return _type(column, schema, counts) in ("discrete", "continuous")


def is_dated(column: Column, schema: Schema, counts: Counts | None = None) -> bool:
    """Does the column hold dates?"""
    return _type(column, schema, counts) == "date"


def _type(column: Column, schema: Schema, counts: Counts | None) -> str:
    """As the schema says, and where that is silent, by what the values look like."""
    if column.name in schema.columns:
        return schema[column.name].type
    return column_type(value_sample(column, tallied(column.codes, column.cardinality, counts)))


def numbers_of(values: pl.Series) -> Floats:
    """``values`` as numbers, an interval by its middle; not a number where neither is told.

    Intervals are read as hierarchies write them: ``[20, 30)``, ``[2,5; 7,5)``, ``20-29``. One without an end has no
    middle.

    >>> numbers_of(pl.Series(["31", "[20, 30)", "20-29", "≥ 90", "*", None])).tolist()
    [31.0, 25.0, 24.5, nan, nan, nan]
    """
    if values.dtype != pl.String:
        return _floats(parse_numbers(values))
    ends = [_ends(value) for value in values.to_list()]
    # Both ends in one go: whether a comma is the mark before decimals is told by all numbers of the column.
    numbers = _floats(parse_numbers(pl.Series([end for pair in ends for end in pair], dtype=pl.String)))
    return np.asarray(numbers.reshape(-1, 2).mean(axis=1), np.float64)


def days_of(values: pl.Series) -> Floats:
    """``values`` as days, a month or a year by its first one; not a number where no such date is told.

    >>> days_of(pl.Series(["1970-01-02", "1970-02", "1971", "02/01/1970", "*", None])).tolist()
    [1.0, 31.0, 365.0, nan, nan, nan]
    """
    first_days = (written(values) + "-01-01").str.head(10).str.to_date("%Y-%m-%d", strict=False)
    return _floats(first_days.to_physical().cast(pl.Float64))


@dataclass(frozen=True, eq=False)
class ColumnView:
    """One column of one table, row by row."""

    rows: NDArray[np.bool_]
    """Where something is told; a missing value is a value of its own among categories, but no number."""
    numbers: Floats | None
    codes: NDArray[np.integer]

    @cached_property
    def everywhere(self) -> bool:
        """Is something told in every row?"""
        return bool(self.rows.all())


def reads_as_numbers(column: Column, marks: frozenset[str], reading: Reading = numbers_of) -> bool:
    """Is every value that is told a number, or an interval with a middle?"""
    told = ~_untold(column, marks) & column.values.is_not_null().to_numpy()
    return bool(told.any()) and not np.isnan(reading(column.values)[told]).any()


def amounts(column: Column, marks: frozenset[str], reading: Reading = numbers_of) -> Floats:
    """The numbers of the column's values, in the order of its dictionary; not a number for marks."""
    return np.where(_untold(column, marks), np.nan, reading(column.values))


def column_view(column: Column, marks: frozenset[str], *, numeric: bool) -> ColumnView:
    """``column`` as numbers where it is ``numeric``, else as categories; marks tell nothing unless there is no more."""
    if numeric:
        numbers = amounts(column, marks)[column.codes]
        return ColumnView(~np.isnan(numbers), numbers, column.codes)
    rows = ~_untold(column, marks)[column.codes]
    return ColumnView(rows if rows.any() else ~rows, None, column.codes)


def _untold(column: Column, marks: frozenset[str]) -> NDArray[np.bool_]:
    return written(column.values).is_in(sorted(marks)).fill_null(False).to_numpy()


def _ends(value: str | None) -> tuple[str | None, str | None]:
    match = None if value is None else _HALF_OPEN.fullmatch(value) or _INCLUSIVE.fullmatch(value)
    return (match["low"], match["high"]) if match else (value, value)


def _floats(numbers: pl.Series) -> Floats:
    return np.asarray(numbers.fill_null(np.nan).to_numpy(), np.float64)
