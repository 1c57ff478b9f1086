"""Columns as codes while batches pass by, and the tuples of them counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from biombo._cells import TupleCounter
from biombo._data import ColumnEncoder, Dataset, Schema
from biombo._engine.engine import Counted
from biombo._engine.fates import NAMES, Fate, FateCounts, Fates, are
from biombo._engine.local.groups import distinct, numbered
from biombo._engine.step import Batch
from biombo._errors import InputError


@dataclass(frozen=True, eq=False)
class Numbered(Counted):
    """Counted tuples that know their rows: a private matter of this engine, which saves looking tuples up again."""

    number: NDArray[np.integer]
    """By row: the place of its tuple."""


class Recorder:
    """Codes some columns of the batches that it is shown, row by row."""

    def __init__(self, columns: Sequence[str], schema: Schema, label: str) -> None:
        self._encoders = {name: ColumnEncoder(name) for name in columns}
        self._fates: list[Fates] = []
        self._schema = schema
        self._label = label

    def add(self, batch: Batch) -> None:
        """Code the next rows."""
        self._fates.append(batch.fates)
        for name, encoder in self._encoders.items():
            encoder.add(batch.table.column(name), self._label)

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
    """Counts the tuples of some columns of the batches that it is shown: memory follows these, not the rows."""

    def __init__(self, columns: Sequence[str], schema: Schema, label: str) -> None:
        self._encoders = [ColumnEncoder(name) for name in columns]
        self._tuples = TupleCounter(1 + len(columns))
        self._schema = schema
        self._label = label

    def add(self, batch: Batch) -> None:
        """Count the next rows."""
        codes = [encoder.coded(batch.table.column(encoder.name), self._label) for encoder in self._encoders]
        self._tuples.add([batch.fates, *codes])

    def finish(self) -> "Tuples":
        """All tuples; the counter is spent."""
        tuples = self._tuples.finish()
        if not tuples.rows:
            raise InputError("input.empty", source=self._label)
        fates, *codes = tuples.codes
        columns = {each.name: each.column(found) for each, found in zip(self._encoders, codes, strict=True)}
        data = Dataset(columns, tuples.rows, self._schema, self._label, counts=tuples.counts)
        return Tuples(data, fates.astype(np.uint8, copy=False))


@dataclass(frozen=True, eq=False)
class Tuples:
    """The tuples of all columns that were counted. See :class:`biombo._engine.engine.Tally`."""

    data: Dataset
    by_tuple: Fates

    @cached_property
    def fates(self) -> FateCounts:
        """Records by fate."""
        return FateCounts.of(self.by_tuple, self.data.counts)

    def counted(self, columns: Sequence[str]) -> Counted:
        """The tuples of some of the columns."""
        found = [self.data[name] for name in columns]
        if len(found) == len(self.data.columns) and self.data.counts is not None:
            return Counted(self.data, self.by_tuple)
        codes = [self.by_tuple, *(column.codes for column in found)]
        cardinality = [len(Fate), *(column.cardinality for column in found)]
        (fates, *rest), counts = distinct(codes, cardinality, self.data.counts)
        taken = {column.name: replace(column, codes=some) for column, some in zip(found, rest, strict=True)}
        return Counted(replace(self.data, columns=taken, rows=len(counts), counts=counts), fates.astype(np.uint8))

    def people(self, column: str) -> Mapping[str, int]:
        """By the name of fates: how many different people have them; who is not named may be one and the same."""
        codes = self.data[column].codes
        return {name: len(np.unique(codes[are(self.by_tuple, *fates)])) for name, fates in NAMES.items()}
