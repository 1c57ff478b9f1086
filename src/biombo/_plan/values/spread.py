"""How widely the numbers of a column are spread, against how far a plan moves them (PDPC 2018, 12.4)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from biombo._data import written
from biombo._engine import Floats, Summary, Warn
from biombo._hierarchy import Numerals
from biombo._i18n import text
from biombo._plan.values.distinct_values import column_values
from biombo._plan.values.numbers import numbers_or_none

_KEPT = 4096
"""Numbers by which quantiles are told, at most: beyond it two neighbours become one."""
_FEWEST = 50
"""Of fewer values, quantiles say nothing."""
_LEAST, _MOST = 1 / 100, 1 / 2
"""How far values may be moved, as shares of what most of them span."""
_SKEWED = 20
"""By how much the range may exceed what the middle half of the values span: that of a normal distribution is 7 times as
wide in a million records, and 13 times where amounts fall off exponentially."""


@dataclass(frozen=True, eq=False)
class Spread(Summary):
    """The numbers that were met, in ascending order, each with how many records it stands for."""

    column: str
    reach: float
    """How wide the interval is of true values that can come out as the same one."""
    numbers: Floats
    counts: Floats

    def merged(self, other: "Spread") -> "Spread":
        """Those of both."""
        numbers, counts = _condensed(
            np.concatenate([self.numbers, other.numbers]), np.concatenate([self.counts, other.counts])
        )
        return replace(self, numbers=numbers, counts=counts)

    def tell(self, warn: Warn) -> None:
        """Warn where values are moved by too little or too much for their range, or a few of them are far from all
        others. No number is told.
        """
        most = self._between(0.05, 0.95)
        if self.counts.sum() < _FEWEST or most <= 0:
            return
        if self.reach < _LEAST * most:
            warn(text("plan.warnings.moved-little", column=self.column))
        if self.reach > _MOST * most:
            warn(text("plan.warnings.moved-far", column=self.column))
        if self._between(0, 1) > _SKEWED * (self._between(0.25, 0.75) or most):
            warn(text("plan.warnings.skewed", column=self.column))

    def _between(self, low: float, high: float) -> float:
        """How far apart two quantiles are."""
        if not len(self.numbers):
            return 0.0
        below = np.cumsum(self.counts)
        places = np.searchsorted(below, np.array([low, high]) * below[-1])
        first, last = self.numbers[np.minimum(places, len(below) - 1)]
        return float(last - first)


class SpreadSeen:
    """Notes the numbers of one column, chunk by chunk; missing values and those ``apart`` are none."""

    def __init__(self, column: str, reach: float, numerals: Numerals, apart: Sequence[str] = ()) -> None:
        self._found = Spread(column, reach, np.empty(0), np.empty(0))
        self._numerals = numerals
        self._apart = list(apart)

    def add(self, chunk: pa.Array) -> None:
        """Look at each distinct value once."""
        met = column_values(chunk).alias("value").value_counts(name="records")
        values = met["value"]
        numbers = numbers_or_none(values, self._numerals)
        is_one = np.isfinite(numbers) & ~written(values).is_in(self._apart).fill_null(True).to_numpy()
        counts = met["records"].to_numpy().astype(np.float64)
        self._found = self._found.merged(replace(self._found, numbers=numbers[is_one], counts=counts[is_one]))

    def summary(self) -> Spread:
        """All that was met."""
        return self._found


def _condensed(numbers: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Distinct numbers in ascending order, the first and the last among them; neighbours count together where there
    are too many.

    >>> [each.tolist() for each in _condensed(np.array([3.0, 1.0, 3.0]), np.array([1.0, 2.0, 1.0]))]
    [[1.0, 3.0], [2.0, 2.0]]
    """
    distinct, place = np.unique(numbers, return_inverse=True)
    held: Floats = np.bincount(place.ravel(), counts, minlength=len(distinct)).astype(np.float64)
    while len(distinct) > _KEPT:
        firsts = np.arange(1, len(distinct) - 1, 2)
        starts = np.array([0, *firsts, len(distinct) - 1])
        distinct, held = distinct[starts], np.add.reduceat(held, starts)
    return distinct, held
