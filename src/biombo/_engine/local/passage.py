"""One pass over the rows of a table, or of a part of it, as changes leave them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa

from biombo._data import Progress, SourceTable, mixed_columns
from biombo._engine.engine import read_as
from biombo._engine.fates import released
from biombo._engine.local.frames import readable, without_empty
from biombo._engine.local.spool import FATES
from biombo._engine.step import Batch, Change, Summary
from biombo._errors import InputError


class Passage:
    """The batches of one pass, with only the columns that are asked for; no more is read and done than these take."""

    def __init__(
        self,
        table: SourceTable,
        changes: Sequence[Change],
        context: Any,
        columns: Sequence[str],
        progress: Progress | None = None,
        rows: int | None = None,
    ) -> None:
        """``rows`` is how many an earlier pass has found: with more or fewer, the table is another one."""
        self.seen = 0
        """Rows so far, those of the batch at hand included."""
        self.mixed: set[str] = set()
        """Columns found to be text only because their values have no type in common."""
        self._table = table
        self._progress = progress
        self._rows = rows
        concerned, read = _concerned(columns, changes)
        self._steps = [change.start(context) for change in concerned]
        there = set(table.columns)
        self._twins = [name for name in columns if read_as(name) is not None and name not in there]
        stored = dict.fromkeys([read_as(name) if name in self._twins else name for name in read])
        self._stored = [str(name) for name in stored if name in there]

    def __iter__(self) -> Iterator[Batch]:
        for label, table in self._table.batches(self._stored, self._progress):
            self.seen += table.num_rows
            if self._rows is not None and self.seen > self._rows:  # before anything is done by the places of rows
                raise InputError("plan.changed", source=self._table.label, rows=self._rows)
            self.mixed.update(mixed_columns(table))
            batch = _batch(table, label, self._twins)
            for step in self._steps:
                batch = step(batch)
            yield replace(batch, table=without_empty(batch.table))
        if self._rows is not None and self.seen < self._rows:
            raise InputError("plan.changed", source=self._table.label, rows=self._rows)

    def summaries(self) -> list[Summary | None]:
        """What each of the steps has noticed, once all batches have passed."""
        return [step.summary() for step in self._steps]


def stored_as(name: str, there: Collection[str], changes: Sequence[Change]) -> str:
    """The column that holds what is called ``name``: one that nothing changes is as it was read."""
    column = read_as(name)
    if column is None or name in there or any(column in change.columns for change in changes):
        return name
    return column


def _concerned(columns: Sequence[str], changes: Sequence[Change]) -> tuple[list[Change], list[str]]:
    """Of ``changes``, those that have to do with ``columns``, and the columns that these need."""
    needed = dict.fromkeys(columns)
    concerned: list[Change] = []
    for change in reversed(changes):
        if change.chooses or any(name in needed for name in (*change.columns, *change.adds)):
            needed |= dict.fromkeys(change.reads)
            concerned.insert(0, change)
    return concerned, list(needed)


def _batch(table: pa.RecordBatch, label: str, twins: Collection[str]) -> Batch:
    """Rows as they come, with what they say now under a further name where that is asked for in the end."""
    names = table.schema.names
    fates = released(table.num_rows)
    if FATES in names:
        fates = table.column(FATES).to_numpy(zero_copy_only=False)
        table = table.select([name for name in names if name != FATES])
    else:
        table = readable(table, label)
    for twin in twins:
        table = table.append_column(twin, table.column(str(read_as(twin))))
    return Batch(table, fates)
