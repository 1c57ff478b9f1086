"""Jobs that Spark is given: parts mapped by workers, and what comes back to the driver, bounded."""

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyarrow import parquet

from biombo._engine.spark.failures import failures_in_sentences
from biombo._engine.spark.tuples import COUNT, FATE, NOTE, SET, Arrived, value_columns
from biombo._engine.spark.worker import Note, Rows, Work, carried_out
from biombo._engine.spark.workplace import Stage, Workplace, packed
from biombo._errors import InputError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_SHUFFLED_AT_MOST = 64
"""So many partitions have tuples that are merged."""
_SLACK = 1 << 16


@dataclass(frozen=True, eq=False)
class Jobs:
    """One table's jobs."""

    session: "SparkSession"
    workplace: Workplace
    label: str
    most_tuples: int
    most_rows: int

    def mapped(self, work: Work) -> "DataFrame":
        """What workers make of the parts, when it is asked for."""
        kept = self.workplace.keep(work)
        numbers = self.session.range(0, len(work.parts), 1, len(work.parts))
        return numbers.mapInArrow(carried_out(kept), work.product.spark_schema)

    def collected(self, frame: "DataFrame") -> pa.Table:
        """All rows of a small frame."""
        with failures_in_sentences(self.label, self.session):
            return frame.toArrow()

    def staged(self, frame: "DataFrame") -> Stage:
        """The rows in files, computed once: whoever reads them later reads what was committed."""
        path = self.workplace.new("stage")
        stage = Stage(path)
        with failures_in_sentences(self.label, self.session):
            frame.write.parquet(path.as_uri())
        return stage

    def tuples(
        self, work: Work, sets: Sequence[Sequence[str]], person: str | None = None
    ) -> "tuple[list[Arrived], list[Note]]":
        """The tuples of all parts, merged by Spark; ``person`` is the column that tells people apart, if any does."""
        merged = self.merged(self.mapped(work), max(map(len, sets), default=0), len(work.parts))
        found = self.brought(merged, sets, len(work.parts))
        if not found.whole:
            raise self.too_many(found.rows, [name for columns in sets for name in columns], person)
        return found.tuples, found.notes

    def too_many(self, tuples: int, columns: Sequence[str], person: str | None) -> InputError:
        """That there are more tuples than have room here, and what can be done about it."""
        told = {"source": self.label, "tuples": tuples, "most": self.most_tuples}
        if person in columns:
            return InputError("spark.too-many-people", column=person, **told)
        return InputError("spark.too-many-tuples", **told)

    def merged(self, tuples: "DataFrame", width: int, parts: int) -> "DataFrame":
        """Tuples where Spark has them, equal ones as one, and the notes."""
        keys = [SET, *value_columns(width), FATE, NOTE]
        return summed(tuples.repartition(min(parts, _SHUFFLED_AT_MOST), *keys), keys)

    def brought(self, merged: "DataFrame", sets: Sequence[Sequence[str]], parts: int) -> "Brought":
        """The same here, as far as there is room."""
        most = 2 * self.most_tuples // min(parts, _SHUFFLED_AT_MOST) + _SLACK
        return self._arrived(self.collected(merged.mapInArrow(_joined(most), _JOINED)), sets)

    def _arrived(self, found: pa.Table, sets: Sequence[Sequence[str]]) -> "Brought":
        notes, arrived, rows, whole = [], [Arrived(columns) for columns in sets], 0, True
        for batch in found.to_batches():
            for number, count, blob, note in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                if note is not None:
                    notes.append(pickle.loads(note))
                    continue
                rows, whole = rows + count, whole and blob is not None
                if blob is not None:
                    arrived[number].add(blob)
        refuse_failures(notes)
        return Brought(arrived, notes, rows, whole and rows <= self.most_tuples)


@dataclass(frozen=True)
class Brought:
    """What came to the driver."""

    tuples: list[Arrived]
    notes: list[Note]
    rows: int
    whole: bool
    """Is it all, and no more than there is room for?"""


def summed(frame: "DataFrame", keys: Sequence[str]) -> "DataFrame":
    """Tuples of ``keys``, with how many records there are of each."""
    return frame.groupBy(*keys).sum(COUNT).withColumnRenamed(f"sum({COUNT})", COUNT)


_JOINED = f"{SET} int, rows long, blob binary, {NOTE} binary"


def _joined(most: int) -> Any:
    """What makes few rows of many tuples; of more than so many in one task nothing but their number."""

    def joined(batches: Rows) -> Rows:
        held = _Held(most)
        for batch in batches:
            held.add(batch)
        yield from held.rows()

    return joined


@dataclass
class _Held:
    most: int
    tables: dict[int, list[pa.Table]] = field(default_factory=dict)
    notes: list[bytes] = field(default_factory=list)
    rows_of: dict[int, int] = field(default_factory=dict)

    def add(self, batch: pa.RecordBatch) -> None:
        table = pa.Table.from_batches([batch])
        self.notes += [note for note in table.column(NOTE).to_pylist() if note is not None]
        table = table.filter(table.column(NOTE).is_null())
        for number in table.column(SET).unique().to_pylist():
            some = table.filter(pa.compute.equal(table.column(SET), number)).drop_columns([SET, NOTE])
            self.rows_of[number] = self.rows_of.get(number, 0) + some.num_rows
            if sum(self.rows_of.values()) <= self.most:
                coded = [column.dictionary_encode() if pa.types.is_string(column.type) else column for column in some]
                self.tables.setdefault(number, []).append(pa.table(coded, names=some.column_names))
            else:
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


def notes_in(table: pa.Table) -> list[Note]:
    """The notes among the rows of a product."""
    return [pickle.loads(note) for note in table.column(NOTE).to_pylist() if note is not None]


def notes_of_stage(stage: Stage) -> Iterator[tuple[Path, Note]]:
    """The notes in the files of a stage."""
    for path in stage.files():
        for note in notes_in(parquet.read_table(path, columns=[NOTE], partitioning=None)):
            yield path, note
