"""What every kind of input has in common: names of columns, and rows in Arrow batches."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import pyarrow as pa


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
class File:
    """What files have in common as sources."""

    path: Path

    @property
    def label(self) -> str:
        """The path as given."""
        return str(self.path)

    def cut(self, rows: int) -> "Sequence[Source]":  # noqa: ARG002
        """Parts of about so many rows that can be read apart, without what this one remembers of its file; most files
        can only be read from their beginning.
        """
        return [replace(self)]
