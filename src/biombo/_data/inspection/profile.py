"""The values of a column: how often they occur, and a bounded look at them as people would write them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._data.dataset import Column, Dataset

Counts = NDArray[np.int64]

_ROWS_AT_ONCE = 1 << 22


@dataclass(frozen=True)
class ColumnProfile:
    """What the frequencies of one column's values look like. A missing value counts as a value of its own."""

    name: str
    distinct: int
    missing: int
    """Rows without a value."""
    min_frequency: int
    median_frequency: float
    max_frequency: int
    unique_share: float
    """The share of rows whose value no other row has."""


def value_counts(column: Column) -> Counts:
    """How many rows hold each value, in the order of the column's dictionary."""
    counts = np.zeros(column.cardinality, np.int64)
    # np.bincount works on 64-bit copies: a slice at a time keeps those small next to the codes.
    step = max(_ROWS_AT_ONCE, column.cardinality)
    for start in range(0, len(column.codes), step):
        counts += np.bincount(column.codes[start : start + step], minlength=column.cardinality)
    return counts


_NOBODY = r"^[0\s.-]*$"
"""What stands where nobody is named."""


def first_of_each(data: Dataset, person: str) -> dict[str, Counts]:
    """As :func:`value_counts` for each column, of the first row of each person that the column ``person`` names, and of
    the rows in which it names nobody.
    """
    column = data[person]
    first = np.full(column.cardinality, data.rows, np.int64)
    first[column.codes[::-1]] = np.arange(data.rows - 1, -1, -1)
    nobody = column.values.cast(pl.String).fill_null("").str.contains(_NOBODY).to_numpy()
    rows = np.flatnonzero(nobody[column.codes] | (first[column.codes] == np.arange(data.rows)))
    return {name: np.bincount(each.codes[rows], minlength=each.cardinality) for name, each in data.columns.items()}


def profile(column: Column, counts: Counts) -> ColumnProfile:
    """Summarise the ``counts`` of ``column``, as :func:`value_counts` gives them."""
    occurring = counts[counts > 0]
    if not len(occurring):
        return ColumnProfile(column.name, 0, 0, 0, 0.0, 0, 0.0)
    return ColumnProfile(
        name=column.name,
        distinct=len(occurring),
        missing=int(counts[column.values.is_null().to_numpy()].sum()),
        min_frequency=int(occurring.min()),
        median_frequency=float(np.median(occurring)),
        max_frequency=int(occurring.max()),
        unique_share=int((occurring == 1).sum()) / len(column.codes),
    )


MOST_VALUES = 2_000
"""Checking values one by one is slow, and this many tell what a column holds."""

_LONGEST = 300


@dataclass(frozen=True)
class ValueSample:
    """Different values of one column, the missing one left out, and how many rows stand behind each."""

    values: tuple[str, ...]
    weights: tuple[int, ...]
    numeric: bool
    """Whether the source held numbers, so that leading zeros would be lost."""

    def share_of_rows(self, holds: list[bool]) -> float:
        """The share of rows whose value is marked in ``holds``."""
        marked = sum(weight for weight, hold in zip(self.weights, holds, strict=True) if hold)
        return marked / max(sum(self.weights), 1)


def value_sample(column: Column, counts: Counts) -> ValueSample:
    """All values of ``column``, or those met in a seeded draw of rows when there are more than ``MOST_VALUES``."""
    if column.cardinality <= MOST_VALUES:
        codes, weights = np.flatnonzero(counts), counts[counts > 0]
    else:
        rows = np.random.default_rng(0).integers(len(column.codes), size=MOST_VALUES)
        codes, weights = np.unique(column.codes[rows], return_counts=True)
    met = column.values.gather(codes).to_list()
    present = [(_written(value), int(weight)) for value, weight in zip(met, weights, strict=True) if value is not None]
    return ValueSample(
        values=tuple(value for value, _ in present),
        weights=tuple(weight for _, weight in present),
        numeric=column.values.dtype.is_numeric(),
    )


def _written(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value)[:_LONGEST].strip()
