"""Versions of a register's tables, and how an older one becomes the newest.

An upgrade only adds to what is there, and this program reads and writes the older version as well: so a register that
may only be read, or whose owner is somebody else, works as before until whoever may upgrade it opens it.
"""

from biombo._errors import InputError
from biombo._release.register.store import Store
from biombo._release.register.tables import TABLES, WITH_BASIS, WITH_TABLES, Ask, select_version

UPGRADES: dict[int, tuple[str, ...]] = {
    2: ("CREATE INDEX biombo_events_of_release ON biombo_events (release_id)",),
    WITH_BASIS: ("ALTER TABLE biombo_releases ADD COLUMN risk_basis TEXT",),
    WITH_TABLES: (
        f"""CREATE TABLE {TABLES} (
            release_id BIGINT PRIMARY KEY REFERENCES biombo_releases (id),
            series TEXT NOT NULL,
            state TEXT NOT NULL,
            content TEXT NOT NULL
        )""",
    ),
}
"""By version: the statements that make it of the one before, alike in every database."""

_MADE = {WITH_TABLES: TABLES}
"""By version: the table that was added, and is guarded as the others are."""

VERSION = max(UPGRADES)
"""The newest that this program knows."""


def known_version(ask: Ask) -> int:
    """The version of the register. Raises where this program does not know it."""
    version = select_version(ask)
    if not 1 <= version <= VERSION:
        raise InputError("register.version", version=version, known=VERSION)
    return version


def upgrade(store: Store, ask: Ask) -> None:
    """Make the register of the newest version, in a transaction that nobody else writes beside."""
    before = known_version(ask)
    if before == VERSION:
        return
    for version in range(before + 1, VERSION + 1):
        guards = store.guarded(_MADE[version]) if version in _MADE else ()
        for statement in (*UPGRADES[version], *guards):
            ask(statement)
    for statement in store.unguarded("biombo_register"):
        ask(statement)
    ask(f"UPDATE biombo_register SET version = {ask.mark}", (VERSION,))
    for statement in store.guarded("biombo_register"):
        ask(statement)
