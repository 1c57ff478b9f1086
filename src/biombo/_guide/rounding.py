"""To what numbers are rounded so that their changes are slight."""

from math import floor, isfinite, log10

import numpy as np

from biombo._data import Column, ColumnSchema, value_counts, written

_STEPS = (1, 2, 5, 10)
_PARTS = 20
"""Into so many parts the range of most values is divided."""
_MOST = (0.05, 0.95)
"""The few with the smallest and largest values do not decide."""


def rounding_base(column: Column, about: ColumnSchema) -> float | None:
    """The round number that is nearest to a twentieth of the range of most values (PDPC 2018, 12.4); none where they
    are no plain numbers, or hardly differ.

    >>> from biombo import ColumnSchema, read
    >>> import polars as pl
    >>> rounding_base(read(pl.DataFrame({"weight": range(40, 100)}))["weight"], ColumnSchema("quasi", "discrete"))
    2
    """
    if about.type not in ("discrete", "continuous"):
        return None
    texts, held = written(column.values).to_list(), value_counts(column)
    counted = [
        (each, int(count)) for each, count in zip(texts, held, strict=True) if each and each not in about.invalid
    ]
    try:
        numbers = np.repeat([float(each) for each, _ in counted], [count for _, count in counted])
    except ValueError:
        return None
    if not len(numbers) or not np.isfinite(numbers).all():
        return None
    low, high = np.quantile(numbers, _MOST)
    return _round_number((high - low) / _PARTS, whole=about.type == "discrete")


def _round_number(near: float, *, whole: bool) -> float | None:
    """The nearest of 1, 2, 5, 10, 20, … by ratio.

    >>> _round_number(3.9, whole=True), _round_number(0.3, whole=False), _round_number(0.3, whole=True)
    (5, 0.2, 2)
    """
    if near <= 0 or not isfinite(near):
        return None
    scale = floor(log10(near))
    round_ones: list[float] = [step * 10**scale if scale >= 0 else step / 10**-scale for step in _STEPS]
    base = min(round_ones, key=lambda each: abs(log10(each / near)))
    return max(base, 2) if whole else base
