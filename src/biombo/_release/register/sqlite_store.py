"""A register in one SQLite file."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import ClassVar

from biombo._errors import InputError
from biombo._files import PRIVATE, in_sentences, refuse_unwritable
from biombo._release.register.tables import NAMES, Ask, definitions

_SECONDS_TO_WAIT = 30
"""How long to wait for others who write."""


class SqliteStore:
    """The register in the file ``path``, which only its owner may read unless that is changed."""

    definitions: ClassVar[tuple[str, ...]] = (
        *definitions("INTEGER PRIMARY KEY AUTOINCREMENT"),
        *(
            f"CREATE TRIGGER {table}_{change.lower()} BEFORE {change} ON {table} "
            "BEGIN SELECT RAISE(ABORT, 'a register is only added to'); END"
            for table in NAMES
            for change in ("UPDATE", "DELETE")
        ),
    )

    def __init__(self, path: Path) -> None:
        self._path = path

    def begun(self, ask: Ask) -> bool:
        """Are the tables there?"""
        return bool(ask("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", NAMES[:1]))

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
        if not self._path.is_file():
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
    return lambda statement, values: connection.execute(statement, values).fetchall()
