"""Where the rows of a result go: a CSV or Parquet file, or memory."""

from abc import ABC, abstractmethod
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, ClassVar, Self

import polars as pl
import pyarrow as pa
from polars import selectors
from pyarrow import parquet

from biombo._data.formats.formulas import escaped
from biombo._errors import UsageError
from biombo._plan.frames import Target

ROW_GROUP = 1 << 19
"""Rows of each row group of a Parquet file but the last."""


class Writer(ABC):
    """Takes frames of the same columns and types, one after the other, and has written them when its block ends."""

    target: ClassVar[Target] = "memory"

    @abstractmethod
    def write(self, frame: pl.DataFrame) -> None:
        """Take the next rows."""

    def close(self) -> None:  # noqa: B027 - most have nothing left to do
        """Write what is still held."""

    def abandon(self) -> None:  # noqa: B027 - most have nothing to let go of
        """Let go of everything after a failure."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        if failure is None:
            self.close()
        else:
            self.abandon()


class CsvWriter(Writer):
    """UTF-8, separated by commas, with a header; a missing value is an empty field, all others are text by now.

    Text that a spreadsheet would take for a formula gets an apostrophe in front.
    """

    target: ClassVar[Target] = "text"

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._begun = False

    def write(self, frame: pl.DataFrame) -> None:
        """Take the next rows."""
        buffer = BytesIO()  # written by ourselves, so that a full disk is told as such
        safe = frame.with_columns(escaped(column) for column in frame.select(selectors.string()))
        safe.write_csv(buffer, include_header=not self._begun)
        self._file.write(buffer.getbuffer())
        self._begun = True


class ParquetWriter(Writer):
    """One Parquet file, in row groups of a size that tells nothing about the rows."""

    target: ClassVar[Target] = "typed"

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._writer: parquet.ParquetWriter | None = None
        self._held: list[pa.Table] = []

    def write(self, frame: pl.DataFrame) -> None:
        """Take the next rows."""
        self._held.append(frame.to_arrow())
        if sum(table.num_rows for table in self._held) >= ROW_GROUP:
            held = pa.concat_tables(self._held)
            whole = held.num_rows - held.num_rows % ROW_GROUP
            self._write(held.slice(0, whole))
            self._held = [held.slice(whole)]

    def close(self) -> None:
        """Write the last rows and the footer."""
        if self._held:
            self._write(pa.concat_tables(self._held))
        self.abandon()

    def abandon(self) -> None:
        """Close the file's writer, which would otherwise do so when the file is gone."""
        if self._writer is not None:
            self._writer.close()

    def _write(self, table: pa.Table) -> None:
        if self._writer is None:
            self._writer = parquet.ParquetWriter(self._file, table.schema, compression="zstd")
        if table.num_rows:
            self._writer.write_table(table, row_group_size=ROW_GROUP)


class FrameWriter(Writer):
    """Keeps everything in memory."""

    def __init__(self) -> None:
        self._held: list[pl.DataFrame] = []

    def write(self, frame: pl.DataFrame) -> None:
        """Take the next rows."""
        self._held.append(frame)

    @property
    def frame(self) -> pl.DataFrame:
        """All rows."""
        return pl.concat(self._held, rechunk=True)


_BY_SUFFIX: dict[str, type[CsvWriter] | type[ParquetWriter]] = {".csv": CsvWriter, ".parquet": ParquetWriter}


def writer_for(path: Path) -> type[CsvWriter] | type[ParquetWriter]:
    """The kind of file that the name of ``path`` asks for."""
    if path.suffix.lower() not in _BY_SUFFIX:
        raise UsageError("plan.output-kind", path=str(path))
    return _BY_SUFFIX[path.suffix.lower()]
