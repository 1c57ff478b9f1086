"""Hierarchies whose values somebody lists: in a CSV file (ARX's too), by hand as groups within groups, or in order."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from biombo._errors import InputError, UsageError
from biombo._files import read_whole, text_in, without_folders
from biombo._hierarchy.first_line import FirstLine
from biombo._hierarchy.table import MOST_LEVELS, Row, TableHierarchy, nested

_DELIMITERS = ";\t|,"
_PATH = "(tree)"
_TYPED = "(text)"
_TAB = 4
"""How many spaces a tab stands for."""
_BETWEEN = " … "


def from_csv(path: str | Path) -> TableHierarchy:
    """The hierarchy that the file lists."""
    rows = _rows(text_in(read_whole(path)), str(path))
    levels = nested(rows, str(path))
    return TableHierarchy(levels, first_line=FirstLine(without_folders(str(path)), rows[0].labels))


def from_text(text: str) -> TableHierarchy:
    """The hierarchy that somebody typed: indented groups where any line is indented, else rows."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if any(line[0].isspace() for _, line in lines):
        return TableHierarchy(nested(list(_indented(lines)), _TYPED))
    return TableHierarchy(nested(_rows(text, _TYPED), _TYPED))


def _indented(lines: Sequence[tuple[int, str]]) -> Iterator[Row]:
    """A row for each line with nothing indented below it. A line belongs to the last one that is indented less."""
    above: list[tuple[int, str]] = []
    for place, (number, line) in enumerate(lines):
        indent, label = _indent(line), line.strip()
        while above and above[-1][0] >= indent:
            above.pop()
        if len(above) > MOST_LEVELS:
            raise InputError("hierarchy.deep", path=_TYPED, most=MOST_LEVELS)
        if place + 1 < len(lines) and _indent(lines[place + 1][1]) > indent:
            above.append((indent, label))
        else:
            yield Row((label, *(each for _, each in reversed(above))), number)


def _indent(line: str) -> int:
    wide = line.expandtabs(_TAB)
    return len(wide) - len(wide.lstrip())


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


def by_hand(tree: Mapping[str, Any]) -> TableHierarchy:
    """The hierarchy with the groups of ``tree``, the highest first."""
    return TableHierarchy(nested(list(_rows_below(tree, ())), _PATH))


def _rows_below(branch: Any, above: tuple[str, ...]) -> Iterator[Row]:
    if len(above) > MOST_LEVELS:
        raise InputError("hierarchy.deep", path=_PATH, most=MOST_LEVELS)
    if isinstance(branch, Mapping):
        for label, below in branch.items():
            yield from _rows_below(below, (_text(label), *above))
    elif isinstance(branch, list | tuple) and above:
        yield from (Row((_text(value), *above), line=None) for value in branch)
    else:
        raise InputError("hierarchy.tree-shape", branch=above[0] if above else "", found=type(branch).__name__)


def _text(value: Any) -> str:
    """Others than text are refused: YAML takes 02138 for a number in base eight, and ``no`` for false."""
    if not isinstance(value, str):
        raise InputError("hierarchy.unquoted", value=value)
    return value


def by_order(values: Sequence[str], every: int) -> TableHierarchy:
    """Groups of ``every`` n neighbours at level 1, n·n at level 2, … until there is one."""
    if every < 2:
        raise UsageError("hierarchy.every", every=every)
    if isinstance(values, str) or len(values) < 2:
        raise UsageError("hierarchy.order-values")
    for value, times in Counter(values).items():
        if times > 1:
            raise UsageError("hierarchy.order-repeated", value=value)
        if not value:
            raise UsageError("hierarchy.order-empty")
        if _BETWEEN in value:
            raise UsageError("hierarchy.order-mark", value=value)
    sizes = [every]
    while sizes[-1] < len(values):
        sizes.append(sizes[-1] * every)
    return TableHierarchy(
        {value: tuple(_label(values, place, size) for size in sizes) for place, value in enumerate(values)}
    )


def _label(values: Sequence[str], place: int, size: int) -> str:
    first = place - place % size
    last = min(first + size, len(values)) - 1
    return values[first] if first == last else f"{values[first]}{_BETWEEN}{values[last]}"
