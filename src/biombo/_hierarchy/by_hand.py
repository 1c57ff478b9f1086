"""A hierarchy written by hand: groups within groups, with lists of values at the bottom."""

from collections.abc import Iterator, Mapping
from typing import Any

from biombo._errors import InputError
from biombo._hierarchy.nesting import MOST_LEVELS, Row, nested
from biombo._hierarchy.table import TableHierarchy

_PATH = "(tree)"


def by_hand(tree: Mapping[str, Any]) -> TableHierarchy:
    """The hierarchy with the groups of ``tree``, the highest first."""
    return TableHierarchy(nested(list(_rows(tree, ())), _PATH))


def _rows(branch: Any, above: tuple[str, ...]) -> Iterator[Row]:
    if len(above) > MOST_LEVELS:
        raise InputError("hierarchy.deep", path=_PATH, most=MOST_LEVELS)
    if isinstance(branch, Mapping):
        for label, below in branch.items():
            yield from _rows(below, (_text(label), *above))
    elif isinstance(branch, list | tuple) and above:
        yield from (Row((_text(value), *above), line=None) for value in branch)
    else:
        raise InputError("hierarchy.tree-shape", branch=above[0] if above else "", found=type(branch).__name__)


def _text(value: Any) -> str:
    """Others than text are refused: YAML takes 02138 for a number in base eight, and ``no`` for false."""
    if not isinstance(value, str):
        raise InputError("hierarchy.unquoted", value=value)
    return value
