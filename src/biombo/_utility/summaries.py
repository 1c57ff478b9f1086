"""Means, variances and quantiles of amounts, before and after."""

from dataclasses import dataclass

import numpy as np

from biombo._data import Column, parse_numbers
from biombo._utility.column_view import ColumnView, Floats, column_view, numbers_of, reads_as_numbers
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
    if not reads_as_numbers(tables.release[name], apart):
        return Summary(name, told=0.0, reason="not-numbers")
    original, release = (column_view(data[name], apart, numeric=True) for data in (tables.original, tables.release))
    before, after = _statistics(_numbers(original)), _statistics(_numbers(release))
    return Summary(
        column=name,
        statistics=tuple(Statistic(key, before[key], after[key]) for key in before if key in after),
        told=float(release.rows.mean()),
        by_middle=_has_intervals(tables.release[name]),
    )


def _numbers(column: ColumnView) -> Floats:
    assert column.numbers is not None
    return column.numbers[column.rows]


def _statistics(numbers: Floats) -> dict[str, float]:
    """The mean, the variance (by n − 1), and quantiles between the two nearest numbers."""
    quantiles = np.quantile(numbers, QUANTILES).tolist()
    named = {f"q{round(100 * share):02}": value for share, value in zip(QUANTILES, quantiles, strict=True)}
    spread = {"variance": float(numbers.var(ddof=1))} if len(numbers) > 1 else {}
    return {"mean": float(numbers.mean()), **spread, **named}


def _has_intervals(column: Column) -> bool:
    plain = parse_numbers(column.values).is_not_null().to_numpy()
    return bool((~np.isnan(numbers_of(column.values)) & ~plain).any())
