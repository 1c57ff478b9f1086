"""How a CSV file is written: its delimiter and its header, found in its first rows."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from biombo._data.formats.encodings import decode
from biombo._data.formats.header import LOOKED_AT, tell_title, tidy_header, title_rows
from biombo._data.formats.record_as_header import LOOKED_AT as ROWS_BELOW
from biombo._data.formats.record_as_header import refuse_record
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
    refuse_no_text(sample, path)
    mark = len(_UTF8_MARK) if sample.startswith(_UTF8_MARK) else 0
    written = sample[mark:].decode("latin-1")  # one character per byte, so that positions agree
    delimiter = "," if ours and _fit(written, ",")[0] == 1 else _delimiter(written)
    title, delimiter = (0, delimiter) if ours else _title(written, delimiter)
    rows = _Rows(written, delimiter)
    above = rows.taken(title)
    names = [_decoded(name, path) for name in _first(rows, path)]
    if title:
        tell_title([*([_decoded(cell, path) for cell in row] for row in above), names], path)
    body, lines = mark + rows.characters, rows.lines
    if body == len(sample) == SAMPLE_BYTES:
        raise InputError("input.long-header", path=path, bytes=SAMPLE_BYTES)
    if not ours:
        refuse_record(names, _below(rows, whole=len(sample) < SAMPLE_BYTES), path, lines)
    return Dialect(delimiter, tuple(tidy_header(names, path)), body, lines)


def refuse_no_text(sample: bytes, path: str) -> None:
    """Raise where the file is empty, or of letters that are not one byte each, or a few."""
    if sample.startswith(_UTF16_MARKS):
        raise InputError("input.utf16", path=path)
    if b"\0" in sample:
        raise InputError("input.nul", path=path)
    if not sample.removeprefix(_UTF8_MARK).strip():
        raise InputError("input.empty-file", path=path)


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

    def taken(self, rows: int) -> list[list[str]]:
        """The next so many rows, blank ones included."""
        return list(islice(self._reader, rows))


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


def _title(written: str, delimiter: str) -> tuple[int, str]:
    """How many rows stand above the header, and the delimiter by which that shows. Where the delimiter divides all rows
    alike no other is tried, whatever marks stand in texts.
    """
    for each in (delimiter, *(DELIMITERS if _fit(written, delimiter)[0] < 1 else ())):
        try:
            rows = [list(map(_legible, row)) for row in _Rows(written, each).taken(LOOKED_AT)]
        except csv.Error:
            continue
        if (title := title_rows(rows)) and _is_clear(rows, title):
            return title, each
    return 0, delimiter


def _is_clear(rows: list[list[str]], title: int) -> bool:
    """Has everything below a title as many fields as the header, and is there more of it than of the title? A list of
    sentences with commas is no table of two.
    """
    below = [len(row) for row in rows[title + 1 :] if row]
    is_parted = any(not any(row) for row in rows[:title])
    widths = {len(rows[title]), *(below[:-1] or below)}  # the last may be cut off
    return title <= len(below) and len(widths) == 1 and (is_parted or len(rows[title]) > 2)


def _first(rows: _Rows, path: str) -> list[str]:
    try:
        return next(iter(rows))
    except csv.Error:
        raise InputError("input.long-header", path=path, bytes=SAMPLE_BYTES) from None


def _below(rows: _Rows, *, whole: bool) -> list[list[str]]:
    """Some rows after those taken, but the last one of a sample that is not the ``whole`` file."""
    found: list[list[str]] = []
    try:
        for row in islice(rows, ROWS_BELOW + 1):
            found.append(list(map(_legible, row)))
    except csv.Error:
        pass  # what was met before tells enough
    return found if whole else found[:-1]


def _legible(cell: str) -> str:
    try:
        return decode(cell.encode("latin-1"))
    except UnicodeDecodeError:
        return cell


def _decoded(name: str, path: str) -> str:
    raw = name.encode("latin-1")
    try:
        return decode(raw)
    except UnicodeDecodeError:
        raise InputError("input.undecodable-header", path=path, example=repr(raw[:40])) from None
