"""What workers do: a part of a table at a time, read and changed as in one process, and what comes of it.

Failures that are about the data come back as notes beside the rows, never as failures of Spark's tasks: these would be
tried again, and told in logs that others read.
"""

import gc
import os
import pickle
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from biombo._data import File, SourceTable
from biombo._engine.local.passage import Passage
from biombo._engine.spark.tuples import NOTE, Kinds
from biombo._engine.spark.workplace import Kept, Seal
from biombo._engine.step import Batch, Change, Step, Summary
from biombo._errors import BiomboError, InputError
from biombo._watch import Watch

Rows = Iterator[pa.RecordBatch]
_KINDS = {"int": pa.int32(), "long": pa.int64(), "string": pa.string(), "binary": pa.binary()}
KEY_BITS = 40
"""The key of a record: the number of its part, and its place there in so many bits."""


@dataclass(frozen=True)
class Note:
    """What is known of a part once it is done."""

    part: int
    rows: int = 0
    kinds: Kinds = field(default_factory=dict)
    mixed: frozenset[str] = frozenset()
    summaries: tuple[Summary | None, ...] = ()
    warnings: tuple[str, ...] = ()
    error: BiomboError | None = None
    more: Any = None
    """What the product has to add."""

    def closed(self, seal: Seal) -> bytes:
        """The note as it travels."""
        return seal.closed(pickle.dumps(self))

    @classmethod
    def opened(cls, content: bytes, seal: Seal) -> "Note":
        """A note that arrived."""
        note: Note = pickle.loads(seal.opened(content))
        return note


@dataclass(frozen=True, eq=False)
class Passing:
    """A batch on its way."""

    batch: Batch
    part: int
    start: int
    """The place of its first row in the part."""
    label: str

    @property
    def keys(self) -> Any:
        """The keys of its rows."""
        return keys_from(self.part, self.start, len(self.batch.fates))


def keys_from(part: int, start: int, rows: int) -> Any:
    """The keys of some rows of a part."""
    return key_of(part, np.arange(start, start + rows, dtype=np.uint64))


def key_of(part: int, places: Any) -> Any:
    """The keys of the rows at these places of a part."""
    return places | np.uint64(part << KEY_BITS)


class Making(ABC):
    """Makes rows for Spark of the batches of one part."""

    kinds: Kinds = {}  # noqa: RUF012 - never changed in place
    more: Any = None

    @abstractmethod
    def add(self, passing: Passing) -> Rows:
        """What can be handed on already."""

    def finish(self) -> Rows:
        """The rest."""
        yield from ()


class Product(ABC):
    """What is made of the parts of a table."""

    schema: str
    """Of its rows, as Spark has it, without the note at the end."""

    @property
    @abstractmethod
    def columns(self) -> Sequence[str]:
        """What batches must have."""

    @abstractmethod
    def start(self, part: int) -> Making:
        """For one part."""

    @property
    def spark_schema(self) -> str:
        """The same with the note."""
        return f"{self.schema}, {NOTE} binary"

    def note(self, note: Note, seal: Seal) -> pa.RecordBatch:
        """A row with nothing but a note, sealed: what steps have noticed are values."""
        columns = [each.split() for each in self.schema.split(", ")]
        missing = [pa.nulls(1, _KINDS[kind]) for _, kind in columns]
        names = [name for name, _ in columns]
        return pa.RecordBatch.from_arrays([*missing, pa.array([note.closed(seal)], pa.binary())], [*names, NOTE])


class Placed(Change, ABC):
    """A change that goes by the places of records, so that it is another one in each part."""

    @abstractmethod
    def in_part(self, part: int) -> Change:
        """What is done in one part."""

    def start(self, context: Any) -> Step:
        """Never: it is done part by part."""
        raise AssertionError(context)


@dataclass(frozen=True, eq=False)
class Work:
    """A pass over all parts of a table, whoever makes it."""

    parts: Sequence[SourceTable]
    changes: Sequence[Change]
    context: Any
    product: Product
    as_is: bool = False
    """Are values counted as the sources have them, with empty text apart from what is missing?"""
    rows: Mapping[int, int] = field(default_factory=dict)
    """Of parts that were passed over before: how many there were."""

    def label_of(self, number: int) -> str:
        """What a part is called in messages."""
        return self.parts[number].label

    def done(self, number: int, seal: Seal) -> Rows:
        """What comes of one part, and its note."""
        heard: list[str] = []
        watch = Watch(warning=heard.append)
        rows = self.made(number)
        while True:
            try:
                with watch:  # only while something is done: in between, somebody else may watch
                    made = next(rows, None)
            except BiomboError as error:
                made = Note(number, error=self._unseen(number) or error)
            except MemoryError:
                made = Note(number, error=InputError("spark.memory", source=self.label_of(number)))
            except (OSError, KeyboardInterrupt, SystemExit, GeneratorExit):
                raise  # it may work elsewhere, or later
            except BaseException as error:  # whose words may tell values; a panic of Rust code is no Exception
                if os.environ.get("BIOMBO_DEBUG"):
                    raise
                source, kind = self.label_of(number), type(error).__name__
                made = Note(number, error=InputError("spark.worker-failed", source=source, detail=kind))
            if made is None:
                return
            if isinstance(made, Note):
                yield self.product.note(replace(made, warnings=tuple(heard)), seal)
                return
            yield made

    def _unseen(self, number: int) -> InputError | None:
        """What to say where the file that the driver has seen is not there for this worker."""
        part = self.parts[number]
        paths = [each.path for each in part.sources if isinstance(each, File)] if isinstance(part, SourceTable) else []
        if all(os.access(path, os.R_OK) for path in paths):
            return None
        return InputError("spark.unseen-file", source=self.label_of(number))

    def made(self, number: int) -> Iterator[pa.RecordBatch | Note]:
        """The rows of one part, and its note in the end."""
        changes = [each.in_part(number) if isinstance(each, Placed) else each for each in self.changes]
        making = self.product.start(number)
        passage = self._passage(number, changes)
        label, seen = self.label_of(number), 0
        for batch in passage:
            yield from making.add(Passing(batch, number, seen, label))
            seen += len(batch.fates)
        yield from making.finish()
        mixed, summaries = (frozenset[str](), ()) if self.as_is else _noticed(passage)
        yield Note(number, seen, making.kinds, mixed, tuple(summaries), more=making.more)

    def _passage(self, number: int, changes: Sequence[Change]) -> Any:
        if self.as_is:
            table = self.parts[number]
            return (
                Batch(batch, np.zeros(batch.num_rows, np.uint8)) for _, batch in table.batches(self.product.columns)
            )
        rows = self.rows.get(number)
        return Passage(self.parts[number], changes, self.context, self.product.columns, rows=rows)


def _noticed(passage: Passage) -> tuple[frozenset[str], Sequence[Summary | None]]:
    return frozenset(passage.mixed), passage.summaries()


def carried_out(kept: Kept) -> Callable[[Rows], Rows]:
    """What Spark calls on workers, with the numbers of parts. All that it needs to know lies sealed in the folder."""

    def parts_done(batches: Rows) -> Rows:
        work: Work = found(kept)
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from work.done(number, kept.seal)
        spare_modules()

    return parts_done


def spare_modules() -> None:
    """After each task Spark has Python look for garbage among all that it ever loaded, which takes longer than a small
    task does. What belongs to modules stays anyway, and is left out of that from now on.
    """
    _set_apart(len(sys.modules))


@cache
def _set_apart(_modules: int) -> None:
    gc.collect()
    gc.freeze()


def found(kept: Kept) -> Any:
    """What lies in the folder, if this worker sees it."""
    try:
        return kept.load()
    except (FileNotFoundError, PermissionError):
        raise UnseenFolderError(kept.path.parent.name) from None


class UnseenFolderError(FileNotFoundError):
    """A worker does not see the folder that it should share with the driver."""


def rows_with(columns: Mapping[str, pa.Array]) -> pa.RecordBatch:
    """Rows of a product, without notes."""
    rows = len(next(iter(columns.values())))
    return pa.RecordBatch.from_arrays([*columns.values(), pa.nulls(rows, pa.binary())], [*columns, NOTE])


def part_of(path: Path, number: int) -> Path:
    """Where something for one part lies."""
    return path / f"part={number}"


def merged_kinds(notes: Sequence[Note]) -> Kinds:
    """The types that values had in any part."""
    kinds: dict[str, frozenset[pa.DataType]] = {}
    for note in notes:
        for name, found in note.kinds.items():
            kinds[name] = kinds.get(name, frozenset()) | found
    return kinds
