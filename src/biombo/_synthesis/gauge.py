"""Amounts as whole units: numbers, dates, moments and times of the day, read and written back alike."""

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._cells import Counts

Units = NDArray[np.int64]

_NUMBER = r"^-?(0|[1-9][0-9]{0,14})([.,][0-9]{1,9})?$"
_DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_CLOCK = r"^([01]?[0-9]|2[0-3]):[0-5][0-9]$"
_MINUTE = 60_000_000
"""Microseconds."""
_FINEST = 9
"""Decimals that are looked at."""


class Gauge(ABC):
    """How the values of a column are read as whole units, and units written as values."""

    @abstractmethod
    def units(self, values: pl.Series) -> pl.Series:
        """Whole numbers; missing where a value is, or cannot be read."""

    @abstractmethod
    def values(self, units: Units) -> pl.Series:
        """The values that lie on ``units``."""


@dataclass(frozen=True)
class NumberGauge(Gauge):
    """Numbers in steps of 10^−``decimals``, as numbers or as text."""

    decimals: int
    as_text: bool
    mark: str = "."

    def units(self, values: pl.Series) -> pl.Series:
        """The number of steps, rounded."""
        numbers = values
        if values.dtype == pl.String:
            fitting = values.set(~values.str.contains(_NUMBER).fill_null(False), None)
            numbers = fitting.str.replace(",", ".", literal=True).cast(pl.Float64)
        return (numbers.cast(pl.Float64) * 10.0**self.decimals).round().cast(pl.Int64, strict=False)

    def values(self, units: Units) -> pl.Series:
        """Numbers, with as many decimals for all."""
        if self.as_text:
            written = [f"{unit / 10**self.decimals:.{self.decimals}f}" for unit in units.tolist()]
            return pl.Series([each.replace(".", self.mark) for each in written], dtype=pl.String)
        return pl.Series(units) if self.decimals == 0 else pl.Series(units / 10**self.decimals)


@dataclass(frozen=True)
class DayGauge(Gauge):
    """Dates in days."""

    as_text: bool

    def units(self, values: pl.Series) -> pl.Series:
        """Days since 1970."""
        days = values.str.to_date("%Y-%m-%d", strict=False) if values.dtype == pl.String else values
        return days.to_physical().cast(pl.Int64)

    def values(self, units: Units) -> pl.Series:
        """The dates."""
        days = pl.Series(units).cast(pl.Int32).cast(pl.Date)
        return days.dt.to_string("%Y-%m-%d") if self.as_text else days


@dataclass(frozen=True)
class MomentGauge(Gauge):
    """Moments in minutes."""

    dtype: Any

    def units(self, values: pl.Series) -> pl.Series:
        """Minutes since 1970."""
        return values.cast(pl.Datetime("us")).to_physical() // _MINUTE

    def values(self, units: Units) -> pl.Series:
        """The moments."""
        return (pl.Series(units) * _MINUTE).cast(pl.Datetime("us")).cast(self.dtype)


@dataclass(frozen=True)
class ClockGauge(Gauge):
    """Times of the day as text, ``8:05`` or ``08:05``, in minutes.

    >>> clock = ClockGauge(padded=False)
    >>> clock.units(pl.Series(["8:05", "17:00"])).to_list(), clock.values(np.array([485])).to_list()
    ([485, 1020], ['8:05'])
    """

    padded: bool

    def units(self, values: pl.Series) -> pl.Series:
        """Minutes since midnight."""
        fitting = values.set(~values.str.contains(_CLOCK).fill_null(False), None)
        parts = fitting.str.split_exact(":", 1).struct.unnest()
        hours, minutes = (parts.to_series(place).cast(pl.Int64) for place in (0, 1))
        return hours * 60 + minutes

    def values(self, units: Units) -> pl.Series:
        """The times of the day."""
        width = 2 if self.padded else 1
        return pl.Series([f"{unit // 60:0{width}d}:{unit % 60:02d}" for unit in units.tolist()], dtype=pl.String)


def gauge_of(values: pl.Series, counts: Counts, least: int = 1) -> Gauge | None:
    """How distinct ``values``, of so many records each, can be read as amounts; none where they are names or codes.

    Text is an amount only where it is written as numbers are: ``007`` is a code. Decimals are those that at least
    ``least`` records have.

    >>> gauge_of(pl.Series(["1,50", "12,25"]), np.array([5, 5])), gauge_of(pl.Series(["007", "12"]), np.array([5, 5]))
    (NumberGauge(decimals=2, as_text=True, mark=','), None)
    """
    there, counts = values.drop_nulls(), counts[values.is_not_null().to_numpy()]
    if len(there) == 0:
        return None
    if there.dtype == pl.Date:
        return DayGauge(as_text=False)
    if isinstance(there.dtype, pl.Datetime):
        return MomentGauge(there.dtype)
    if there.dtype.is_integer():
        return NumberGauge(0, as_text=False)
    if there.dtype.is_float() or there.dtype.is_decimal():
        return NumberGauge(_decimals(there.cast(pl.Float64).cast(pl.String), counts, least), as_text=False)
    return _gauge_of_text(there, counts, least) if there.dtype == pl.String else None


def _gauge_of_text(there: pl.Series, counts: Counts, least: int) -> Gauge | None:
    if there.str.contains(_NUMBER).all():
        commas, points = (bool(there.str.contains(mark, literal=True).any()) for mark in ",.")
        if commas and points:
            return None
        return NumberGauge(_decimals(there, counts, least), as_text=True, mark="," if commas else ".")
    if there.str.contains(_CLOCK).all():
        return ClockGauge(padded=bool(there.str.starts_with("0").any() and not there.str.contains("^[1-9]:").any()))
    dated = there.str.contains(_DATE).all() and there.str.to_date("%Y-%m-%d", strict=False).is_not_null().all()
    return DayGauge(as_text=True) if dated else None


def _decimals(written: pl.Series, counts: Counts, least: int) -> int:
    """The most decimals that at least ``least`` records have; a zero behind the point of a float is none."""
    lengths = [len(part) for part in (_behind(each) for each in written.to_list())]
    records = np.bincount(np.minimum(lengths, _FINEST), weights=counts, minlength=_FINEST + 1)
    return int(max(np.flatnonzero(records >= least), default=0))


def _behind(written: str) -> str:
    part = re.split("[.,]", written)[1] if re.fullmatch(r"-?\d+[.,]\d+", written) else ""
    return "" if part == "0" else part
