"""The fields of a request: what they may be, and how they stand in a file."""

import os
from collections.abc import Mapping
from dataclasses import MISSING, Field, field, fields
from datetime import date
from typing import TYPE_CHECKING, Any

from biombo._requests.places import Move, Place, moved, without_password

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Sets = tuple[tuple[str, ...], ...]
"""Sets of columns."""

Levels = Mapping[str, Any]
"""By column: a level, or the lowest and the highest."""


def placed(place: Place, *, default: Any = None, **options: Any) -> Any:
    """A field that names something outside of the request."""
    return field(default=default, metadata={"place": place}, **options)


def check_fields(request: "DataclassInstance") -> None:
    """Raise where a field of a frozen ``request`` is not of its type; lists become tuples, and paths texts."""
    from biombo._documents import checked, entry_name, hints_of

    hints = hints_of(type(request))
    for each in fields(request):
        entry, value = entry_name(each.name), _texts(getattr(request, each.name))
        reader = each.metadata.get("reader")
        if reader is None:
            value = checked(hints[each.name], entry, value)
        elif value is not None:
            value = reader(entry, value)
        object.__setattr__(request, each.name, value)


def chosen(request: "DataclassInstance", move: Move) -> dict[str, Any]:
    """The fields that are not as usual, as plain values for a file: paths moved, passwords left out."""
    from biombo._documents import entry_name

    values = {each: getattr(request, each.name) for each in fields(request)}
    plain = {entry_name(each.name): _plain(value) for each, value in values.items() if value != usual(each)}
    return {entry: _moved(places_of(type(request)).get(entry), value, plain, move) for entry, value in plain.items()}


def places_of(kind: "type[DataclassInstance]") -> dict[str, Place]:
    """By entry: what it names outside of the request."""
    from biombo._documents import entry_name

    return {entry_name(each.name): each.metadata["place"] for each in fields(kind) if "place" in each.metadata}


def usual(each: "Field[Any]") -> Any:
    """What a field is where nothing is said."""
    return None if each.default is MISSING else each.default


def sets(entry: str, value: Any) -> Sets:
    """One set of columns, or several.

    >>> sets("quasi", ["age", "sex"]), sets("quasi", [["age"], ["sex", "city"]])
    ((('age', 'sex'),), (('age',), ('sex', 'city')))
    """
    from biombo._documents import checked

    if isinstance(value, list | tuple) and any(isinstance(each, list | tuple) for each in value):
        return tuple(checked(tuple[str, ...], entry, each) for each in value)
    columns = checked(tuple[str, ...], entry, value)
    return (columns,) if columns else ()


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
    return {column: checked(str | None, f"{entry}: {column}", each) for column, each in by_column.items()}


def day(entry: str, value: Any) -> date:
    """A day."""
    from biombo._documents import checked

    found: date = checked(date, entry, value)
    return found


def _texts(value: Any) -> Any:
    """Paths as texts."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return [_texts(each) for each in value] if isinstance(value, list | tuple) else value


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if not isinstance(value, tuple):
        return value
    only = value[0] if len(value) == 1 else None
    return [_plain(each) for each in (only if isinstance(only, tuple) else value)]


def _moved(place: Place | None, value: Any, entries: Mapping[str, Any], move: Move) -> Any:
    if place == "address" and isinstance(value, str):
        value = without_password(value)
    return value if place is None else moved(place, value, entries, move)
