"""Numbers and dates that are moved by some amount, and then written as the column had them."""

from collections.abc import Callable, Sequence

import numpy as np
import polars as pl
import pyarrow as pa

from biombo._data import written
from biombo._engine import Floats
from biombo._errors import ColumnError
from biombo._hierarchy import Numerals
from biombo._plan.privacy.grid import Grid
from biombo._plan.values.distinct_values import as_text, column_values, places_in
from biombo._plan.values.numbers import MICROSECONDS_A_DAY, is_date_text, is_text, numbers_in

MOST_DECIMALS = 9
"""To more of them, numbers are not rounded."""
_FIRST_DAY, _LAST_DAY = -719_162, 2_932_896
"""The years 1 to 9999, in days since 1970."""


_To = Callable[[Floats], Floats]
"""Where numbers, or days, go."""


class Mover:
    """Moves the values of one column, chunk by chunk. Missing values and those ``apart`` stay.

    Numbers are rounded to ``decimals``; dates move by whole days, and keep their time of day. Text stays text, in the
    same ``numerals``. What would leave ``grid`` stays on its nearest bound.

    >>> Mover("height", 1, Numerals(","))(pa.array(["12,5", None]), np.array([0.24, 1.0])).to_list()
    ['12,7', None]
    """

    def __init__(
        self, column: str, decimals: int, numerals: Numerals, apart: Sequence[str] = (), grid: Grid | None = None
    ) -> None:
        self._column = column
        self._decimals = decimals
        self._apart = apart
        self._numerals = numerals
        self._grid = grid

    def __call__(self, chunk: pa.Array, by: Floats) -> pl.Series:
        """The values, each moved by its part of ``by``."""
        return self._rewritten(chunk, lambda numbers: numbers + by, lambda days: days + np.rint(by))

    def multiplied(self, chunk: pa.Array, by: Floats) -> pl.Series:
        """The numbers, each multiplied by its part of ``by``; dates stay."""
        return self._rewritten(chunk, lambda numbers: numbers * by, lambda days: days)

    def put(self, chunk: pa.Array, at: Floats) -> pl.Series:
        """The values, each put where ``at`` says, without a time of day; it stays where that is not a number."""
        days = np.rint(at)
        moved = self._rewritten(chunk, lambda _numbers: at, lambda _days: days)
        if not isinstance(moved.dtype, pl.Datetime):
            return moved
        return _put(moved, at, moved.dt.truncate("1d"))

    def _rewritten(self, chunk: pa.Array, numbers_to: _To, days_to: _To) -> pl.Series:
        if is_text(chunk):
            return self._moved_text(chunk, numbers_to, days_to)
        values = column_values(chunk)
        if values.dtype == pl.Null:
            return values
        numbers = numbers_in(values, self._column, self._numerals, self._apart)
        return _put(values, numbers_to(numbers), self._moved(values, numbers, numbers_to, days_to))

    def _moved_text(self, chunk: pa.Array, numbers_to: _To, days_to: _To) -> pl.Series:
        coded = as_text(chunk, self._column)
        distinct = pl.Series([*coded.dictionary.to_pylist(), None], dtype=pl.String)
        places = places_in(coded)
        numbers = numbers_in(distinct, self._column, self._numerals, self._apart)[places]
        if is_date_text(distinct):
            moved = self._days(self._within(days_to(numbers), distinct)).cast(pl.String)
        else:
            moved = (
                _rounded(self._within(numbers_to(numbers), distinct), self._decimals)
                .cast(pl.Decimal(38, self._decimals))
                .cast(pl.String)
            )
            moved = moved.str.replace(".", self._numerals.decimal, literal=True)
        return _put(distinct.gather(places), numbers_to(numbers), moved)

    def _moved(self, values: pl.Series, numbers: Floats, numbers_to: _To, days_to: _To) -> pl.Series:
        """Values of a type that says what they are."""
        if values.dtype == pl.Date:
            return self._days(self._within(days_to(numbers), values))
        if isinstance(values.dtype, pl.Datetime):
            days = np.floor(numbers)
            moved_to = self._within(days_to(days), values)
            self._days(moved_to)
            microseconds = pl.Series((moved_to - days) * MICROSECONDS_A_DAY, nan_to_null=True).cast(pl.Int64)
            return values + microseconds.cast(pl.Duration("us"))
        if values.dtype.is_integer() and self._decimals == 0:
            return pl.Series(np.rint(self._within(numbers_to(numbers), values)), nan_to_null=True).cast(pl.Int64)
        moved = _rounded(self._within(numbers_to(numbers), values), self._decimals)
        return moved.cast(pl.Decimal(38, self._decimals)) if values.dtype.is_decimal() else moved

    def _within(self, moved: Floats, values: pl.Series) -> Floats:
        """What has left the bounds, put back on the nearest one; ``values`` are dates or numbers, as the bounds are."""
        if self._grid is None or np.isnan(moved).all():
            return moved
        dates = values.dtype.is_temporal() or is_date_text(values)
        if dates != self._grid.dates:
            example = written(values.drop_nulls())[0]
            raise ColumnError("privacy.dates" if dates else "privacy.not-dates", column=self._column, example=example)
        return np.clip(moved, *self._grid.ends)

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
