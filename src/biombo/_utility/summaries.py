"""Means, variances and quantiles of amounts, before and after."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite

import numpy as np

from biombo._cells import Counts, records_of
from biombo._data import Column, Dataset, parse_numbers
from biombo._utility.column_view import Floats, column_view, numbers_of, reads_as_numbers
from biombo._utility.reasons import Reason
from biombo._utility.tables import Tables

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class Statistic:
    """One number about a column in both tables."""

    name: str
    """``mean``, ``variance``, or a quantile such as ``q25``."""
    original: float
    release: float

    @property
    def error(self) -> float:
        """How far the release is off."""
        return abs(self.release - self.original)

    @property
    def relative_error(self) -> float | None:
        """The same as a share of the original number; none where that is 0."""
        return self.error / abs(self.original) if self.original else None


@dataclass(frozen=True)
class Summary:
    """What an analyst would find out about one column of amounts; an interval counts by its middle."""

    column: str
    statistics: tuple[Statistic, ...] = ()
    told: float = 1.0
    """The share of the release's records that have a number or an interval."""
    by_middle: bool = False
    """Are there intervals in the release?"""
    reason: Reason | None = None
    """Why there are no statistics."""


def summaries(tables: Tables) -> tuple[Summary, ...]:
    """All columns that hold amounts in the original."""
    return tuple(_summary(tables, name) for name in tables.columns if name in tables.numeric)


def _summary(tables: Tables, name: str) -> Summary:
    apart = tables.apart(name)
    compared = tables.asked(name)
    if not reads_as_numbers(compared.release[name], apart):
        return Summary(name, told=0.0, reason="not-numbers")
    before, after = (_Amounts.of(data, name, apart) for data in (compared.original, compared.release))
    return Summary(
        column=name,
        statistics=tuple(_compared(before.statistics, after.statistics)),
        told=after.told,
        by_middle=_has_intervals(compared.release[name]),
    )


def _compared(before: Mapping[str, float], after: Mapping[str, float]) -> Iterator[Statistic]:
    return (Statistic(key, before[key], after[key]) for key in before if key in after)


@dataclass(frozen=True, eq=False)
class _Amounts:
    """The amounts of a column."""

    numbers: Floats
    counts: Counts | None
    """How many records have each; None: one each."""
    told: float
    """The share of all records that have one."""

    @classmethod
    def of(cls, data: Dataset, name: str, apart: frozenset[str]) -> "_Amounts":
        view, counts = column_view(data[name], apart, numeric=True), data.counts
        assert view.numbers is not None
        told = data.records_in(view.rows) / data.records
        return cls(view.numbers[view.rows], None if counts is None else counts[view.rows], told)

    @property
    def statistics(self) -> dict[str, float]:
        """The mean, the variance (by n − 1), and quantiles between the two nearest numbers."""
        mean = float(np.average(self.numbers, weights=self.counts))
        records = records_of(len(self.numbers), self.counts)
        named = {f"q{round(100 * share):02}": value for share, value in zip(QUANTILES, self._quantiles(), strict=True)}
        with np.errstate(over="ignore"):  # then there is no variance to tell
            squares = float(np.average((self.numbers - mean) ** 2, weights=self.counts)) * records
        told = records > 1 and isfinite(squares)
        return {"mean": mean, **({"variance": squares / (records - 1)} if told else {}), **named}

    def _quantiles(self) -> list[float]:
        if self.counts is None:
            found: list[float] = np.quantile(self.numbers, QUANTILES).tolist()
            return found
        order = np.argsort(self.numbers)
        numbers, last = self.numbers[order], np.cumsum(self.counts[order])
        place = (last[-1] - 1) * np.array(QUANTILES)
        low, high = (numbers[np.searchsorted(last, each, "right")] for each in (np.floor(place), np.ceil(place)))
        between: list[float] = (low + (high - low) * (place - np.floor(place))).tolist()
        return between


def _has_intervals(column: Column) -> bool:
    plain = parse_numbers(column.values).is_not_null().to_numpy()
    return bool((~np.isnan(numbers_of(column.values)) & ~plain).any())
