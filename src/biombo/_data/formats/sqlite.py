"""SQLite, opened read-only."""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from biombo._addresses import SQLITE
from biombo._data.formats.encodings import decode
from biombo._errors import InputError, UsageError
from biombo._files import is_file

_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}

_STEPS = 100_000
"""Between two looks at the clock."""


class Sqlite:
    """The database in one file: ``sqlite:///relative/path.db`` or ``sqlite:////absolute/path.db``, asked for so many
    ``seconds`` at most.
    """

    def __init__(self, url: str, seconds: float | None = None) -> None:
        self._until = None if seconds is None else time.monotonic() + seconds
        self.path = file_at(url)
        if not is_file(self.path):
            raise InputError("input.missing-file", path=str(self.path))

    def names(self, query: str) -> list[str]:
        """The names of the columns of ``query``."""
        with self._failures_explained(), closing(self._connected()) as connection:
            return [column[0] for column in connection.execute(query).description]

    @contextmanager
    def rows(self, query: str, size: int) -> Iterator[Iterator[Sequence[Sequence[Any]]]]:
        """The rows of ``query``, ``size`` at a time."""
        with self._failures_explained(), closing(self._connected()) as connection:
            cursor = connection.execute(query)
            yield iter(lambda: cursor.fetchmany(size), [])

    def _connected(self) -> sqlite3.Connection:
        connection = sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True)
        connection.text_factory = decode
        connection.set_authorizer(_only_reading)
        if self._until is not None:
            connection.set_progress_handler(self._is_over, _STEPS)
        return connection

    def _is_over(self) -> bool:
        return self._until is not None and time.monotonic() > self._until

    @contextmanager
    def _failures_explained(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, sqlite3.Warning, UnicodeDecodeError) as error:
            if self._is_over():
                raise InputError("input.query-slow") from None
            raise InputError("input.query", detail=" ".join(str(error).split())) from None


def file_at(url: str) -> Path:
    """The file that ``url`` is the address of, whether it is there or not."""
    if not url.startswith(SQLITE) or url == SQLITE:
        raise UsageError("usage.database")
    return Path(url.removeprefix(SQLITE)).expanduser()


def _only_reading(action: int, *_: str | None) -> int:
    return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY
