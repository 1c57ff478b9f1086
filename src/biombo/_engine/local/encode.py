"""Columns as codes while batches pass by, and the tuples of them counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Codes, TupleCounter
from biombo._data import Column, ColumnEncoder, Dataset, Schema
from biombo._engine.engine import Counted, Counting
from biombo._engine.fates import NAMES, Fate, FateCounts, Fates, are
from biombo._engine.local.groups import numbered
from biombo._engine.step import Batch
from biombo._errors import InputError


@dataclass(frozen=True, eq=False)
class Numbered(Counted):
    """Counted tuples that know their rows: a private matter of this engine, which saves looking tuples up again."""

    number: NDArray[np.integer]
    """By row: the place of its tuple."""


class Recorder:
    """Codes some columns of the batches that it is shown, row by row."""

    def __init__(self, columns: Mapping[str, str], schema: Schema, label: str) -> None:
        self._columns = columns
        """By name: what it is called in the batches."""
        self._encoders = {name: ColumnEncoder(name) for name in columns}
        self._fates: list[Fates] = []
        self._schema = schema
        self._label = label

    def add(self, batch: Batch) -> None:
        """Code the next rows."""
        self._fates.append(batch.fates)
        for name, encoder in self._encoders.items():
            encoder.add(batch.table.column(self._columns[name]), self._label)

    def finish(self) -> "Recorded":
        """The columns of all rows; the recorder is spent."""
        fates = np.concatenate([np.zeros(0, np.uint8), *self._fates])
        if not len(fates):
            raise InputError("input.empty", source=self._label)
        columns = {name: encoder.finish() for name, encoder in self._encoders.items()}
        return Recorded(Dataset(columns, len(fates), self._schema, self._label), fates)


@dataclass(frozen=True, eq=False)
class Recorded:
    """The columns of all rows, in their order."""

    data: Dataset
    fates: Fates

    def counted(self) -> Numbered:
        """The tuples of the columns."""
        columns = list(self.data.columns.values())
        codes = [self.fates, *(column.codes for column in columns)]
        number, tuples = numbered(codes, [len(Fate), *(column.cardinality for column in columns)])
        counts = np.bincount(number, minlength=tuples)
        some = np.empty(tuples, np.intp)
        some[number] = np.arange(len(number))
        taken = {column.name: replace(column, codes=column.codes[some]) for column in columns}
        return Numbered(replace(self.data, columns=taken, rows=tuples, counts=counts), self.fates[some], number)


class Counter:
    """Counts tuples of the batches that it is shown: memory follows these, not the rows."""

    def __init__(self, counting: Counting, stored: Mapping[str, str], schema: Schema, label: str) -> None:
        self._stored = stored
        """By name: what it is called in the batches."""
        self._encoders = {name: ColumnEncoder(name) for name in stored.values()}
        self._tuples = {columns: TupleCounter(1 + len(columns)) for columns in counting}
        self._fates = FateCounts()
        self._columns: dict[str, Column] = {}
        self._schema = schema
        self._label = label

    @property
    def reads(self) -> list[str]:
        """The columns that batches must have."""
        return list(self._encoders)

    def add(self, batch: Batch) -> None:
        """Count the next rows."""
        self._fates += FateCounts.of(batch.fates)
        codes = {name: each.coded(batch.table.column(name), self._label) for name, each in self._encoders.items()}
        for columns, tuples in self._tuples.items():
            tuples.add([batch.fates, *(codes[self._stored[name]] for name in columns)])

    def finish(self) -> "Tuples":
        """All tuples; the counter is spent."""
        if not self._fates.total:
            raise InputError("input.empty", source=self._label)
        return Tuples(self._fates, {columns: self._counted(columns) for columns in self._tuples})

    def _counted(self, columns: tuple[str, ...]) -> Counted:
        tuples = self._tuples[columns].finish()
        fates, *codes = tuples.codes
        found = {name: self._column(name, some) for name, some in zip(columns, codes, strict=True)}
        data = Dataset(found, tuples.rows, self._schema, self._label, counts=tuples.counts)
        return Counted(data, fates.astype(np.uint8, copy=False))

    def _column(self, name: str, codes: Codes) -> Column:
        """The column that these codes make; its values are found once, though it may be in several sets."""
        stored = self._stored[name]
        if stored not in self._columns:  # every code occurs in every set
            every: Codes = np.arange(int(codes.max()) + 1, dtype=codes.dtype)  # type: ignore[assignment]
            self._columns[stored] = self._encoders[stored].column(every)
        found = self._columns[stored]
        return Column(name, found.codes[codes], found.values.alias(name))


@dataclass(frozen=True, eq=False)
class Tuples:
    """The tuples of each set of columns. See :class:`biombo._engine.engine.Tally`."""

    fates: FateCounts
    by_columns: Mapping[tuple[str, ...], Counted]

    def counted(self, columns: Sequence[str]) -> Counted:
        """The tuples of one of the sets of columns."""
        return self.by_columns[tuple(columns)]

    def people(self, column: str) -> Mapping[str, int]:
        """By the name of fates: how many different people have them; who is not named may be one and the same."""
        counted = next(found for columns, found in self.by_columns.items() if column in columns)
        codes = counted.data[column].codes
        return {name: len(np.unique(codes[are(counted.fates, *fates)])) for name, fates in NAMES.items()}
