"""Copies and near copies: how far synthetic records are from the nearest original one, and from one held out.

As many originals are looked at as were held out, and each different synthetic record counts once.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from biombo._synthesis.attacks.rates import Rate, wilson
from biombo._synthesis.attacks.three_tables import HARDLY, Codes, Floats, Side, ThreeTables, distances_between

_AT_ONCE = 1 << 22
"""Distances that are held at a time."""


@dataclass(frozen=True)
class Nearness:
    """How near synthetic records are, a column that differs counting as 1, and amounts by their range.

    A table that copies is nearer to its originals than to as many records held out, which nobody copied.
    """

    copies: tuple[int, int]
    """Different synthetic records that are original ones in all columns, of how many that were looked at."""
    twins: tuple[int, int]
    """The same beside records held out."""
    median: tuple[float, float]
    """The distance from originals, and from records held out, that half of the synthetic records do not exceed."""
    nearest: tuple[float, float]
    """The same for a twentieth of them."""
    confidence: float

    @property
    def rates(self) -> tuple[Rate, Rate]:
        """Shares of copies, and of twins."""
        return wilson(*self.copies, self.confidence), wilson(*self.twins, self.confidence)

    @property
    def is_copied(self) -> bool:
        """Are there more copies than chance explains?"""
        copies, twins = self.rates
        return copies.interval[0] > twins.interval[1]

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {name: list(each) if isinstance(each, tuple) else each for name, each in asdict(self).items()} | {
            "copied": self.is_copied
        }


def nearness(tables: ThreeTables, tries: int, confidence: float) -> Nearness:
    """Distances of so many different synthetic records from the nearest original, and from the nearest held out."""
    names = list(tables.columns)
    made = tables.tuples("synthetic", names)[0]
    made = made[tables.random.order(len(made))[:tries]]
    size = min(tables.sizes["original"], tables.sizes["control"])
    sides: tuple[Side, Side] = ("original", "control")
    original, control = (_lowest(tables, made, tables.codes(side, names, tables.some(side, size))) for side in sides)
    copies, twins = ((int((each < HARDLY).sum()), len(each)) for each in (original, control))
    median, nearest = (
        (float(np.quantile(original, share)), float(np.quantile(control, share))) for share in (0.5, 0.05)
    )
    return Nearness(copies, twins, median, nearest, confidence)


def _lowest(tables: ThreeTables, made: Codes, others: Codes) -> Floats:
    columns = list(tables.columns.values())
    parts = max(1, len(made) * len(others) // _AT_ONCE)
    return np.concatenate(
        [distances_between(columns, part, others).min(axis=1) for part in np.array_split(made, parts) if len(part)]
    )
