"""One pass over the rows of a table, with something done to them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from biombo._data import Dataset, Progress, Schema, SourceTable, mixed_columns
from biombo._errors import InputError
from biombo._plan.context import Context
from biombo._plan.decision import Decision
from biombo._plan.frames import readable, without_empty
from biombo._plan.operations import RowOperation
from biombo._plan.recording import Recorder
from biombo._plan.settling import SUPPRESSED, Settled
from biombo._plan.step import Batch, Rows

Start = RowOperation | Decision
"""What can be started anew for each pass."""


@dataclass(frozen=True)
class Stream:
    """A table to pass over, as often as it takes."""

    table: SourceTable
    schema: Schema
    context: Context
    folder: Path | None
    """Where files that nobody else can open may lie."""
    progress: Progress | None
    mixed: set[str] = field(default_factory=set)
    """Columns found to be text only because their values have no type in common."""

    def batches(self, columns: Sequence[str], starts: Sequence[Start], rows: int | None = None) -> Iterator[Batch]:
        """The batches of one pass as ``starts`` leave them; ``rows`` is what an earlier pass counted."""
        concerned, read = _concerned(columns, starts)
        steps = [start.start(self.context) for start in concerned]
        there = set(self.table.columns)
        stored = [name for name in read if name in there]
        seen = 0
        for label, table in self.table.batches(stored, self.progress):
            seen += table.num_rows
            if rows is not None and seen > rows:
                raise InputError("plan.changed", source=self.table.label, rows=rows)
            self.mixed.update(mixed_columns(table))
            batch = _batch(table, label)
            for step in steps:
                batch = step(batch)
            yield replace(batch, table=without_empty(batch.table))
        if rows is not None and seen < rows:
            raise InputError("plan.changed", source=self.table.label, rows=rows)
        for step in steps:
            step.finish()

    def settled(self, starts: Sequence[Start], rows: int | None, without: Collection[str]) -> "Stream":
        """The same rows, ``without`` some columns, with ``starts`` done to them once and for all."""
        columns = [name for name in self._columns_after(starts) if name not in without]
        source = Settled(self.batches(columns, starts, rows), self.table.label, self.folder)
        return replace(self, table=SourceTable((source,), None))

    def _columns_after(self, starts: Sequence[Start]) -> list[str]:
        return [*self.table.columns, *(name for start in starts for name in start.adds)]

    def recorder(self, columns: Sequence[str]) -> Recorder:
        """Something that codes ``columns`` of the batches that pass by."""
        return Recorder(columns, self.schema, self.table.label)

    def recorded(
        self, columns: Sequence[str] | None, starts: Sequence[Start], rows: int | None
    ) -> tuple[Dataset, Rows]:
        """Columns as ``starts`` leave them, all where none are named, and the rows that these suppress."""
        if columns is None:
            columns = self._columns_after(starts)
        recorder = self.recorder(columns)
        for batch in self.batches(columns, starts, rows):
            recorder.add(batch)
        return recorder.finish()


def _concerned(columns: Sequence[str], starts: Sequence[Start]) -> tuple[list[Start], list[str]]:
    """Of ``starts``, those that have to do with ``columns``, and the columns that these need."""
    needed = dict.fromkeys(columns)
    concerned: list[Start] = []
    for start in reversed(starts):
        if isinstance(start, Decision) or any(name in needed for name in (*start.columns, *start.adds)):
            needed |= dict.fromkeys(start.reads)
            concerned.insert(0, start)
    return concerned, list(needed)


def _batch(table: pa.RecordBatch, label: str) -> Batch:
    names = table.schema.names
    if SUPPRESSED not in names:
        return Batch(readable(table, label), np.zeros(table.num_rows, bool))
    suppressed = table.column(SUPPRESSED).to_numpy(zero_copy_only=False)
    return Batch(table.select([name for name in names if name != SUPPRESSED]), suppressed)
