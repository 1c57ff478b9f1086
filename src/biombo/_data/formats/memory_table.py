"""Tables that are in memory already, or kept there because their source may not give its rows twice."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import polars as pl
import polars.selectors as cs
import pyarrow as pa

from biombo._data.formats.distant import Distant
from biombo._data.formats.header import unique
from biombo._data.formats.soundness import foreign_failures
from biombo._data.formats.source import File, Source
from biombo._data.formats.values import batch_of
from biombo._errors import ColumnError
from biombo._frames import FrameKind, frame_kind
from biombo._i18n import text
from biombo._watch import stoppable

ROWS_AT_A_TIME = 1 << 20


def table_source(table: Any) -> Source | None:
    """``table`` as a source; none when it is no table."""
    kind = frame_kind(table)
    if kind == "polars":
        return PolarsQuery(table) if isinstance(table, pl.LazyFrame) else PolarsTable(table)
    if kind == "pandas":
        return PandasTable(table)
    return None if kind is None else _arrow_source(table)


def _arrow_source(table: Any) -> Source:
    if isinstance(table, pa.RecordBatch):
        return ArrowTable(pa.Table.from_batches([table]))
    return ArrowTable(table) if isinstance(table, pa.Table) else ArrowStream(table)


def kind_of_source(source: Source) -> FrameKind:
    """The kind of frame that its rows go out as: the one that they came as."""
    kind: FrameKind = getattr(source, "kind", "polars")
    return kind


def _label(kind: str) -> str:
    return text("errors.input.the-table", kind=kind)


@dataclass(frozen=True)
class ArrowTable:
    """An Arrow table, read in slices that share its memory."""

    table: pa.Table = field(repr=False)
    kind: ClassVar[FrameKind] = "arrow"

    @property
    def label(self) -> str:
        """The kind of table."""
        return _label("Arrow")

    @property
    def columns(self) -> list[str]:
        """The names of its columns."""
        return unique(self.table.column_names, self.label)

    @property
    def rows(self) -> int:
        """How many it has."""
        return int(self.table.num_rows)

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows, with only ``columns``."""
        yield from self.table.select(list(columns)).to_batches(ROWS_AT_A_TIME)


@dataclass(frozen=True)
class ArrowStream:
    """Whatever gives out Arrow batches, once."""

    stream: Any = field(repr=False)
    rows: ClassVar[None] = None
    kind: ClassVar[FrameKind] = "arrow"

    @property
    def label(self) -> str:
        """The kind of table."""
        return _label("Arrow")

    @property
    def columns(self) -> list[str]:
        """The names of its columns."""
        return unique(self._reader.schema.names, self.label)

    @cached_property
    def _reader(self) -> pa.RecordBatchReader:
        with foreign_failures("input.table", source=self.label):
            return pa.RecordBatchReader.from_stream(self.stream)

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows, with only ``columns``."""
        with foreign_failures("input.table", source=self.label):
            for batch in self._reader:
                yield from ArrowTable(pa.Table.from_batches([batch])).batches(columns)


@dataclass(frozen=True)
class PolarsTable:
    """A Polars table. Categorical and Enum columns come with their dictionaries."""

    table: pl.DataFrame = field(repr=False)
    kind: FrameKind = "polars"
    """Another one where it was made of a table of that kind."""

    @property
    def label(self) -> str:
        """The kind of table."""
        return _label({"pandas": "pandas", "arrow": "Arrow"}.get(self.kind, "Polars"))

    @property
    def columns(self) -> list[str]:
        """The names of its columns."""
        return self.table.columns

    @property
    def rows(self) -> int:
        """How many it has."""
        return self.table.height

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows, with only ``columns``."""
        for part in self.table.iter_slices(ROWS_AT_A_TIME):
            yield _joined([_of_polars(part[name]) for name in columns])


def _of_polars(column: pl.Series) -> pa.RecordBatch:
    if column.dtype == pl.Object:  # to Arrow it is a pointer
        return batch_of({column.name: column.to_list()})
    if column.dtype in (pl.Int128, pl.UInt128):  # which Arrow does not have
        column = _of_64_bits(column)
    values = column.rechunk().to_arrow(compat_level=pl.CompatLevel.newest())
    return pa.RecordBatch.from_arrays([values], [column.name])


def _joined(columns: list[pa.RecordBatch]) -> pa.RecordBatch:
    """One batch of several that have a column each."""
    schema = pa.schema([each.schema.field(0) for each in columns])
    return pa.RecordBatch.from_arrays([each.column(0) for each in columns], schema=schema)


def _of_64_bits(column: pl.Series) -> pl.Series:
    try:
        return column.cast(pl.Int64)
    except pl.exceptions.InvalidOperationError:
        raise ColumnError("column.large-numbers", column=column.name) from None


@dataclass(frozen=True)
class PolarsQuery:
    """A Polars query, run part by part."""

    query: pl.LazyFrame = field(repr=False)
    rows: ClassVar[None] = None

    @property
    def label(self) -> str:
        """The kind of table."""
        return _label("Polars")

    @cached_property
    def columns(self) -> list[str]:
        """The names of its columns."""
        with foreign_failures("input.table", source=self.label):
            return self.query.collect_schema().names()

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows, with only ``columns``."""
        with foreign_failures("input.table", source=self.label):
            for part in self.query.select(cs.by_name(*columns)).collect_batches(chunk_size=ROWS_AT_A_TIME):
                yield from PolarsTable(part).batches(columns)


@dataclass(frozen=True)
class PandasTable:
    """A pandas table, without its index. Categorical columns come with their dictionaries."""

    table: Any = field(repr=False)
    kind: ClassVar[FrameKind] = "pandas"

    @property
    def label(self) -> str:
        """The kind of table."""
        return _label("pandas")

    @property
    def columns(self) -> list[str]:
        """The names of its columns, as text."""
        return unique(map(str, self.table.columns), self.label)

    @property
    def rows(self) -> int:
        """How many it has."""
        return len(self.table)

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows, with only ``columns``."""
        place_of = {name: place for place, name in enumerate(self.columns)}
        places = [place_of[name] for name in columns]
        for start in range(0, self.rows, ROWS_AT_A_TIME):
            part = self.table.iloc[start : start + ROWS_AT_A_TIME]
            yield _joined([_of_pandas(name, part.iloc[:, place]) for name, place in zip(columns, places, strict=True)])


def _of_pandas(name: str, column: Any) -> pa.RecordBatch:
    if column.dtype == object:
        return _of_objects(name, column)
    try:
        array = pa.array(column, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        return _of_objects(name, column)
    whole = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    return pa.RecordBatch.from_arrays([whole], [name])


def _of_objects(name: str, column: Any) -> pa.RecordBatch:
    """Each value as it is: what pandas or Arrow would infer of all of them may change some."""
    values = [None if missing else value for value, missing in zip(column, column.isna(), strict=True)]
    return batch_of({name: values})


def gives_twice(source: Source) -> bool:
    """Are the rows the same whenever they are asked for? A query or a stream may give others, or none."""
    if isinstance(source, Distant):
        return source.is_held
    return isinstance(source, File | ArrowTable | PandasTable | PolarsTable | Held)


def held(source: Source) -> Source:
    """``source``, read once and for all where it may not give its rows a second time, or not the same."""
    if isinstance(source, Distant):
        source.hold()
    return source if gives_twice(source) else Held.of(source)


@dataclass(frozen=True)
class Held:
    """All batches of another source."""

    label: str
    columns: list[str]
    parts: list[pa.RecordBatch] = field(repr=False)
    kind: FrameKind = "polars"

    @classmethod
    def of(cls, source: Source) -> "Held":
        """Read everything."""
        parts = list(stoppable(source.batches(source.columns)))
        return cls(source.label, source.columns, parts, kind_of_source(source))

    @property
    def rows(self) -> int:
        """How many there are."""
        return sum(part.num_rows for part in self.parts)

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows, with only ``columns``."""
        return (part.select(list(columns)) for part in self.parts)
