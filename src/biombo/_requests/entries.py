"""The fields of a request that are more than plain values: places outside of it, sets, levels, weights."""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import field, fields
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from biombo._addresses import discreet
from biombo._documents import Limit, has_limit, limit_of, limited, refuse_password, spelled
from biombo._errors import UsageError
from biombo._requests.places import ADDRESSES, Move, Place, kept_address, moved, refuse_address

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from biombo._plan import SelectRecords

Sets = tuple[tuple[str, ...], ...]
"""Sets of columns."""

Levels = Mapping[str, Any]
"""By column: a level, or the lowest and the highest."""

PerColumn = float | Mapping[str, float]
"""One number for all columns, or one for each that is named."""

KindPerColumn = str | Mapping[str, str]
"""One kind for all columns, or one for each that is named; the others are of the usual kind."""

_PLACE, _READER, _WRITTEN, _UNSAVED = "place", "reader", "written", "unsaved"


def placed(place: Place, *, default: Any = None, written: bool = False, **options: Any) -> Any:
    """A field that names something outside of the request, which is read, or ``written``."""
    reader = _address if place in ADDRESSES else _schema if place == "schema" else None
    reading = {} if reader is None else read_by(reader)
    return field(default=default, metadata={_PLACE: place, _WRITTEN: written, **reading}, **options)


def number(least: float, most: float = inf, *, default: Any = None) -> Any:
    """A field for a number from ``least`` to ``most``, in Python, in a file and on the command line."""
    return field(default=default, metadata=limited(least, most))


def unsaved(default: Any) -> Any:
    """A field that is never written to a file: whoever wants it says so each time."""
    return field(default=default, metadata={_UNSAVED: True})


def limits_of(kind: "type[DataclassInstance]") -> dict[str, Limit]:
    """The limits of the fields that have some, by their names."""
    return {each.name: limit_of(each) for each in fields(kind) if has_limit(each)}


def without_unsaved(kind: "type[DataclassInstance]", entries: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of a request of this ``kind`` that may be written to a file."""
    left_out = {_hyphenated(each.name) for each in fields(kind) if each.metadata.get(_UNSAVED)}
    return {entry: value for entry, value in entries.items() if entry not in left_out}


def files_read(request: "DataclassInstance") -> list[Path]:
    """The files that the fields of a request name to be read, as far as they are there; in folders of hierarchies
    only some are."""
    entries = {_hyphenated(each.name): getattr(request, each.name) for each in fields(request)}
    found: list[str] = []

    def noted(path: str) -> str:
        found.append(path)
        return path

    for each in fields(request):
        if each.metadata.get(_PLACE, "folder") != "folder" and not each.metadata[_WRITTEN]:
            # what moves the paths in a field meets each of them
            moved(each.metadata[_PLACE], entries[_hyphenated(each.name)], entries, noted)
    return [file for path in found for file in _files_at(path)]


def _files_at(path: str) -> list[Path]:
    """The file itself, those in the folder, or those that the pattern means."""
    with suppress(OSError, ValueError, RuntimeError):  # what cannot be looked at is told where it is read
        at = Path(path).expanduser()
        if not path or at.is_file():
            return [at] if path else []
        return list(at.iterdir() if at.is_dir() else Path(at.anchor).glob(str(at.relative_to(at.anchor))))
    return []


def read_by(reader: Callable[[str, Any], Any], **how: Any) -> dict[str, Any]:
    """The metadata of a field that ``reader`` checks, by its entry and what stands there."""
    return {_READER: reader, **spelled(read=lambda value, _where: value, **how)}


def check_fields(request: "DataclassInstance") -> None:
    """Raise where a field of a frozen ``request`` is not of its type, or a password stands in a text that others will
    read; lists become tuples, and paths texts."""
    from biombo._documents import checked, entry_name, hints_of

    hints = hints_of(type(request))
    for each in fields(request):
        entry, value = entry_name(each.name), _texts(getattr(request, each.name))
        reader = each.metadata.get(_READER)
        if reader is None:
            value = checked(hints[each.name], entry, value)
        elif value is not None:
            value = reader(entry, value)
        if has_limit(each) and value is not None:
            limit_of(each).check(entry, value, whole=int in (each.type, *get_args(each.type)))
        if _PLACE not in each.metadata:
            refuse_password(entry, value)
        object.__setattr__(request, each.name, value)


def in_place(kind: "type[DataclassInstance]", entries: Mapping[str, Any], move: Move) -> dict[str, Any]:
    """The entries of a request of this ``kind`` with the paths in them moved."""
    places = _places(kind)
    return {entry: moved(places.get(_hyphenated(entry)), value, entries, move) for entry, value in entries.items()}


def without_passwords(kind: "type[DataclassInstance]", entries: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of a request of this ``kind`` without the passwords in addresses. Raises where another may be one."""
    places, kept = _places(kind), dict(entries)
    for entry, value in entries.items():
        place = places.get(entry)
        if place in ADDRESSES:
            kept[entry] = kept_address(place, entry, value)
        elif place is not None:
            refuse_address(entry, value)
    return kept


def shown(request: "DataclassInstance") -> str:
    """A request as its ``repr``, without what could be a password."""
    told = (f"{each.name}={discreet(getattr(request, each.name))!r}" for each in fields(request) if each.repr)
    return f"{type(request).__qualname__}({', '.join(told)})"


def _places(kind: "type[DataclassInstance]") -> dict[str, Place]:
    return {_hyphenated(each.name): each.metadata[_PLACE] for each in fields(kind) if _PLACE in each.metadata}


def _address(entry: str, value: Any) -> str:
    """An address as text. What is none is not quoted: it may hold a password."""
    if not isinstance(value, str):
        raise UsageError("document.entry-address", entry=entry)
    return value


def _schema(entry: str, value: Any) -> str | Mapping[str, Any]:
    """A schema's name or file, or the schema itself as plain values."""
    if isinstance(value, Mapping):
        refuse_password(entry, value)
        return value
    from biombo._documents import checked

    name: str = checked(str, entry, value)
    return name


def tabulated(entry: str, value: Any) -> Mapping[str, Any]:
    """The columns of a table of counts: some names, or the levels of each, by number or name."""
    from biombo._documents import checked

    if not isinstance(value, Mapping):
        return dict.fromkeys(checked(tuple[str, ...], entry, [value] if isinstance(value, str) else value), ("0",))
    return {name: checked(tuple[str, ...], entry, _levels(levels)) for name, levels in value.items()}


def _levels(given: Any) -> Any:
    """Levels as they are typed."""
    levels = given if isinstance(given, list | tuple) else [given]
    return [str(level) if isinstance(level, int) and not isinstance(level, bool) else level for level in levels]


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


def per_column(entry: str, value: Any) -> PerColumn:
    """One number for all columns, or one for each that is named.

    >>> per_column("l", 3), per_column("l", {"race": 2})
    (3, {'race': 2})
    """
    from biombo._documents import checked

    if not isinstance(value, Mapping):
        number: float = checked(float, entry, value)
        return number
    if not value:
        raise UsageError("document.entry-columns", entry=entry, value={})
    return weights(entry, value)


BY_COLUMN = read_by(per_column)
"""Of a field for one number, or for one for each of some columns."""


def kind_by_column(kinds: Any) -> dict[str, Any]:
    """The metadata of a field for one of these ``kinds``, or for one for each of some columns."""
    return read_by(partial(_kind_per_column, kinds))


def _kind_per_column(kinds: Any, entry: str, value: Any) -> KindPerColumn:
    from biombo._documents import checked

    if not isinstance(value, Mapping):
        kind: str = checked(kinds, entry, value)
        return kind
    if not value:
        raise UsageError("document.entry-columns", entry=entry, value={})
    return {column: checked(kinds, f"{entry}: {column}", each) for column, each in value.items()}


def known(entry: str, value: Any) -> Mapping[str, str | None]:
    """By column: what somebody knows of a person, written as it is in the table; nothing for a missing value."""
    from biombo._documents import checked

    by_column = checked(Mapping[str, Any], entry, value)
    if not by_column:
        raise UsageError("attack.target-knows-nothing")
    return {column: checked(str | None, f"{entry}: {column}", each) for column, each in by_column.items()}


def conditions(entry: str, value: Any) -> Mapping[str, Any]:
    """What records must meet to be asked for.

    >>> conditions("where", {"city": ["A", "B"], "day": {"at-least": "2023-01-01"}})
    {'city': ('A', 'B'), 'day': {'at-least': '2023-01-01'}}
    """
    from biombo._documents import checked

    (selection,) = selections_of(checked(Mapping[str, Any], entry, value))
    return selection.where


def selections_of(where: Mapping[str, Any] | None) -> "tuple[SelectRecords, ...]":
    """What selects the records that meet these conditions; nothing where there are none."""
    if where is None:
        return ()
    from biombo._plan import SelectRecords

    return (SelectRecords(where),)


def _texts(value: Any) -> Any:
    """Paths as texts."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return [_texts(each) for each in value] if isinstance(value, list | tuple) else value
