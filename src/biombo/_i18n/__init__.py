"""The words of the interface, in English and Brazilian Portuguese.

Texts live in ``en/*.toml`` and ``pt/*.toml``, one file per part of the program. A key is the file's name and the
entry's, joined by dots: ``text("errors.file.missing", path="a.csv")``.

Messages name options as the command line does, ``--max-size 3``. Whoever writes Python types no options: unless the
command line is speaking (:func:`speaking_of_options`), the same message says ``max_size=3``. Whoever fills in forms
types neither: inside :func:`speaking_of_fields` it names the fields of the portal's pages.
"""

import os
import re
import string
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib import resources
from numbers import Integral
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
    _current.set(_checked(code))


def _checked(code: str) -> Language:
    if code not in LANGUAGES:
        raise ValueError(f"The language must be one of {', '.join(LANGUAGES)}. Got {code!r}.")
    return code


@contextmanager
def speaking(code: Language) -> Iterator[None]:
    """Within it, ``code`` is the language in use. Raises where there is no such language.

    >>> with speaking("pt"):
    ...     number(0.5, 1)
    '0,5'
    """
    before = _current.set(_checked(code))
    try:
        yield
    finally:
        _current.reset(before)


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


Speaker = Literal["arguments", "options", "fields"]
"""What messages speak of: arguments of functions, options of commands, or fields of pages."""

_speaker: ContextVar[Speaker] = ContextVar("biombo_speaker", default="arguments")


@contextmanager
def speaking_of_options() -> Iterator[None]:
    """Inside, messages are for somebody who types commands."""
    with _speaking_of("options"):
        yield


@contextmanager
def speaking_of_fields() -> Iterator[None]:
    """Inside, messages are for somebody who fills in forms.

    >>> with speaking_of_fields():
    ...     option("max_suppression")
    '“Records that may be suppressed, at most (%)”'
    """
    with _speaking_of("fields"):
        yield


@contextmanager
def _speaking_of(what: Speaker) -> Iterator[None]:
    before = _speaker.set(what)
    try:
        yield
    finally:
        _speaker.reset(before)


_MESSAGES = ("errors", "plan", "release")
"""The files whose texts are said to whoever called."""
_WRITTEN = ("release.readme.", "release.dictionary.", "release.claim.")
"""Of these, the texts that are written into a release, whoever made it."""

_OPTION = re.compile(
    r"--(?P<name>[a-z][a-z-]*)(?:=(?P<text>[^\s,;)]*[^\s,;).])| (?P<filled>\{\w+\})| (?:…|[A-Z]{2,}\b))?"
)
"""An option, with what it is given where that is told: ``--engine=spark``, ``--max-size {fits}``, ``--key FILE``."""

_ACCEPTED = re.compile(r"--accept-column \{column\} --reason …")
_COMMAND = re.compile(r"\bbiombo (apply|inspect|publish|reveal|risk|search|trace|utility|verify)\b")

_OTHERWISE = {
    "force": "force=True",
    "frontier": "frontier=True",
    "keep-column": "keep=...",
    "keep-order": "keep_order=True",
    "population-table": "population=...",
    "preview": "biombo.preview",
}
"""Options that are no arguments of the same name with a value."""


def option(name: str) -> str:
    """What whoever called says to give ``name`` a value.

    >>> option("max_size")
    'max_size=...'
    >>> with speaking_of_options():
    ...     option("max_size")
    '--max-size'
    """
    return _spoken(f"--{name.replace('_', '-')}")


def _spoken(message: str) -> str:
    """A message that names options, for whoever called."""
    speaker = _speaker.get()
    if speaker == "options":
        return message
    return _as_arguments(message) if speaker == "arguments" else _as_fields(message, language())


@cache
def _as_arguments(message: str) -> str:
    """A message with arguments of functions in the place of options, and functions in the place of commands."""
    message = _ACCEPTED.sub('accept={{{column!r}: "…"}}', message)
    return _COMMAND.sub(r"biombo.\1", _OPTION.sub(_as_argument, message))


def _as_argument(found: re.Match[str]) -> str:
    name = found["name"]
    if name in _OTHERWISE:
        return _OTHERWISE[name]
    value = f'"{found["text"]}"' if found["text"] else found["filled"] or "..."
    return f"{name.replace('-', '_')}={value}"


_ASIDE = re.compile(r"\s*\([^()]*--[a-z][^()]*\)")
"""What stands in brackets to say how something is typed."""


@cache
def _as_fields(message: str, code: Language) -> str:
    """A message with the fields of pages in the place of options. How something without a field is typed is left out
    where it stands in brackets, and called by its name elsewhere.
    """
    words = _part(code, "portal")

    def named(found: re.Match[str]) -> str:
        field = words.get(f"portal.option.{found['name']}")
        quoted = field or found["name"].replace("-", " ")
        return f"“{quoted}” {found['filled']}" if found["filled"] else f"“{quoted}”"

    def aside(found: re.Match[str]) -> str:
        options = [each["name"] for each in _OPTION.finditer(found[0])]
        return found[0] if any(f"portal.option.{each}" in words for each in options) else ""

    message = _ACCEPTED.sub("--accept-column, --reason", message)
    return _COMMAND.sub("Biombo", _OPTION.sub(named, _ASIDE.sub(aside, message)))


class _Localised(string.Formatter):
    """Like ``str.format``, plus ``:int``, ``:pct1`` (percent, one digit), ``:share1`` (the same, and few are not
    shown as none) and ``:num3`` in the language's way.

    ``:day`` is the day of a month. ``{n:int|row|rows}`` is a number with the word that fits it, ``{n:|is|are}`` such
    a word alone.
    """

    def format_field(self, value: Any, format_spec: str) -> str:
        written, *words = format_spec.split("|")
        if words:
            return self._counted(value, written, *words)
        if format_spec == "int":
            return integer(value)
        if format_spec == "day":
            return "1º" if value == 1 and language() == "pt" else str(value)
        if format_spec.startswith("pct"):
            return percent(value, int(format_spec[3:] or 1))
        if format_spec.startswith("share"):
            return share(value, int(format_spec[5:] or 1))
        if format_spec.startswith("num"):
            return number(value, int(format_spec[3:] or 2))
        return str(super().format_field(value, format_spec))

    def _counted(self, value: Any, written: str, one: str, many: str) -> str:
        word = one if value == 1 else many
        if not written:
            return word
        whole_millions = isinstance(value, Integral) and value != 0 and int(value) % 1_000_000 == 0
        of = "de " if whole_millions and language() == "pt" else ""  # 1.000.000 de linhas
        return f"{self.format_field(value, written)} {of}{word}"


def text(key: str, **values: Any) -> str:
    """The text behind ``key`` in the language in use, with ``values`` filled in."""
    part = key.partition(".")[0]
    message = _part(language(), part)[key]
    if part in _MESSAGES and not key.startswith(_WRITTEN):
        message = _spoken(message)
    return _Localised().format(message, **values)


@dataclass(frozen=True)
class Sentence:
    """A text that is worded when it is read, in the language of then; what is filled in may be such texts too.

    >>> said("inspect.reason.name", what=said("inspect.meaning.age"))
    Sentence(key='inspect.reason.name', values=(('what', Sentence(key='inspect.meaning.age', values=())),))
    >>> with speaking("pt"):
    ...     str(said("inspect.meaning.age"))
    'idade'
    """

    key: str
    values: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        return text(self.key, **dict(self.values))


def said(key: str, **values: Any) -> Sentence:
    """The text behind ``key``, to be worded later."""
    return Sentence(key, tuple(values.items()))


def text_or(otherwise: str, key: str) -> str:
    """The text behind ``key`` in the language in use; ``otherwise`` where the catalogue has none.

    >>> text_or("radiologist", "risk.adversary.radiologist")
    'radiologist'
    """
    return _part(language(), key.partition(".")[0]).get(key, otherwise)


def in_every_language(key: str) -> dict[Language, str]:
    """The text behind ``key`` in each language, as it stands: for words that people may type in any of them.

    >>> in_every_language("inspect.type.date")
    {'en': 'date', 'pt': 'data'}
    """
    return {code: _part(code, key.partition(".")[0])[key] for code in LANGUAGES}


def has_text(key: str) -> bool:
    """Is there a text behind ``key``?"""
    return key in _part(language(), key.partition(".")[0])


def number(value: float, digits: int = 2) -> str:
    """A number with the language's separators: 1,234.5 or 1.234,5. What is rounded to zero has no sign."""
    formatted = f"{value:z,.{digits}f}"
    if language() == "pt":
        return formatted.translate(str.maketrans(",.", ".,"))
    return formatted


def decimal_mark() -> str:
    """What stands before decimals."""
    return "," if language() == "pt" else "."


def integer(value: int) -> str:
    """A whole number with the language's thousands separator."""
    return number(value, 0)


def percent(share: float, digits: int = 1) -> str:
    """A share of one as a percentage: 0.5 is 50.0%."""
    return f"{number(100 * share, digits)}%"


def share(found: float, digits: int = 1) -> str:
    """A share as a percentage, in which few are not shown as none.

    >>> share(0.0), share(0.0004), share(0.0123)
    ('0.0%', '<0.1%', '1.2%')
    """
    least = 10.0 ** -(digits + 2)
    return f"<{percent(least, digits)}" if 0 < found < least else percent(found, digits)
