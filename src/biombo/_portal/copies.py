"""A copy of a portal, written while its workers go on: of the moment at which its database was copied.

Whatever is done is noted in one order: a release is made in its draft or its negotiation, put on record, taken into the
catalogue, and noted in the database last. What is copied goes the other way round, so that nothing is noted in a copy
that it does not have; what it has beyond that was done already when it is put back, and is not done again.
"""

import gzip
import io
import json
import os
import re
import shutil
import sqlite3
import tarfile
import tempfile
import zlib
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from biombo._errors import InputError
from biombo._files import held_folder, remove_left
from biombo._portal.home import PLACES, REGISTER, SERVED, SETTINGS, PortalHome

SQLITE, DUMP, MIGRATIONS = "portal.sqlite3", "database.json", "migrations.json"
"""A database of SQLite, or the rows of another, with which migrations these are of."""
SUMS = "sha256.json"
"""The SHA-256 of all that a copy has, by name: its last member. Copies by older versions have none."""
_NOT_KEPT = ("queue.sqlite3", SQLITE, REGISTER, SERVED, SUMS, ".biombo-")
"""The queue is made anew from the jobs; databases are copied by their own means; what is half written is nothing."""
_BESIDE = "copying-"
_LEFT = re.compile(rf"({_BESIDE}|tmp)[a-z0-9_]{{8}}")
"""What folders are called that databases are copied into, before they are packed, and were by older versions."""
_OWN = tuple(f"{name}/" for name in PLACES)
_READ_AT_ONCE = 1 << 20
_DAMAGED = (tarfile.TarError, EOFError, OSError, zlib.error, ValueError)
"""What archives that are none, or were damaged, come to."""


class CopyArchive(tarfile.TarFile):
    """An archive that knows the SHA-256 of each file that was added."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sums: dict[str, str] = {}

    def addfile(self, tarinfo: tarfile.TarInfo, fileobj: Any = None) -> None:
        """Add a file, and sum up what is read of it."""
        read = _SummedUp(fileobj or io.BytesIO())
        super().addfile(tarinfo, read)
        self.sums[tarinfo.name] = read.sum.hexdigest()


class _SummedUp:
    def __init__(self, file: IO[bytes]) -> None:
        self._file, self.sum = file, sha256()

    def read(self, size: int = -1) -> bytes:
        content = self._file.read(size)
        self.sum.update(content)
        return content


@contextmanager
def copied_alone(home: PortalHome) -> Iterator[None]:
    """One copy is written at a time; what one that was killed had left is removed."""
    with held_folder(home.folder):
        _remove_left(home)
        yield


def remove_left_copies(home: PortalHome) -> list[Path]:
    """Remove databases that a copy had in the portal's folder when it was killed, unless one is just being written;
    gives those that could not be removed.
    """
    with held_folder(home.folder, wait=False) as is_alone:
        return _remove_left(home) if is_alone else []


def _remove_left(home: PortalHome) -> list[Path]:
    remove_left(home.folder)
    for path in filter(_is_left, _listed(home.folder)):
        shutil.rmtree(path, ignore_errors=True)
    return [path for path in _listed(home.folder) if _is_left(path)]


def _is_left(path: Path) -> bool:
    """Is it a folder that databases were copied into? One with anything else in it is somebody's own."""
    if not _LEFT.fullmatch(path.name) or path.is_symlink() or not path.is_dir():
        return False
    return all(each.name.startswith((SQLITE, DUMP, MIGRATIONS, REGISTER)) for each in _listed(path))


def _is_copy(path: Path) -> bool:
    """Is a file the copy of a portal?"""
    try:
        with tarfile.open(path, "r:gz") as packed:
            return any(member.name == SETTINGS for member in packed)
    except _DAMAGED:
        return False


@dataclass(frozen=True)
class CopyContents:
    """What is in a copy that is what was written."""

    names: Collection[str]
    settings: bytes
    """What the portal was told."""


def contents_of(archive: Path) -> CopyContents:
    """What is in a copy. Raises where it is none, or not what was written, to its last byte: a reader of archives stops
    before the sum that is at the end.
    """
    try:
        with gzip.open(archive) as stream:
            with tarfile.open(fileobj=stream, mode="r:") as packed:
                sums, told = _read_through(packed)
                listed = json.loads(told[SUMS]) if sums.pop(SUMS, None) else sums
            while stream.read(_READ_AT_ONCE):
                continue
    except _DAMAGED:
        raise InputError("portal.no-backup", path=str(archive)) from None
    if SETTINGS not in sums or listed != sums:
        raise InputError("portal.no-backup", path=str(archive))
    return CopyContents(sums.keys(), told[SETTINGS])


def _read_through(packed: tarfile.TarFile) -> tuple[dict[str, str], dict[str, bytes]]:
    """By name the SHA-256 of all that is there, and those files whole that are to be known first: going back to one
    would mean to begin anew.
    """
    sums, told = {}, {}
    for member in packed:
        content = packed.extractfile(member) if member.isfile() else None
        if content is None:
            raise tarfile.TarError
        read = _SummedUp(content)
        if member.name in (SETTINGS, SUMS):
            told[member.name] = read.read()
        while read.read(_READ_AT_ONCE):
            continue
        sums[member.name] = read.sum.hexdigest()
    return sums, told


class PortalCopy:
    """One that is being written into an archive."""

    def __init__(self, archive: CopyArchive, home: PortalHome, own: os.stat_result) -> None:
        self._archive, self._home, self._own = archive, home, own
        self._received: set[str] = set()

    def write(self) -> None:
        """All of it."""
        home = self._home
        received = (home.sources, home.incoming, home.uploads)
        first = (*received, home.releases)
        for folder in received:
            self._received |= {str(path.relative_to(home.folder)) for path in _listed(folder) if self._add(path)}
        self._add_database()
        self._add_folder(home.releases)
        if home.register.exists():
            with _beside(home) as beside:
                self._archive.add(_copied(home.register, beside), REGISTER)
        for path in _listed(home.folder):
            if path not in first and not path.name.startswith(_NOT_KEPT) and not _is_left(path):
                self._add_any(path)
        self._add_content(tarfile.TarInfo(SUMS), json.dumps(self._archive.sums).encode())

    def _add_database(self) -> None:
        """As it is at one moment, at which all tables and attachments that it names are in the copy: one may have got
        another name since they were copied. Those that it names each time are lost.
        """
        lost: set[str] | None = None
        with _beside(self._home) as folder:
            while True:
                copy, named = _database_in(folder, self._home)
                before, lost = lost, {each for each in named if not self._has_file(each)}
                if not lost or lost == before:
                    break
            for path in (copy, copy.with_name(MIGRATIONS)):
                if path.exists():
                    self._archive.add(path, path.name)

    def _has_file(self, name: str) -> bool:
        if name not in self._received and self._add(self._home.folder / name):
            self._received.add(name)
        return name in self._received

    def _add_folder(self, folder: Path) -> None:
        for path in _listed(folder):
            self._add_any(path)

    def _add_any(self, path: Path) -> None:
        """A file or a folder. A negotiation, a draft, or the history of a table's questions is of one moment."""
        if path.is_symlink():
            return
        if path.is_dir():
            with self._held(path):
                self._add_folder(path)
        else:
            self._add(path)

    @contextmanager
    def _held(self, path: Path) -> Iterator[None]:
        with held_folder(path) if path.parent in (self._home.negotiations, self._home.drafts) else nullcontext():
            yield

    def _add(self, path: Path) -> bool:
        """A file, unless it is the archive itself or an earlier one, or was removed since it was listed; says whether
        it was added.
        """
        with suppress(FileNotFoundError):
            if not path.is_symlink() and path.is_file() and not os.path.samestat(path.stat(), self._own):
                name = str(path.relative_to(self._home.folder))
                if not name.startswith(_OWN) and _is_copy(path):
                    return False
                if path.parent == self._home.questions:
                    self._add_history(path, name)
                else:
                    self._archive.add(path, name, recursive=False)
                return True
        return False

    def _add_history(self, path: Path, name: str) -> None:
        """As far as it is written: whoever is asked just now may take long, and has told nobody anything yet."""
        from biombo._secrets import whole_lines

        self._add_content(self._archive.gettarinfo(path, name), whole_lines(path))

    def _add_content(self, entry: tarfile.TarInfo, content: bytes) -> None:
        entry.size = len(content)
        self._archive.addfile(entry, io.BytesIO(content))


@contextmanager
def _beside(home: PortalHome) -> Iterator[Path]:
    """A folder for a copy of a database until it is packed."""
    with tempfile.TemporaryDirectory(dir=home.folder, prefix=_BESIDE) as folder:
        yield Path(folder)


def _listed(folder: Path) -> list[Path]:
    with suppress(FileNotFoundError):  # it was removed meanwhile
        return sorted(folder.iterdir())
    return []


def _database_in(folder: Path, home: PortalHome) -> tuple[Path, set[str]]:
    """A copy of the database, in a folder, and the tables and attachments that it names."""
    if home.database is None:
        copy = _copied(home.folder / SQLITE, folder)
        places, slugs = _named_in(copy)
    else:
        copy, told = folder / DUMP, _dumped()
        copy.write_text(told, "utf-8")
        copy.with_name(MIGRATIONS).write_text(json.dumps(_migrations()), "utf-8")
        rows = [(each["model"], each["fields"]) for each in json.loads(told)]
        places = [row["place"] for model, row in rows if model == "portal.dataset"]
        slugs = [row["slug"] for model, row in rows if model == "portal.attachment" and not row["removed_at"]]
    return copy, {
        *(home.inside(place) for place in places if place),
        *(f"{home.uploads.name}/{slug}" for slug in slugs),
    }


def _named_in(copy: Path) -> tuple[list[str], list[str]]:
    """The places of tables and the names of attachments that a database of SQLite has; none where it has not begun."""
    asked = ("select place from portal_dataset", "select slug from portal_attachment where removed_at is null")
    with closing(sqlite3.connect(copy)) as there, suppress(sqlite3.OperationalError):
        places, slugs = ([name for (name,) in there.execute(each)] for each in asked)
        return places, slugs
    return [], []


def _copied(database: Path, folder: Path) -> Path:
    """A copy, in a folder, of a database in a file as it is at one moment."""
    copy = folder / database.name
    with closing(sqlite3.connect(database)) as there, closing(sqlite3.connect(copy)) as here:
        there.backup(here)
    return copy


def _dumped() -> str:
    """All rows of a PostgreSQL database, as they are at one moment."""
    from django.core.management import call_command
    from django.db import connection, transaction

    told = io.StringIO()
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        call_command("dumpdata", "portal", "account", "mfa", "socialaccount", stdout=told)
    return told.getvalue()


def _migrations() -> list[tuple[str, str]]:
    """Those that the database has: its rows alone do not say of which version they are."""
    from django.db import connection
    from django.db.migrations.recorder import MigrationRecorder

    return sorted(MigrationRecorder(connection).applied_migrations())
