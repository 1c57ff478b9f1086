"""What each column loses at each level, whatever happens to the others."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Counts, LevelledColumn, records_of, tallied

Floats = NDArray[np.float64]
Rows = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ColumnMarginals:
    """One column, level by level, over all records."""

    share: Floats
    """Σ over records of the share of the domain under their value."""
    entropy: Floats
    """Σ over records of log₂ of how many records share their generalised value, less those that share their own."""
    distinct: NDArray[np.int64]
    """How many different values occur."""
    domain: int

    @property
    def height(self) -> int:
        """The highest level."""
        return len(self.share) - 1

    @classmethod
    def of(
        cls, column: LevelledColumn, keep: NDArray[np.bool_] | None = None, counts: Counts | None = None
    ) -> "ColumnMarginals":
        """Count a column's values at every level, in the rows that ``keep`` marks."""
        records = tallied(column.codes, column.levels.shape[1], counts, keep)
        share = column.leaves.astype(float) @ records.astype(float) / column.domain
        entropy, distinct = zip(*(_at_level(level, records) for level in column.levels), strict=True)
        return cls(share, np.array(entropy), np.array(distinct), column.domain)


def _at_level(level: NDArray[np.int64], records: NDArray[np.int64]) -> tuple[float, int]:
    shared = sharing(level, records)
    return bits_between(records, shared, records), len(np.unique(level[records > 0]))


def sharing(level: NDArray[np.int64], records: NDArray[np.int64]) -> NDArray[np.int64]:
    """By code: how many records share its value at a level, where ``records`` have each code.

    >>> sharing(np.array([7, 7, 9]), np.array([2, 1, 5])).tolist()
    [3, 3, 5]
    """
    group = np.unique(level, return_inverse=True)[1]
    return tallied(group, int(group.max(initial=0)) + 1, records)[group]


def bits_between(own: NDArray[np.int64], shared: NDArray[np.int64], records: NDArray[np.int64]) -> float:
    """Σ over ``records``, by code, of log₂ of how many are ``shared`` with it, less those that are its ``own``."""
    held = records > 0
    # A sum of -n·log2(1) is a negative zero, which nobody wants to read.
    return float(-(records[held] * np.log2(own[held] / shared[held])).sum()) + 0.0


@dataclass(frozen=True, eq=False)
class Marginals:
    """What all columns lose at each of their levels."""

    columns: tuple[ColumnMarginals, ...]
    records: int

    @classmethod
    def of(
        cls,
        columns: Sequence[LevelledColumn],
        rows: int,
        keep: NDArray[np.bool_] | None = None,
        counts: Counts | None = None,
    ) -> "Marginals":
        """Count the columns of a table, each row for one record or for as many as ``counts`` says."""
        marginals = tuple(ColumnMarginals.of(column, keep, counts) for column in columns)
        return cls(marginals, records_of(rows, counts, keep))

    @property
    def heights(self) -> NDArray[np.int64]:
        """The highest level of each column."""
        return np.array([column.height for column in self.columns])

    def share(self, nodes: NDArray[np.int64]) -> Floats:
        """Per node (a level for each column) and column: Σ over records of the share of the domain."""
        return _gathered([column.share for column in self.columns], nodes)

    def entropy(self, nodes: NDArray[np.int64]) -> Floats:
        """Per node and column: the non-uniform entropy that is lost, in bits."""
        return _gathered([column.entropy for column in self.columns], nodes)

    def combinations(self, nodes: NDArray[np.int64]) -> Floats:
        """Per node: how many groups there are at most."""
        distinct = _gathered([column.distinct.astype(float) for column in self.columns], nodes)
        return np.asarray(np.minimum(distinct.prod(axis=1), self.records))


def _gathered(per_column: list[Floats], nodes: NDArray[np.int64]) -> Floats:
    return np.stack([of_level[nodes[:, column]] for column, of_level in enumerate(per_column)], axis=1)
