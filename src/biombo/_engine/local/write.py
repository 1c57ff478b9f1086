"""Where rows go: a CSV or Parquet file, or memory. Every CSV file that leaves the program is written here."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, ClassVar, Literal, Self

import polars as pl
import pyarrow as pa
from pyarrow import parquet

from biombo._data import escaped
from biombo._errors import UsageError

Target = Literal["text", "typed", "memory"]
"""Where frames go: to a file that has text only, to one that has a type for each column, or nowhere."""

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

    No cell starts what a spreadsheet would take for a formula, whether it splits lines at commas, semicolons or tabs:
    see :mod:`biombo._data.formats.formulas`.
    """

    target: ClassVar[Target] = "text"

    def __init__(self, file: BinaryIO, separator: str = ",") -> None:
        self._file = file
        self._separator = separator
        self._begun = False

    def write(self, frame: pl.DataFrame) -> None:
        """Take the next rows."""
        self.write_lines(frame.columns, csv_lines(frame, self._separator))

    def write_lines(self, columns: Sequence[str], lines: bytes) -> None:
        """Take the next rows as :func:`csv_lines` has written them."""
        if not self._begun:
            self._file.write(_header(columns, self._separator).encode())
        self._file.write(lines)
        self._begun = True


def csv_lines(frame: pl.DataFrame, separator: str = ",") -> bytes:
    """Rows as they stand in a CSV file."""
    buffer = BytesIO()  # not to the file at once: a full disk is to be told as such
    _harmless(frame).write_csv(buffer, include_header=False, separator=separator)
    return buffer.getvalue()


def csv_text(frame: pl.DataFrame) -> str:
    """A small table as the content of a CSV file.

    >>> print(csv_text(pl.DataFrame({"=a": ["-1;=b"], "c": [-5]})), end="")
    '=a,c
    '-1;'=b,-5
    """
    buffer = BytesIO()
    CsvWriter(buffer).write(frame)
    return buffer.getvalue().decode()


def _header(names: Sequence[str], separator: str) -> str:
    first = escaped(pl.Series(names[:1], dtype=pl.String), numbers=len(names) > 1)
    cells = [*first, *escaped(pl.Series(names[1:], dtype=pl.String))]
    return separator.join(map(_quoted, cells)) + "\n"


def _quoted(name: str) -> str:
    """In quotes where there are marks by which a reader might guess another separator, or another encoding."""
    plain = name and not any(mark in name for mark in ',;\t|"\r\n\ufeff')
    return name if plain else '"' + name.replace('"', '""') + '"'


def _harmless(frame: pl.DataFrame) -> pl.DataFrame:
    """The cells with apostrophes where they need them."""
    columns = [_as_text(column) if _is_text(column) else column for column in frame]
    # To whom splits lines elsewhere, -5 is the beginning of a longer cell; beside numbers alone it does no harm.
    begins_text = len(columns) > 1 and any(map(_is_text, columns))
    return pl.DataFrame([_cells(column, numbers=begins_text and not place) for place, column in enumerate(columns)])


def _cells(column: pl.Series, *, numbers: bool) -> pl.Series:
    if column.dtype == pl.String:
        return escaped(column, numbers=numbers)
    if numbers or _has_odd_signs(column):
        return escaped(_as_written(column), numbers=numbers)
    return column


def _is_text(column: pl.Series) -> bool:
    return column.dtype in (pl.String, pl.Categorical, pl.Enum, pl.Duration)


def _as_text(column: pl.Series) -> pl.Series:
    return column.dt.to_string("iso") if column.dtype == pl.Duration else column.cast(pl.String)


def _has_odd_signs(column: pl.Series) -> bool:
    """Is there a sign before anything but a number: before infinity, or a year of other than four digits?"""
    if column.dtype.is_float():
        return bool((column == float("-inf")).any())
    return column.dtype in (pl.Date, pl.Datetime) and not column.dt.year().is_between(0, 9999).all()


def _as_written(column: pl.Series) -> pl.Series:
    """Values other than text as they would stand in the file."""
    lines = column.to_frame().write_csv(include_header=False, null_value="").split("\n")[:-1]
    return pl.Series(column.name, [line.strip('"') or None for line in lines], pl.String)


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
