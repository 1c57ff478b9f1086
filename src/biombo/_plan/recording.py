"""The columns that criteria are judged on, as codes, while batches pass by."""

from collections.abc import Sequence

import numpy as np

from biombo._data import ColumnEncoder, Dataset, Schema
from biombo._errors import InputError
from biombo._plan.step import Batch, Rows


class Recorder:
    """Codes some columns of the batches that it is shown."""

    def __init__(self, columns: Sequence[str], schema: Schema, label: str) -> None:
        self._encoders = {name: ColumnEncoder(name) for name in columns}
        self._suppressed: list[Rows] = []
        self._schema = schema
        self._label = label

    def add(self, batch: Batch) -> None:
        """Code the next rows."""
        self._suppressed.append(batch.suppressed)
        for name, encoder in self._encoders.items():
            encoder.add(batch.table.column(name), self._label)

    def finish(self) -> tuple[Dataset, Rows]:
        """The columns of all rows, and which of these are suppressed."""
        suppressed = np.concatenate([np.zeros(0, bool), *self._suppressed])
        if not len(suppressed):
            raise InputError("input.empty", source=self._label)
        columns = {name: encoder.finish() for name, encoder in self._encoders.items()}
        return Dataset(columns, len(suppressed), self._schema, self._label), suppressed
