"""What every kind of input has in common: names of columns, and rows in Arrow batches."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import IO, Any, Protocol

import pyarrow as pa

from biombo._data.formats.unpacking import PrivateCopy, is_gzip, opened
from biombo._data.plain import as_written
from biombo._files import reading_from


class Source(Protocol):
    """One file, table or query that rows stream from."""

    @property
    def label(self) -> str:
        """What to call it in a message: the file's path, ``"the query"``, ``"the pandas table"``. Never a secret."""

    @property
    def columns(self) -> list[str]:
        """The names of its columns, in order."""

    @property
    def rows(self) -> int | None:
        """How many rows to expect, where that is known beforehand."""

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows, with only ``columns``, a bounded number at a time.

        Text stays text (``"0000013"``), an empty field is null, and a column may come with a dictionary.
        """


@dataclass(frozen=True)
class ColumnNotes:
    """What a file itself says of one of its columns."""

    label: str | None = None
    """What people call it."""
    value_labels: Mapping[str, str] = field(default_factory=dict)
    """What values mean, by how they are written."""
    missing: frozenset[str] = frozenset()
    """Values, as they are written, that stand for a missing one."""
    missing_ranges: tuple[tuple[float, float], ...] = ()
    """From where to where numbers do."""

    def means_missing(self, value: Any) -> bool:
        """Does the file say that ``value`` stands for a missing one?"""
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        is_within = is_number and any(low <= value <= high for low, high in self.missing_ranges)
        return is_within or (value is not None and as_written(value) in self.missing)


@dataclass(frozen=True)
class File:
    """What files have in common as sources."""

    path: Path
    member: str | None = field(default=None, kw_only=True)
    """Which file it is in the archive at the path."""
    sheet: str | None = field(default=None, kw_only=True)
    """Which of several tables in the file was asked for."""

    @property
    def label(self) -> str:
        """The path as given; with the name in the archive behind it."""
        return str(self.path) if self.member is None else f"{self.path}/{self.member}"

    @property
    def table(self) -> str | None:
        """What to ask for to have the same table of the same path again."""
        return self.member if self.sheet is None else self.sheet

    def opened(self) -> IO[bytes]:
        """Its bytes from the beginning, unpacked."""
        return opened(self.path, self.member)

    @property
    def whole(self) -> Path:
        """Where its bytes lie unpacked, as long as this object is there."""
        return self.path if self._copy is None else self._copy.path

    @cached_property
    def _copy(self) -> PrivateCopy | None:
        with reading_from(self.path):
            is_packed = self.member is not None or is_gzip(self.path)
            return PrivateCopy(self.path, self.member, self.label) if is_packed else None

    @property
    def notes(self) -> Mapping[str, ColumnNotes]:
        """What the file says of its columns."""
        return {}

    def cut(self, rows: int) -> "Sequence[File]":  # noqa: ARG002
        """Parts of about so many rows that can be read apart, without what this one remembers of its file; most files
        can only be read from their beginning.
        """
        return [replace(self)]
