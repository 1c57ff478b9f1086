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
    log_share: Floats
    """Σ over records of log₂ of the share of the domain under their value."""
    log_sizes: Floats
    """Σ over records of log₂ of how many records share their generalised value."""
    bits: float
    """The entropy of all records' values, in bits: what is lost where nothing is told."""
    domain: int
    told: Floats | None = None
    """How much it tells about a column that is to be predicted, where there is one (see :func:`told_information`)."""

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
        held, own = records > 0, records[records > 0]
        log_share = np.log2(column.leaves[:, held] / column.domain) @ own
        shared = [sharing(level, records) for level in column.levels]
        return cls(
            share,
            entropy=np.array([bits_between(records, of_level, records) for of_level in shared]),
            distinct=np.array([len(np.unique(level[held])) for level in column.levels]),
            log_share=np.asarray(log_share, float),
            log_sizes=np.array([float((own * np.log2(of_level[held])).sum()) for of_level in shared]),
            bits=bits_between(records, np.full_like(records, own.sum()), records),
            domain=column.domain,
        )


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
    log_tuples: float | None = None
    """Σ over records of log₂ of how many agree with them in all columns, where that is asked for."""
    guessed: int | None = None
    """Records of the most frequent value of what is to be predicted, among those that agree with them in all columns:
    more cannot be predicted right. None where there is nothing to predict."""

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

    def log_share(self, nodes: NDArray[np.int64]) -> Floats:
        """Per node: Σ over records of log₂ of the share of all combinations of values that theirs stand for."""
        return np.asarray(_gathered([column.log_share for column in self.columns], nodes).sum(axis=1))

    def log_sizes(self, nodes: NDArray[np.int64]) -> Floats:
        """Per node: Σ over records of log₂ of the size of their group, at most."""
        return np.asarray(_gathered([column.log_sizes for column in self.columns], nodes).min(axis=1))

    def told(self, nodes: NDArray[np.int64]) -> Floats:
        """Per node and column: how much it tells about what is to be predicted."""
        none = np.zeros(max(self.heights, default=0) + 1)
        return _gathered([none if column.told is None else column.told for column in self.columns], nodes)

    def combinations(self, nodes: NDArray[np.int64]) -> Floats:
        """Per node: how many groups there are at most."""
        distinct = _gathered([column.distinct.astype(float) for column in self.columns], nodes)
        return np.asarray(np.minimum(distinct.prod(axis=1), self.records))


def _gathered(per_column: list[Floats], nodes: NDArray[np.int64]) -> Floats:
    return np.stack([of_level[nodes[:, column]] for column, of_level in enumerate(per_column)], axis=1)
