"""Where a register is kept."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import ClassVar, Protocol

from biombo._addresses import is_path
from biombo._data import Postgres, file_at, kind_of_database
from biombo._release.register.postgres_store import PostgresStore
from biombo._release.register.sqlite_store import SqliteStore
from biombo._release.register.tables import Ask


class Store(Protocol):
    """A database that can hold a register."""

    tables: ClassVar[tuple[str, ...]]
    """The statements that make the tables of version 1."""

    def begun(self, ask: Ask) -> bool:
        """Is there a register?"""

    def guarded(self, table: str) -> tuple[str, ...]:
        """The statements after which nothing in ``table`` can be changed or removed."""

    def unguarded(self, table: str) -> tuple[str, ...]:
        """The statements that take this away."""

    def reading(self) -> AbstractContextManager[Ask]:
        """One state of the database to read from."""

    def writing(self, *, new: bool) -> AbstractContextManager[Ask]:
        """A transaction that nobody else writes beside, kept when nothing fails; ``new``: one may be begun in it."""


def store_at(url: str) -> Store:
    """The store that ``url`` is the address of; what cannot be meant as an address is the path of a file.

    Messages name paths, and never addresses: a mistyped one may hold a password.
    """
    if is_path(url):
        return SqliteStore(Path(url))
    return SqliteStore(file_at(url)) if kind_of_database(url) == "sqlite" else PostgresStore(Postgres(url))
