"""What an entry may be, by the type of its field: checked in one place, whether it was read or made in Python."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import date
from functools import lru_cache
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints
from unicodedata import category

from biombo._addresses import holds_password
from biombo._documents.kinds import kind_of_type
from biombo._errors import UsageError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


LONGEST_TEXT = 2000
"""Characters of what somebody writes for others to read, such as a reason."""

LARGEST_NUMBER = (1 << 63) - 1
"""Whole numbers beyond it fit into no column, and those of thousands of digits not even into a message."""


def check_types(record: "DataclassInstance") -> None:
    """Raise where a field of a frozen ``record`` is not of its type. Lists become tuples, and NumPy's numbers plain."""
    hints = hints_of(type(record))
    for field in fields(record):
        value = checked(hints[field.name], entry_name(field.name), getattr(record, field.name))
        object.__setattr__(record, field.name, value)


@lru_cache
def hints_of(kind: type) -> dict[str, Any]:
    """The types of the fields of a dataclass."""
    return get_type_hints(kind)


def entry_name(field: str) -> str:
    """What a field is called in a document; the names of some are words that Python keeps for itself."""
    return field.removesuffix("_").replace("_", "-")


def options_of(hint: Any) -> tuple[Any, ...]:
    """The types that ``hint`` allows: those of a union, or itself."""
    return get_args(hint) if get_origin(hint) in (UnionType, Union) else (hint,)


def listed(name: str, values: Iterable[Any]) -> tuple[Any, ...]:
    """``values``, unless a text was given where a list is meant."""
    if isinstance(values, str):
        raise UsageError("usage.string-for-list", argument=name, value=values)
    return tuple(values)


def checked(hint: Any, entry: str, value: Any) -> Any:
    """``value`` as the type ``hint`` has it.

    >>> checked(tuple[str, ...], "apart", ["999"])
    ('999',)
    """
    if getattr(value, "shape", None) == ():  # a number of NumPy's
        value = value.item()
    origin, options = get_origin(hint), get_args(hint)
    if origin in (UnionType, Union):  # of choices Python makes the one, of everything else the other
        return _one_of(options, entry, value)
    if origin is Literal:
        return _choice(options, entry, value)
    if origin in (tuple, Sequence):
        return _members(options[0], entry, value)
    if (kind := kind_of_type(hint)) is not None:
        if not isinstance(value, hint):
            raise UsageError(kind.refusal, entry=entry, value=value, place=None)
        return value
    return _CHECKS[hint](entry, value)


def refuse_password(entry: str, value: Any) -> None:
    """Raise where an address with a password stands in a text, or in one of several, that others will read."""
    if isinstance(value, str) and holds_password(value):
        raise UsageError("document.entry-password", entry=entry)
    if isinstance(value, Mapping):
        value = (*value, *value.values())
    for each in value if isinstance(value, list | tuple) else ():
        refuse_password(entry, each)


def checked_text(entry: str, value: Any, *, longest: int = LONGEST_TEXT, needed: bool = True) -> str:
    """``value`` without blanks around it, if it is a text of a reasonable length without a password in it; blank only
    where it is not ``needed``.
    """
    is_text = isinstance(value, str) and len(value) <= longest and _storable(value)
    if not is_text or (needed and not says_something(value)):
        raise UsageError("document.entry-short-text", entry=entry, longest=longest)
    refuse_password(entry, value)
    return str(value).strip()


_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def is_unseen(mark: str) -> bool:
    """Does it steer how other letters are shown, and is not shown itself? So do ends of lines."""
    return category(mark) in _UNSEEN


def says_something(value: str) -> bool:
    r"""Is there anything in it that can be seen?

    >>> says_something(" a\u200b "), says_something("\u200b \n\u2060")
    (True, False)
    """
    return any(not mark.isspace() and not is_unseen(mark) for mark in value)


def _storable(value: str) -> bool:
    """No database keeps zero characters, nor halves of surrogate pairs."""
    return "\0" not in value and not any("\ud800" <= mark <= "\udfff" for mark in value)


def _one_of(options: tuple[Any, ...], entry: str, value: Any) -> Any:
    if value is None and NoneType in options:
        return None
    others = [option for option in options if option is not NoneType]
    if others == [float, str]:
        return _number_or_text(entry, value)
    (hint,) = others
    return checked(hint, entry, value)


def _choice(choices: tuple[Any, ...], entry: str, value: Any) -> Any:
    if not isinstance(value, str) or value not in choices:
        raise UsageError("document.entry-choice", entry=entry, value=value, choices=", ".join(map(str, choices)))
    return value


def _members(hint: Any, entry: str, value: Any) -> tuple[Any, ...]:
    if isinstance(value, str):
        raise UsageError("usage.string-for-list", argument=entry, value=value)
    of_texts = hint is str
    if not isinstance(value, Iterable) or isinstance(value, Mapping | bytes):
        raise UsageError("document.entry-texts" if of_texts else "document.entry-list", entry=entry, value=value)
    members = tuple(value)
    if of_texts and not all(isinstance(member, str) for member in members):  # YAML takes 5 for a number
        raise UsageError("document.entry-texts", entry=entry, value=list(members))
    return tuple(checked(hint, entry, member) for member in members)


def _text(entry: str, value: Any) -> str:
    if not isinstance(value, str):
        raise UsageError("document.entry-text", entry=entry, value=value)
    return value


def _whole_number(entry: str, value: Any) -> int:
    if type(value) is not int:
        raise UsageError("document.entry-whole-number", entry=entry, value=value)
    _refuse_too_large(entry, value)
    return value


def _number(entry: str, value: Any) -> float:
    if type(value) not in (int, float):
        raise UsageError("document.entry-number", entry=entry, value=value)
    _refuse_too_large(entry, value)
    return value  # type: ignore[no-any-return]  # whole numbers stay whole: 5 is written as 5


def _refuse_too_large(entry: str, value: float) -> None:
    if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
        raise UsageError("document.entry-too-large", entry=entry)


def _yes_or_no(entry: str, value: Any) -> bool:
    if type(value) is not bool:
        raise UsageError("document.entry-yes-or-no", entry=entry, value=value)
    return value


def _number_or_text(entry: str, value: Any) -> float | str:
    """A date, which YAML knows without quotes, as text."""
    if isinstance(value, date):
        return value.isoformat()
    return value if isinstance(value, str) else _number(entry, value)


def _mapping(entry: str, value: Any) -> Mapping[str, Any]:
    """What stands under each name is for the record to check."""
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise UsageError("document.entry-mapping", entry=entry, value=value)
    return dict(value)


def _texts_by_name(entry: str, value: Any) -> Mapping[str, str]:
    mapping = _mapping(entry, value)
    return {name: _text(f"{entry}: {name}", each) for name, each in mapping.items()}


def _path(entry: str, value: Any) -> Path:
    return value if isinstance(value, Path) else Path(_text(entry, value))


def _day(entry: str, value: Any) -> date:
    """A day without a time, also where YAML was told by quotes that it is text."""
    if type(value) is date:
        return value
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise UsageError("document.entry-day", entry=entry, value=value) from None


_CHECKS: dict[Any, Callable[[str, Any], Any]] = {
    Any: lambda _entry, value: value,
    str: _text,
    int: _whole_number,
    float: _number,
    bool: _yes_or_no,
    Mapping[str, Any]: _mapping,
    Mapping[str, str]: _texts_by_name,
    Path: _path,
    date: _day,
}
