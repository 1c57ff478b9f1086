"""Copies and near copies: how far synthetic records are from the nearest original one, beside records held out."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from biombo._synthesis.attacks.rates import Rate, wilson
from biombo._synthesis.attacks.three_tables import HARDLY, Floats, Side, ThreeTables, distances_between

_AT_ONCE = 1 << 22
"""Distances that are held at a time."""


@dataclass(frozen=True)
class Nearness:
    """How near records are to the originals, a column that differs counting as 1, and amounts by their range.

    A synthetic table that copies has more copies than records held out have twins among the originals.
    """

    copies: tuple[int, int]
    """Synthetic records that are original ones in all columns, of how many that were looked at."""
    twins: tuple[int, int]
    """The same of records held out, which nobody copied."""
    median: tuple[float, float]
    """The distance that half of the synthetic records, and half of those held out, do not exceed."""
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
    """Distances of synthetic records, and of records held out, so many of each, from the nearest original."""
    synthetic, held_out = (_lowest(tables, side, tries) for side in ("synthetic", "control"))
    copies, twins = ((int((each < HARDLY).sum()), len(each)) for each in (synthetic, held_out))
    median, nearest = (
        (float(np.quantile(synthetic, share)), float(np.quantile(held_out, share))) for share in (0.5, 0.05)
    )
    return Nearness(copies, twins, median, nearest, confidence)


def _lowest(tables: ThreeTables, side: Side, tries: int) -> Floats:
    names = list(tables.columns)
    originals = tables.tuples("original", names)[0]
    wanted = tables.codes(side, names, tables.some(side, tries))
    columns = list(tables.columns.values())
    parts = max(1, len(wanted) * len(originals) // _AT_ONCE)
    return np.concatenate(
        [distances_between(columns, part, originals).min(axis=1) for part in np.array_split(wanted, parts) if len(part)]
    )
