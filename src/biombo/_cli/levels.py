"""Bounds and weights of columns as people type them: ``age=0-2``, ``sex=0``, ``born=-year``, ``age=2,sex=1``."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from biombo._cli.lists import pairs
from biombo._errors import UsageError

if TYPE_CHECKING:
    from biombo._search import Bounds, Level


def level_bounds(typed: Iterable[str]) -> "Bounds":
    """The levels that columns may have, by number or by name.

    >>> level_bounds(["sex=0,age=1-2", "zip=-3", "born=month-5 years"])
    {'sex': 0, 'age': (1, 2), 'zip': (None, 3), 'born': ('month', '5 years')}
    """
    found: dict[str, Level | tuple[Level | None, Level | None]] = {}
    for column, levels in pairs(typed).items():
        lowest, dash, highest = (part.strip() for part in (levels or "").partition("-"))
        if not lowest and not highest:
            raise UsageError("usage.levels", column=column, typed=levels or "")
        found[column] = (_bound(lowest), _bound(highest)) if dash else _level(lowest)
    return found


def _bound(typed: str) -> "Level | None":
    return _level(typed) if typed else None


def _level(typed: str) -> "Level":
    return int(typed) if typed.isdecimal() else typed


def weights_of(typed: Iterable[str]) -> dict[str, float]:
    """How much columns count.

    >>> weights_of(["age=2,sex=0.5"])
    {'age': 2.0, 'sex': 0.5}
    """
    found: dict[str, float] = {}
    for column, weight in pairs(typed).items():
        try:
            found[column] = float(weight or "")
        except ValueError:
            raise UsageError("usage.weights", column=column, typed=weight or "") from None
    return found
