"""Queries: which kind of database an address is of, and what it answers, in batches."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal, Protocol

import pyarrow as pa

from biombo._addresses import has_keywords
from biombo._data.formats.header import unique
from biombo._data.formats.postgres import Postgres
from biombo._data.formats.sqlite import Sqlite
from biombo._data.formats.values import batch_of
from biombo._errors import UsageError
from biombo._i18n import text

DatabaseKind = Literal["sqlite", "postgresql"]


def kind_of_database(url: str) -> DatabaseKind:
    """The kind, by the scheme of ``url``; a driver's name after it does not matter.

    >>> kind_of_database("postgresql+psycopg://host/name")
    'postgresql'
    """
    scheme, separator, _ = url.partition("://")
    if scheme == "sqlite" and separator:
        return "sqlite"
    if scheme.partition("+")[0] in ("postgresql", "postgres") and separator:
        return "postgresql"
    raise UsageError("usage.database-keywords" if has_keywords(url) else "usage.database")


ROWS_AT_A_TIME = 50_000


class Database(Protocol):
    """A database that can be asked without being changed."""

    def names(self, query: str) -> list[str]:
        """The names of the columns of ``query``."""

    def rows(self, query: str, size: int) -> AbstractContextManager[Iterator[Sequence[Sequence[Any]]]]:
        """The rows of ``query``, ``size`` at a time."""


def database_at(url: str, seconds: float | None = None) -> Database:
    """The database that ``url`` is the address of; a query that takes more than ``seconds`` is stopped."""
    return Sqlite(url, seconds) if kind_of_database(url) == "sqlite" else Postgres(url, seconds)


@dataclass(frozen=True)
class SqlQuery:
    """One query. The database is asked for the columns in use only."""

    query: str
    database: Database = field(repr=False)
    rows: ClassVar[None] = None

    @property
    def label(self) -> str:
        """The query without its database, whose address may hold a password."""
        return text("errors.input.the-query")

    @property
    def columns(self) -> list[str]:
        """The names of the columns that the query gives."""
        return self._header

    @cached_property
    def _header(self) -> list[str]:
        return unique(self.database.names(f"SELECT * FROM ({self._bare}\n) AS biombo LIMIT 0"), self.label)

    @property
    def _bare(self) -> str:
        return self.query.strip().removesuffix(";")

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows, with only ``columns``."""
        selected = ", ".join(_quoted(name) for name in columns)
        with self.database.rows(f"SELECT {selected} FROM ({self._bare}\n) AS biombo", ROWS_AT_A_TIME) as chunks:
            for chunk in chunks:
                yield batch_of(dict(zip(columns, zip(*chunk, strict=True), strict=True)))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
