"""Values in their order, where they are numbers or dates however these are written."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

Amounts = NDArray[np.float64]

_MOST = 0.9
"""The share of values that must be read alike: files have typing errors."""
_DATES = ("%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%Y%m%d", "%d%m%Y")
_FIRST_DAY, _LAST_DAY = -43_800, 65_700
"""Days from 1970 to 1850 and to 2150: what is read as a day beyond them is none."""


def amounts_of(values: pl.Series) -> Amounts | None:
    """A number for each of ``values`` by which they are in order, not a number where there is none; nothing where most
    of them are neither numbers nor dates.

    >>> amounts_of(pl.Series(["02011970", "01021970"])).tolist(), amounts_of(pl.Series(["F", "M"]))
    ([1.0, 31.0], None)
    """
    if values.dtype == pl.String:
        return _of_text(values.str.strip_chars())
    if values.dtype.is_temporal():
        values = values.to_physical()
    return values.cast(pl.Float64).to_numpy() if values.dtype.is_numeric() else None


def _of_text(values: pl.Series) -> Amounts | None:
    for format in _DATES:
        days = values.str.slice(0, 10).str.to_date(format, strict=False).to_physical()
        days = days.set(~days.is_between(_FIRST_DAY, _LAST_DAY), None)
        if _are_most(days, values):
            return days.cast(pl.Float64).to_numpy()
    numbers = values.str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)
    return numbers.to_numpy() if _are_most(numbers, values) else None


def _are_most(read: pl.Series, values: pl.Series) -> bool:
    there = len(values) - values.null_count()
    return there > 0 and len(read) - read.null_count() >= _MOST * there
