"""PostgreSQL. Queries run in a read-only transaction; the password in the address is for the server's eyes only."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any

from biombo._addresses import passwords
from biombo._errors import InputError, UsageError

if TYPE_CHECKING:
    import psycopg

_SECONDS_TO_CONNECT = 15


class Postgres:
    """The database at ``postgresql://user:password@host:port/name``. Each step of a query has ``seconds``."""

    def __init__(self, url: str, seconds: float | None = None) -> None:
        self._seconds = seconds
        scheme, _, rest = url.partition("://")
        self._url = f"{scheme.partition('+')[0]}://{rest}"
        found = passwords(self._url)
        if found is None:
            raise UsageError("usage.database-address")
        self._secrets = found

    def names(self, query: str) -> list[str]:
        """The names of the columns of ``query``."""
        with self._reading() as connection, connection.cursor(binary=True) as cursor:
            cursor.execute(query)
            return [column.name for column in cursor.description or ()]

    @contextmanager
    def rows(self, query: str, size: int) -> Iterator[Iterator[Sequence[Sequence[Any]]]]:
        """The rows of ``query``, ``size`` at a time, from a cursor on the server."""
        with self._reading() as connection, connection.cursor("biombo") as cursor:
            cursor.execute(query)
            yield iter(lambda: cursor.fetchmany(size), [])

    @contextmanager
    def connected(self, *, refused: str) -> "Iterator[psycopg.Connection]":
        """A transaction, kept when nothing fails. What the database refuses becomes the error ``refused``."""
        driver = _driver()
        self._refuse_unreadable(driver)
        try:
            with driver.connect(self._url, connect_timeout=_SECONDS_TO_CONNECT) as connection:
                yield connection
        except driver.errors.QueryCanceled:
            raise InputError("input.query-slow") from None
        except driver.OperationalError as error:
            raise InputError("input.connection", detail=self._discreet(error)) from None
        except driver.Error as error:
            said = {"state": error.sqlstate or "", "fault": error.diag.message_primary or ""}
            raise InputError(refused, detail=self._discreet(error), **said) from None

    @contextmanager
    def _reading(self) -> "Iterator[psycopg.Connection]":
        with self.connected(refused="input.query") as connection:
            connection.read_only = True
            try:
                if self._seconds is not None:
                    connection.execute(f"SET LOCAL statement_timeout = {int(self._seconds * 1000)}")
                yield connection
            except UnicodeDecodeError as error:
                raise InputError("input.query", detail=str(error)) from None
            connection.rollback()

    def _refuse_unreadable(self, driver: ModuleType) -> None:
        """Raise where the driver cannot read the address. What it says of that quotes any part of it."""
        try:
            driver.conninfo.conninfo_to_dict(self._url)
        except (driver.Error, UnicodeError):
            raise UsageError("usage.database-unreadable") from None

    def _discreet(self, error: Exception) -> str:
        """What the driver says, in one line and without secrets."""
        said = str(error)
        for secret in self._secrets:
            said = said.replace(secret, "***")
        return " ".join(said.split())


def _driver() -> ModuleType:
    try:
        import psycopg
    except ImportError:
        raise InputError("input.no-psycopg", command="pip install 'biombo[postgres]'") from None
    return psycopg
