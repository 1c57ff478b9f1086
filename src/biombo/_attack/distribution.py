"""How a risk is spread over the records."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._cells import tallied
from biombo._errors import UsageError


@dataclass(frozen=True, eq=False)
class Distribution:
    """A number between 0 and 1 for each record, kept as distinct values with how many records have each.

    >>> d = Distribution.of(np.array([0.5, 1.0, 1.0, 0.25]))
    >>> d.mean, d.count_above(0.9), d.share_above(0.9)
    (0.6875, 2, 0.5)
    """

    values: NDArray[np.float64]
    records: NDArray[np.int64]

    @classmethod
    def of(cls, values: NDArray[np.float64], records: NDArray[np.int64] | None = None) -> "Distribution":
        """Gather values, each for one record or for as many as ``records`` says."""
        distinct, place = np.unique(values, return_inverse=True)
        return cls(distinct, tallied(place, len(distinct), records))

    @property
    def mean(self) -> float:
        """The mean over the records."""
        return float(np.dot(self.values, self.records) / self.records.sum())

    def count_above(self, threshold: float) -> int:
        """How many records lie above ``threshold``."""
        return int(self.records[self.values > threshold].sum())

    def share_above(self, threshold: float) -> float:
        """Which share of the records lies above ``threshold``."""
        return self.count_above(threshold) / int(self.records.sum())

    def histogram(self, bins: int = 10) -> pl.DataFrame:
        """Records in ``bins`` equal intervals (a, b] of [0, 1]; the first one holds 0 as well."""
        if bins < 1:
            raise UsageError("attack.bins", bins=bins)
        # 0.3 * 10 is 3.0000000000000004 in floating point; the edge it stands for is 3.
        places = np.clip(np.ceil(np.round(self.values * bins, 9)).astype(np.int64) - 1, 0, bins - 1)
        counts = tallied(places, bins, self.records)
        edges = np.arange(bins + 1) / bins
        return pl.DataFrame(
            {"low": edges[:-1], "high": edges[1:], "records": counts, "share": counts / self.records.sum()}
        )
