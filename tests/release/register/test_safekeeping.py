"""What keeps a register whole: nothing is changed or removed, and several may write at once."""

import signal
import sqlite3
import time
from contextlib import closing

import pytest
from at_once import at_once, started
from postgres_server import PASSWORD
from refusal import refused

from biombo import BiomboError, Register

COLUMN_OF = {"biombo_register": "version", "biombo_releases": "risk", "biombo_events": "note"}
TABLES = pytest.mark.parametrize("table", COLUMN_OF)
CHANGES = pytest.mark.parametrize(
    "change", ["DELETE FROM {table}", "UPDATE {table} SET {column} = {column}"], ids=["delete", "update"]
)
WRITER = """
from datetime import date
from biombo import Decision, PublicRelease, Register, RegisterEntry

def main(url, name, times):
    entry = RegisterEntry.of(Decision(PublicRelease(harm="low"), 5), what=name, department="x", access="copy",
                             plan_hash="0" * 64, review=date(2027, 1, 1))
    register = Register.open(url)
    print("ready", flush=True)
    for _ in range(times):
        number = register.add(entry)
        register.breach(number, what=f"{name} {number}")
"""
REVOKER = """
from biombo import Register, UsageError

def main(url, number):
    try:
        Register.open(url).revoke(number, reason="gone")
        print("revoked")
    except UsageError as error:
        print(error.key)
"""


@TABLES
@CHANGES
def test_sqlite_refuses_to_change_what_is_on_record(tmp_path, entry, table, change):
    Register.open(f"sqlite:///{tmp_path}/r.db").add(entry())

    with (
        closing(sqlite3.connect(tmp_path / "r.db")) as connection,
        pytest.raises(sqlite3.IntegrityError, match="only added to"),
    ):
        connection.execute(change.format(table=table, column=COLUMN_OF[table]))


@TABLES
@CHANGES
def test_postgresql_refuses_to_change_what_is_on_record(postgres_url, entry, table, change):
    import psycopg

    Register.open(postgres_url).add(entry())

    with psycopg.connect(postgres_url) as connection, pytest.raises(psycopg.Error, match="only added to"):
        connection.execute(change.format(table=table, column=COLUMN_OF[table]))


@TABLES
def test_postgresql_refuses_to_empty_the_tables(postgres_url, entry, table):
    import psycopg

    Register.open(postgres_url).add(entry())

    with psycopg.connect(postgres_url) as connection, pytest.raises(psycopg.Error, match="only added to"):
        connection.execute(f"TRUNCATE {table} CASCADE")


def test_once_begun_postgresql_asks_for_no_more_than_reading_and_adding(postgres_url, postgres_server, entry):
    import psycopg

    Register.open(postgres_url).begin()
    with psycopg.connect(postgres_url) as connection:
        connection.execute("DROP ROLE IF EXISTS clerk")
        connection.execute(f"CREATE ROLE clerk LOGIN PASSWORD '{PASSWORD}'")
        connection.execute(f"GRANT SELECT, INSERT ON {', '.join(COLUMN_OF)} TO clerk")
    clerk = Register.open(f"postgresql://clerk:{PASSWORD}@{postgres_server}")
    number = clerk.add(entry())

    assert clerk.revoke(number, reason="gone").status == "revoked"
    with psycopg.connect(postgres_url) as connection:
        connection.execute("DROP OWNED BY clerk")
        connection.execute("DROP ROLE clerk")


@pytest.mark.slow
def test_several_processes_may_begin_and_write_a_register_at_once(url):
    at_once(WRITER, [(url, name, 10) for name in ("ana", "bia", "caio", "davi")])
    releases = Register.open(url).list()

    assert sorted(each.entry.what for each in releases) == sorted(["ana", "bia", "caio", "davi"] * 10)
    assert all(each.events[1].note == f"{each.entry.what} {each.id}" for each in releases)
    assert all(len(each.events) == 2 for each in releases)


@pytest.mark.slow
def test_of_several_who_revoke_at_once_one_succeeds(url, register, entry):
    number = register.add(entry())

    assert sorted(at_once(REVOKER, [(url, number)] * 4)) == ["register.revoked-before"] * 3 + ["revoked"]
    assert [event.kind for event in register.get(number).events] == ["registered", "revoked"]


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.0, 0.01, 0.05, 0.1])
def test_a_writer_that_is_killed_leaves_whole_entries(url, register, entry, seconds):
    register.add(entry())
    writer = started(WRITER, url, "ana", 100_000)
    assert writer.stdout.readline() == "ready\n"
    time.sleep(seconds)
    writer.send_signal(signal.SIGKILL)
    writer.communicate(timeout=60)

    assert all(each.events[0].kind == "registered" for each in register.list())
    assert register.get(register.add(entry(what="afterwards"))).entry.what == "afterwards"


def test_only_its_owner_may_read_a_new_file(tmp_path, entry):
    Register.open(f"sqlite:///{tmp_path}/r.db").add(entry())

    assert (tmp_path / "r.db").stat().st_mode & 0o777 == 0o600


def test_a_file_may_be_named_by_its_path(tmp_path, entry):
    path = tmp_path / "register.db"
    number = Register.open(str(path)).add(entry())

    assert Register.open(f"sqlite:///{path}").get(number).id == number


def test_other_tables_of_the_database_stay_as_they_are(tmp_path, entry):
    with closing(sqlite3.connect(tmp_path / "r.db")) as connection:
        connection.execute("CREATE TABLE people AS SELECT 5 AS age")
        connection.commit()
    Register.open(f"sqlite:///{tmp_path}/r.db").add(entry())

    with closing(sqlite3.connect(tmp_path / "r.db")) as connection:
        assert connection.execute("SELECT age FROM people").fetchall() == [(5,)]


def test_a_file_that_is_no_database_is_refused_and_kept(tmp_path, entry):
    (tmp_path / "r.db").write_text("this is only text " * 100)
    register = Register.open(f"sqlite:///{tmp_path}/r.db")

    for use in (register.list, lambda: register.add(entry())):
        with refused("register.refused"):
            use()
    assert (tmp_path / "r.db").read_text() == "this is only text " * 100


def test_a_missing_folder_is_refused(tmp_path, entry):
    with refused("output.no-folder", "nowhere"):
        Register.open(f"sqlite:///{tmp_path}/nowhere/r.db").add(entry())


def test_a_register_of_a_later_version_is_left_alone(tmp_path, entry):
    register = Register.open(f"sqlite:///{tmp_path}/r.db")
    register.add(entry())
    with closing(sqlite3.connect(tmp_path / "r.db")) as connection:
        connection.execute("DROP TRIGGER biombo_register_update")
        connection.execute("UPDATE biombo_register SET version = 9")
        connection.commit()

    for use in (register.list, lambda: register.add(entry()), lambda: register.revoke(1, reason="x")):
        with refused("register.version", "9"):
            use()


def test_what_others_wrote_into_the_tables_is_refused(tmp_path, entry):
    register = Register.open(f"sqlite:///{tmp_path}/r.db")
    register.add(entry())
    with closing(sqlite3.connect(tmp_path / "r.db")) as connection:
        connection.execute("INSERT INTO biombo_events (release_id, kind, happened) VALUES (1, 'x', 'yesterday')")
        connection.commit()

    with refused("register.damaged"):
        register.list()


def test_no_error_shows_the_password(postgres_server):
    register = Register.open(f"postgresql://manager:wrong-{PASSWORD}@{postgres_server}")

    with pytest.raises(BiomboError) as caught:
        register.list()
    assert caught.value.key == "input.connection"
    assert PASSWORD not in str(caught.value) + repr(caught.value) + repr(register)
