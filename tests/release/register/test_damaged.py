"""Whatever a register's database holds, reading it gives releases or one clear sentence."""

import sqlite3
from contextlib import closing, suppress
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused

from biombo import BiomboError, Decision, PublicRelease, Register, RegisterEntry

NOT_TEXT = b"S\xe3o \xff"
COLUMNS = {
    "biombo_register": ["version"],
    "biombo_releases": [
        *("what", "department", "release_model", "recipients", "access", "plan_hash", "smallest_group", "risk"),
        *("threshold", "override_reason", "controls", "review", "manifest_hash"),
    ],
    "biombo_events": ["release_id", "kind", "happened", "note", "who", "next_review"],
}
PLACES = [(table, column) for table, columns in COLUMNS.items() for column in columns]
values = (
    st.none()
    | st.binary(max_size=9)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=9)
    | st.integers(-(1 << 63), (1 << 63) - 1)
    | st.floats(allow_nan=False)
    | st.sampled_from(["[" * 100_000, "9" * 5_000, "[1]", "{}", "null", "0001-01-01", "99999-01-01", "x" * 3_000])
)


@pytest.fixture(scope="module")
def template(tmp_path_factory) -> bytes:
    """A register in a file with nothing in it that keeps it from being changed."""
    path = tmp_path_factory.mktemp("whole") / "register.db"
    register = Register.open(str(path))
    decision, day = Decision(PublicRelease(harm="medium"), 10), date(2027, 1, 31)
    about = {"what": "Visits", "department": "Health", "access": "online", "plan_hash": "a" * 64}
    number = register.add(RegisterEntry.of(decision, **about, review=day, manifest_hash="b" * 64))
    register.review(number, found="nothing", next_review=day)
    with closing(sqlite3.connect(path)) as connection:
        for table in COLUMNS:
            for change in ("update", "delete"):
                connection.execute(f"DROP TRIGGER {table}_{change}")
        connection.commit()
    return path.read_bytes()


@pytest.fixture
def path(tmp_path, template) -> Path:
    (tmp_path / "register.db").write_bytes(template)
    return tmp_path / "register.db"


def changed(path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement, values)
        connection.commit()


def read_or_refuse(path) -> None:
    """Anything but releases or an error for people makes the test fail."""
    register = Register.open(str(path))
    for ask in (register.list, lambda: register.get(1), lambda: register.find("b" * 64)):
        with suppress(BiomboError):
            found = ask()
            for release in found if isinstance(found, list) else [found]:
                assert release is None or release.as_json()["events"]


@pytest.mark.parametrize(("table", "column"), PLACES)
def test_bytes_that_are_not_text_are_refused(path, table, column):
    changed(path, f"UPDATE OR IGNORE {table} SET {column} = CAST(? AS TEXT)", NOT_TEXT)
    if column == "release_id":
        read_or_refuse(path)
    else:
        with refused("register.damaged"):
            Register.open(str(path)).list()


@given(st.sampled_from(PLACES), values)
def test_any_other_value_is_read_or_refused(tmp_path_factory, template, place, value):
    table, column = place
    path = tmp_path_factory.mktemp("damaged") / "register.db"
    path.write_bytes(template)
    changed(path, f"UPDATE OR IGNORE {table} SET {column} = ?", value)
    read_or_refuse(path)


@given(st.data())
def test_a_damaged_file_is_read_or_refused(tmp_path_factory, template, data):
    content = bytearray(template)
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.mktemp("damaged") / "register.db"
    path.write_bytes(content[: data.draw(st.integers(1, len(content)))])
    read_or_refuse(path)


@pytest.mark.parametrize("table", COLUMNS)
def test_rows_that_are_missing_are_refused(path, table):
    changed(path, f"DELETE FROM {table}")
    read_or_refuse(path)


def test_postgresql_that_does_not_know_its_encoding_is_read_or_refused(postgres_url, entry):
    """In a database of plain bytes, text may be anything."""
    import psycopg

    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS bytes")
        connection.execute("CREATE DATABASE bytes ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    url = postgres_url.rpartition("/")[0] + "/bytes"
    register = Register.open(url)
    assert register.get(register.add(entry())).entry.what == entry().what

    with psycopg.connect(url) as connection:
        connection.execute(
            "INSERT INTO biombo_events (release_id, kind, happened, note) VALUES (1, 'x', 'y', E'\\xff')"
        )
    with refused("register.refused", "0xff"):  # the database itself looks
        register.list()
