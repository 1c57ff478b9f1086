"""Parquet files: their own dictionaries are taken as they are."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property

import pyarrow as pa
from pyarrow import parquet

from biombo._data.formats.constants import with_constants
from biombo._data.formats.header import unique
from biombo._data.formats.soundness import foreign_failures
from biombo._data.formats.source import File
from biombo._errors import InputError

ROWS_AT_A_TIME = 1 << 20


@dataclass(frozen=True)
class ParquetFile(File):
    """A Parquet file, read one row group at a time or less."""

    groups: range | None = None
    """Only these row groups; else all."""
    constants: tuple[tuple[str, str | None], ...] = ()
    """Columns that stand in the names of its folders, with their value."""

    @property
    def columns(self) -> list[str]:
        """The names of the top-level columns, and those that stand in the names of folders."""
        return [*unique(self._schema.names, self.label), *(name for name, _ in self.constants)]

    @property
    def rows(self) -> int:
        """As the file's footer says."""
        if self.groups is None:
            return int(self._footer.num_rows)
        return sum(self._footer.row_group(group).num_rows for group in self.groups)

    def cut(self, rows: int) -> Sequence[File]:
        """Its row groups, shared out among parts of about so many rows."""
        sizes = [self._footer.row_group(group).num_rows for group in range(self._footer.num_row_groups)]
        parts: list[File] = []
        first = held = 0
        for group, size in enumerate(sizes):
            if held and held + size > rows:
                parts.append(replace(self, groups=range(first, group)))
                first, held = group, 0
            held += size
        return [*parts, replace(self, groups=range(first, len(sizes)) if parts else None)]

    @cached_property
    def _footer(self) -> parquet.FileMetaData:
        with self._failures_explained():
            return parquet.read_metadata(self.whole)

    @cached_property
    def _schema(self) -> pa.Schema:
        with self._failures_explained():
            return self._footer.schema.to_arrow_schema()

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows, with only ``columns``; text comes with the dictionary that the file has for it."""
        constants = dict(self.constants)
        for batch in self._stored([name for name in columns if name not in constants]):
            yield with_constants(batch, columns, constants)

    def _stored(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        for name in columns:
            if pa.types.is_nested(self._schema.field(name).type):
                raise InputError("input.nested", path=self.label, column=name, type=str(self._schema.field(name).type))
        with self._failures_explained():
            coded = [name for name in columns if self._has_dictionaries(name)]
            # what is buffered ahead stays in memory until the end
            with parquet.ParquetFile(
                self.whole, metadata=self._footer, read_dictionary=coded, pre_buffer=False
            ) as file:
                groups = None if self.groups is None else list(self.groups)
                yield from file.iter_batches(ROWS_AT_A_TIME, row_groups=groups, columns=list(columns))

    def _has_dictionaries(self, column: str) -> bool:
        """Does the file list the different values of ``column``? Where it does not, a list would grow until the end."""
        place = self._leaves[column]
        groups = range(self._footer.num_row_groups)
        return all(self._footer.row_group(group).column(place).has_dictionary_page for group in groups)

    @cached_property
    def _leaves(self) -> dict[str, int]:
        """The place of each column; one of lists or records has leaves of other names."""
        return {self._footer.schema.column(place).path: place for place in range(self._footer.num_columns)}

    @contextmanager
    def _failures_explained(self) -> Iterator[None]:
        with foreign_failures("input.damaged", path=self.label):
            try:
                yield
            except pa.ArrowNotImplementedError as error:
                raise InputError("input.unsupported", path=self.label, detail=" ".join(str(error).split())) from None
