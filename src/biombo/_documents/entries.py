"""Dataclasses as entries of a document: written and read by their fields alone, so that a new one needs no more."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, Field, dataclass, fields, replace
from datetime import date
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin

from biombo._documents.entry_types import checked, entry_name, hints_of, options_of
from biombo._documents.kinds import Where, kind_of_type, kind_of_value
from biombo._errors import BiomboError, InputError, closest, shortened

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Record = TypeVar("Record", bound=DataclassInstance)

_SPELLING = "spelling"


@dataclass(frozen=True)
class Spelling:
    """How a field stands in a document, as far as its type does not say it."""

    read: Callable[[Any, Where], Any] | None = None
    """The value that plain ones describe."""
    write: Callable[[Any], Any] | None = None
    """The plain values that describe it."""
    schema: Mapping[str, Any] | None = None
    """The JSON schema of what may stand there."""
    always: bool = False
    """Is it written even where it is as usual?"""
    newer: bool = False
    """Did documents without it have their hash before there was such an entry?"""


def spelled(**how: Any) -> dict[str, Spelling]:
    """The ``metadata`` of a field that stands in documents in a way of its own: see :class:`Spelling`."""
    return {_SPELLING: Spelling(**how)}


def spelling_of(field: Field[Any]) -> Spelling:
    """How ``field`` stands in documents."""
    spelling: Spelling = field.metadata.get(_SPELLING, Spelling())
    return spelling


def entries_of(kind: "type[DataclassInstance]") -> dict[str, Field[Any]]:
    """The fields of ``kind`` by the names of their entries."""
    return {entry_name(field.name): field for field in fields(kind) if field.init}


def is_needed(field: Field[Any]) -> bool:
    """Is there nothing that is usual where the entry is left out?"""
    return field.default is MISSING and field.default_factory is MISSING


def chosen_entries(record: "DataclassInstance") -> dict[str, Any]:
    """The fields that are not as usual, as plain values."""
    chosen = {entry: field for entry, field in entries_of(type(record)).items() if _is_chosen(record, field)}
    return {entry: _written(field, getattr(record, field.name)) for entry, field in chosen.items()}


def all_entries(record: "DataclassInstance") -> dict[str, Any]:
    """Every field, as :func:`canonical` values; one that is newer than hashes only where it is not as usual."""
    fields_of = entries_of(type(record)).items()
    counted = {entry: field for entry, field in fields_of if not spelling_of(field).newer or _is_chosen(record, field)}
    return {entry: canonical(getattr(record, field.name)) for entry, field in counted.items()}


def read_entries(kind: "type[Record]", entries: Mapping[str, Any] | None, folder: Path | None = Path()) -> "Record":
    """An instance of ``kind`` with these entries; files that they name are looked for in ``folder``, if any.

    An entry with nothing after it is as one that was left out, unless nothing is a value that it may have.
    """
    known, hints = entries_of(kind), hints_of(kind)
    given = by_entry({} if entries is None else entries, known)
    there = {entry: value for entry, value in given.items() if value is not None or _may_be_none(hints, known[entry])}
    for entry, field in known.items():
        if entry not in there and is_needed(field):
            raise InputError("document.entry-missing", entry=entry)
    read = {entry: _read(known[entry], hints, value, Where(entry, folder)) for entry, value in there.items()}
    return kind(**{known[entry].name: value for entry, value in read.items()})


def by_entry(given: Any, known: Collection[str]) -> dict[str, Any]:
    """What was ``given`` by the names of entries, in which underscores count as hyphens. Raises where one is not
    ``known``."""
    if not isinstance(given, Mapping):
        raise InputError("document.entries-shape", value=given)
    found: dict[str, Any] = {}
    for name, value in given.items():
        entry = name.replace("_", "-") if isinstance(name, str) else name
        if entry in found:
            raise InputError("document.entry-twice", entry=entry)
        found[entry] = value
    unknown = [entry for entry in found if entry not in known]
    if unknown:
        raise _unknown(unknown, known)
    return found


def _unknown(entries: list[Any], known: Collection[str]) -> InputError:
    close = closest(str(entries[0]), known) if len(entries) == 1 else None
    if close is not None:
        return InputError("document.entry-close", entry=entries[0], close=close)
    return InputError("document.entry-unknown", entries=shortened(entries), known=", ".join(known) or "–")


def unknown_name(name: Any, known: Iterable[str]) -> InputError:
    """The refusal of the name of something that there is not, such as an operation."""
    names = list(known)
    if (close := closest(str(name), names)) is not None:
        return InputError("document.name-close", close=close)
    return InputError("document.name-unknown", known=", ".join(names))


@contextmanager
def errors_within(key: str, **values: Any) -> Iterator[None]:
    """Say what a mistake inside is in: ``key`` names a sentence that ends in ``{detail}``."""
    try:
        yield
    except BiomboError as error:
        raise InputError(key, **values, detail=error) from None


def _is_chosen(record: "DataclassInstance", field: Field[Any]) -> bool:
    usual = field.default if field.default_factory is MISSING else field.default_factory()
    return spelling_of(field).always or getattr(record, field.name) != usual


def _written(field: Field[Any], value: Any) -> Any:
    write = spelling_of(field).write
    return plain(value) if write is None else write(value)


def plain(value: Any) -> Any:
    """The value as YAML and JSON have it."""
    if (kind := kind_of_value(value)) is not None:
        return kind.plain(value)
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, Path | date):
        return str(value)
    return [plain(each) for each in value] if isinstance(value, tuple) else value


def canonical(value: Any) -> Any:
    """The value as plain ones that are the same whenever the meaning is: a hierarchy by its content, 5.0 as 5."""
    if (kind := kind_of_value(value)) is not None:
        return kind.canonical(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {key: canonical(each) for key, each in value.items()}
    return [canonical(each) for each in value] if isinstance(value, tuple) else value


def _may_be_none(hints: Mapping[str, Any], field: Field[Any]) -> bool:
    return NoneType in options_of(hints[field.name])


def _read(field: Field[Any], hints: Mapping[str, Any], value: Any, where: Where) -> Any:
    read = spelling_of(field).read
    return read_value(hints[field.name], value, where) if read is None else read(value, where)


def read_value(hint: Any, value: Any, where: Where) -> Any:
    """What stands in a document as the type ``hint`` has it; classes of other rooms are read as they registered it."""
    options = options_of(hint)
    if value is None and NoneType in options:
        return None
    for option in options:
        if (kind := kind_of_type(option)) is not None:
            return kind.read(value, where)
        if get_origin(option) is tuple and kind_of_type(get_args(option)[0]) is not None:
            return _members(get_args(option)[0], value, where)
    return checked(hint, where.entry, value)


def _members(hint: Any, value: Any, where: Where) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise InputError("document.entry-list", entry=where.entry)
    return tuple(read_value(hint, each, replace(where, place=place)) for place, each in enumerate(value, start=1))
