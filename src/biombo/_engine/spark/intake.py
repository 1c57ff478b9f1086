"""What workers do with rows that only Spark reads: put them into sealed files, which are parts of a table."""

import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pyarrow as pa
from pyarrow import parquet

from biombo._data import CsvStream
from biombo._engine.spark.worker import Rows, found
from biombo._engine.spark.workplace import Kept, Seal, Stage, Workplace, packed, unpacked
from biombo._errors import BiomboError, ColumnError, InputError

FILE, START = "file", "start"
"""Which file the first row of a task is from, and where in it the task began."""

SCHEMA = "file string, start long, place long, rows long, blob binary, failure binary"
BLOBS_IN_FILE = 8
"""So many sealed batches are in a file, which is a part of the table then."""

_ABOUT = ["file", "start", "place", "rows", "failure"]
_KINDS = (pa.string(), pa.int64(), pa.int64(), pa.int64(), pa.binary(), pa.binary())


@dataclass(frozen=True)
class Intake(ABC):
    """Takes the rows of one task, in order, and seals them."""

    seal: Seal
    columns: Sequence[str]
    """What they are called."""

    def sealed(self, batches: Rows) -> Rows:
        """Rows for the stage; a failure that is about the data is one of them."""
        first = next((batch for batch in batches if batch.num_rows), None)
        if first is None:
            return
        file, start = (first.column(name)[0].as_py() for name in (FILE, START))
        place, is_there = 0, False
        try:
            for table in self.tables(first, batches, unquote(file)):
                blob = self.seal.closed(packed(table))
                yield _row(file, start, place, table.num_rows, blob, None)
                place, is_there = place + table.num_rows, True
            if not is_there:  # a file without rows was read too
                yield _row(file, start, 0, 0, None, None)
        except BiomboError as error:
            yield _row(file, start, place, None, None, self.seal.closed(pickle.dumps(error)))

    @abstractmethod
    def tables(self, first: pa.RecordBatch, others: Rows, file: str) -> Iterator[pa.RecordBatch]:
        """The rows of the task as the table has them."""


@dataclass(frozen=True)
class TypedIntake(Intake):
    """Rows with types, as Spark has them from Parquet or a database."""

    def tables(self, first: pa.RecordBatch, others: Rows, file: str) -> Iterator[pa.RecordBatch]:  # noqa: ARG002
        """Without what was only needed on the way."""
        yield self._named(first)
        for batch in others:
            if batch.num_rows:
                yield self._named(batch)

    def _named(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        return pa.RecordBatch.from_arrays(batch.columns[: len(self.columns)], list(self.columns))


@dataclass(frozen=True)
class CsvIntake(Intake):
    """The lines of one CSV file, read as this process reads CSV files."""

    constants: Sequence[str] = ()
    """The columns that stand in the names of folders; they come last."""

    def tables(self, first: pa.RecordBatch, others: Rows, file: str) -> Iterator[pa.RecordBatch]:
        """The parsed rows."""
        values = {name: first.column(3 + place)[0].as_py() for place, name in enumerate(self.constants)}
        inside = [name for name in self.columns if name not in values]
        parsed = CsvStream.of(file, joined_lines(first, others))
        for name in inside:
            if name not in parsed.columns:
                raise ColumnError.missing(name, parsed.columns, file)
        for batch in parsed.batches(inside):
            added = [pa.array([value], pa.string()).take(pa.array([0] * batch.num_rows)) for value in values.values()]
            yield pa.RecordBatch.from_arrays([*batch.columns, *added], [*inside, *values])


def joined_lines(first: pa.RecordBatch, others: Rows) -> Iterator[bytes]:
    """The bytes that the lines were cut from."""
    yield _joined(first)
    yield from map(_joined, others)


def _joined(batch: pa.RecordBatch) -> bytes:
    return b"".join(line + b"\n" for line in batch.column(0).to_pylist())


def _row(*values: Any) -> pa.RecordBatch:
    arrays = [pa.array([value], kind) for value, kind in zip(values, _KINDS, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, [each.split()[0] for each in SCHEMA.split(", ")])


def taken_in(kept: Kept) -> Callable[[Rows], Rows]:
    """What Spark calls on workers, with rows that it read."""

    def sealed(batches: Rows) -> Rows:
        intake: Intake = found(kept)
        yield from intake.sealed(batches)

    return sealed


@dataclass(frozen=True)
class StoredPart:
    """Some of the rows that were taken in, in a file of the stage."""

    path: Path | None
    """None where there are no rows at all."""
    seal: Seal
    label: str
    columns: list[str]
    rows: int
    refused: Mapping[str, BiomboError]
    """The columns that cannot be had, and why."""
    keeps: tuple[Stage, Workplace] | None = field(default=None, repr=False, compare=False)
    """The file is where it is for as long as somebody here may read it."""

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows, with only ``columns``."""
        for name in columns:
            if name in self.refused:
                raise self.refused[name]
        if self.path is None:
            return
        with parquet.ParquetFile(self.path) as file:
            for sealed in file.iter_batches(1, columns=["blob"]):
                content = sealed.column(0)[0].as_py()
                if content is None:
                    continue
                table = unpacked(self.seal.opened(content))
                yield from table.select(list(columns)).combine_chunks().to_batches()

    def __reduce__(self) -> tuple[Any, ...]:
        return StoredPart, (self.path, self.seal, self.label, self.columns, self.rows, self.refused)


@dataclass(frozen=True)
class Taken:
    """What lies in a stage after all was taken in."""

    files: frozenset[str]
    """From which rows came."""
    parts: Sequence[tuple[Path, int]]
    """Files of the stage with their rows, in the order of the source."""

    @classmethod
    def of(cls, stage: Stage, seal: Seal) -> "Taken":
        """Raises what went wrong in the first of the source's files in which something did."""
        placed, failures = [], []
        for path in stage.files():
            rows = parquet.read_table(path, columns=_ABOUT, partitioning=None).to_pylist()
            failures += [(_place(row), row["failure"]) for row in rows if row["failure"] is not None]
            if rows:
                placed.append((_place(rows[0]), path, sum(row["rows"] or 0 for row in rows)))
        if failures:
            raise pickle.loads(seal.opened(min(failures)[1]))
        placed.sort(key=lambda each: each[0])
        return cls(frozenset(file for (file, _, _), _, _ in placed), [(path, rows) for _, path, rows in placed])


def _place(row: Mapping[str, Any]) -> tuple[str, int, int]:
    return row["file"], row["start"], row["place"]


def unreadable(label: str, column: str, kind: str) -> InputError:
    """Why a column of lists or records cannot be had."""
    return InputError("input.nested", path=label, column=column, type=kind)
