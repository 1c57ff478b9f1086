"""Noise on several columns together that leaves their correlations as they are (Kim 1986; Kim and Winkler 2003)."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np
import polars as pl
import pyarrow as pa

from biombo._data import Column, Role
from biombo._documents import COLUMNS, is_within_limit, limited
from biombo._engine import Batch, Change, Floats, Step
from biombo._errors import ColumnError, UsageError
from biombo._plan.operations.operation import Context, CountingOperation, Seen
from biombo._plan.operations.several_columns import SeveralNumbers
from biombo._plan.values.numbers import is_date_text, numbers_in
from biombo._plan.values.shift import MOST_DECIMALS, Mover

Kind = Literal["additive", "multiplicative"]
_MOST = 100
"""Noise with so many times the variance of the data leaves nothing of them."""


@dataclass(frozen=True)
class CorrelatedNoise(SeveralNumbers, CountingOperation):
    """Add to the numbers of ``columns`` normal noise whose covariances are ``share`` times those of the columns.

    So all variances and covariances grow by the factor 1 + ``share``, and correlations stay as they are. With the kind
    ``multiplicative`` this is done to the logarithms, and numbers, which must be above 0, are multiplied by log-normal
    factors of mean 1. Dates move by whole days. Numbers are rounded to ``decimals``; missing values and those in
    ``apart`` stay, and covariances are those of the records without any. ``decimal`` and ``thousands`` are the marks in
    numbers that are text. All is drawn from the system's secure source, anew for each record.

    **It guarantees nothing**, neither a k nor an ε: the amounts depend on the data, and rare values stay recognisable
    by their size.

    >>> CorrelatedNoise(["income", "rent"], share=0.1).to_tree()
    {'correlated-noise': {'columns': ['income', 'rent'], 'share': 0.1}}
    """

    name: ClassVar[str] = "correlated-noise"
    roles: ClassVar[tuple[Role, ...]] = ("quasi", "sensitive", "other")
    truthful: ClassVar[bool] = False
    reversible: ClassVar[bool] = False
    leaks: ClassVar[str] = "plan.leaks.correlated-noise"
    repeatable: ClassVar[bool] = False
    noisy: ClassVar[bool] = True

    columns_: tuple[str, ...] = field(metadata=COLUMNS)
    share: float = field(metadata=limited(0, _MOST, above=True))
    kind: Kind = "additive"
    decimals: int = field(default=0, metadata=limited(0, MOST_DECIMALS))
    apart: tuple[str, ...] = ()
    decimal: str = "."
    thousands: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_numbers()
        if not is_within_limit(self, "share"):
            raise UsageError("plan.correlated-share", columns=", ".join(self.columns_), value=self.share, most=_MOST)

    def mover(self, column: str) -> Mover:
        """What moves the values of a column."""
        return Mover(column, self.decimals, self.numerals, self.apart)

    def as_looked_up(self, values: pl.Series) -> pl.Series:
        """Rounded as the result is."""
        return self.mover(self.columns_[0])(values.to_arrow(), np.zeros(len(values)))

    def decide(self, seen: Seen) -> Change:
        """Take the covariances of the records that come out."""
        there = ~seen.out
        numbers = np.stack([self._numbers(seen.data[name])[there] for name in self.columns_], axis=1)
        complete = ~np.isnan(numbers).any(axis=1)
        counts = seen.counts[there][complete]
        if counts.sum() < 2:
            raise UsageError("plan.correlated-few", columns=", ".join(self.columns_))
        covariances = np.atleast_2d(np.cov(numbers[complete].T, fweights=counts))
        return _Noise(self, _root(self.share * covariances))

    def _numbers(self, column: Column) -> Floats:
        """What the covariances are of: the numbers, or their logarithms."""
        numbers = numbers_in(column.values, column.name, self.numerals, self.apart)
        if self.kind == "additive":
            return numbers[column.codes]
        if column.values.dtype.is_temporal() or is_date_text(column.values) or (numbers <= 0).any():
            raise ColumnError("plan.no-factor", column=column.name)
        return np.log(numbers)[column.codes]


def _root(covariances: Floats) -> Floats:
    """A matrix A with A Aᵀ = ``covariances``, also where these are those of columns of which one tells another."""
    values, vectors = np.linalg.eigh(covariances)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0)))


@dataclass(frozen=True, eq=False)
class _Noise(Change):
    operation: CorrelatedNoise
    root: Floats

    repeatable: ClassVar[bool] = False

    @property
    def columns(self) -> tuple[str, ...]:
        """Those that get noise."""
        return self.operation.columns_

    def start(self, context: Context) -> Step:
        """Draw anew for each batch."""
        return _Adding(self, context)


class _Adding(Step):
    def __init__(self, change: _Noise, context: Context) -> None:
        self._change = change
        self._random = context.random

    def __call__(self, batch: Batch) -> Batch:
        root = self._change.root
        drawn = self._random.normal(batch.table.num_rows * len(root)).reshape(-1, len(root)) @ root.T
        for name, by, variance in zip(self._change.columns, drawn.T, (root**2).sum(axis=1), strict=True):
            moved = self._moved(batch.table.column(name), name, by, variance)
            batch = batch.with_column(name, moved.to_arrow())
        return batch

    def _moved(self, chunk: pa.Array, name: str, by: Floats, variance: float) -> pl.Series:
        mover = self._change.operation.mover(name)
        if self._change.operation.kind == "additive":
            return mover(chunk, by)
        return mover.multiplied(chunk, np.exp(by - variance / 2))
