"""dBase files (``.dbf``)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import pyarrow as pa

from biombo._data.formats.dbf_header import DbfHeader
from biombo._data.formats.dbf_records import DbfRecords
from biombo._data.formats.source import File


@dataclass(frozen=True)
class DbfFile(File):
    """A dBase file."""

    @property
    def columns(self) -> list[str]:
        """The names in the header."""
        return self._header.columns

    @property
    def rows(self) -> int:
        """As the header says; deleted ones included."""
        return self._header.rows

    @cached_property
    def _header(self) -> DbfHeader:
        return DbfHeader.read(self.path)

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows that are not deleted, with only ``columns``."""
        with self.path.open("rb") as file:
            yield from DbfRecords(file, self._header, self.label).batches(columns)
