"""A hierarchy in a CSV file: one row per value, level 0 first. ARX's files are read as they are."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from biombo._errors import InputError
from biombo._files import read_whole
from biombo._hierarchy.nesting import Row, nested
from biombo._hierarchy.table import TableHierarchy

_DELIMITERS = ";\t|,"


def from_csv(path: str | Path) -> TableHierarchy:
    """The hierarchy that the file lists."""
    text = _decoded(read_whole(path))
    return TableHierarchy(nested(_rows(text, str(path)), str(path)))


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _rows(text: str, path: str) -> list[Row]:
    """The rows by the first mark that divides all of them alike, else by the one that divides the first row most.

    A label such as ``[20, 30)`` has a comma of its own.
    """
    best: list[Row] = []
    for mark in _DELIMITERS:
        rows = list(_divided(text, mark, path))
        widths = {len(row.labels) for row in rows}
        if len(widths) == 1 and widths != {1}:
            return rows
        if rows and (not best or len(rows[0].labels) > len(best[0].labels)):
            best = rows
    return best


def _divided(text: str, mark: str, path: str) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
    try:
        for row in reader:
            if row:
                yield Row(tuple(field.strip() for field in row), reader.line_num)
    except csv.Error as error:
        raise InputError("hierarchy.csv", path=path, line=reader.line_num, detail=str(error)) from None
