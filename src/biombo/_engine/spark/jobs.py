"""Jobs that Spark is given: parts mapped by workers, and what comes back to the driver, bounded."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyarrow import parquet

from biombo._engine.spark.codebook import MOST_VALUES, Codebook, Layout
from biombo._engine.spark.failures import failures_in_sentences
from biombo._engine.spark.progress import progress_told
from biombo._engine.spark.session import is_connect
from biombo._engine.spark.tuples import COUNT, FATE, NOTE, SET, Arrived, Shape, value_columns
from biombo._engine.spark.worker import Note, Rows, Work, carried_out, spare_modules
from biombo._engine.spark.workplace import Seal, Stage, Workplace, address_of, exactly, packed
from biombo._errors import LimitError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from biombo._engine.spark.products import CountingProduct

_SHUFFLED_AT_MOST = 64
"""So many partitions have tuples that are merged."""
_SLACK = 1 << 16
_MOST_LIMIT = (1 << 31) - 1
"""Spark takes no larger limit; no process has room for so many rows either."""


@dataclass(frozen=True, eq=False)
class Jobs:
    """One table's jobs."""

    session: "SparkSession"
    workplace: Workplace
    label: str
    most_tuples: int
    most_rows: int
    rows_in_part: int
    rows: int | None = None
    """How many the table has, where that is known beforehand."""

    @property
    def functions(self) -> ModuleType:
        """Spark's functions of columns. Those of Connect are others, and Spark itself chooses by process, not by
        session.
        """
        return import_module("pyspark.sql.connect.functions" if is_connect(self.session) else "pyspark.sql.functions")

    def is_small(self, rows: int | None) -> bool:
        """Would one task have done? Then all that may be asked for comes here at once, instead of a job for each
        question.
        """
        return rows is not None and rows <= min(self.rows_in_part, self.most_tuples)

    def mapped(self, work: Work) -> "DataFrame":
        """What workers make of the parts, when it is asked for."""
        kept = self.workplace.keep(work)
        numbers = self.session.range(0, len(work.parts), 1, len(work.parts))
        return numbers.mapInArrow(carried_out(kept), work.product.spark_schema)

    def collected(self, frame: "DataFrame", at_most: int | None = None) -> pa.Table:
        """All rows of a small frame, or so many of them at most."""
        with self._watched():
            return (frame if at_most is None else frame.limit(min(at_most, _MOST_LIMIT))).toArrow()

    def read_stage(self, stage: Stage) -> "DataFrame":
        """What lies in the files of a stage, as Spark has it."""
        return self.session.read.parquet(exactly(address_of(stage.path)))

    def of(self, session: "SparkSession") -> "Jobs":
        """The same, carried out in another session."""
        return replace(self, session=session)

    def staged(self, frame: "DataFrame", rows_in_file: int = 0) -> Stage:
        """The rows in files, computed once: whoever reads them later reads what was committed. A file has so many rows
        of the frame at most.
        """
        path = self.workplace.new("stage")
        stage = Stage(path, self.workplace.seal)
        with self._watched():
            frame.write.option("maxRecordsPerFile", rows_in_file).parquet(address_of(path))
        return stage

    @contextmanager
    def _watched(self) -> Iterator[None]:
        with failures_in_sentences(self.label, self.session), progress_told(self.session, self.rows):
            yield

    def tuples(
        self, work: Work, product: "CountingProduct", person: str | None = None, book: Codebook | None = None
    ) -> "tuple[list[Arrived], list[Note]]":
        """The tuples of all parts, merged by Spark. Where there are many rows, all values become codes first, unless
        they have some in ``book``. ``person`` is the column that tells people apart, if any does.
        """
        sets = product.sets
        if book is None:
            few = len(work.parts) == 1 or self.is_small(self.rows)  # it is not worth while to agree on codes
            book = Codebook({}) if few else self.alone(work, product).book
        shape = Shape.of(sets, product.stored, book)
        kept = self.workplace.keep(book) if book.texts else None
        arrived = [
            Arrived(columns, layout, [book.texts.get(product.stored[name]) for name in columns])
            for columns, layout in zip(sets, shape.layouts, strict=True)
        ]
        counting = replace(work, product=product.counting(sets, shape, kept))
        merging = self._merged(counting, shape, self.most_tuples)
        for number, blob in merging.blobs:
            arrived[number].add(blob)
        rows = sum(merging.rows.values())
        if rows > self.most_tuples or merging.incomplete:
            raise self.too_many(rows, [*chain(*sets)], person)
        return arrived, merging.notes

    def alone(self, work: Work, product: "CountingProduct") -> "Alone":
        """Each column for itself, in one pass; not those that have very many values."""
        alone = {product.stored[name]: name for name in chain(*product.sets)}
        if not alone:
            return Alone({}, [])
        sets = [(name,) for name in alone.values()]
        shape = Shape.of(sets, product.stored, None)
        looking = replace(work, product=product.counting(sets, shape, None))
        most = min(MOST_VALUES, max(self.most_tuples // len(sets), _SLACK))
        merging = self._merged(looking, shape, most * len(sets), most)
        arrived = [Arrived(columns, layout, [None]) for columns, layout in zip(sets, shape.layouts, strict=True)]
        many = {number for number, rows in merging.rows.items() if rows > most} | merging.incomplete
        for number, blob in merging.blobs:
            if number not in many:
                arrived[number].add(blob)
        found = {name: None if number in many else arrived[number] for number, name in enumerate(alone)}
        return Alone(found, merging.notes)

    def _merged(self, work: Work, shape: Shape, most: int, most_of_set: int | None = None) -> "_Merging":
        shuffled = min(len(work.parts), _SHUFFLED_AT_MOST)
        keys = [*shape.keys, NOTE]
        merged = summed(self.mapped(work).repartition(shuffled, *keys), keys)
        in_task, of_set = (2 * each // shuffled + _SLACK for each in (most, most_of_set or most))
        return self._joined(merged, in_task, of_set)

    def _joined(self, merged: "DataFrame", most_in_task: int, most_of_set: int | None = None) -> "_Merging":
        merging = _Merging(self.workplace.seal)
        joined = _joined(most_in_task, most_of_set or most_in_task)
        found = self.collected(merged.mapInArrow(joined, _JOINED))
        for place in range(found.num_rows):
            merging.add(*(found.column(name)[place].as_py() for name in (SET, "rows", "blob", NOTE)))
        refuse_failures(merging.notes)
        return merging

    def too_many(self, tuples: int, columns: Sequence[str], person: str | None) -> LimitError:
        """That there are more tuples than have room here, and what can be done about it."""
        told = {"source": self.label, "tuples": tuples, "most": self.most_tuples}
        if person in columns:
            return LimitError("spark.too-many-people", column=person, **told)
        return LimitError("spark.too-many-tuples", **told)

    def spelled(self, tuples: "DataFrame", width: int, parts: int) -> "DataFrame":
        """Tuples of texts where Spark has them, equal ones as one, and the notes."""
        keys = [SET, *value_columns(width), FATE, NOTE]
        return summed(tuples.repartition(min(parts, _SHUFFLED_AT_MOST), *keys), keys)

    def brought(self, spelled: "DataFrame", columns: Sequence[str], parts: int) -> "Brought":
        """The same here, as far as there is room."""
        merging = self._joined(spelled, 2 * self.most_tuples // min(parts, _SHUFFLED_AT_MOST) + _SLACK)
        arrived = Arrived(columns, Layout.of([None] * len(columns)), [None] * len(columns))
        for _, blob in merging.blobs:
            arrived.add(blob)
        rows = sum(merging.rows.values())
        return Brought(arrived, merging.notes, rows, not merging.incomplete and rows <= self.most_tuples)


@dataclass(frozen=True, eq=False)
class Alone:
    """Columns each for itself, by what they are called in the batches; none for one of very many values."""

    columns: Mapping[str, Arrived | None]
    notes: list[Note]

    @cached_property
    def book(self) -> Codebook:
        """Codes for their values."""
        return Codebook({name: None if each is None else each.values()[0] for name, each in self.columns.items()})


@dataclass(frozen=True)
class Brought:
    """What came to the driver."""

    tuples: Arrived
    notes: list[Note]
    rows: int
    whole: bool
    """Is it all, and no more than there is room for?"""


def summed(frame: "DataFrame", keys: Sequence[str]) -> "DataFrame":
    """Tuples of ``keys``, with how many records there are of each."""
    return frame.groupBy(*keys).sum(COUNT).withColumnRenamed(f"sum({COUNT})", COUNT)


@dataclass
class _Merging:
    """What comes of merging tuples."""

    seal: Seal
    rows: dict[int, int] = field(default_factory=dict)
    """By set."""
    incomplete: set[int] = field(default_factory=set)
    """Sets of which there were too many in some task."""
    blobs: list[tuple[int, bytes]] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def add(self, number: int, rows: int, blob: bytes | None, note: bytes | None) -> None:
        if note is not None:
            self.notes.append(Note.opened(note, self.seal))
            return
        self.rows[number] = self.rows.get(number, 0) + rows
        if blob is None:
            self.incomplete.add(number)
        else:
            self.blobs.append((number, blob))


_JOINED = f"{SET} int, rows long, blob binary, {NOTE} binary"


def _joined(most: int, most_of_set: int) -> Any:
    """What makes few rows of many tuples; of more than so many in one task nothing but their number."""

    def joined(batches: Rows) -> Rows:
        held = _Held(most, most_of_set)
        for batch in batches:
            held.add(batch)
        yield from held.rows()
        spare_modules()

    return joined


@dataclass
class _Held:
    most: int
    most_of_set: int
    tables: dict[int, list[pa.Table]] = field(default_factory=dict)
    notes: list[bytes] = field(default_factory=list)
    rows_of: dict[int, int] = field(default_factory=dict)
    full: bool = False

    def add(self, batch: pa.RecordBatch) -> None:
        table = pa.Table.from_batches([batch])
        self.notes += [note for note in table.column(NOTE).to_pylist() if note is not None]
        table = table.filter(table.column(NOTE).is_null())
        for number in table.column(SET).unique().to_pylist():
            some = table.filter(pa.compute.equal(table.column(SET), number)).drop_columns([SET, NOTE])
            self.rows_of[number] = self.rows_of.get(number, 0) + some.num_rows
            if self.rows_of[number] > self.most_of_set:
                self.tables.pop(number, None)
            elif not self.full and sum(map(len, chain(*self.tables.values()))) + some.num_rows <= self.most:
                coded = [column.dictionary_encode() if pa.types.is_string(column.type) else column for column in some]
                self.tables.setdefault(number, []).append(pa.table(coded, names=some.column_names))
            else:
                self.full = True
                self.tables.clear()

    def rows(self) -> Rows:
        for number, rows in self.rows_of.items():
            tables = self.tables.get(number)
            yield _row(number, rows, None if tables is None else packed(pa.concat_tables(tables)), None)
        for note in self.notes:
            yield _row(None, None, None, note)


def _row(number: int | None, rows: int | None, blob: bytes | None, note: bytes | None) -> pa.RecordBatch:
    kinds = (pa.int32(), pa.int64(), pa.binary(), pa.binary())
    arrays = [pa.array([value], kind) for value, kind in zip((number, rows, blob, note), kinds, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, [SET, "rows", "blob", NOTE])


def refuse_failures(notes: Sequence[Note]) -> None:
    """Raise what went wrong in the first of the parts in which something did."""
    for note in sorted(notes, key=lambda each: each.part):
        if note.error is not None:
            raise note.error


def notes_in(table: pa.Table, seal: Seal) -> list[Note]:
    """The notes among the rows of a product."""
    return [Note.opened(note, seal) for note in table.column(NOTE).to_pylist() if note is not None]


def notes_of_stage(stage: Stage) -> Iterator[tuple[Path, Note]]:
    """The notes in the files of a stage."""
    for path in stage.files():
        for note in notes_in(parquet.read_table(path, columns=[NOTE], partitioning=None), stage.seal):
            yield path, note
