"""One pass over the rows of a table, with something done to them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from biombo._data import Dataset, Schema
from biombo._data.source_table import Progress, SourceTable
from biombo._errors import InputError
from biombo._plan.decision import Decision
from biombo._plan.frames import readable
from biombo._plan.operations import RowOperation
from biombo._plan.recording import Recorder
from biombo._plan.step import Batch, Rows

Start = RowOperation | Decision
"""What can be started anew for each pass."""


@dataclass(frozen=True)
class Stream:
    """A table to pass over, as often as it takes."""

    table: SourceTable
    schema: Schema
    progress: Progress | None

    def batches(self, columns: Sequence[str], starts: Sequence[Start], rows: int | None = None) -> Iterator[Batch]:
        """The batches of one pass as ``starts`` leave them; ``rows`` is what an earlier pass counted."""
        steps = [start.start() for start in starts]
        seen = 0
        for label, table in self.table.batches(columns, self.progress):
            seen += table.num_rows
            if rows is not None and seen > rows:
                raise InputError("plan.changed", source=self.table.label, rows=rows)
            batch = Batch(readable(table, label), np.zeros(table.num_rows, bool))
            for step in steps:
                batch = step(batch)
            yield batch
        if rows is not None and seen < rows:
            raise InputError("plan.changed", source=self.table.label, rows=rows)
        for step in steps:
            step.finish()

    def recorder(self, columns: Sequence[str]) -> Recorder:
        """Something that codes ``columns`` of the batches that pass by."""
        return Recorder(columns, self.schema, self.table.label)

    def recorded(self, columns: Sequence[str], starts: Sequence[Start], rows: int | None) -> tuple[Dataset, Rows]:
        """Columns as ``starts`` leave them, and the rows that these suppress, in a pass of its own."""
        concerned = [start for start in starts if isinstance(start, Decision) or {*start.columns} & {*columns}]
        read = [*columns, *(column for start in concerned for column in start.columns)]
        recorder = self.recorder(columns)
        for batch in self.batches(list(dict.fromkeys(read)), concerned, rows):
            recorder.add(batch)
        return recorder.finish()
