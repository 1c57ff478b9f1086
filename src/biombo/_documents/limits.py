"""Whether a number or a name makes sense where it stands, in a document or in a call."""

from collections.abc import Sequence
from dataclasses import Field, dataclass, fields
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from biombo._errors import UsageError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_LIMIT = "limit"


@dataclass(frozen=True)
class Limit:
    """What a number, or the length of a list, may be. It stands with the field, for all who check it or tell of it."""

    low: float = -inf
    high: float = inf
    above: bool = False
    """Must it be more than ``low``?"""
    members: int = 0
    """The fewest members of a list."""
    different: bool = False
    """Must they be different?"""

    def allows(self, value: Any) -> bool:
        """Is ``value`` within it? Nothing always is."""
        if value is None:
            return True
        if self.members:
            return len(value) >= self.members and not (self.different and _has_twins(value))
        return (self.low < value if self.above else self.low <= value) and bool(value <= self.high)

    def check(self, entry: str, value: Any, *, whole: bool = False) -> None:
        """Refuse what is not a number within it, in the words that all entries share."""
        if whole:
            check_whole(entry, value, least=int(self.low))
        else:
            (check_above if self.above else check_number)(entry, value, self.low, self.high)

    def schema(self) -> dict[str, Any]:
        """The same for a JSON schema."""
        said = {"exclusiveMinimum" if self.above else "minimum": self.low, "maximum": self.high}
        bounds = {name: value for name, value in said.items() if isfinite(value)}
        fewest = {"minItems": self.members} if self.members else {}
        return bounds | fewest | ({"uniqueItems": True} if self.different else {})


def limited(low: float = -inf, high: float = inf, **more: Any) -> dict[str, Any]:
    """The metadata of a field with a :class:`Limit`."""
    return {_LIMIT: Limit(low, high, **more)}


COLUMNS = limited(members=1, different=True)
"""Of a list of different columns."""


def has_limit(field: Field[Any]) -> bool:
    """Was ``field`` declared with a limit?"""
    return _LIMIT in field.metadata


def limit_of(field: Field[Any]) -> Limit:
    """The limit that ``field`` was declared with; one that allows everything where it was not."""
    limit: Limit = field.metadata.get(_LIMIT, Limit())
    return limit


def is_within_limit(record: "DataclassInstance", name: str) -> bool:
    """Is the field ``name`` of ``record`` what it was declared to be?"""
    return any(field.name == name and limit_of(field).allows(getattr(record, name)) for field in fields(record))


def check_limit(record: "DataclassInstance", name: str, *, whole: bool = False) -> None:
    """Refuse a field of ``record`` that is not a number within its limit."""
    (limit,) = (limit_of(field) for field in fields(record) if field.name == name)
    limit.check(name, getattr(record, name), whole=whole)


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
