"""Records on their way out: staged once, counted, put in order by workers, and handed on heap by heap."""

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import polars.selectors as cs
import pyarrow as pa
from pyarrow import parquet

from biombo._data import Column, Dataset, Schema, SpelledValues
from biombo._engine.engine import (
    Counting,
    Keys,
    Naming,
    Origins,
    Paired,
    Pairs,
    Reading,
    StoreTarget,
    Tally,
    Watching,
    Written,
    as_read,
    read_as,
)
from biombo._engine.fates import released
from biombo._engine.local.frames import Frames, ReleasedType
from biombo._engine.local.pairs import RowPairs
from biombo._engine.local.write import CsvWriter, FrameWriter, Target, Writer, csv_lines, writer_for
from biombo._engine.spark.jobs import Alone, Jobs, notes_of_stage
from biombo._engine.spark.products import KEY, PRINT, CountingProduct, Scattered, Tuples, Typing
from biombo._engine.spark.tuples import Kinds, Shape, coded_values, tally
from biombo._engine.spark.worker import KEY_BITS, Making, Note, Passing, Rows, Work, found, merged_kinds
from biombo._engine.spark.workplace import ORDER, Kept, Seal, Stage, packed, unpacked
from biombo._engine.step import Batch
from biombo._errors import BiomboError
from biombo._files import replacing

if TYPE_CHECKING:
    from biombo._engine.spark.flow import SparkFlow

_HEAP = 1 << 17
"""Records that are put in order together, about."""


def write_release(
    flow: "SparkFlow",
    columns: Sequence[str],
    target: Path | StoreTarget | None,
    counting: Counting,
    keep_order: bool,
    watching: Watching,
) -> Written:
    """Write ``columns`` of the records that come out, whole or not at all."""
    leaving = _Leaving(flow, columns, counting, keep_order, watching)
    if isinstance(target, StoreTarget):
        tally, heaps = leaving.settled("typed")
        watching.complete()
        from biombo._engine.spark.store_target import write_to_store

        write_to_store(flow.jobs, heaps, target)
        return Written(tally, None)
    if target is None:
        flow.table.refuse_many_rows()
        with FrameWriter() as memory:
            tally, _ = leaving.handed_on(memory)
        watching.complete()
        return Written(tally, memory.frame)
    with replacing(target) as file:
        with writer_for(target)(file) as writer:
            tally, heaps = leaving.handed_on(writer)
        watching.complete()
    if not flow.table.kept or watching.named is None:
        return Written(tally, None)
    return Written(tally, None, lambda read: SparkPairs(flow.jobs, heaps, read, target.suffix, flow.schema, flow.label))


@dataclass(frozen=True, eq=False)
class _Leaving:
    flow: "SparkFlow"
    columns: Sequence[str]
    counting: Counting
    keep_order: bool
    watching: Watching

    def settled(self, kind: Target) -> "tuple[Tally, Heaps]":
        """The records in their final order and types, for somewhere of this kind."""
        flow = self._staged()
        typing = Typing(self.columns, kind, frozenset(flow.mixed))
        counted, notes = flow.tallied(self.counting, typing)
        told = tally(self.counting, counted)
        frames = typing.frames()
        for note in sorted(notes, key=lambda each: each.part):
            frames.add(note.more or {})
        self.watching.counted(told)
        return told, self._in_heaps(flow, typing, frames.found, told.fates.total - told.fates.out)

    def handed_on(self, writer: Writer) -> "tuple[Tally, Heaps]":
        """The records, written."""
        told, heaps = self.settled(writer.target)
        for heap in heaps.each():
            self.watching.kept(heap.links)
            if isinstance(writer, CsvWriter) and heap.lines is not None:
                writer.write_lines(heap.names, heap.lines)
            else:
                writer.write(heap.frame.select(cs.by_name(*heap.names)))
        return told, heaps

    def _staged(self) -> "SparkFlow":
        """All that will be asked for, in files: what is drawn on the way is drawn once."""
        flow = self.flow
        kept = [flow.stored_as(as_read(name)) for name in flow.table.kept]
        counted = [flow.stored_as(name) for columns in self.counting for name in columns]
        staged = flow.staged(list(dict.fromkeys([*self.columns, *counted, *kept])))
        staged.mixed.update(flow.mixed)
        return staged

    def _in_heaps(
        self, flow: "SparkFlow", typing: Typing, types: Mapping[str, ReleasedType | None], records: int
    ) -> "Heaps":
        jobs = flow.jobs
        count = len(flow.parts) if self.keep_order else max(1, -(-records // min(_HEAP, jobs.rows_in_part)))
        # a flow that is staged has nothing to do but has its originals under names of their own, where they differ
        kept = {name: self._original(flow, name) for name in flow.table.kept}
        product = Scattered(self.columns, kept, count, self.keep_order, typing, jobs.workplace.seal, flow.table.prints)
        scattered = jobs.mapped(flow.work(product))
        prints = flow.table.prints
        rows = flow.table.rows_by_part() if prints is None else prints.rows
        starts = np.cumsum([0, *rows[:-1]]).astype(np.uint64)
        settled = _Ordering(typing, types, starts, self.watching.named, jobs.workplace.seal)
        ordering = jobs.workplace.keep(settled)
        shuffled = scattered.repartition(min(count, 64 + len(flow.parts)), "heap", "note")
        made = shuffled.sortWithinPartitions("heap", "part", "start").mapInArrow(_put_in_order(ordering), _ORDERED)
        stage = jobs.staged(made)
        notes = [note for _, note in notes_of_stage(stage)]
        flow.heed(notes)
        return Heaps(stage, jobs.workplace.seal, tuple(self.columns), tuple(kept), records, merged_kinds(notes))

    @staticmethod
    def _original(flow: "SparkFlow", name: str) -> str:
        twin = as_read(name)
        return twin if twin in flow.stored else name


_ORDERED = "heap int, blob binary, note binary"


@dataclass(frozen=True, eq=False)
class Heap:
    """Some records that come out, in their final order."""

    frame: pl.DataFrame
    """What is released of them, with their names, and what they were."""
    names: list[str]
    """The columns that are released."""
    lines: bytes | None
    """The same in the lines of a CSV file, where it goes to one."""
    links: bytes
    """What is to be kept of their names."""


@dataclass(frozen=True, eq=False)
class _Ordering:
    """How the records of a heap are put in order, named and written."""

    typing: Typing
    types: Mapping[str, ReleasedType | None]
    starts: Keys
    """By part: the place of its first record in the sources."""
    named: Naming | None
    seal: Seal

    def ordered(self, blobs: Sequence[bytes]) -> bytes:
        """A heap, sealed."""
        frames = Frames(self.typing.target)
        frames.add(self.types)
        pieces = [frames.typed(pl.DataFrame(unpacked(self.seal.opened(blob)))) for blob in blobs]
        whole = pl.concat(pieces, rechunk=True).sort(ORDER)
        shown, links = whole.select(cs.by_name(*self.typing.columns)), b""
        if self.named is not None:
            shown, links = self.named(shown, self._origins(whole))
        lines = csv_lines(shown) if self.typing.target == "text" else None
        own = [whole[name] for name in whole.columns if read_as(name) is not None]
        table = shown.with_columns(own).to_arrow()
        return self.seal.closed(pickle.dumps((packed(table), shown.columns, lines, links)))

    def _origins(self, whole: pl.DataFrame) -> Origins:
        keys = whole[KEY].to_numpy()
        places = self.starts[(keys >> np.uint64(KEY_BITS)).astype(np.intp)] + (keys & np.uint64((1 << KEY_BITS) - 1))
        return Origins(places, whole[PRINT].to_numpy() if PRINT in whole.columns else None)


def _put_in_order(kept: Kept) -> Callable[[Rows], Rows]:
    """What puts the records of each heap in order; blobs come sorted by heap."""

    def put_in_order(batches: Rows) -> Rows:
        ordering: _Ordering = found(kept)
        for heap, rows in groupby(_each(batches), key=lambda each: each[0]):
            if heap is None:
                yield from (_ordered_row(None, None, note) for _, _, note in rows)
                continue
            try:
                yield _ordered_row(heap, ordering.ordered([blob for _, blob, _ in rows]), None)
            except BiomboError as error:
                yield _ordered_row(None, None, Note(-1, error=error).closed(ordering.seal))

    return put_in_order


def _each(batches: Rows) -> Iterator[tuple[int | None, bytes, bytes | None]]:
    for batch in batches:
        yield from zip(*(batch.column(name).to_pylist() for name in ("heap", "blob", "note")), strict=True)


def _ordered_row(heap: int | None, blob: bytes | None, note: bytes | None) -> pa.RecordBatch:
    arrays = [pa.array([heap], pa.int32()), pa.array([blob], pa.binary()), pa.array([note], pa.binary())]
    return pa.RecordBatch.from_arrays(arrays, ["heap", "blob", "note"])


@dataclass(frozen=True, eq=False)
class Heaps:
    """The records that come out, in their final order, each beside what it was."""

    stage: Stage
    seal: Seal
    columns: tuple[str, ...]
    originals: tuple[str, ...]
    records: int
    kinds: Kinds

    def each(self) -> Iterator[Heap]:
        """One after the other."""
        for path, place in self.places:
            yield heap_at(path, place, self.seal)

    @cached_property
    def places(self) -> list[tuple[Path, int]]:
        """The file of each heap, and its row there, in their order."""
        found = []
        for path in self.stage.files():
            heaps = parquet.read_table(path, columns=["heap"], partitioning=None).column(0).to_pylist()
            found += [(heap, path, place) for place, heap in enumerate(heaps) if heap is not None]
        return [(path, place) for _, path, place in sorted(found, key=lambda each: each[0])]


def heap_at(path: Path, place: int, seal: Seal) -> Heap:
    """One heap."""
    with parquet.ParquetFile(path) as file:
        for seen, batch in enumerate(file.iter_batches(1, columns=["blob"])):
            if seen == place:
                return opened_heap(batch.column(0)[0].as_py(), seal)
    raise AssertionError(place)


def opened_heap(content: bytes, seal: Seal) -> Heap:
    """A heap that was sealed."""
    table, names, lines, links = pickle.loads(seal.opened(content))
    return Heap(pl.DataFrame(unpacked(table)), names, lines, links)


@dataclass(frozen=True, eq=False)
class SparkPairs(Pairs):
    """See :class:`biombo._engine.engine.Pairs`. Workers read back what is released of each heap, and count."""

    jobs: Jobs
    heaps: Heaps
    read: Reading
    suffix: str
    schema: Schema
    label: str

    @property
    def columns(self) -> Sequence[str]:
        """What was written."""
        return self.heaps.columns

    @property
    def originals(self) -> Sequence[str]:
        """The columns that were kept."""
        return self.heaps.originals

    @property
    def records(self) -> int:
        """How many there are."""
        return self.heaps.records

    def counted(self, released: Sequence[str], own: Sequence[str] = ()) -> Paired:
        """The distinct tuples of released and original values; of a small release, its records."""
        if self.heaps.places and self.jobs.is_small(self.records):
            return self._at_hand.counted(released, own)
        names = (*released, *map(as_read, own))
        if len(names) == 1 and (one := self._alone.columns[names[0]]) is not None:
            arrived, notes = one, self._alone.notes
        else:
            (arrived,), notes = self.jobs.tuples(*self._counting(released, own), book=self._alone.book)
        kinds = {**merged_kinds(notes), **{as_read(name): self.heaps.kinds[name] for name in own}}
        data = arrived.counted(kinds, self.schema, self.label, spelled_twice=[as_read(name) for name in own]).data
        return _split(data, released, own)

    def _counting(self, released: Sequence[str], own: Sequence[str]) -> "tuple[HeapWork, _Rereading]":
        names = (*released, *map(as_read, own))
        counting = Tuples([names], {name: name for name in names})
        rereading = _Rereading(counting, self.heaps.columns, tuple(released), tuple(own), self.read, self.suffix)
        return HeapWork(self.heaps.places, (), None, rereading, seal=self.heaps.seal, label=self.label), rereading

    @cached_property
    def _alone(self) -> Alone:
        """Each column for itself: tuples are asked for in many ways, of which many are answered so."""
        return self.jobs.alone(*self._counting(self.columns, self.originals))

    @cached_property
    def _at_hand(self) -> RowPairs:
        some = self.some(self.records)
        return RowPairs.of(some.released, some.own)

    def some(self, at_most: int) -> Paired:
        """The first records in their order, which is random."""
        frames, held = [], 0
        for heap in self.heaps.each():
            frames.append(heap.frame.head(at_most - held))
            held += frames[-1].height
            if held >= at_most:
                break
        whole = pl.concat(frames, rechunk=True)
        released = reread(whole.select(cs.by_name(*self.columns)), self.read, self.suffix)
        own = {name: self._own(whole[as_read(name)], name) for name in self.originals}
        beside = Dataset(own, whole.height, self.schema, self.label)
        columns = {name: released[name] for name in self.columns}
        return Paired(replace(released, columns=columns, schema=self.schema), beside)

    def _own(self, spelled: pl.Series, name: str) -> Column:
        codes, texts = coded_values(pa.chunked_array([spelled.to_arrow().cast(pa.string())]))
        return SpelledValues(texts.to_pylist(), self.heaps.kinds[name]).column(name, codes)


def _split(data: Dataset, released: Sequence[str], own: Sequence[str]) -> Paired:
    originals = {name: replace(data[as_read(name)], name=name) for name in own}
    return Paired(replace(data, columns={name: data[name] for name in released}), replace(data, columns=originals))


def reread(frame: pl.DataFrame, read: Reading, suffix: str) -> Dataset:
    """Records as whoever gets them reads them: written as a file of the same kind has them, and read from that."""
    first = "_"
    while first in frame.columns:
        first += "_"  # in a release, too, something stands before: a line of one empty field alone is no record to all
    path, file = Path(f"some{suffix}"), BytesIO()  # on no disk: what a plan made may be refused yet
    with writer_for(path)(file) as writer:
        writer.write(frame.select(pl.repeat("x", pl.len(), dtype=pl.String).alias(first), pl.all()))
    return read(path, file.getvalue())


@dataclass(frozen=True, eq=False)
class HeapWork(Work):
    """A pass over the heaps of a release."""

    parts: Sequence[Any]
    seal: Seal = field(kw_only=True)
    label: str = field(kw_only=True)

    def label_of(self, number: int) -> str:  # noqa: ARG002
        """What the table is called."""
        return self.label

    def made(self, number: int) -> Iterator[pa.RecordBatch | Note]:
        """What comes of one heap."""
        path, place = self.parts[number]
        frame = heap_at(path, place, self.seal).frame
        making = self.product.start(number)
        table = pa.RecordBatch.from_arrays(
            [frame[name].to_arrow(compat_level=pl.CompatLevel.oldest()) for name in frame.columns], frame.columns
        )
        yield from making.add(Passing(Batch(table, released(frame.height)), number, 0, self.label))
        yield from making.finish()
        yield Note(number, frame.height, making.kinds)


@dataclass(frozen=True, eq=False)
class _Rereading(CountingProduct):
    """Tuples of what is released, as it is read back, and of what it was."""

    tuples: Tuples
    written: tuple[str, ...]
    released: tuple[str, ...]
    own: tuple[str, ...]
    read: Reading
    suffix: str

    @property
    def sets(self) -> Sequence[Sequence[str]]:  # type: ignore[override]
        """What is counted."""
        return self.tuples.sets

    @property
    def stored(self) -> Mapping[str, str]:  # type: ignore[override]
        """All by their own names."""
        return self.tuples.stored

    @property
    def schema(self) -> str:  # type: ignore[override]
        """As of counted tuples."""
        return self.tuples.schema

    @property
    def columns(self) -> Sequence[str]:
        """All of a heap."""
        return self.tuples.columns

    def counting(self, sets: Sequence[Sequence[str]], shape: Shape, codebook: Kept | None) -> "_Rereading":
        """The same for other sets of columns, or with codes."""
        return replace(self, tuples=self.tuples.counting(sets, shape, codebook))

    def start(self, part: int) -> Making:
        """Of one heap."""
        return _Counting(self, self.tuples.start(part))


class _Counting(Making):
    def __init__(self, product: _Rereading, counting: Making) -> None:
        self._product, self._counting = product, counting

    def add(self, passing: Passing) -> Rows:
        product, table = self._product, passing.batch.table
        arrays, names = [], []
        if product.released:
            frame = pl.DataFrame(pa.Table.from_batches([table.select(list(product.written))]))
            back = reread(frame, product.read, product.suffix)
            for name in product.released:
                arrays.append(back[name].decoded().to_arrow(compat_level=pl.CompatLevel.oldest()))
                names.append(name)
        for name in map(as_read, product.own):
            arrays.append(table.column(name))
            names.append(name)
        rows = len(passing.batch.fates)
        whole = pa.RecordBatch.from_arrays(arrays, names) if arrays else table
        yield from self._counting.add(replace(passing, batch=Batch(whole, released(rows))))

    def finish(self) -> Rows:
        yield from self._counting.finish()
        self.kinds = self._counting.kinds
