"""Where a request's files are: relative to its own folder when it is in one, and addresses without their passwords."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from biombo._errors import UsageError

Place = Literal["path", "files", "schema", "key", "address", "through"]
"""What an entry names: a file or folder, files or a query, a schema, a key, a database, or a hierarchy of a column."""

Move = Callable[[str], str]

VARIABLE = "BIOMBO_REGISTER"
"""The environment variable that names the register where no request does."""

_SQLITE = "sqlite:///"


def register_address(named: str | None) -> str | None:
    """What is named, or else what the environment names; an empty text means none."""
    return (os.environ.get(VARIABLE) if named is None else named) or None


def inside(folder: str) -> Move:
    """From paths as they stand in a file of ``folder`` to paths of the current folder."""
    shorter = os.path.normpath if Path(folder).is_absolute() else os.path.relpath
    return lambda path: shorter(f"{folder}/{path}") if folder and _is_relative(path) else path


def outside(folder: str) -> Move:
    """From paths of the current folder to paths as they stand in a file of ``folder``."""
    if is_current(folder):
        return lambda path: path
    return lambda path: os.path.relpath(path, folder) if _is_relative(path) else path


def is_current(folder: str | Path) -> bool:
    """Is it the folder that we are in?"""
    return Path(folder).absolute() == Path.cwd()


def moved(place: Place | None, value: Any, entries: Mapping[str, Any], move: Move) -> Any:
    """``value`` with the paths in it moved."""
    if place is None or value is None or (place == "files" and entries.get("database") is not None):
        return value
    if isinstance(value, list | tuple):
        return [moved(place, each, entries, move) for each in value]
    return _MOVED[place](value, move) if isinstance(value, str) else value


def without_password(address: str) -> str:
    """The address of a database without the passwords in it.

    >>> without_password("postgresql://ana:secret@host/people?sslmode=require&password=secret")
    'postgresql://ana@host/people?sslmode=require'
    """
    if "://" not in address or address.startswith(_SQLITE):
        return address
    try:
        parts = urlsplit(address)
        user, at, host = parts.netloc.rpartition("@")
    except ValueError:
        raise UsageError("usage.database-address") from None
    if "@" in user:
        raise UsageError("usage.database-address")
    kept = [(name, each) for name, each in parse_qsl(parts.query, keep_blank_values=True) if "password" not in name]
    return urlunsplit(parts._replace(netloc=f"{user.partition(':')[0]}{at}{host}", query=urlencode(kept)))


def _is_relative(path: str) -> bool:
    return bool(path) and not Path(path).is_absolute() and not path.startswith("~")


def _schema(value: str, move: Move) -> str:
    from biombo._data import built_in

    return value if value in built_in() else move(value)


def _key(value: str, move: Move) -> str:
    from biombo._secrets import KEYRING

    return value if value.startswith(KEYRING) else move(value)


def _address(value: str, move: Move) -> str:
    if value.startswith(_SQLITE):
        return _SQLITE + move(value.removeprefix(_SQLITE))
    return value if {":", "@"} & set(value) else move(value)


def _through(value: str, move: Move) -> str:
    """``city=cities.csv:1``: the hierarchy may be a file, a built-in one or a rule."""
    from biombo._hierarchy import Hierarchy

    column, _, rest = value.partition("=")
    source, _, level = rest.rpartition(":")
    known = source == "prefix" or source in Hierarchy.built_in_sources()
    return value if known or not source else f"{column}={move(source)}:{level}"


_MOVED: dict[Place, Callable[[str, Move], str]] = {
    "path": lambda value, move: move(value),
    "files": lambda value, move: move(value),
    "schema": _schema,
    "key": _key,
    "address": _address,
    "through": _through,
}
