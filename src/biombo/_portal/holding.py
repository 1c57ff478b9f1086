"""Who serves a portal: one program its folder, and the programs of one folder its database.

A folder is held by a lock on a file in it. A PostgreSQL database may be named by several folders, such as by one that
was put back elsewhere, and what one notes there the others would not have. So every program that serves has a lock in
the database that names its folder, on a connection of its own, and looks whether there is one that names another. The
lock is taken first: of two that come at once one sees the other at least. It ends with its connection, which is
therefore watched.
"""

import fcntl
import os
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biombo._errors import UsageError
from biombo._files import PRIVATE
from biombo._portal.configure import connection_parameters
from biombo._portal.home import SERVED, PortalHome

if TYPE_CHECKING:
    import psycopg

_NUMBER = f"{SERVED}-as"
_NUMBERS = 2**31
_KIND = int.from_bytes(b"biom")
"""The first number of our locks in a PostgreSQL database; the second is that of the folder."""
_OTHERS = """
    SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2
    AND classid::bigint = %s AND objid::bigint <> %s
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
_SECONDS_BETWEEN = 1.0
"""Between two looks whether the lock is still there."""
_SURE: Mapping[str, Any] = {"connect_timeout": 10, "keepalives_idle": 10, "tcp_user_timeout": 10_000}
"""A server that cannot be reached any more is noticed."""
_held: dict[Path, int] = {}
_shared: "dict[Path, DatabaseHold]" = {}


def hold(home: PortalHome) -> int:
    """Be the one that serves this folder: two would do all work twice. Gives what programs that are started have to
    inherit; whoever has it holds the folder, and nobody once all of them ended, however they did.
    """
    if home.folder in _held:
        return _held[home.folder]
    held = os.open(home.folder / SERVED, os.O_RDWR | os.O_CREAT, PRIVATE)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(held)
        raise UsageError("portal.served", path=str(home.folder)) from None
    try:
        hold_database(home)
    except UsageError:
        os.close(held)
        raise
    return _held.setdefault(home.folder, held)


def hold_database(home: PortalHome) -> None:
    """Be one of those who serve the database from this folder; raises while another folder is served from it."""
    if home.database is not None and home.folder not in _shared:
        _shared[home.folder] = DatabaseHold(home)


def watch_database(home: PortalHome, lost: Callable[[UsageError], object]) -> None:
    """Take the database again where the server has ended the connection; call ``lost`` once another folder has it."""
    if home.folder in _shared:
        threading.Thread(target=_watch, args=(_shared[home.folder], lost), daemon=True).start()


def still_holds(home: PortalHome) -> bool:
    """Is the database this folder's at this moment, or one that no other can name?"""
    return home.database is None or home.folder not in _shared or _shared[home.folder].is_there()


def _watch(held: "DatabaseHold", lost: Callable[[UsageError], object]) -> None:
    refused = 0
    while True:
        time.sleep(_SECONDS_BETWEEN)
        try:
            held.keep()
        except UsageError as error:
            refused = 0 if error.key == "portal.database-silent" else refused + 1
            if refused > 1:  # the first time it may have been one that tries, and is refused itself
                lost(error)
                return
        else:
            refused = 0


class DatabaseHold:
    """A lock in a PostgreSQL database that names a folder."""

    def __init__(self, home: PortalHome) -> None:
        self._address, self._number = connection_parameters(home), _number_of(home.folder)
        self._guard = threading.Lock()
        self._connection = self._taken()

    def is_there(self) -> bool:
        """Does the connection answer, and with it the lock exist?"""
        import psycopg

        with self._guard:
            try:
                self._connection.execute("SELECT 1")
            except psycopg.Error:
                return False
        return True

    def keep(self) -> None:
        """Take it again where it is lost; raises where the server does not answer, or another folder was quicker."""
        if not self.is_there():
            self._connection.close()
            self._connection = self._taken()

    def _taken(self) -> "psycopg.Connection[Any]":
        import psycopg

        try:
            connection = psycopg.connect(**{**_SURE, **self._address}, autocommit=True)
            connection.execute("SELECT pg_advisory_lock_shared(%s::int, %s::int)", [_KIND, self._number])
            others = connection.execute(_OTHERS, [_KIND, self._number]).fetchone()
        except psycopg.Error:
            raise UsageError("portal.database-silent") from None
        if others != (0,):
            connection.close()
            raise UsageError("portal.database-served")
        return connection


def _number_of(folder: Path) -> int:
    """By what a database knows a folder: drawn once. In a folder that was copied the file is another, and another
    number is drawn.
    """
    with os.fdopen(os.open(folder / _NUMBER, os.O_RDWR | os.O_CREAT, PRIVATE), "r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        known = file.read().split()
        own = str(os.fstat(file.fileno()).st_ino)
        if len(known) == 2 and known[0].isdecimal() and known[1] == own:
            return int(known[0]) % _NUMBERS
        number = secrets.randbelow(_NUMBERS)
        file.seek(0)
        file.truncate()
        file.write(f"{number} {own}")
        return number
