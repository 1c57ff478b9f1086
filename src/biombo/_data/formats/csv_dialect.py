"""How a CSV file is written: its delimiter and its header, found in its first rows."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass

from biombo._data.formats.encodings import decode
from biombo._data.formats.header import tidy_header
from biombo._errors import InputError

DELIMITERS = (",", ";", "\t", "|")
SAMPLE_BYTES = 1 << 18
_ROWS_COMPARED = 200
_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class Dialect:
    """What the beginning of a CSV file shows."""

    delimiter: str
    header: tuple[str, ...]
    body: int
    """The byte at which the first row after the header begins."""
    lines: int
    """How many lines come before that byte."""


def dialect_of(sample: bytes, path: str, *, ours: bool = False) -> Dialect:
    """The dialect of the file that begins with ``sample``; ``ours``: one with commas, if that is possible."""
    if sample.startswith(_UTF16_MARKS):
        raise InputError("input.utf16", path=path)
    if b"\0" in sample:
        raise InputError("input.nul", path=path)
    mark = len(_UTF8_MARK) if sample.startswith(_UTF8_MARK) else 0
    written = sample[mark:].decode("latin-1")  # one character per byte, so that positions agree
    if not written.strip():
        raise InputError("input.empty-file", path=path)
    delimiter = "," if ours and _fit(written, ",")[0] == 1 else _delimiter(written)
    rows = _Rows(written, delimiter)
    names = [_decoded(name, path) for name in _first(rows, path)]
    body = mark + rows.characters
    if body == len(sample) == SAMPLE_BYTES:
        raise InputError("input.long-header", path=path, bytes=SAMPLE_BYTES)
    return Dialect(delimiter, tuple(tidy_header(names, path)), body, rows.lines)


class _Rows:
    """The rows of a text that are not blank, counting the characters and lines taken."""

    def __init__(self, written: str, delimiter: str) -> None:
        self.characters = 0
        self.lines = 0
        self._reader = csv.reader(self._taken(io.StringIO(written, newline="")), delimiter=delimiter)

    def _taken(self, lines: Iterator[str]) -> Iterator[str]:
        for line in lines:
            self.characters += len(line)
            self.lines += 1
            yield line

    def __iter__(self) -> Iterator[list[str]]:
        return (row for row in self._reader if row)


def _delimiter(written: str) -> str:
    """The delimiter that splits the header, and most rows into as many fields as the header; the comma when none."""
    return max(DELIMITERS, key=lambda delimiter: _fit(written, delimiter))


def _fit(written: str, delimiter: str) -> tuple[float, int]:
    widths: list[int] = []
    try:
        for row in _Rows(written, delimiter):
            widths.append(len(row))
            if len(widths) > _ROWS_COMPARED:
                break
    except csv.Error:
        pass  # an overlong field; the rows before it tell enough
    if not widths or widths[0] == 1:
        return (0.0, 1)
    rows = widths[1:-1] or widths  # the sample may end in the middle of the last one
    return (sum(width == widths[0] for width in rows) / len(rows), widths[0])


def _first(rows: _Rows, path: str) -> list[str]:
    try:
        return next(iter(rows))
    except csv.Error:
        raise InputError("input.long-header", path=path, bytes=SAMPLE_BYTES) from None


def _decoded(name: str, path: str) -> str:
    raw = name.encode("latin-1")
    try:
        return decode(raw)
    except UnicodeDecodeError:
        raise InputError("input.undecodable-header", path=path, example=repr(raw[:40])) from None
