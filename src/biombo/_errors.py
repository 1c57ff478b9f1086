"""What can go wrong, for people to read.

BiomboError
├── InputError      a file, table or database could not be read
├── SchemaError     the description of the columns is wrong
├── ColumnError     a column is missing, or cannot be used as asked
├── UsageError      the call itself makes no sense
└── CancelledError  somebody who watched the work stopped it

Every message is one sentence that names the file, column, row or value and what to do; it is worded when it is shown,
so it follows the language in use. ``BiomboWarning`` marks a result that is correct but easily misread.
"""

import errno
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, Self

from biombo._addresses import discreet
from biombo._i18n import text


class BiomboError(Exception):
    """Any error that Biombo raises on purpose. ``key`` names the message in the catalogue, ``values`` fill it in.

    Whatever was typed may stand in a message, so passwords in addresses are hidden in all of them.
    """

    def __init__(self, key: str, **values: Any) -> None:
        self.key = key
        self.values: dict[str, Any] = discreet(values)
        super().__init__(key, self.values)

    def __str__(self) -> str:
        return text(f"errors.{self.key}", **self.values)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.key, self.values)


def _rebuild(kind: type[BiomboError], key: str, values: dict[str, Any]) -> BiomboError:
    return kind(key, **values)


class InputError(BiomboError):
    """A file, table or database could not be read."""


class LimitError(InputError):
    """What was asked for has no room here; nothing is said about the table."""


class SchemaError(BiomboError):
    """The description of the columns is wrong."""


class UsageError(BiomboError):
    """The call itself makes no sense."""


class CancelledError(BiomboError):
    """Somebody who watched the work stopped it; nothing half-written is left behind."""


class ColumnError(BiomboError):
    """A column is missing, or cannot be used as asked."""

    @classmethod
    def missing(cls, column: str, available: Iterable[str], source: str) -> Self:
        """``column`` is not in ``source``; offers the closest name there is, or the names there are."""
        names = list(available)
        if (close := closest(column, names)) is not None:
            return cls("column.missing-close", column=column, source=source, close=close)
        return cls("column.missing", column=column, source=source, available=shortened(names))


def closest(name: str, names: Iterable[str]) -> str | None:
    """The one of ``names`` that ``name`` is likely to be meant for, if there is one.

    >>> closest("generalize", ["generalise", "round"]), closest("SEX", ["age", "sex"]), closest("colour", ["age"])
    ('generalise', 'sex', None)
    """
    known = list(names)
    folded = [each for each in known if each.casefold() == name.casefold()]
    return next(iter(get_close_matches(name, known, n=1) or folded), None)


class BiomboWarning(UserWarning):
    """The result is correct but easily misread."""


_SYSTEM_REASONS = {
    errno.EACCES: "denied",
    errno.EPERM: "denied",
    errno.ENOENT: "missing",
    errno.EEXIST: "exists",
    errno.EISDIR: "folder",
    errno.ENOTDIR: "not-a-folder",
    errno.ENOSPC: "full",
    errno.EROFS: "read-only",
    errno.ENAMETOOLONG: "long-name",
}


def system_reason(error: OSError) -> str:
    """Why the system refused something, in the language in use where the reason is a common one."""
    known = _SYSTEM_REASONS.get(error.errno or 0)
    return text(f"errors.system.{known}") if known else error.strerror or str(error)


def shortened(names: Iterable[object], most: int = 12) -> str:
    """``names`` joined for a message, the tail cut when there are many."""
    listed = [str(name) for name in names]
    if len(listed) <= most:
        return ", ".join(listed)
    return ", ".join(listed[:most]) + f", … (+{len(listed) - most})"
