"""Columns as codes while batches pass by, and the tuples of them counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from biombo._data import Column, ColumnEncoder, Dataset, Schema
from biombo._engine.engine import Counted
from biombo._engine.fates import NAMES, FateCounts, Fates, are
from biombo._engine.step import Batch
from biombo._errors import InputError


@dataclass(frozen=True, eq=False)
class Numbered(Counted):
    """Counted tuples that know their rows: a private matter of this engine, which saves looking tuples up again."""

    number: NDArray[np.integer]
    """By row: the place of its tuple."""


class Recorder:
    """Codes some columns of the batches that it is shown."""

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
        return Recorded(columns, fates, self._schema, self._label)


@dataclass(frozen=True, eq=False)
class Recorded:
    """The columns of all rows, in their order."""

    columns: Mapping[str, Column]
    by_row: Fates
    schema: Schema
    label: str

    @cached_property
    def fates(self) -> FateCounts:
        """Records by fate."""
        return FateCounts.of(self.by_row)

    @property
    def data(self) -> Dataset:
        """The columns, a row for each record."""
        return Dataset(self.columns, len(self.by_row), self.schema, self.label)

    def counted(self, columns: Sequence[str]) -> Numbered:
        """The tuples of some of the columns."""
        found = {name: self.columns[name] for name in columns}
        data = Dataset(found, len(self.by_row), self.schema, self.label)
        return Numbered(data, self.by_row, np.arange(len(self.by_row)))

    def people(self, column: str) -> Mapping[str, int]:
        """By the name of fates: how many different people have them; who is not named may be one and the same."""
        codes = self.columns[column].codes
        return {name: len(np.unique(codes[are(self.by_row, *fates)])) for name, fates in NAMES.items()}
