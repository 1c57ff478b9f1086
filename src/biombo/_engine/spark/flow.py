"""The rows of a table on a cluster, with something done to them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pyarrow as pa

from biombo._data import Progress, Schema, SourceTable
from biombo._engine.engine import Counted, Counting, Dealing, Head, StoreTarget, Watching, Written, as_read, read_as
from biombo._engine.fates import Fates, released
from biombo._engine.local.deal import marks_of_tuples
from biombo._engine.local.frames import Frames
from biombo._engine.local.passage import stored_as
from biombo._engine.randomness import Randomness
from biombo._engine.spark.gathered import GatheredRecords
from biombo._engine.spark.jobs import Jobs, notes_in, notes_of_stage, refuse_failures
from biombo._engine.spark.lookup import Lookup, MarkedByValues
from biombo._engine.spark.marks import dealt_in_order
from biombo._engine.spark.products import FirstRecords, Records, Staging, Tuples, Typing, Values, first_batch
from biombo._engine.spark.release import write_release
from biombo._engine.spark.tuples import Kinds, SpelledTuples, tally
from biombo._engine.spark.worker import Note, Product, Work, merged_kinds
from biombo._engine.spark.workplace import ORDER, StagedPart, unpacked
from biombo._engine.step import Change, MarkedChange, Warn
from biombo._errors import LimitError

if TYPE_CHECKING:
    from biombo._engine.spark.engine import SparkTable


@dataclass(frozen=True, eq=False)
class SparkFlow:
    """See :class:`biombo._engine.engine.Flow`. Nothing is done before something is asked for."""

    table: "SparkTable"
    jobs: Jobs
    parts: Sequence[SourceTable]
    stored: list[str]
    """The columns of the parts."""
    schema: Schema
    context: Any
    random: Randomness
    warn: Warn
    progress: Progress | None
    changes: tuple[Change, ...] = ()
    mixed: set[str] = field(default_factory=set)

    @property
    def label(self) -> str:
        """What the table is called."""
        return self.table.label

    @property
    def columns(self) -> list[str]:
        """All columns, new ones last."""
        there = [name for name in self.stored if read_as(name) is None]
        return [*there, *(name for change in self.changes for name in change.adds)]

    @property
    def rows(self) -> int | None:
        """How many rows there are, where that is known."""
        return self.table.rows

    @property
    def repeatable(self) -> bool:
        """Does each pass find the same values?"""
        return all(change.repeatable for change in self.changes)

    def mapped(self, change: Change) -> "SparkFlow":
        """Map all rows through the steps of a change, when they are needed; what remembers is settled first."""
        if change.remembers:
            flow = self if self.repeatable else self.spooled([], [])
            change = change.settled(flow._values_met(change), self.context)
            return flow.mapped(change)
        return replace(self, changes=(*self.changes, change))

    def _values_met(self, change: Change) -> list[str]:
        """The values of all parts; each once."""
        made = self.jobs.mapped(self.work(Values(change)))
        found = self.jobs.collected(made.distinct(), self.jobs.most_tuples + 1 + len(self.parts))
        notes = notes_in(found, self.jobs.workplace.seal)
        if found.num_rows > self.jobs.most_tuples + len(self.parts):
            column = next(iter(change.columns), "")
            raise LimitError("spark.too-many-values", source=self.label, column=column, most=self.jobs.most_tuples)
        refuse_failures(notes)
        return [value for value in found.column("value").to_pylist() if value is not None]

    def spooled(self, without: Sequence[str], originals: Sequence[str] = ()) -> "SparkFlow":
        """The same rows with their changes done once and for all."""
        kept = [name for name in self.columns if name not in without]
        twins = [name for name in map(as_read, originals) if self.stored_as(name) == name]
        return self.staged([*kept, *twins])

    def staged(self, columns: Sequence[str]) -> "SparkFlow":
        """Some columns of all rows in sealed files, beside a random number for each row."""
        stage = self.jobs.staged(self.jobs.mapped(self.work(Staging(columns, self.jobs.workplace.seal))))
        placed = {note.part: (path, note) for path, note in notes_of_stage(stage)}
        self.heed([note for _, note in placed.values()])
        parts = []
        for number in range(len(self.parts)):
            path, note = placed[number]
            label = self.parts[number].label
            part = StagedPart(path, self.jobs.workplace.seal, label, [*columns, ORDER], note.rows, stage)
            parts.append(SourceTable((part,), None))
        return replace(self, parts=parts, stored=list(columns), changes=())

    def counted(self, columns: Sequence[str]) -> SpelledTuples:
        """Count the tuples of some columns as the changes leave them."""
        return self.tallied([tuple(columns)])[0][0]

    def tallied(self, counting: Counting, typing: Typing | None = None) -> tuple[list[SpelledTuples], list[Note]]:
        """The tuples of several sets of columns, in one pass."""
        stored = {name: self.stored_as(name) for name in chain(*counting)}
        product = Tuples(counting, stored, typing)
        arrived, notes = self.jobs.tuples(self.work(product), product, self.schema.person)
        self.heed(notes)
        if not sum(note.rows for note in notes):
            self.table.source.refuse_empty()
        kinds = merged_kinds(notes)
        return [each.counted(kinds, self.schema, self.label) for each in arrived], notes

    def dealt(self, counted: Counted, dealing: Dealing, change: MarkedChange) -> "SparkFlow":
        """Deal marks to the records of tuples, which are found again by their values."""
        assert isinstance(counted, SpelledTuples)
        if not dealing.is_alike:
            return replace(self, changes=(*self.changes, dealt_in_order(self, counted, dealing, change)))
        lookup = self.jobs.workplace.keep(Lookup.of(counted, marks_of_tuples(dealing)))
        marked = MarkedByValues(change, lookup, tuple(counted.data.columns))
        return replace(self, changes=(*self.changes, marked))

    def gathered(self, columns: Sequence[str]) -> GatheredRecords:
        """Some columns of all rows in the driver, as codes, where these are not too many."""
        self.table.refuse_many_rows()
        return GatheredRecords.of(self, columns)

    def records(self, columns: Sequence[str], share: float | None = None) -> tuple[pa.Table, Kinds]:
        """Single records with their parts, spelled: all of them, or some that are drawn."""
        stored = {name: self.stored_as(name) for name in columns}
        found = self.jobs.collected(self.jobs.mapped(self.work(Records(columns, stored, share))))
        notes = notes_in(found, self.jobs.workplace.seal)
        self.heed(notes)
        return found.filter(pa.compute.is_valid(found.column("blob"))), merged_kinds(notes)

    def head(self, columns: Sequence[str], rows: int, counting: Counting) -> Head:
        """The first records of the first parts; all are passed over."""
        counted, _ = self.tallied(counting)
        found = self.jobs.collected(self.jobs.mapped(self.work(FirstRecords(columns, rows))))
        columns_of = (found.column(name).to_pylist() for name in ("part", "start", "blob"))
        blobs = sorted(each for each in zip(*columns_of, strict=True) if each[2] is not None)
        frames, kept, fates = Frames(), [], [released(0)]
        for _, _, blob in blobs:
            for table in unpacked(blob).combine_chunks().to_batches():
                if sum(map(len, fates)) >= rows:
                    break  # values of records that are not shown do not decide on types
                batch, fate = first_batch(table)
                kept.append(frames.released(batch, columns))
                fates.append(fate)
        whole = pl.concat([frames.typed(frame) for frame in kept], rechunk=True)[:rows]
        every: Fates = np.concatenate(fates)[:rows]
        return Head(whole, every, tally(counting, counted))

    def write(
        self,
        columns: Sequence[str],
        target: Path | StoreTarget | None,
        counting: Counting,
        keep_order: bool,
        watching: Watching,
    ) -> Written:
        """Write ``columns`` of the records that come out, whole or not at all."""
        return write_release(self, columns, target, counting, keep_order, watching)

    def work(self, product: Product) -> Work:
        """A pass over all rows."""
        return Work(self.parts, self.changes, self.context, product, rows=dict(self.table.seen))

    def stored_as(self, name: str) -> str:
        """The column that holds what is called ``name``."""
        return stored_as(name, self.stored, self.changes)

    def heed(self, notes: Sequence[Note]) -> None:
        """Take notice of what workers tell of the parts."""
        refuse_failures(notes)
        self.table.remember_rows(notes)
        self.mixed.update(*(note.mixed for note in notes))
        for sentence in dict.fromkeys(sentence for note in notes for sentence in note.warnings):
            self.warn(sentence)
        for summaries in zip(*(note.summaries for note in notes if note.rows), strict=True):
            found = [each for each in summaries if each is not None]
            if found:
                first, *others = found
                for other in others:
                    first = first.merged(other)
                first.tell(self.warn)
