"""The bytes of a CSV file on their way to the parser."""

import gzip
import secrets
from pathlib import Path
from typing import IO, cast

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from biombo._data.formats.csv_dialect import Dialect
from biombo._errors import InputError

GZIP_MARK = b"\x1f\x8b"
_BOMB_BYTES, _BOMB_RATIO = 1 << 28, 500


class EndRow:
    """A row put after the last one, with a field too many. A parser that does not stumble over it is inside a quote."""

    def __init__(self, dialect: Dialect) -> None:
        self._mark = secrets.token_hex(16)
        self.text = self._mark + dialect.delimiter * len(dialect.header)
        self.met = False
        self.swallowed = False
        self.invalid: tuple[int, int] | None = None
        """How many fields were expected and found, when some other row stopped the parser."""

    def judge(self, row: arrow_csv.InvalidRow) -> str:
        """What to do with a row of the wrong length."""
        if row.text.strip("\r\n") == self.text:
            self.met = True
            return "skip"
        if self._mark in row.text:
            self.swallowed = True
        else:
            self.invalid = (row.expected_columns, row.actual_columns)
        return "error"


class Body:
    """A file's bytes from here on, with the end row after them; what Arrow needs of a Python file.

    Arrow chokes on a faulty row that is not UTF-8, and nobody knows yet whether the file is. So every byte goes as the
    character of that number, and :func:`restored` turns those back into bytes.
    """

    closed = False

    def __init__(self, file: IO[bytes], end: EndRow) -> None:
        self._file = file
        self._end = end
        self._last = b"\n"
        self._ended = False

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        chunk = self._file.read(max(size // 2, 1) if size > 0 else size)  # a byte may take two
        if chunk:
            self._last = chunk[-1:]
            return chunk if chunk.isascii() else chunk.decode("latin-1").encode()
        if self._ended:
            return b""
        self._ended = True
        newline = "" if self._last in b"\r\n" else "\n"
        return f"{newline}{self._end.text}\n".encode()

    def readable(self) -> bool:
        """That it can be read from."""
        return True

    def close(self) -> None:
        """Nothing: whoever opened the file closes it."""


def restored(values: pa.Array) -> pa.Array:
    """The bytes that ``values``, parsed from a :class:`Body`, had in the file."""
    if pc.all(pc.string_is_ascii(values.view(pa.string()))).as_py() is not False:
        return values
    return pa.array([value.decode().encode("latin-1") for value in values.to_pylist()], pa.large_binary())


def opened(path: Path) -> IO[bytes]:
    """The bytes of the file, unpacked where it is gzip-compressed."""
    file = path.open("rb")
    packed = file.read(len(GZIP_MARK)) == GZIP_MARK
    file.seek(0)
    return cast(IO[bytes], _Unzipped(file, path)) if packed else file


class _Unzipped(gzip.GzipFile):
    """A gzip-compressed file that is refused when it grows out of all proportion."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        super().__init__(fileobj=file)
        self._below = file
        self._path = path
        self._limit = max(_BOMB_BYTES, path.stat().st_size * _BOMB_RATIO)

    def read(self, size: int | None = -1) -> bytes:
        """The next bytes."""
        chunk = super().read(size)
        if self.tell() > self._limit:
            raise InputError("input.bomb", path=str(self._path))
        return chunk

    def close(self) -> None:
        """Close this and the file below."""
        super().close()
        self._below.close()
