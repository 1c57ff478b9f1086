"""Dataclasses as entries of a plan: written and read by their fields alone, so that a new operation needs no more."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, fields
from datetime import date
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from biombo._errors import InputError, UsageError, shortened
from biombo._hierarchy import Hierarchy

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Record = TypeVar("Record", bound=DataclassInstance)


def listed(name: str, values: Iterable[Any]) -> tuple[Any, ...]:
    """``values``, unless a text was given where a list is meant."""
    if isinstance(values, str):
        raise UsageError("usage.string-for-list", argument=name, value=values)
    return tuple(values)


def chosen_entries(record: "DataclassInstance") -> dict[str, Any]:
    """The fields that are not as usual, as plain values."""
    chosen = [field for field in fields(record) if getattr(record, field.name) != field.default]
    return {entry_name(field): _plain(getattr(record, field.name)) for field in chosen}


def all_entries(record: "DataclassInstance") -> dict[str, Any]:
    """Every field, as :func:`canonical` values."""
    return {entry_name(field): canonical(getattr(record, field.name)) for field in fields(record)}


def read_entries(kind: "type[Record]", entries: Mapping[str, Any] | None, folder: Path) -> "Record":
    """An instance of ``kind`` with these entries; files that they name are looked for in ``folder``."""
    given = {} if entries is None else entries
    if not isinstance(given, Mapping):
        raise InputError("plan.entries-shape", value=given)
    known = {entry_name(field): field for field in fields(kind)}
    unknown = [entry for entry in given if entry not in known]
    if unknown:
        raise InputError("plan.entries-unknown", entries=shortened(unknown), known=", ".join(known) or "–")
    missing = [entry for entry, field in known.items() if entry not in given and field.default is MISSING]
    if missing:
        raise InputError("plan.entry-missing", entry=missing[0])
    hints = get_type_hints(kind)
    values = {known[entry].name: _read(hints[known[entry].name], entry, given[entry], folder) for entry in given}
    return kind(**values)


def entry_name(field: Field[Any]) -> str:
    """What the field is called in a plan; the names of some are words that Python keeps for itself."""
    return field.name.removesuffix("_").replace("_", "-")


def _plain(value: Any) -> Any:
    if isinstance(value, Hierarchy):
        return value.to_tree()
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


def canonical(value: Any) -> Any:
    """The value as plain ones that are the same whenever the meaning is: a hierarchy by its content, 5.0 as 5."""
    if isinstance(value, Hierarchy):
        return value.content_hash()
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {key: canonical(each) for key, each in value.items()}
    return [canonical(each) for each in value] if isinstance(value, tuple) else value


def _read(hint: Any, entry: str, value: Any, folder: Path) -> Any:
    if get_origin(hint) in (UnionType, Union):  # of choices Python makes the one, of everything else the other
        (hint,) = (option for option in get_args(hint) if option is not NoneType)
        if value is None:
            return None
    if get_origin(hint) is Literal:
        return _choice(entry, value, get_args(hint))
    return _READERS[hint](entry, value, folder)


def read_hierarchy(entry: str, value: Any, folder: Path) -> Hierarchy:
    """A hierarchy: the name of a built-in one, a file in ``folder``, or a document."""
    if not isinstance(value, str | Mapping):
        raise InputError("plan.entry-hierarchy", entry=entry, value=value)
    if isinstance(value, str) and value not in Hierarchy.built_in_sources():
        return Hierarchy.load(folder / value)
    return Hierarchy.load(value)


def _choice(entry: str, value: Any, choices: tuple[Any, ...]) -> Any:
    if value not in choices:
        raise InputError("plan.entry-choice", entry=entry, value=value, choices=", ".join(map(str, choices)))
    return value


def read_text(entry: str, value: Any, _folder: Path) -> str:
    """A text."""
    if not isinstance(value, str):
        raise InputError("plan.entry-text", entry=entry, value=value)
    return value


def _whole_number(entry: str, value: Any, _folder: Path) -> int:
    if type(value) is not int:
        raise InputError("plan.entry-whole-number", entry=entry, value=value)
    return value


def _number(entry: str, value: Any, _folder: Path) -> float:
    if type(value) not in (int, float):
        raise InputError("plan.entry-number", entry=entry, value=value)
    return value  # type: ignore[no-any-return]  # whole numbers stay whole: 5 is written as 5


def _yes_or_no(entry: str, value: Any, _folder: Path) -> bool:
    if type(value) is not bool:
        raise InputError("plan.entry-yes-or-no", entry=entry, value=value)
    return value


def _list_of(read: Callable[[str, Any, Path], Any]) -> Callable[[str, Any, Path], tuple[Any, ...]]:
    def read_list(entry: str, value: Any, folder: Path) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            raise InputError("plan.entry-list", entry=entry)
        return tuple(read(entry, each, folder) for each in value)

    return read_list


def _number_or_text(entry: str, value: Any, folder: Path) -> float | str:
    """A number, or a text; a date, which YAML knows without quotes, as text."""
    if isinstance(value, date):
        return value.isoformat()
    return value if isinstance(value, str) else _number(entry, value, folder)


def _text_or_nothing(entry: str, value: Any, folder: Path) -> str | None:
    """A text, or null for a missing value."""
    return None if value is None else read_text(entry, value, folder)


def _mapping(entry: str, value: Any, _folder: Path) -> Mapping[str, Any]:
    """What stands under each name is for the operation to check."""
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise InputError("plan.entry-mapping", entry=entry, value=value)
    return dict(value)


def read_texts(entry: str, value: Any, _folder: Path) -> tuple[str, ...]:
    """A list of texts. Others than text are refused: YAML takes 00 for the number 0."""
    if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
        raise InputError("plan.entry-texts", entry=entry, value=value)
    return tuple(value)


_READERS: dict[Any, Callable[[str, Any, Path], Any]] = {
    str: read_text,
    int: _whole_number,
    float: _number,
    bool: _yes_or_no,
    tuple[str, ...]: read_texts,
    tuple[int, ...]: _list_of(_whole_number),
    tuple[float, ...]: _list_of(_number),
    tuple[float | str, ...]: _list_of(_number_or_text),
    tuple[str | None, ...]: _list_of(_text_or_nothing),
    Mapping[str, Any]: _mapping,
    Hierarchy: read_hierarchy,
}
