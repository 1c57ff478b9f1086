"""Where a request's files are: relative to its own folder when it is in one, and addresses without their passwords."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from biombo._addresses import (
    SQLITE,
    is_harmless_path,
    is_path,
    is_store,
    may_hold_password,
    without_password,
    without_token,
)
from biombo._errors import UsageError

Place = Literal["path", "folder", "files", "schema", "key", "address", "register", "through", "engine"]
"""What an entry names: a file, a folder of hierarchies, files or a query, a schema, a key, a database, a register, a
hierarchy of a column, or an engine."""

ADDRESSES = frozenset[Place]({"address", "register", "engine"})
"""Where a password may stand."""

Move = Callable[[str], str]

VARIABLE = "BIOMBO_REGISTER"
"""The environment variable that names the register where no request does."""


def register_address(named: str | None) -> str | None:
    """What is named, or else what the environment names; an empty text means none."""
    return (os.environ.get(VARIABLE) if named is None else named) or None


def register_file(address: str | None) -> Path | None:
    """The file that the register is in, if it is in one."""
    if address is None or not (address.startswith(SQLITE) or is_path(address)):
        return None
    return Path(address.removeprefix(SQLITE)).expanduser()


def inside(folder: str) -> Move:
    """From paths as they stand in a file of ``folder`` to paths of the current folder."""
    shorter = os.path.normpath if Path(folder).is_absolute() else os.path.relpath

    def move(path: str) -> str:
        whole = f"{folder}/{path}"
        return short if _are_one(whole, short := shorter(whole)) else whole

    return lambda path: move(path) if folder and _is_relative(path) else path


def outside(folder: str) -> Move:
    """From paths of the current folder to paths as they stand in a file of ``folder``."""

    def move(path: str) -> str:
        short = os.path.relpath(path, folder)
        return short if _are_one(path, f"{folder}/{short}") else _from_real(folder, path)

    return lambda path: move(path) if not is_current(folder) and _is_relative(path) else path


def _are_one(path: str, other: str) -> bool:
    """Do both lead to the same place? Not where the way is up from a folder that is a link."""
    try:
        return os.path.realpath(path) == os.path.realpath(other)
    except ValueError:  # names that no file can have, which whoever opens it will say
        return True


def _from_real(folder: str, path: str) -> str:
    """The way from where ``folder`` really is; what ``path`` itself is called stays, link or not."""
    above, name = os.path.split(path)
    return os.path.relpath(f"{os.path.realpath(above)}/{name}", os.path.realpath(folder))


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


def wholly(files: Sequence[str], database: str | None) -> tuple[tuple[str, ...], str | None]:
    """Files or a query, and the database, as they are called from everywhere, without passwords."""

    def move(path: str) -> str:
        return os.path.abspath(Path(path).expanduser()) if path and not is_store(path) else path  # noqa: PTH100

    named = moved("files", list(files), {"database": database}, move)
    where = None if database is None else _address(without_password(database) or database, move)
    return tuple(named), where


def kept_address(place: Place, entry: str, address: str) -> str:
    """The address of a database or an engine, or the path of a register, without the passwords in it. Raises where
    anything else in it could be one too: it would be written into a file."""
    if place == "register" and is_harmless_path(address):
        return address
    if place == "engine":
        kept = without_token(address)
        if kept is None:
            raise UsageError("usage.engine-unsaved", entry=entry)
        return kept
    kept = without_password(address)
    if kept is None:
        raise UsageError("usage.address-unsaved", entry=entry)
    return kept


def refuse_address(entry: str, value: Any) -> None:
    """Raise where an address, or what could be a password, stands in a place that is no database's."""
    for each in value if isinstance(value, list | tuple) else [value]:
        if isinstance(each, str) and may_hold_password(each):
            raise UsageError("usage.password-elsewhere", entry=entry)


def _is_relative(path: str) -> bool:
    return bool(path) and not (Path(path).is_absolute() or path.startswith("~") or is_store(path))


def _schema(value: str, move: Move) -> str:
    from biombo._data import built_in

    return value if value in built_in() else move(value)


def _key(value: str, move: Move) -> str:
    from biombo._secrets import KEYRING

    return value if value.startswith(KEYRING) else move(value)


def _address(value: str, move: Move) -> str:
    if value.startswith(SQLITE):
        return SQLITE + move(value.removeprefix(SQLITE))
    return move(value) if is_path(value) else value


def _through(value: str, move: Move) -> str:
    """``city=cities.csv:1``: the hierarchy may be a file, a built-in one or a rule."""
    from biombo._hierarchy import Hierarchy

    column, _, rest = value.partition("=")
    source, _, level = rest.rpartition(":")
    known = source == "prefix" or source in Hierarchy.built_in_sources()
    return value if known or not source else f"{column}={move(source)}:{level}"


_MOVED: dict[Place, Callable[[str, Move], str]] = {
    "path": lambda value, move: move(value),
    "folder": lambda value, move: move(value),
    "files": lambda value, move: move(value),
    "schema": _schema,
    "key": _key,
    "address": _address,
    "register": _address,
    "through": _through,
    "engine": lambda value, _move: value,
}
