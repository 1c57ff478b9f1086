"""A copy of a portal, written while its workers go on: of the moment at which its database was copied.

Whatever is done is noted in one order: a release is made in its draft or its negotiation, put on record, taken into the
catalogue, and noted in the database last. What is copied goes the other way round, so that nothing is noted in a copy
that it does not have; what it has beyond that was done already when it is put back, and is not done again.
"""

import io
import json
import os
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path

from biombo._files import held_folder
from biombo._portal.home import REGISTER, SERVED, PortalHome

SQLITE, DUMP, MIGRATIONS = "portal.sqlite3", "database.json", "migrations.json"
"""A database of SQLite, or the rows of another, with which migrations these are of."""
_NOT_KEPT = ("queue.sqlite3", SQLITE, REGISTER, SERVED)
"""The queue is made anew from the jobs; databases are copied by their own means."""


class PortalCopy:
    """One that is being written into an archive."""

    def __init__(self, archive: tarfile.TarFile, home: PortalHome, own: os.stat_result) -> None:
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
            with tempfile.TemporaryDirectory(dir=home.folder) as beside:
                self._archive.add(_copied(home.register, Path(beside)), REGISTER)
        for path in _listed(home.folder):
            if path not in first and not path.name.startswith(_NOT_KEPT):
                self._add_any(path)

    def _add_database(self) -> None:
        """As it is at one moment, at which all tables and attachments that it names are in the copy: one may have got
        another name since they were copied. Those that it names each time are lost.
        """
        lost: set[str] | None = None
        with tempfile.TemporaryDirectory(dir=self._home.folder) as folder:
            while True:
                copy, named = _database_in(Path(folder), self._home)
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
        """A file, unless it is the archive itself, or was removed since it was listed; says whether it was added."""
        with suppress(FileNotFoundError):
            if not path.is_symlink() and path.is_file() and not os.path.samestat(path.stat(), self._own):
                name = str(path.relative_to(self._home.folder))
                if path.parent == self._home.questions:
                    self._add_history(path, name)
                else:
                    self._archive.add(path, name, recursive=False)
                return True
        return False

    def _add_history(self, path: Path, name: str) -> None:
        """As far as it is written: whoever is asked just now may take long, and has told nobody anything yet."""
        from biombo._secrets import whole_lines

        content = whole_lines(path)
        entry = self._archive.gettarinfo(path, name)
        entry.size = len(content)
        self._archive.addfile(entry, io.BytesIO(content))


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
