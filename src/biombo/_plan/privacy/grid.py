"""Numbers and dates between declared bounds, as whole numbers of steps."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from math import exp, expm1, isfinite
from typing import Self

import numpy as np
import polars as pl
import pyarrow as pa

from biombo._engine import Floats, Rows
from biombo._errors import ColumnError, UsageError
from biombo._hierarchy import Numerals
from biombo._plan.privacy.draws import Whole, largest_loss, noised
from biombo._plan.values.distinct_values import column_values
from biombo._plan.values.numbers import is_date_text, numbers_in, numbers_or_none

Bounds = tuple[float | str, ...]
"""Two numbers, or two dates as YYYY-MM-DD."""

_PLAIN_NUMERALS = Numerals()
_EPOCH = date(1970, 1, 1)
_WIDEST = 1 << 53
"""Steps that a float can still tell apart."""
_HARDLY = 1e-6
"""How far from a step a number may be by what floats cannot say."""


@dataclass(frozen=True)
class Grid:
    """The values that a noised column can have: ``low``, ``low + 1``, … ``high`` steps of 10 ** −``decimals``."""

    low: int
    high: int
    decimals: int
    dates: bool = False
    """Are they days since 1970?"""
    numerals: Numerals = _PLAIN_NUMERALS
    """How numbers that are text are written: declared, because what one record says must not depend on others."""

    @classmethod
    def of(cls, column: str, bounds: Bounds, decimals: int, numerals: Numerals) -> Self:
        """The grid between two bounds, which must lie on it."""
        if len(bounds) != 2 or len({isinstance(bound, str) for bound in bounds}) != 1:
            raise UsageError("privacy.bounds-shape", column=column, bounds=list(bounds))
        dates = isinstance(bounds[0], str)
        low, high = (_day(column, str(b)) if dates else _step(column, float(b), decimals) for b in bounds)
        if not low < high or max(abs(low), abs(high)) > _WIDEST:
            raise UsageError("privacy.bounds-order", column=column, low=bounds[0], high=bounds[1])
        return cls(low, high, decimals, dates, numerals)

    @property
    def ends(self) -> tuple[float, float]:
        """The bounds themselves."""
        unit = 10.0**self.decimals
        return self.low / unit, self.high / unit

    @property
    def width(self) -> int:
        """Steps from one bound to the other: how far apart two values can be, which is the noise's sensitivity."""
        return self.high - self.low

    def scale(self, epsilon: float) -> float:
        """The scale of noise by which ``epsilon`` holds for any two values: width / ε, rounded up."""
        scale = self.width / epsilon
        while largest_loss(self.width, scale) > epsilon:
            scale = float(np.nextafter(scale, np.inf))
        return scale

    def noised(self, steps: Whole, scale: float) -> Whole:
        """``steps`` put between the bounds, with noise, and put between the bounds again."""
        return np.clip(noised(np.clip(steps, self.low, self.high), scale), self.low, self.high)

    def chances(self, true: Whole, released: Whole, scale: float) -> Floats:
        """The chance of each of the ``released`` steps for each of the ``true`` ones, a row for each of these.

        With a = exp(−1 / scale), P(Z = z) = a^|z| (1 − a) / (1 + a); on a bound that is d steps away lies all that
        would be beyond it as well, P(Z ≥ d) = a^d / (1 + a).
        """
        a = exp(-1 / scale)
        distance = np.abs(np.clip(true, self.low, self.high)[:, None] - released[None, :])
        decay = np.exp(-distance / scale)
        on_bound = (released == self.low) | (released == self.high)
        return np.asarray(np.where(on_bound[None, :], decay, decay * -expm1(-1 / scale)) / (1 + a))

    def expected_move(self, scale: float) -> float:
        """How far noise moves a value in the middle, on average: the others move less, being nearer to a bound.

        With a = exp(−1 / scale) and d steps to a bound, Σ_{z = 1…d} P(Z ≥ z) = a (1 − a^d) / (1 − a²) on that side.
        """
        below = self.width // 2
        kept = [-expm1(-steps / scale) for steps in (below, self.width - below)]
        return sum(kept) * exp(-1 / scale) / -expm1(-2 / scale) * 10.0**-self.decimals

    def steps(self, chunk: pa.Array, column: str) -> Whole:
        """The values of a column, each put on the nearest step between the bounds."""
        values = column_values(chunk)
        numbers = _days(values, column) if self.dates else self._numbers(values, column)
        if np.isnan(numbers).any():
            raise ColumnError("privacy.missing-number", column=column)
        return np.rint(np.clip(numbers, *self.ends) * 10.0**self.decimals).astype(np.int64)

    def holds(self, values: pl.Series) -> Rows:
        """Which values lie on the grid just as they are: between the bounds, and not between two steps."""
        if self.dates != (values.dtype.is_temporal() or is_date_text(values)):
            return np.zeros(len(values), bool)
        numbers = numbers_or_none(values, self.numerals)
        steps = numbers * 10.0**self.decimals
        low, high = self.ends
        return np.asarray((numbers >= low) & (numbers <= high) & (np.abs(steps - np.rint(steps)) < _HARDLY))

    def values(self, steps: Whole) -> pa.Array:
        """What lies on ``steps``."""
        if self.dates:
            return pa.array(steps.astype(np.int32), pa.date32())
        return pa.array(steps if self.decimals == 0 else steps / 10**self.decimals)

    def _numbers(self, values: pl.Series, column: str) -> Floats:
        if values.dtype.is_temporal() or is_date_text(values):
            raise ColumnError("privacy.dates", column=column, example=str(values.drop_nulls()[0]))
        try:
            return numbers_in(values, column, self.numerals)
        except ColumnError as error:  # says what to do about it in other operations
            raise ColumnError("privacy.not-numbers", **error.values) from None


def _step(column: str, bound: float, decimals: int) -> int:
    steps = Decimal(repr(bound)).scaleb(decimals) if isfinite(bound) else Decimal("0.5")
    if steps != steps.to_integral_value():
        raise UsageError("privacy.bound-off-grid", column=column, bound=bound, decimals=decimals)
    return int(steps)


def _day(column: str, bound: str) -> int:
    try:
        return (date.fromisoformat(bound) - _EPOCH).days
    except ValueError:
        raise UsageError("privacy.bound-date", column=column, bound=bound) from None


def _days(values: pl.Series, column: str) -> Floats:
    """Days since 1970 of dates, or of text that begins with one."""
    days = pl.Series([None] * len(values), dtype=pl.Date)
    if values.dtype == pl.String:
        days = values.str.strip_chars().str.head(10).str.to_date("%Y-%m-%d", strict=False)
    elif values.dtype == pl.Date or isinstance(values.dtype, pl.Datetime):
        days = values.cast(pl.Date)
    strange = values.filter(values.is_not_null() & days.is_null())
    if len(strange):
        raise ColumnError("privacy.not-dates", column=column, example=str(strange[0]))
    return days.to_physical().cast(pl.Float64).fill_null(float("nan")).to_numpy()
