"""A register in one SQLite file."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import ClassVar

from biombo._errors import InputError
from biombo._files import PRIVATE, in_sentences, is_file, refuse_unwritable
from biombo._release.register.tables import NAMES, Ask, first_tables

_SECONDS_TO_WAIT = 30
"""How long to wait for others who write."""

_CHANGES = ("UPDATE", "DELETE")


class SqliteStore:
    """The register in the file ``path``, which only its owner may read unless that is changed."""

    tables: ClassVar[tuple[str, ...]] = first_tables("INTEGER PRIMARY KEY AUTOINCREMENT")

    def __init__(self, path: Path) -> None:
        self._path = path

    def begun(self, ask: Ask) -> bool:
        """Are the tables there?"""
        return bool(ask("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", NAMES[:1]))

    def guarded(self, table: str) -> tuple[str, ...]:
        """Nothing in ``table`` is changed or removed."""
        return tuple(
            f"CREATE TRIGGER {table}_{change.lower()} BEFORE {change} ON {table} "
            "BEGIN SELECT RAISE(ABORT, 'a register is only added to'); END"
            for change in _CHANGES
        )

    def unguarded(self, table: str) -> tuple[str, ...]:
        """What keeps ``table`` as it is is taken away."""
        return tuple(f"DROP TRIGGER {table}_{change.lower()}" for change in _CHANGES)

    @contextmanager
    def reading(self) -> Iterator[Ask]:
        """One state of the file."""
        with self._connected() as connection:
            connection.execute("PRAGMA query_only = ON")
            connection.execute("BEGIN")
            yield _asking(connection)

    @contextmanager
    def writing(self, *, new: bool) -> Iterator[Ask]:
        """A transaction that holds the file."""
        if new:
            self._make_file()
        with self._connected() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield _asking(connection)
            connection.execute("COMMIT")

    def _make_file(self) -> None:
        refuse_unwritable(self._path)
        with in_sentences(self._path), suppress(FileExistsError):
            os.close(os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """The open file. What was not committed when it is closed did not happen."""
        if not is_file(self._path):
            raise InputError("register.none")
        address = f"{self._path.absolute().as_uri()}?mode=rw"
        try:
            with closing(sqlite3.connect(address, uri=True, timeout=_SECONDS_TO_WAIT, isolation_level=None)) as opened:
                opened.text_factory = bytes.decode
                opened.execute("PRAGMA foreign_keys = ON")
                yield opened
        except UnicodeDecodeError:
            raise InputError("register.damaged") from None
        except sqlite3.Error as error:
            raise InputError("register.refused", detail=" ".join(str(error).split())) from None


def _asking(connection: sqlite3.Connection) -> Ask:
    return Ask("?", lambda statement, values: connection.execute(statement, values).fetchall())
