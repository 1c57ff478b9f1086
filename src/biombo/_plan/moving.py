"""Numbers and dates that are moved by some amount, and then written as the column had them."""

from collections.abc import Sequence

import numpy as np
import polars as pl
import pyarrow as pa

from biombo._errors import ColumnError
from biombo._hierarchy.numerals import Numerals
from biombo._plan.distinct import as_text, places_in
from biombo._plan.exact_numbers import is_text
from biombo._plan.numeric import is_date_text, numbers_in
from biombo._plan.randomness import Floats

_FIRST_DAY, _LAST_DAY = -719_162, 2_932_896
"""The years 1 to 9999, in days since 1970."""


class Mover:
    """Moves the values of one column, chunk by chunk. Missing values and those ``apart`` stay.

    Numbers are rounded to ``decimals``; dates move by whole days, and keep their time of day. Text stays text, in the
    same ``numerals``.

    >>> Mover("height", 1, Numerals(","))(pa.array(["12,5", None]), np.array([0.24, 1.0])).to_list()
    ['12,7', None]
    """

    def __init__(self, column: str, decimals: int, numerals: Numerals, apart: Sequence[str] = ()) -> None:
        self._column = column
        self._decimals = decimals
        self._apart = apart
        self._numerals = numerals

    def __call__(self, chunk: pa.Array, by: Floats) -> pl.Series:
        """The values, each moved by its part of ``by``."""
        if is_text(chunk):
            return self._moved_text(chunk, by)
        values = pl.Series(chunk.dictionary_decode() if pa.types.is_dictionary(chunk.type) else chunk)
        if values.dtype == pl.Null:
            return values
        numbers = numbers_in(values, self._column, self._numerals, self._apart)
        return _put(values, numbers, self._moved(values, numbers, by))

    def _moved_text(self, chunk: pa.Array, by: Floats) -> pl.Series:
        coded = as_text(chunk, self._column)
        distinct = pl.Series([*coded.dictionary.to_pylist(), None], dtype=pl.String)
        places = places_in(coded)
        numbers = numbers_in(distinct, self._column, self._numerals, self._apart)[places]
        if is_date_text(distinct):
            moved = self._days(numbers + np.rint(by)).cast(pl.String)
        else:
            moved = _rounded(numbers + by, self._decimals).cast(pl.Decimal(38, self._decimals)).cast(pl.String)
            moved = moved.str.replace(".", self._numerals.decimal, literal=True)
        return _put(distinct.gather(places), numbers, moved)

    def _moved(self, values: pl.Series, numbers: Floats, by: Floats) -> pl.Series:
        """Values of a type that says what they are."""
        if values.dtype == pl.Date:
            return self._days(numbers + np.rint(by))
        if isinstance(values.dtype, pl.Datetime):
            self._days(numbers + np.rint(by))
            return values + pl.Series(np.rint(by) * 86_400_000_000).cast(pl.Int64).cast(pl.Duration("us"))
        if values.dtype.is_integer() and self._decimals == 0:
            return pl.Series(np.rint(numbers + by), nan_to_null=True).cast(pl.Int64)
        moved = _rounded(numbers + by, self._decimals)
        return moved.cast(pl.Decimal(38, self._decimals)) if values.dtype.is_decimal() else moved

    def _days(self, days: Floats) -> pl.Series:
        if (days < _FIRST_DAY).any() or (days > _LAST_DAY).any():
            raise ColumnError("plan.no-such-date", column=self._column)
        return pl.Series(days, nan_to_null=True).cast(pl.Int32).cast(pl.Date)


def _rounded(numbers: Floats, decimals: int) -> pl.Series:
    return pl.Series(np.round(numbers, decimals) + 0.0, nan_to_null=True)  # never minus zero


def _put(values: pl.Series, numbers: Floats, moved: pl.Series) -> pl.Series:
    """``moved`` where there is a number, else the value as it was."""
    stays = np.isnan(numbers)
    return moved.zip_with(~pl.Series(stays), values.cast(moved.dtype)) if stays.any() else moved
