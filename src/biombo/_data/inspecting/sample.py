"""A bounded look at the different values of a column, as people would write them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from biombo._data.dataset import Column
from biombo._data.inspecting.profile import Counts

MOST_VALUES = 2_000
"""Checking values one by one is slow, and this many tell what a column holds."""

_LONGEST = 300


@dataclass(frozen=True)
class Sample:
    """Different values of one column, the missing one left out, and how many rows stand behind each."""

    values: tuple[str, ...]
    weights: tuple[int, ...]
    numeric: bool
    """Whether the source held numbers, so that leading zeros would be lost."""

    def share_of_rows(self, holds: list[bool]) -> float:
        """The share of rows whose value is marked in ``holds``."""
        marked = sum(weight for weight, hold in zip(self.weights, holds, strict=True) if hold)
        return marked / max(sum(self.weights), 1)


def sample(column: Column, counts: Counts) -> Sample:
    """All values of ``column``, or those met in a seeded draw of rows when there are more than ``MOST_VALUES``."""
    if column.cardinality <= MOST_VALUES:
        codes, weights = np.flatnonzero(counts), counts[counts > 0]
    else:
        rows = np.random.default_rng(0).integers(len(column.codes), size=MOST_VALUES)
        codes, weights = np.unique(column.codes[rows], return_counts=True)
    met = column.values.gather(codes).to_list()
    present = [(_written(value), int(weight)) for value, weight in zip(met, weights, strict=True) if value is not None]
    return Sample(
        values=tuple(value for value, _ in present),
        weights=tuple(weight for _, weight in present),
        numeric=column.values.dtype.is_numeric(),
    )


def _written(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value)[:_LONGEST].strip()
