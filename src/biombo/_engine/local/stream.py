"""The rows of a table that pass by in their order, with something done to them."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from biombo._data import CodedTable, Progress, Schema, SourceTable
from biombo._engine.engine import (
    Counted,
    Counting,
    Dealing,
    Head,
    Keys,
    StoreTarget,
    Watching,
    Written,
    as_read,
    read_as,
)
from biombo._engine.fates import Fates, released
from biombo._engine.local.deal import Dealt, dealt_marks, marks_of_tuples, order_of_values, random_order
from biombo._engine.local.encode import Counter, Numbered, Recorded, Recorder, Tuples
from biombo._engine.local.exchange import InOnePlace
from biombo._engine.local.frames import Frames
from biombo._engine.local.pairs import row_pairs
from biombo._engine.local.passage import Passage, stored_as
from biombo._engine.local.prints import TablePrints
from biombo._engine.local.shuffle import in_order, shuffled
from biombo._engine.local.spool import Spool
from biombo._engine.local.write import FrameWriter, Writer, writer_for
from biombo._engine.randomness import Randomness
from biombo._engine.step import Batch, Change, MarkedChange, Warn
from biombo._files import replacing

_KEY = "\x1ekey"
"""The column with the key of each record, which is its place among those selected; no other column has such a name."""


@dataclass(frozen=True)
class Stream:
    """A table to pass over, as often as it takes. See :class:`biombo._engine.engine.Flow`."""

    table: SourceTable
    schema: Schema
    context: Any
    random: Randomness
    folder: Path | None
    warn: Warn
    progress: Progress | None
    changes: tuple[Change, ...] = ()
    counted_rows: int | None = None
    """What an earlier pass counted."""
    mixed: set[str] = field(default_factory=set)
    """Columns found to be text only because their values have no type in common."""
    kept: CodedTable | None = None
    """The table, where columns of it are kept."""
    prints: TablePrints | None = None
    """The fingerprints of the records, where these were made."""

    @property
    def label(self) -> str:
        """What the table is called."""
        return self.table.label

    @property
    def columns(self) -> list[str]:
        """All columns, new ones last."""
        there = [name for name in self.table.columns if read_as(name) is None]
        return [*there, *(name for change in self.changes for name in change.adds)]

    @property
    def rows(self) -> int | None:
        """How many rows there are, where that is known."""
        return self.table.rows if self.counted_rows is None else self.counted_rows

    @property
    def repeatable(self) -> bool:
        """Does each pass find the same values?"""
        return all(change.repeatable for change in self.changes)

    def mapped(self, change: Change) -> "Stream":
        """Map all rows through the steps of a change, when they are needed."""
        return replace(self, changes=(*self.changes, change))

    def spooled(self, without: Sequence[str], originals: Sequence[str] = ()) -> "Stream":
        """The same rows with their changes done once and for all."""
        columns = [name for name in self.columns if name not in without]
        twins = [name for name in map(as_read, originals) if self._stored_as(name) == name]
        source = Spool(self._batches([*columns, *twins]), self.label, self.folder)
        return replace(self, table=SourceTable((source,), None), changes=())

    def counted(self, columns: Sequence[str]) -> Counted:
        """Count the tuples of some columns as the changes leave them."""
        return self._recorded(columns).counted()

    def dealt(self, counted: Counted, dealing: Dealing, change: MarkedChange) -> "Stream":
        """Deal marks to the rows of tuples, once for all passes that follow."""
        assert isinstance(counted, Numbered)
        flow = replace(self, counted_rows=len(counted.number))
        alike = dealing.is_alike
        marks = marks_of_tuples(dealing)[counted.number] if alike else flow._dealt_in_order(counted, dealing)
        narrow = marks.astype(np.int8 if marks.max(initial=0) < 1 << 7 else np.int32)
        return flow.mapped(Dealt(change, narrow))

    def _dealt_in_order(self, counted: Numbered, dealing: Dealing) -> Any:
        rows = np.flatnonzero(dealing.pile[counted.number] >= 0)
        pile = dealing.pile[counted.number[rows]]
        several = np.bincount(pile)[pile] > 1  # nothing to choose where there is one
        order = np.concatenate([np.flatnonzero(~several), np.flatnonzero(several)[self._order(rows[several], dealing)]])
        marks = np.full(len(counted.number), -1, np.int32)
        marks[rows] = dealt_marks(dealing, pile, order)
        return marks

    def _order(self, rows: Any, dealing: Dealing) -> Any:
        if dealing.by is None:
            return random_order(len(rows), self.random)
        if not len(rows):
            return np.zeros(0, np.intp)
        return order_of_values(list(self._recorded(dealing.by).data.columns.values()), rows)

    def gathered(self, columns: Sequence[str]) -> InOnePlace:
        """Some columns of all rows in one place."""
        recorded = self._recorded(columns)
        flow = replace(self, counted_rows=recorded.data.rows)
        return InOnePlace(recorded, flow.mapped)

    def head(self, columns: Sequence[str], rows: int, counting: Counting) -> Head:
        """The first so many rows; all are passed over."""
        counter, first = self._counter(counting), _FirstRows(columns, rows)
        for batch in self._batches(list(dict.fromkeys([*columns, *counter.reads]))):
            counter.add(batch)
            first.add(batch)
        return Head(first.frame, first.fates, counter.finish())

    def write(
        self,
        columns: Sequence[str],
        target: Path | StoreTarget | None,
        counting: Counting,
        keep_order: bool,
        watching: Watching,
    ) -> Written:
        """Write ``columns`` of the records that come out, whole or not at all."""
        if target is None:
            with FrameWriter() as memory:
                tally, _ = self._written(columns, memory, counting, keep_order, watching)
            watching.complete()
            return Written(tally, memory.frame)
        assert isinstance(target, Path)
        with replacing(target) as file:
            with writer_for(target)(file) as writer:
                tally, naming = self._written(columns, writer, counting, keep_order, watching)
            watching.complete()
        if self.kept is None or naming is None:
            return Written(tally, None)
        written = self.kept, self.schema, naming.keys, tuple(columns), target, self.progress
        return Written(tally, None, partial(row_pairs, *written))

    def _written(
        self, columns: Sequence[str], writer: Writer, counting: Counting, keep_order: bool, watching: Watching
    ) -> tuple[Tuples, "_Naming | None"]:
        frames = Frames(writer.target, self.mixed)
        counter = self._counter(counting)
        prints = self.prints or TablePrints(self.table)
        naming = None if watching.named is None else _Naming(writer, watching, prints, keep=self.kept is not None)
        seen = 0
        to_file = not isinstance(writer, FrameWriter)
        with self._waiting(naming or writer, frames, keep_order, to_file) as waiting:
            for batch in self._batches(list(dict.fromkeys([*columns, *counter.reads]))):
                counter.add(batch)
                frame = frames.released(batch, columns)
                if naming is not None:
                    frame = frame.with_columns(pl.Series(_KEY, seen + np.flatnonzero(~batch.out), pl.UInt64))
                waiting.write(frame)
                seen += len(batch.fates)
            tally = counter.finish()
            watching.counted(tally)
        return tally, naming

    def _waiting(
        self, writer: Writer, frames: Frames, keep_order: bool, to_file: bool
    ) -> AbstractContextManager[Writer]:
        """Where records wait until all are known: for an order that is drawn, and for types that follow from all."""
        folder = self.folder if to_file else None
        if not keep_order:
            return shuffled(writer, folder, typed=frames.typed)
        return nullcontext(writer) if frames.target == "text" else in_order(writer, folder, frames.typed)

    def _recorded(self, columns: Sequence[str]) -> Recorded:
        recorder = Recorder({name: self._stored_as(name) for name in columns}, self.schema, self.label)
        for batch in self._batches(list(dict.fromkeys(map(self._stored_as, columns)))):
            recorder.add(batch)
        return recorder.finish()

    def _stored_as(self, name: str) -> str:
        return stored_as(name, self.table.columns, self.changes)

    def _counter(self, counting: Counting) -> Counter:
        stored = {name: self._stored_as(name) for name in chain(*counting)}
        return Counter(counting, stored, self.schema, self.label)

    def _batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """The batches of one pass as the changes leave them."""
        passage = Passage(self.table, self.changes, self.context, columns, self.progress, self.counted_rows)
        for batch in passage:
            self.mixed.update(passage.mixed)
            yield batch
        if not passage.seen:
            self.table.refuse_empty()
        for summary in filter(None, passage.summaries()):
            summary.tell(self.warn)


class _Naming(Writer):
    """Hands records on with their names, and without their keys, which may be kept."""

    def __init__(self, onward: Writer, watching: Watching, prints: TablePrints, keep: bool) -> None:
        self._onward, self._watching, self._prints, self._keep = onward, watching, prints, keep
        self._keys: list[Keys] = [np.zeros(0, np.uint64)]

    def write(self, frame: pl.DataFrame) -> None:
        keys: Keys = frame[_KEY].to_numpy()
        if self._keep:
            self._keys.append(keys)
        assert self._watching.named is not None
        named, kept = self._watching.named(frame.drop(_KEY), self._prints.origins(keys))
        self._watching.kept(kept)
        self._onward.write(named)

    @property
    def keys(self) -> Keys:
        """The keys of all records, in the order in which they were written."""
        return np.concatenate(self._keys)


class _FirstRows:
    """Keeps the first rows that it is shown."""

    def __init__(self, columns: Sequence[str], rows: int) -> None:
        self._columns = columns
        self._wanted = rows
        self._frames = Frames()
        self._kept: list[pl.DataFrame] = []
        self._fates: list[Fates] = [released(0)]

    def add(self, batch: Batch) -> None:
        """Look at the next rows."""
        if self._wanted:
            some = Batch(batch.table.slice(0, self._wanted), released(min(self._wanted, batch.table.num_rows)))
            self._kept.append(self._frames.released(some, self._columns))
            self._fates.append(batch.fates[: self._wanted])
            self._wanted -= some.table.num_rows

    @property
    def frame(self) -> pl.DataFrame:
        """The rows, those that do not come out as well."""
        return pl.concat([self._frames.typed(frame) for frame in self._kept], rechunk=True)

    @property
    def fates(self) -> Fates:
        """What became of them."""
        return np.concatenate(self._fates)
