"""Columns as numbers: numbers as they are or as text, dates as days since 1970."""

from collections.abc import Sequence

import polars as pl

from biombo._data import written
from biombo._engine import Floats
from biombo._errors import ColumnError
from biombo._hierarchy import Numerals

LARGEST = 10**15
"""Beyond it, floating-point numbers are too far apart to count with."""

_MICROSECONDS_A_DAY = 86_400_000_000


def numbers_in(values: pl.Series, column: str, numerals: Numerals, apart: Sequence[str] = ()) -> Floats:
    """``values`` as numbers; not a number for a missing one and for those ``apart``.

    Text is read as ISO dates if there are any, else as numbers in ``numerals``.

    >>> numbers_in(pl.Series(["12,5", "999", None]), "height", Numerals(","), apart=["999"]).tolist()
    [12.5, nan, nan]
    """
    asked = values.is_not_null() & values.is_not_nan() if values.dtype.is_float() else values.is_not_null()
    if apart:
        asked &= ~written(values).is_in(list(apart)).fill_null(False)
    numbers = _numbers(values.set(~asked, None), numerals)
    strange = values.filter(asked & ~(numbers.abs() <= LARGEST).fill_null(False))
    if len(strange):
        raise ColumnError("plan.not-numbers", column=column, example=str(strange[0]))
    return numbers.fill_null(float("nan")).to_numpy()


def is_date_text(values: pl.Series) -> bool:
    """Are there ISO dates in ``values``?"""
    return values.dtype == pl.String and bool(_iso_dates(values).is_not_null().any())


def _iso_dates(values: pl.Series) -> pl.Series:
    return values.str.to_date("%Y-%m-%d", strict=False)


def _numbers(values: pl.Series, numerals: Numerals) -> pl.Series:
    if is_date_text(values):
        values = _iso_dates(values)
    if values.dtype == pl.Date:
        return values.to_physical().cast(pl.Float64)
    if isinstance(values.dtype, pl.Datetime):
        return values.cast(pl.Datetime("us")).to_physical() / _MICROSECONDS_A_DAY
    if values.dtype == pl.String:
        return _read(values.str.strip_chars(), numerals)
    if values.dtype.is_numeric():
        return values.cast(pl.Float64)
    return pl.Series(values.name, [None] * len(values), pl.Float64)


def _read(values: pl.Series, numerals: Numerals) -> pl.Series:
    """The same as ``numerals.read`` for each of ``values``, many at a time."""
    plain = values.str.replace_all(numerals.thousands, "", literal=True) if numerals.thousands else values
    numbers = plain.str.replace(numerals.decimal, ".", literal=True).cast(pl.Float64, strict=False)
    return numbers.set(~values.str.contains(f"^(?:{numerals.pattern.pattern})$").fill_null(False), None)
