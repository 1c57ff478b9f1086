"""Whether the entries of a criterion make sense."""

from collections.abc import Sequence
from math import inf, isfinite
from typing import Any

from biombo._errors import UsageError


def check_whole(criterion: str, entry: str, value: Any, least: int) -> None:
    """Refuse what is not a whole number of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise UsageError("criteria.whole", criterion=criterion, entry=entry, value=value, least=least)


def check_number(criterion: str, entry: str, value: Any, low: float, high: float = inf) -> None:
    """Refuse what is not a finite number from ``low`` to ``high``."""
    if not _is_number(value) or not low <= value <= high:
        key = "criteria.at-least" if high == inf else "criteria.between"
        raise UsageError(key, criterion=criterion, entry=entry, value=value, low=low, high=high)


def check_above(criterion: str, entry: str, value: Any, low: float, high: float = inf) -> None:
    """Refuse what is not a finite number above ``low`` and at most ``high``."""
    if not _is_number(value) or not low < value <= high:
        key = "criteria.above" if high == inf else "criteria.above-to"
        raise UsageError(key, criterion=criterion, entry=entry, value=value, low=low, high=high)


def check_choice(criterion: str, entry: str, value: Any, choices: Sequence[str]) -> None:
    """Refuse what is not one of ``choices``."""
    if value not in choices:
        raise UsageError("criteria.choice", criterion=criterion, entry=entry, value=value, choices=", ".join(choices))


def check_column(criterion: str, column: Any) -> None:
    """Refuse what is not the name of a column, or nothing."""
    if column is not None and (not isinstance(column, str) or not column):
        raise UsageError("criteria.column", criterion=criterion, value=column)


def checked_quasi(criterion: str, quasi: Any) -> tuple[str, ...] | None:
    """A list of different names as a tuple; nothing stays nothing."""
    if quasi is None:
        return None
    listed = isinstance(quasi, Sequence) and not isinstance(quasi, str)
    if not listed or not quasi or not all(isinstance(name, str) for name in quasi) or len(set(quasi)) < len(quasi):
        raise UsageError("criteria.quasi", criterion=criterion, value=quasi)
    return tuple(quasi)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
