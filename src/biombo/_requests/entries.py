"""The fields of a request that are more than plain values: places outside of it, sets, levels, weights."""

import os
from collections.abc import Callable, Mapping
from dataclasses import field, fields
from typing import TYPE_CHECKING, Any

from biombo._documents import spelled
from biombo._errors import UsageError
from biombo._requests.places import Move, Place, kept_address, moved, refuse_password

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Sets = tuple[tuple[str, ...], ...]
"""Sets of columns."""

Levels = Mapping[str, Any]
"""By column: a level, or the lowest and the highest."""

_PLACE, _READER = "place", "reader"


def placed(place: Place, *, default: Any = None, **options: Any) -> Any:
    """A field that names something outside of the request."""
    return field(default=default, metadata={_PLACE: place}, **options)


def read_by(reader: Callable[[str, Any], Any], **how: Any) -> dict[str, Any]:
    """The metadata of a field that ``reader`` checks, by its entry and what stands there."""
    return {_READER: reader, **spelled(read=lambda value, _where: value, **how)}


def check_fields(request: "DataclassInstance") -> None:
    """Raise where a field of a frozen ``request`` is not of its type; lists become tuples, and paths texts."""
    from biombo._documents import checked, entry_name, hints_of

    hints = hints_of(type(request))
    for each in fields(request):
        entry, value = entry_name(each.name), _texts(getattr(request, each.name))
        reader = each.metadata.get(_READER)
        if reader is None:
            value = checked(hints[each.name], entry, value)
        elif value is not None:
            value = reader(entry, value)
        object.__setattr__(request, each.name, value)


def in_place(kind: "type[DataclassInstance]", entries: Mapping[str, Any], move: Move) -> dict[str, Any]:
    """The entries of a request of this ``kind`` with the paths in them moved."""
    places = _places(kind)
    return {entry: moved(places.get(_hyphenated(entry)), value, entries, move) for entry, value in entries.items()}


def discreet(kind: "type[DataclassInstance]", entries: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of a request of this ``kind`` without the passwords in addresses."""
    addresses = {entry for entry, place in _places(kind).items() if place == "address"}
    for entry, value in entries.items():
        if entry not in addresses:
            refuse_password(entry, value)
    return {entry: kept_address(value) if entry in addresses else value for entry, value in entries.items()}


def _places(kind: "type[DataclassInstance]") -> dict[str, Place]:
    return {_hyphenated(each.name): each.metadata[_PLACE] for each in fields(kind) if _PLACE in each.metadata}


def _hyphenated(name: Any) -> Any:
    return name.replace("_", "-") if isinstance(name, str) else name


def some_columns(entry: str, value: Any) -> tuple[str, ...]:
    """Columns, at least one: what asks for nothing is a mistake, and no entry at all is as usual."""
    from biombo._documents import checked

    columns: tuple[str, ...] = checked(tuple[str, ...], entry, value)
    if not columns:
        raise UsageError("document.entry-columns", entry=entry, value=[])
    return columns


def sets(entry: str, value: Any) -> Sets:
    """One set of columns, or several.

    >>> sets("quasi", ["age", "sex"]), sets("quasi", [["age"], ["sex", "city"]])
    ((('age', 'sex'),), (('age',), ('sex', 'city')))
    """
    if isinstance(value, list | tuple) and any(isinstance(each, list | tuple) for each in value):
        return tuple(some_columns(entry, each) for each in value)
    return (some_columns(entry, value),)


def written_sets(found: Sets) -> Any:
    """One set as a list, several as a list of lists."""
    return list(found[0]) if len(found) == 1 else [list(each) for each in found]


def levels(entry: str, value: Any) -> Levels:
    """By column: a level, or the lowest and the highest, of which one may be missing.

    >>> levels("level", {"age": [1, None], "sex": 0})
    {'age': (1, None), 'sex': 0}
    """
    from biombo._documents import checked

    by_column = checked(Mapping[str, Any], entry, value)
    return {column: tuple(each) if isinstance(each, list) else each for column, each in by_column.items()}


def weights(entry: str, value: Any) -> Mapping[str, float]:
    """By column: a number."""
    from biombo._documents import checked

    by_column = checked(Mapping[str, Any], entry, value)
    return {column: checked(float, f"{entry}: {column}", each) for column, each in by_column.items()}


def known(entry: str, value: Any) -> Mapping[str, str | None]:
    """By column: what somebody knows of a person, written as it is in the table; nothing for a missing value."""
    from biombo._documents import checked

    by_column = checked(Mapping[str, Any], entry, value)
    if not by_column:
        raise UsageError("attack.target-knows-nothing")
    return {column: checked(str | None, f"{entry}: {column}", each) for column, each in by_column.items()}


def _texts(value: Any) -> Any:
    """Paths as texts."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return [_texts(each) for each in value] if isinstance(value, list | tuple) else value
