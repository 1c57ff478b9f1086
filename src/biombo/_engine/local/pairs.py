"""Released records beside their own originals, row by row, as they lie in memory."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from biombo._data import CodedTable, Column, Dataset, Progress, Schema
from biombo._engine.engine import Keys, Paired, Reading


@dataclass(frozen=True, eq=False)
class RowPairs:
    """See :class:`biombo._engine.engine.Pairs`. Tuples are rows, which stand for one record each."""

    released: Dataset
    own: Dataset
    """The originals of the same records, in the same order."""
    columns: tuple[str, ...]

    @classmethod
    def of(cls, released: Dataset, own: Dataset) -> "RowPairs":
        """All columns of both."""
        return cls(released, own, tuple(released.columns))

    @property
    def originals(self) -> tuple[str, ...]:
        """The columns of the originals."""
        return tuple(self.own.columns)

    @property
    def records(self) -> int:
        """How many there are."""
        return self.released.records

    def counted(self, released: Sequence[str], own: Sequence[str] = ()) -> Paired:
        """The rows of these columns."""
        return Paired(_with(self.released, released), _with(self.own, own))

    def some(self, at_most: int) -> Paired:
        """All rows, or so many; always the same ones of the same records in the same order."""
        whole = self.counted(self.columns, self.originals)
        if self.released.rows <= at_most:
            return whole
        rows = np.sort(np.random.default_rng(0).choice(self.released.rows, at_most, replace=False))
        return Paired(_taken(whole.released, rows), _taken(whole.own, rows))


def row_pairs(
    kept: CodedTable,
    schema: Schema,
    keys: Keys,
    columns: tuple[str, ...],
    file: Path,
    progress: Progress | None,
    read: Reading,
) -> RowPairs:
    """The records in ``file``, which have these ``keys``, beside their originals. No value is left that only others
    have.
    """
    return RowPairs(read(file), kept.dataset(schema, progress).take(keys), columns)


def _with(data: Dataset, columns: Sequence[str]) -> Dataset:
    return replace(data, columns={name: data[name] for name in columns})


def _taken(data: Dataset, rows: NDArray[np.intp]) -> Dataset:
    columns = {name: Column(name, each.codes[rows], each.values) for name, each in data.columns.items()}
    return replace(data, columns=columns, rows=len(rows))
