"""A register in a PostgreSQL database."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

from biombo._data import Postgres
from biombo._errors import InputError
from biombo._release.register.tables import NAMES, Ask, first_tables

if TYPE_CHECKING:
    import psycopg

_LOCK = 0x62696F6D626F
"""The number of the lock that whoever writes takes, "biombo" in ASCII."""


class PostgresStore:
    """The register in ``database``."""

    tables: ClassVar[tuple[str, ...]] = (
        *first_tables("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
        """CREATE FUNCTION biombo_only_added_to() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'a register is only added to'; END $$""",
    )

    def __init__(self, database: Postgres) -> None:
        self._database = database

    def begun(self, ask: Ask) -> bool:
        """Are the tables there?"""
        ((found,),) = ask("SELECT to_regclass(%s) IS NOT NULL", NAMES[:1])
        return bool(found)

    def guarded(self, table: str) -> tuple[str, ...]:
        """Nothing in ``table`` is changed or removed."""
        return (
            f"CREATE TRIGGER {table}_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION biombo_only_added_to()",
        )

    def unguarded(self, table: str) -> tuple[str, ...]:
        """What keeps ``table`` as it is is taken away."""
        return (f"DROP TRIGGER {table}_kept ON {table}",)

    @contextmanager
    def reading(self) -> Iterator[Ask]:
        """One state of the database."""
        with self._connected() as connection:
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield _asking(connection)

    @contextmanager
    def writing(self, *, new: bool) -> Iterator[Ask]:  # noqa: ARG002 - the database itself is there in any case
        """A transaction under the lock that all who write to a register take."""
        with self._connected() as connection:
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            yield _asking(connection)

    @contextmanager
    def _connected(self) -> "Iterator[psycopg.Connection]":
        """A connection that gives text, also where the database does not know its own encoding."""
        try:
            with self._database.connected(refused="register.refused") as connection:
                connection.execute("SET client_encoding TO 'UTF8'")
                yield connection
        except UnicodeDecodeError:
            raise InputError("register.damaged") from None


def _asking(connection: "psycopg.Connection") -> Ask:
    def run(statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        cursor = connection.execute(statement.encode(), values)
        return cursor.fetchall() if cursor.description else []

    return Ask("%s", run)
