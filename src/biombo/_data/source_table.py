"""A table as its sources have it: one or several files, tables or a query, whose rows stream as they are."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NoReturn, cast

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from biombo._data.canonical_rows import canonical_rows
from biombo._data.dataset import Column, Dataset
from biombo._data.formats.constants import with_constants
from biombo._data.formats.csv_file import CsvFile
from biombo._data.formats.distant import Stores
from biombo._data.formats.filenames import FilenamePattern
from biombo._data.formats.memory_table import PolarsTable, gives_twice, held, kind_of_source
from biombo._data.formats.open import open_sources
from biombo._data.formats.soundness import sound
from biombo._data.formats.source import ColumnNotes, File, Source
from biombo._data.schema import Schema
from biombo._data.selection import Chosen, Selection, chosen_by, only
from biombo._errors import ColumnError, InputError, UsageError, shortened, system_reason
from biombo._frames import FrameKind
from biombo._i18n import text
from biombo._watch import stop_if_cancelled

_STATE_BYTES = 32

Progress = Callable[[int, int | None], None]
"""Called with the rows read so far and, where known, how many there will be."""


@dataclass(frozen=True)
class SourceTable:
    """The rows of all sources, one after the other, with the columns that stand in the files' names.

    Where records are selected, the others are as if they had never been there: nobody who asks for rows is given any of
    them, on whatever engine.
    """

    sources: tuple[Source, ...]
    pattern: FilenamePattern | None
    selections: tuple[Selection, ...] = field(default=(), kw_only=True)
    """What rows must be to be there: all of it."""

    @classmethod
    def open(
        cls,
        source: Any,
        *,
        filename: str | None = None,
        database: str | None = None,
        sheet: str | None = None,
        unescape: bool = False,
        stores: Stores | None = None,
    ) -> "SourceTable":
        """Whatever :func:`biombo.read` takes, or what it gave; a table that is open already stays as it is. What lies
        beyond this process is opened by ``stores``.
        """
        if isinstance(source, cls):
            return source
        if isinstance(source, Dataset):
            return cls((PolarsTable(source.decoded(), source.kind),), None)
        pattern = FilenamePattern(filename) if filename is not None else None
        sources = open_sources(source, database, stores, sheet)
        if unescape:
            sources = [replace(each, unescape=True) if isinstance(each, CsvFile) else each for each in sources]
        table = cls(tuple(sources), pattern)
        table._check_pattern()
        return table

    @property
    def label(self) -> str:
        """What to call it in a message."""
        first, last = self.sources[0].label, self.sources[-1].label
        label = first if len(self.sources) == 1 else f"{first} … {last}"
        return text("plan.selected", source=label) if self.selections else label

    @property
    def columns(self) -> list[str]:
        """The columns of the first source, and those of the files' names."""
        return [*self.sources[0].columns, *self.columns_of_names]

    @property
    def columns_of_names(self) -> list[str]:
        """The columns that stand in the files' names."""
        return self.pattern.columns if self.pattern else []

    @property
    def rows(self) -> int | None:
        """How many rows to expect, where that is known beforehand: not of records that are selected."""
        return None if self.selections else self._rows_read

    @property
    def _rows_read(self) -> int | None:
        counts = [source.rows for source in self.sources]
        return sum(count for count in counts if count is not None) if None not in counts else None

    @property
    def kind(self) -> FrameKind:
        """The kind of frame that what is made of it goes out as."""
        return kind_of_source(self.sources[0])

    @property
    def files(self) -> list[Path]:
        """The files that are read."""
        return [source.path for source in self.sources if isinstance(source, File)]

    @property
    def notes(self) -> dict[str, ColumnNotes]:
        """What the first file says of its columns, where it says anything."""
        first = self.sources[0]
        return dict(first.notes) if isinstance(first, File) else {}

    @property
    def labels(self) -> dict[str, str]:
        """What the first file calls its columns for people."""
        return {name: about.label for name, about in self.notes.items() if about.label}

    @property
    def value_labels(self) -> dict[str, dict[str, str]]:
        """What the first file says that values mean, by column and by how they are written."""
        return {name: dict(about.value_labels) for name, about in self.notes.items() if about.value_labels}

    def selected(self, selections: Sequence[Selection]) -> "SourceTable":
        """The same table with none but the records that are selected; what was selected by before stays."""
        new = [each for each in selections if each not in self.selections]
        self.check([name for each in new for name in each.reads])
        return replace(self, selections=(*self.selections, *new))

    @property
    def whole(self) -> "SourceTable":
        """The same table with all its rows, selected or not: for whoever must recognise it."""
        return SourceTable(self.sources, self.pattern)

    def refuse_empty(self) -> NoReturn:
        """Raise, since there are no rows."""
        raise InputError("input.none-selected" if self.selections else "input.empty", source=self.whole.label)

    def check(self, columns: Sequence[str]) -> None:
        """Raise when one of ``columns`` is missing from a source."""
        for source in self.sources:
            available = [*source.columns, *self.columns_of_names]
            there = set(available)
            for name in columns:
                if name not in there:
                    raise _missing(name, available, source)
        self._refuse_patterns(columns)

    def header(self, columns: Sequence[str], schema: Schema) -> Dataset:
        """Some columns without their rows: what can be said of a request by the columns alone is said on it."""
        self.check(columns)
        codes = np.empty(0, np.uint8)
        none = pl.Series([], dtype=pl.String)
        return Dataset({name: Column(name, codes, none) for name in columns}, 0, schema, self.label)

    @property
    def gives_twice(self) -> bool:
        """Are the rows the same whenever they are asked for?"""
        return all(gives_twice(source) for source in self.sources)

    def batches(self, columns: Sequence[str], progress: Progress | None = None) -> Iterator[tuple[str, pa.RecordBatch]]:
        """The rows, with only ``columns``, a bounded number at a time, each batch with the name of its source."""
        for label, batch, chosen in self.marked(columns, progress):
            some = batch if chosen is None else only(batch, chosen, columns)
            if chosen is None or some.num_rows:
                yield label, some

    def marked(
        self, columns: Sequence[str], progress: Progress | None = None
    ) -> Iterator[tuple[str, pa.RecordBatch, Chosen | None]]:
        """All rows, whether they are selected or not, and which are; all where it is missing. Batches have ``columns``,
        and those that it takes to say so.
        """
        choosing = [each.choosing() for each in self.selections]
        read = list(dict.fromkeys([*columns, *(name for each in self.selections for name in each.reads)]))
        for label, batch in self._all_batches(read, progress):
            yield label, batch, chosen_by(choosing, batch, label) if choosing else None

    def _all_batches(self, columns: Sequence[str], progress: Progress | None) -> Iterator[tuple[str, pa.RecordBatch]]:
        rows, expected = 0, self._rows_read
        self._refuse_patterns(columns)
        for source in self.sources:
            constants = self.pattern.match(source.label) if self.pattern else {}
            stored = [name for name in columns if name not in constants]
            for batch in _batches(source, stored or source.columns[:1]):
                stop_if_cancelled()
                rows += batch.num_rows
                yield source.label, with_constants(batch, columns, constants)
                if progress:
                    progress(rows, expected)

    def places(self) -> NDArray[np.uint64]:
        """Where the selected records lie in the sources, one after the other, from 0."""
        rows, found = 0, [np.zeros(0, np.uint64)]
        for _, batch, chosen in self.marked(()):
            some = np.arange(batch.num_rows) if chosen is None else np.flatnonzero(chosen)
            found.append((rows + some).astype(np.uint64))
            rows += batch.num_rows
        return np.concatenate(found)

    def cut(self, rows: int) -> "list[SourceTable]":
        """The same rows in tables that can be read apart, wherever their files are within reach: a file each, or some
        row groups of a Parquet file, about so many ``rows``.
        """
        parts: list[Source] = []
        for source in self.sources:
            parts += cast(Sequence[Source], source.cut(rows)) if isinstance(source, File) else [source]
        return [replace(self, sources=(part,)) for part in parts]

    def fingerprint(self) -> str:
        """What the table is recognised by: its values in the order in which they come, whatever kind of file they are
        in.
        """
        found = hashlib.sha256(repr(self.columns).encode())
        for _, batch in self.whole.batches(self.columns):
            found.update(pl.DataFrame(batch).write_csv(include_header=False).encode())
        return found.hexdigest()

    def state(self) -> str:
        """What all records are recognised by in whatever order, and with whatever order of columns. It is made without
        a key, so it is kept only beside what tells more.
        """
        rows, total = 0, 0
        for label, batch in self.batches(sorted(self.columns)):
            for texts in canonical_rows(batch, label):
                for row in texts.cast(pa.large_binary()).to_pylist():
                    total += int.from_bytes(hashlib.blake2b(row, digest_size=_STATE_BYTES).digest(), "big")
                    rows += 1
        whole = f"{sorted(self.columns)} {rows} {total % (1 << 8 * _STATE_BYTES)}"
        return hashlib.blake2b(whole.encode(), digest_size=_STATE_BYTES).hexdigest()

    def held(self) -> "SourceTable":
        """The same rows, kept in memory where a source may not give them a second time, or not the same."""
        return replace(self, sources=tuple(map(held, self.sources)))

    def _refuse_patterns(self, columns: Sequence[str]) -> None:
        """Polars takes a name from ^ to $ for a pattern, which would stand for other columns."""
        for name in columns:
            if name.startswith("^") and name.endswith("$"):
                raise ColumnError("column.pattern", column=name, source=self.label)

    def _check_pattern(self) -> None:
        """Every file's name must hold the columns of the pattern, and no file may have them inside as well."""
        if self.pattern is None:
            return
        for source in self.sources:
            if not isinstance(source, File):
                raise UsageError("usage.pattern-no-file", pattern=self.pattern.pattern, source=source.label)
            self.pattern.match(source.label)
            both = [name for name in self.pattern.columns if name in source.columns]
            if both:
                raise ColumnError("column.also-in-name", source=source.label, columns=shortened(both))


def _missing(name: str, available: list[str], source: Source) -> ColumnError:
    if isinstance(source, CsvFile) and len(source.columns) == 1:
        return ColumnError("column.single", column=name, source=source.label, only=source.columns[0][:80])
    return ColumnError.missing(name, available, source.label)


def _batches(source: Source, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    try:
        for batch in source.batches(columns):
            yield sound(batch, source.label)
    except OSError as error:
        raise InputError("input.unreadable", path=source.label, detail=system_reason(error)) from None
