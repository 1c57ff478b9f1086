"""Bounds and weights of columns as people type them: ``age=0-2``, ``sex=0``, ``age=2,sex=1``."""

from collections.abc import Iterable

from biombo._cli.lists import pairs
from biombo._errors import UsageError


def level_bounds(typed: Iterable[str]) -> dict[str, int | tuple[int, int]]:
    """The levels that columns may have.

    >>> level_bounds(["sex=0,age=1-2", "zip=-3"])
    {'sex': 0, 'age': (1, 2), 'zip': (0, 3)}
    """
    found: dict[str, int | tuple[int, int]] = {}
    for column, levels in pairs(typed).items():
        lowest, dash, highest = (levels or "").partition("-")
        try:
            found[column] = (int(lowest or 0), int(highest)) if dash else int(lowest)
        except ValueError:
            raise UsageError("usage.levels", column=column, typed=levels or "") from None
    return found


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
