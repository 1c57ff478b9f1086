"""How often the values of a column occur."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._data.dataset import Column

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
