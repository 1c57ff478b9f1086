"""The words of the interface, in English and Brazilian Portuguese.

Texts live in ``en/*.toml`` and ``pt/*.toml``, one file per part of the program. A key is the file's name and the
entry's, joined by dots: ``text("errors.file.missing", path="a.csv")``.
"""

import os
import string
import tomllib
from contextvars import ContextVar
from functools import cache
from importlib import resources
from typing import Any, Literal, get_args

Language = Literal["en", "pt"]
LANGUAGES: tuple[Language, ...] = get_args(Language)


def _from_environment() -> Language:
    for name in ("BIOMBO_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name, ""):
            return "pt" if value.lower().startswith("pt") else "en"
    return "en"


_current: ContextVar[Language | None] = ContextVar("biombo_language", default=None)


def language() -> Language:
    """The language in use: the one set, else the one the environment names, else English."""
    return _current.get() or _from_environment()


def set_language(code: str) -> None:
    """Choose the language of messages and reports: ``"en"`` or ``"pt"``.

    >>> set_language("en")
    """
    if code not in LANGUAGES:
        raise ValueError(f"The language must be one of {', '.join(LANGUAGES)}. Got {code!r}.")
    _current.set(code)


@cache
def _part(code: Language, name: str) -> dict[str, str]:
    """The texts of one file, by their keys."""
    entries: dict[str, str] = {}
    file = resources.files(__package__) / code / f"{name}.toml"
    if file.is_file():
        _flatten(name, tomllib.loads(file.read_text("utf-8")), entries)
    return entries


@cache
def _catalogue(code: Language) -> dict[str, str]:
    """All texts."""
    files = sorted(file.name for file in (resources.files(__package__) / code).iterdir())
    parts = [_part(code, name.removesuffix(".toml")) for name in files if name.endswith(".toml")]
    return {key: entry for entries in parts for key, entry in entries.items()}


def _flatten(prefix: str, tree: dict[str, Any], entries: dict[str, str]) -> None:
    for key, value in tree.items():
        if isinstance(value, dict):
            _flatten(f"{prefix}.{key}", value, entries)
        else:
            entries[f"{prefix}.{key}"] = value


class _Localised(string.Formatter):
    """Like ``str.format``, plus ``:int``, ``:pct1`` (percent, one digit) and ``:num3`` in the language's way."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "int":
            return integer(value)
        if format_spec.startswith("pct"):
            return percent(value, int(format_spec[3:] or 1))
        if format_spec.startswith("num"):
            return number(value, int(format_spec[3:] or 2))
        return str(super().format_field(value, format_spec))


def text(key: str, **values: Any) -> str:
    """The text behind ``key`` in the language in use, with ``values`` filled in."""
    return _Localised().format(_part(language(), key.partition(".")[0])[key], **values)


def number(value: float, digits: int = 2) -> str:
    """A number with the language's separators: 1,234.5 or 1.234,5. What is rounded to zero has no sign."""
    formatted = f"{value:z,.{digits}f}"
    if language() == "pt":
        return formatted.translate(str.maketrans(",.", ".,"))
    return formatted


def integer(value: int) -> str:
    """A whole number with the language's thousands separator."""
    return number(value, 0)


def percent(share: float, digits: int = 1) -> str:
    """A share of one as a percentage: 0.5 is 50.0%."""
    return f"{number(100 * share, digits)}%"
