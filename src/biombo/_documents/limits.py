"""Whether a number or a name makes sense where it stands, in a document or in a call."""

from collections.abc import Sequence
from math import inf, isfinite
from typing import Any

from biombo._errors import UsageError


def check_whole(entry: str, value: Any, least: int) -> None:
    """Refuse what is not a whole number of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise UsageError("document.entry-whole", entry=entry, value=value, least=least)


def check_number(entry: str, value: Any, low: float, high: float = inf) -> None:
    """Refuse what is not a finite number from ``low`` to ``high``."""
    if not _is_number(value) or not low <= value <= high:
        key = "document.entry-at-least" if high == inf else "document.entry-between"
        raise UsageError(key, entry=entry, value=value, low=low, high=high)


def check_above(entry: str, value: Any, low: float, high: float = inf) -> None:
    """Refuse what is not a finite number above ``low`` and at most ``high``."""
    if not _is_number(value) or not low < value <= high:
        key = "document.entry-above" if high == inf else "document.entry-above-to"
        raise UsageError(key, entry=entry, value=value, low=low, high=high)


def check_column(entry: str, column: Any) -> None:
    """Refuse what is not the name of a column, or nothing."""
    if column is not None and (not isinstance(column, str) or not column):
        raise UsageError("document.entry-column", entry=entry, value=column)


def checked_columns(entry: str, columns: Any) -> tuple[str, ...] | None:
    """A list of different names as a tuple; nothing stays nothing."""
    if columns is None:
        return None
    listed = isinstance(columns, Sequence) and not isinstance(columns, str)
    if not listed or not columns or not all(isinstance(name, str) for name in columns) or _has_twins(columns):
        raise UsageError("document.entry-columns", entry=entry, value=columns)
    return tuple(columns)


def _has_twins(names: Sequence[str]) -> bool:
    return len(set(names)) < len(names)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
