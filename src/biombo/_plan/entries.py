"""Dataclasses as entries of a plan: written and read by their fields alone, so that a new operation needs no more."""

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from biombo._errors import InputError, UsageError, shortened
from biombo._hierarchy import Hierarchy
from biombo._plan.entry_types import entry_name, hints_of

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
    return {entry_name(field.name): _plain(getattr(record, field.name)) for field in chosen}


def all_entries(record: "DataclassInstance") -> dict[str, Any]:
    """Every field, as :func:`canonical` values."""
    return {entry_name(field.name): canonical(getattr(record, field.name)) for field in fields(record)}


def read_entries(kind: "type[Record]", entries: Mapping[str, Any] | None, folder: Path) -> "Record":
    """An instance of ``kind`` with these entries; files that they name are looked for in ``folder``."""
    given = {} if entries is None else entries
    if not isinstance(given, Mapping):
        raise InputError("plan.entries-shape", value=given)
    known = {entry_name(field.name): field for field in fields(kind)}
    unknown = [entry for entry in given if entry not in known]
    if unknown:
        raise InputError("plan.entries-unknown", entries=shortened(unknown), known=", ".join(known) or "–")
    missing = [entry for entry, field in known.items() if entry not in given and field.default is MISSING]
    if missing:
        raise InputError("plan.entry-missing", entry=missing[0])
    hints = hints_of(kind)
    return kind(
        **{known[entry].name: _read(hints[known[entry].name], entry, value, folder) for entry, value in given.items()}
    )


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
    """Hierarchies are read here; everything else the record checks itself."""
    if value is not None and Hierarchy in (hint, *get_args(hint)):
        return read_hierarchy(entry, value, folder)
    return value


def read_hierarchy(entry: str, value: Any, folder: Path) -> Hierarchy:
    """A hierarchy: the name of a built-in one, a file in ``folder``, or a document."""
    if not isinstance(value, str | Mapping):
        raise InputError("plan.entry-hierarchy", entry=entry, value=value)
    if isinstance(value, str) and value not in Hierarchy.built_in_sources():
        return Hierarchy.load(folder / value)
    return Hierarchy.load(value)
