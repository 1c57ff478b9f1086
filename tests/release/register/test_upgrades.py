"""Registers that an older version made: they are upgraded when they are opened, or used as they are, never broken."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from at_once import at_once
from postgres_server import PASSWORD
from refusal import refused
from unprivileged import unprivileged

from biombo import EarlierTable, InputError, Register, RegisterEntry, tabulate

"""Whom a program that runs as root becomes to be refused something."""

INDEX = "biombo_events_of_release"
WRITTEN = {number: Path(__file__).parent / f"version_{number}" for number in (1, 2, 3)}
"""What older versions wrote, as the databases themselves tell it."""
NEWEST = 4
WITH_BASIS = 3

READER = """
from biombo import Register

def main(url):
    print(len(Register.open(url).list()))
"""

Tell = Callable[[str], list[tuple[Any, ...]]]


@pytest.fixture(params=sorted(WRITTEN), ids=lambda number: f"version-{number}")
def written(request) -> int:
    """The version of an older register."""
    return int(request.param)


@pytest.fixture
def old(url, written) -> str:
    """The address of such a register, with two releases."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            connection.executescript((WRITTEN[written] / "sqlite.sql").read_text("utf-8"))
    else:
        import psycopg

        with psycopg.connect(url) as connection:
            connection.execute((WRITTEN[written] / "postgresql.sql").read_text("utf-8"))
    return url


def without_k(entry) -> RegisterEntry:
    return replace(entry(), smallest_group=None, manifest_hash="d" * 64)


@contextmanager
def database(url: str) -> Iterator[Tell]:
    """Asks the database itself."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as opened:
            yield lambda statement: opened.execute(statement).fetchall()
            opened.commit()
        return
    import psycopg

    with psycopg.connect(url) as connection:
        yield lambda statement: _rows(connection.execute(statement.encode()))


def _rows(cursor: Any) -> list[tuple[Any, ...]]:
    return cursor.fetchall() if cursor.description else []


def told(url: str, statement: str) -> list[tuple[Any, ...]]:
    with database(url) as tell:
        return tell(statement)


def version(url: str) -> list[tuple[Any, ...]]:
    return told(url, "SELECT version FROM biombo_register")


def indexes(url: str) -> int:
    table = "sqlite_master WHERE name" if url.startswith("sqlite") else "pg_indexes WHERE indexname"
    return int(told(url, f"SELECT count(*) FROM {table} = '{INDEX}'")[0][0])


def test_all_that_was_on_record_still_is(old) -> None:
    first, second = Register.open(old).list()

    assert (first.id, first.status, first.review) == (1, "active", date(2028, 1, 31))
    assert (first.entry.what, first.entry.department) == ("Atendimentos 2025 – saúde", "Vigilância")
    assert [(each.kind, each.who) for each in first.events] == [("registered", "ana"), ("reviewed", "bia")]
    assert first.events[1].note == "nothing new: 100% of 'it'?"
    assert (second.status, second.entry.override) == ("revoked", "a court asked")
    assert second.entry.recipients == ("University", "Institute")
    assert second.entry.controls == ("view-only", "a contract; signed")
    assert Register.open(old).find("b" * 64) == first


@pytest.mark.parametrize(
    "use",
    [
        lambda register, _: register.list(),
        lambda register, _: register.get(1),
        lambda register, _: register.begin(),
        lambda register, entry: register.add(entry()),
        lambda register, _: register.breach(1, what="lost"),
    ],
    ids=["list", "get", "begin", "add", "breach"],
)
def test_whatever_opens_it_upgrades_it(old, entry, use) -> None:
    use(Register.open(old), entry)

    assert (version(old), indexes(old)) == ([(NEWEST,)], 1)


def test_numbers_go_on_where_they_were(old, entry) -> None:
    register = Register.open(old)
    assert register.add(entry()) == 3
    assert [each.id for each in register.list()] == [1, 2, 3]


MADE = {
    "sqlite": ["SELECT type, name, sql FROM sqlite_master WHERE name LIKE 'biombo%' ORDER BY name"],
    "postgresql": [
        "SELECT table_name, column_name, data_type, is_nullable, is_identity FROM information_schema.columns"
        " WHERE table_name LIKE 'biombo%' ORDER BY 1, 2",
        "SELECT indexname, indexdef FROM pg_indexes WHERE tablename LIKE 'biombo%' ORDER BY 1",
        "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1",
        "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conname LIKE 'biombo%' ORDER BY 1",
    ],
}
"""How the databases tell what there is."""


def test_a_new_register_is_as_one_that_was_upgraded(old) -> None:
    Register.open(old).list()
    ask = MADE[old.partition(":")[0]]
    upgraded = [told(old, statement) for statement in ask]
    with database(old) as tell:
        for table in ("biombo_tables", "biombo_events", "biombo_releases", "biombo_register"):
            tell(f"DROP TABLE {table}")
        if old.startswith("postgresql"):
            tell("DROP FUNCTION biombo_only_added_to")
    Register.open(old).begin()

    assert [told(old, statement) for statement in ask] == upgraded


@pytest.mark.parametrize("table", ["biombo_register", "biombo_releases", "biombo_events", "biombo_tables"])
def test_it_is_still_only_added_to(old, entry, table) -> None:
    Register.open(old).add_table(entry(), counts("1"), series="people", beside=[])
    with pytest.raises(Exception, match="only added to"):
        told(old, f"DELETE FROM {table}")
    if table == "biombo_register":
        with pytest.raises(Exception, match="only added to"):
            told(old, "UPDATE biombo_register SET version = 9")


@pytest.mark.slow
def test_several_processes_may_upgrade_it_at_once(old) -> None:
    assert at_once(READER, [[old]] * 4) == ["2"] * 4
    assert (version(old), indexes(old)) == ([(NEWEST,)], 1)


def test_an_upgrade_that_fails_halfway_did_not_happen_and_the_register_is_used_as_it_is(old, written, entry) -> None:
    told(old, "CREATE TABLE biombo_tables (other INTEGER)")  # the name that the upgrade wants
    register = Register.open(old)

    assert len(register.list()) == 2
    assert register.tables("people") == []
    assert register.add(entry()) == 3
    if written < WITH_BASIS:
        with refused("register.no-basis", str(WITH_BASIS)):
            register.add(without_k(entry))
    with refused("register.no-tables", str(NEWEST)):
        register.add_table(replace(entry(), manifest_hash="e" * 64), counts("1"), series="people", beside=[])
    assert (version(old), indexes(old)) == ([(written,)], int(written > 1))
    with pytest.raises(Exception, match="only added to"):
        told(old, "UPDATE biombo_register SET version = 9")
    told(old, "DROP TABLE biombo_tables")
    assert len(Register.open(old).list()) == 3
    assert (version(old), indexes(old)) == ([(NEWEST,)], 1)


def counts(release: str) -> EarlierTable:
    return tabulate(pl.DataFrame({"town": ["A"] * 20}), ["town"], earlier=[]).on_record(release)


def test_tables_of_counts_stand_beside_what_was_there(old, entry) -> None:
    register = Register.open(old)
    assert register.add_table(entry(), counts("1"), series="people", beside=[]) == 3

    (table,) = Register.open(old).tables("people")
    assert (table.release, table.written()) == ("1", counts("1").written())
    assert Register.open(old).tables("others") == []
    other = replace(entry(), manifest_hash="e" * 64)
    with refused("register.other-tables", "people"):
        register.add_table(other, counts("2"), series="people", beside=[])
    with refused("register.other-series", "'others'", "'people'"):
        register.add_table(other, counts("2"), series="others", beside=[])
    assert len(register.list()) == 3


def test_releases_that_claim_no_k_stand_beside_those_that_were_there(old, entry) -> None:
    register = Register.open(old)
    number = register.add(without_k(entry))

    assert [each.entry.smallest_group for each in Register.open(old).list()] == [10, 2, None]
    found = Register.open(old).find("d" * 64)
    assert found is not None
    assert (found.id, found.entry) == (number, without_k(entry))
    assert told(old, "SELECT smallest_group, risk_basis FROM biombo_releases ORDER BY id") == [
        (10, None),
        (2, None),
        (0, "measured"),
    ]


def test_what_no_version_wrote_is_not_taken_for_a_basis(old, entry) -> None:
    Register.open(old).add(without_k(entry))
    into = "biombo_releases" if old.startswith("sqlite") else "biombo_releases OVERRIDING SYSTEM VALUE"
    first = "99, what, department, release_model, recipients, access, plan_hash, 7"
    last = "risk, threshold, override_reason, controls, review, NULL, 'measured'"
    told(old, f"INSERT INTO {into} SELECT {first}, {last} FROM biombo_releases WHERE smallest_group = 0")
    with refused("register.damaged"):
        Register.open(old).list()


def test_a_register_that_is_newer_than_the_program_is_refused_in_one_sentence(old, entry) -> None:
    with database(old) as tell:
        drop = ["DROP TRIGGER biombo_register_update"] if old.startswith("sqlite") else []
        for statement in drop or ["DROP TRIGGER biombo_register_kept ON biombo_register"]:
            tell(statement)
        tell(f"UPDATE biombo_register SET version = {NEWEST + 1}")
    for use in (Register.list, Register.begin, lambda register: register.add(entry())):
        with refused("register.version", str(NEWEST + 1), str(NEWEST)):
            use(Register.open(old))
    assert version(old) == [(NEWEST + 1,)]


def test_a_file_that_may_only_be_read_is_read_as_it_is(entry) -> None:
    folder = Path(os.path.realpath("/tmp")) / f"biombo-read-only-{os.getpid()}"
    folder.mkdir(mode=0o755)
    path = folder / "register.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((WRITTEN[1] / "sqlite.sql").read_text("utf-8"))
    try:
        path.chmod(0o444)
        folder.chmod(0o555)
        with unprivileged():
            register = Register.open(str(path))
            assert len(register.list()) == 2
            with pytest.raises(InputError, match="readonly"):
                register.add(entry())
        assert version(f"sqlite:///{path}") == [(1,)]
    finally:
        folder.chmod(0o755)
        path.unlink()
        folder.rmdir()


@pytest.fixture
def clerk(postgres_server) -> Callable[[str, str], str]:
    """The address of the register for somebody with these rights."""
    import psycopg

    def hired(url: str, rights: str) -> str:
        with psycopg.connect(url) as connection:
            connection.execute("DROP ROLE IF EXISTS upgrade_clerk")
            connection.execute(f"CREATE ROLE upgrade_clerk LOGIN PASSWORD '{PASSWORD}'".encode())
            tables = "biombo_register, biombo_releases, biombo_events"
            connection.execute(f"GRANT {rights} ON {tables} TO upgrade_clerk".encode())
        return f"postgresql://upgrade_clerk:{PASSWORD}@{postgres_server}"

    return hired


@pytest.mark.parametrize("rights", ["SELECT", "SELECT, INSERT"])
def test_who_may_not_upgrade_a_database_uses_it_as_it_is(postgres_url, clerk, entry, rights) -> None:
    import psycopg

    with psycopg.connect(postgres_url) as connection:
        connection.execute((WRITTEN[1] / "postgresql.sql").read_text("utf-8"))
    register = Register.open(clerk(postgres_url, rights))

    assert len(register.list()) == 2
    if "INSERT" in rights:
        assert register.breach(register.add(entry()), what="lost").status == "breached"
    else:
        with refused("register.refused"):
            register.add(entry())
    assert version(postgres_url) == [(1,)]
    Register.open(postgres_url).list()
    assert version(postgres_url) == [(NEWEST,)]
    assert register.list()[0].id == 1
    with psycopg.connect(postgres_url) as connection:
        connection.execute("DROP OWNED BY upgrade_clerk")
        connection.execute("DROP ROLE upgrade_clerk")
