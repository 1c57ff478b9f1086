"""Where tables come from: a browser, a folder of the server, a database that the administrator has named.

Whatever is chosen becomes a file of the portal's own, which nobody changes while it is worked on: what was measured is
what is released, a copy of the portal has it, and the rule of retention removes it, while the file in the folder, or
the table in the database, stays whose it is.
"""

import os
import re
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings

from biombo._data import KINDS_OF_FILES, copy_query
from biombo._errors import InputError, UsageError
from biombo._files import PRIVATE, in_sentences
from biombo._portal.models import DataSet, random_name

SECONDS_TO_ASK = 600
MOST_ASKED = 8 * 1024**3
"""Bytes that a query may give."""
_MOST_LISTED = 500
_NAME = r'(?:[A-Za-z_][A-Za-z0-9_$]*|"[^"\x00]{1,63}")'
_TABLE = re.compile(rf"{_NAME}(?:\.{_NAME}){{0,2}}")
_QUERY = re.compile(r"(select|with)\b", re.IGNORECASE)
_BY_NAMES_ALONE = ("42", "0A")
"""How the states of PostgreSQL begin whose sentences name what was typed, and no values."""
_BY_VALUES = "22"
_OF_SQLITE = re.compile(
    r"(no such (table|column|function)|ambiguous column name|wrong number of arguments to function|not authorized"
    r"|access to \S+ is prohibited|unrecognized token|incomplete input|near \".*\": syntax error)"
)
"""How sentences of SQLite begin that name what was typed, and no values."""
_HARMLESS = (
    "input.query-slow",
    "input.query-large",
    "input.empty",
    "input.no-psycopg",
    "input.repeated-columns",
    "column.large-numbers",
)
"""Errors whose sentences name nothing but columns."""


def is_readable(name: str) -> bool:
    """Does the name end as those of files that Biombo reads?"""
    return Path(name).suffix.lower() in KINDS_OF_FILES


def suffix_of(name: str) -> str:
    """How the name of a table ends: also what it is inside of ``.gz``."""
    suffixes = Path(name.lower()).suffixes
    return "".join(suffixes[-2:] if suffixes[-1:] == [".gz"] else suffixes[-1:])


def kept_upload(given: Any) -> Path:
    """A file that a browser sent, under a name that nobody chose, where a worker takes it over."""
    place: Path = settings.PORTAL_HOME.incoming / new_place(suffix_of(given.name)).name
    part = place.with_name(f"{place.name}.part")
    with part.open("xb") as file:
        part.chmod(PRIVATE)
        for chunk in given.chunks():
            file.write(chunk)
    return part.rename(place)


def new_place(suffix: str) -> Path:
    """Where a table is kept from now on, under a name that nobody chose."""
    folder: Path = settings.PORTAL_HOME.sources
    return folder / f"{random_name()}{suffix if re.fullmatch(r'[a-z0-9.]{0,20}', suffix) else ''}"


def original_of(data_set: DataSet) -> str:
    """The file of a table, to be read by a worker. Raises where it is none of those that somebody handed in: without a
    place whatever lies around would be read.
    """
    home = settings.PORTAL_HOME
    if not data_set.place or Path(data_set.place).parent not in (home.sources, home.incoming):
        raise UsageError("portal.table-gone", name=data_set.name)
    return str(data_set.place)


@dataclass(frozen=True)
class ServerFile:
    """A file of a folder that the administrator has named."""

    folder: Path
    name: str
    size: int
    day: datetime

    @property
    def key(self) -> str:
        """By what a page names it; a path is never taken from a page."""
        return f"{settings.PORTAL_HOME.shared_folders.index(self.folder)}/{self.name}"


def server_files() -> list[ServerFile]:
    """The files that managers may choose, the newest of each folder first. Links are not followed."""
    return [file for folder in settings.PORTAL_HOME.shared_folders for file in _files_in(folder)]


def _files_in(folder: Path) -> list[ServerFile]:
    try:
        with os.scandir(folder) as entries:
            found = list(_tables_among(folder, entries))
    except OSError:
        return []
    return sorted(found, key=lambda file: (-file.day.timestamp(), file.name))[:_MOST_LISTED]


def _tables_among(folder: Path, entries: Iterator[os.DirEntry[str]]) -> Iterator[ServerFile]:
    for entry in entries:
        if entry.name.startswith(".") or not is_readable(entry.name) or not entry.name.isprintable():
            continue
        if entry.is_file(follow_symlinks=False):
            about = entry.stat(follow_symlinks=False)
            yield ServerFile(folder, entry.name, about.st_size, datetime.fromtimestamp(about.st_mtime, UTC))


def copied_file(key: str) -> Path:
    """A copy of a file that was chosen. Raises where it is not there any more, or changes meanwhile."""
    chosen = next((file for file in server_files() if file.key == key), None)
    if chosen is None:
        raise UsageError("portal.file-gone")
    place = new_place(suffix_of(chosen.name))
    part = place.with_name(f"{place.name}.part")
    try:
        _copy(chosen, part)
        return part.rename(place)
    finally:
        part.unlink(missing_ok=True)


def _copy(chosen: ServerFile, part: Path) -> None:
    try:
        there = os.open(chosen.folder / chosen.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        raise UsageError("portal.file-gone") from None
    with os.fdopen(there, "rb") as source, in_sentences(part), part.open("xb") as target:
        part.chmod(PRIVATE)
        before = os.fstat(there)
        if not stat.S_ISREG(before.st_mode):
            raise UsageError("portal.file-gone")
        shutil.copyfileobj(source, target, 1 << 20)
        after = os.fstat(there)
        if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            raise InputError("input.changed", path=chosen.name)


def query_of(typed: str) -> str | None:
    """The query that somebody typed, or that gives the whole table that they named; none where it is neither."""
    words = typed.strip().removesuffix(";").strip()
    if _TABLE.fullmatch(words):
        return f"SELECT * FROM {words}"
    return words if _QUERY.match(words) else None


def asked_of_database(name: str, query: str) -> Path:
    """What a database that was named answers, asked once and read-only. What it says of an error is told where it can
    only name what was typed: never an address, a password or values.
    """
    if name not in settings.PORTAL_HOME.databases:
        raise UsageError("portal.no-database", name=name)
    place = new_place(".parquet")
    try:
        copy_query(query, settings.PORTAL_HOME.address_of(name), place, seconds=SECONDS_TO_ASK, most=MOST_ASKED)
    except (InputError, UsageError) as error:
        raise _discreet(error, name) from None
    return place


def _discreet(error: InputError | UsageError, name: str) -> Exception:
    if error.key in _HARMLESS:
        return error
    if error.key != "input.query":
        return UsageError("portal.database-away", name=name)
    state = error.values.get("state")
    if state is None:  # SQLite, which has no states
        is_by_names = _OF_SQLITE.match(str(error.values["detail"]))
        key, told = ("portal.query-refused", error.values) if is_by_names else ("portal.query-failed", {})
        return UsageError(key, **{name: each for name, each in told.items() if name == "detail"})
    if str(state).startswith(_BY_NAMES_ALONE):
        return UsageError("portal.query-refused", detail=error.values["fault"])
    return UsageError("portal.query-failed" if str(state).startswith(_BY_VALUES) else "portal.query-writes")
