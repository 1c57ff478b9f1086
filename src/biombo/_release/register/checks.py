"""What a register takes in: short texts, dates and hashes, and no secrets."""

import re
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from biombo._errors import UsageError

_LONGEST = 2000
_HASH = re.compile(r"[0-9a-f]{64}")
_WITH_PASSWORD = re.compile(r"://[^/\s]*:[^/\s]*@|passw(or)?d\s*=", re.IGNORECASE)


def checked_text(entry: str, value: Any) -> str:
    """``value`` without blanks around it, if it is a text of a reasonable length without a password in it."""
    if not isinstance(value, str) or not value.strip() or len(value) > _LONGEST or not _storable(value):
        raise UsageError("register.text", entry=entry, longest=_LONGEST)
    if _WITH_PASSWORD.search(value):
        raise UsageError("register.password", entry=entry)
    return value.strip()


def checked_texts(entry: str, values: Any) -> tuple[str, ...]:
    """Each of several texts."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise UsageError("usage.string-for-list", argument=entry, value=values)
    return tuple(checked_text(entry, value) for value in values)


def check_hash(entry: str, value: Any) -> None:
    """Refuse what is not a SHA-256 in hexadecimal digits."""
    if not isinstance(value, str) or not _HASH.fullmatch(value):
        raise UsageError("register.hash", entry=entry)


def check_day(entry: str, value: Any) -> None:
    """Refuse what is not a date without a time."""
    if not isinstance(value, date) or isinstance(value, datetime):
        raise UsageError("register.day", entry=entry, value=value)


def _storable(value: str) -> bool:
    """No database keeps zero characters, nor halves of surrogate pairs."""
    return "\0" not in value and not any("\ud800" <= mark <= "\udfff" for mark in value)
