import sqlite3
import sys
from contextlib import closing
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from postgres_server import PASSWORD
from refusal import refused

from biombo._data import read
from biombo._data.formats import open_sources
from biombo._errors import BiomboError, BiomboWarning, UsageError


@pytest.fixture(scope="module")
def sqlite(tmp_path_factory) -> str:
    path = tmp_path_factory.mktemp("sqlite") / "people.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE people (code TEXT, age INTEGER, weight REAL, name TEXT)")
        connection.executemany(
            "INSERT INTO people VALUES (?, ?, ?, ?)",
            [(f"{place % 7:07d}", place % 90, place / 2 if place % 5 else None, "São") for place in range(120_000)],
        )
        connection.commit()
    return f"sqlite:///{path}"


def test_a_query_over_sqlite_is_read_in_chunks(sqlite):
    steps: list[tuple[int, int | None]] = []
    data = read("SELECT * FROM people", database=sqlite, progress=lambda *step: steps.append(step))
    assert data.rows == 120_000
    assert len(steps) > 1
    assert data["code"].decoded().to_list()[:2] == ["0000000", "0000001"]
    assert data["age"].decoded().to_list()[:2] == [0, 1]
    assert data["weight"].decoded().to_list()[:2] == [None, 0.5]


def test_only_the_columns_asked_for_are_fetched(sqlite):
    data = read("SELECT code, age, 1 / 0 AS bad FROM people -- a comment", columns=["age"], database=sqlite)
    assert list(data.columns) == ["age"]


@pytest.mark.parametrize("query", ["SELECT age FROM people;", "WITH old AS (SELECT age FROM people) SELECT * FROM old"])
def test_a_semicolon_at_the_end_and_a_with_clause_are_fine(sqlite, query):
    assert read(query, database=sqlite).rows == 120_000


@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM people",
        "DROP TABLE people",
        "UPDATE people SET age = 0 RETURNING age",
        "SELECT 1) AS x; DELETE FROM people; SELECT * FROM (SELECT 1",
        "ATTACH 'other.db' AS other",
        "PRAGMA user_version = 7",
        "SELECT nothing FROM nowhere",
    ],
)
def test_a_query_that_does_not_just_read_is_refused_by_sqlite(sqlite, query):
    before = Path(sqlite.removeprefix("sqlite:///")).read_bytes()
    with refused("input.query"):
        read(query, database=sqlite)
    assert Path(sqlite.removeprefix("sqlite:///")).read_bytes() == before


def test_a_missing_sqlite_file_is_refused_and_not_made(tmp_path):
    with refused("input.missing-file", "none.db"):
        read("SELECT 1", database=f"sqlite:///{tmp_path}/none.db")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_database_is_refused(tmp_path):
    (tmp_path / "x.db").write_text("hello, this is only text" * 100)
    with refused("input.query"):
        read("SELECT * FROM people", database=f"sqlite:///{tmp_path}/x.db")


def test_values_of_several_types_in_a_sqlite_column_are_compared_as_written(tmp_path):
    with closing(sqlite3.connect(tmp_path / "x.db")) as connection:
        connection.execute("CREATE TABLE t (x)")
        connection.executemany("INSERT INTO t VALUES (?)", [(1,), ("1",), ("a",), (2.5,), (None,)])
        connection.commit()
    with pytest.warns(BiomboWarning, match="several types"):
        data = read("SELECT x FROM t", database=f"sqlite:///{tmp_path}/x.db")
    assert data["x"].decoded().to_list() == ["1", "1", "a", "2.5", None]


def test_text_in_latin_1_inside_sqlite_is_decoded(tmp_path):
    with closing(sqlite3.connect(tmp_path / "x.db")) as connection:
        connection.execute("CREATE TABLE t AS SELECT CAST(x'53e36f' AS TEXT) AS x")
        connection.commit()
    assert read("SELECT x FROM t", database=f"sqlite:///{tmp_path}/x.db")["x"].values.to_list() == ["São"]


def test_a_query_without_rows_is_refused(sqlite):
    with refused("input.empty"):
        read("SELECT * FROM people WHERE age > 500", database=sqlite)


@pytest.mark.parametrize("url", ["mysql://u:p@h/d", "people.db", "sqlite://", "sqlite:///", "postgresql:x", ""])
def test_other_databases_are_refused(url):
    with refused("usage.database"):
        read("SELECT 1", database=url)


@pytest.mark.parametrize("query", ["", "  ", 5, None])
def test_a_query_must_be_text(sqlite, query):
    with refused("usage.query"):
        read(query, database=sqlite)


# PostgreSQL -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def postgres(postgres_server) -> str:
    import psycopg

    url = f"postgresql://manager:{PASSWORD}@{postgres_server}"
    with psycopg.connect(url) as connection:
        connection.execute(
            """CREATE TABLE people AS
            SELECT lpad((n % 7)::text, 7, '0') AS code, n % 90 AS age, (n % 3) / 2.0 AS share,
                   date '2024-01-01' + n % 28 AS day, nullif(n % 5, 0) AS "Odd ""name"" 100%", n % 2 = 0 AS even
            FROM generate_series(0, 119999) AS n"""
        )
    return url


def test_a_query_over_postgresql_is_read_in_chunks(postgres):
    steps: list[int] = []
    data = read("SELECT * FROM people;", database=postgres, progress=lambda rows, _: steps.append(rows))
    assert data.rows == 120_000
    assert len(steps) > 1
    assert sorted(data["code"].values.to_list()) == [f"{code:07d}" for code in range(7)]
    assert data["age"].decoded()[:3].to_list() == [0, 1, 2]
    assert data["share"].decoded()[:3].to_list() == [Decimal("0"), Decimal("0.5"), Decimal("1")]
    assert data["day"].decoded()[0] == date(2024, 1, 1)
    assert data['Odd "name" 100%'].decoded()[:2].to_list() == [None, 1]
    assert data["even"].decoded()[:2].to_list() == [True, False]


def test_values_of_other_types_of_postgresql_become_text(postgres):
    query = "SELECT '7c9e6679-7425-40de-944b-e07fc1f90ae7'::uuid AS id, '10.0.0.1'::inet AS address"
    data = read(query, database=postgres)
    assert data["id"].values.to_list() == ["7c9e6679-7425-40de-944b-e07fc1f90ae7"]
    assert data["address"].values.to_list() == ["10.0.0.1"]


@pytest.mark.parametrize("scheme", ["postgres", "postgresql+psycopg"])
def test_other_ways_to_write_the_scheme_are_understood(postgres, scheme):
    assert read("SELECT 1 AS x", database=postgres.replace("postgresql", scheme, 1)).rows == 1


@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM people RETURNING age",
        "WITH gone AS (DELETE FROM people RETURNING age) SELECT * FROM gone",
        "SELECT age INTO other FROM people",
        "SELECT 1) AS x; COMMIT; DROP TABLE people; SELECT * FROM (SELECT 1 AS x",
        "SELECT setval('counter', 1)",
        "SELECT * FROM nowhere",
    ],
)
def test_a_query_that_does_not_just_read_is_refused_by_postgresql(postgres, query):
    with refused("input.query"):
        read(query, database=postgres)
    assert read("SELECT count(*) AS n FROM people", database=postgres)["n"].values.to_list() == [120_000]


def test_writing_is_refused_even_where_the_query_hides_it(postgres):
    import psycopg

    with psycopg.connect(postgres) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS diary (line text)")
        connection.execute(
            "CREATE OR REPLACE FUNCTION scribble() RETURNS int LANGUAGE sql AS "
            "$$ INSERT INTO diary VALUES ('x'); SELECT 1 $$"
        )
    with refused("input.query"):
        read("SELECT scribble() AS x", database=postgres)
    with psycopg.connect(postgres) as connection:
        assert connection.execute("SELECT count(*) FROM diary").fetchone() == (0,)


def test_repeated_names_of_a_query_are_refused(postgres):
    with refused("input.repeated-columns", "x"):
        read("SELECT 1 AS x, 2 AS x", database=postgres)


def test_a_wrong_password_is_refused_without_being_shown(postgres, postgres_server):
    with pytest.raises(BiomboError) as caught:
        read("SELECT 1", database=f"postgresql://manager:wrong-{PASSWORD}@{postgres_server}")
    assert caught.value.key == "input.connection"
    assert PASSWORD not in str(caught.value) + repr(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://u:{PASSWORD}@127.0.0.1:1/x",
        f"postgresql://u:{PASSWORD}@127.0.0.1:notaport/x",
        f"postgresql://u:{PASSWORD}%zz@127.0.0.1/x",
        f"postgresql://u:{PASSWORD}/more@127.0.0.1/x",
        f"postgresql://u:{PASSWORD}@{PASSWORD}@127.0.0.1/x",
        f"postgresql://u:[{PASSWORD}@127.0.0.1/x",
        f"postgresql://127.0.0.1:1/x?user=u&password={PASSWORD}",
        f"mysql://u:{PASSWORD}@127.0.0.1/x",
        f"u:{PASSWORD}@127.0.0.1/x",
    ],
)
def test_no_error_shows_the_password(url):
    with pytest.raises(BiomboError) as caught:
        read("SELECT 1", database=url)
    assert PASSWORD not in str(caught.value) + repr(caught.value) + str(caught.value.__cause__)


def test_neither_label_nor_repr_show_the_address():
    (source,) = open_sources("SELECT 1", f"postgresql://u:{PASSWORD}@127.0.0.1:1/x")
    assert PASSWORD not in repr(source) + source.label + str(source)


def test_a_missing_driver_is_refused_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with refused("input.no-psycopg", "pip install 'biombo[postgres]'"):
        read("SELECT 1", database="postgresql://127.0.0.1:1/x")


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ana\ud800@127.0.0.1:1/x",
        "postgresql://ana:\udcff@127.0.0.1:1/x",
        "postgresql://ana@127.0.0.1:1/x?nonsense=hunter2",
        "postgresql://ana:hunter2  %zz@127.0.0.1:1/x",
    ],
)
def test_an_address_that_cannot_be_read_is_no_refused_query(url):
    with pytest.raises(UsageError) as caught:
        read("SELECT 1", database=url)

    assert caught.value.key == "usage.database-unreadable"
    assert "hunter2" not in str(caught.value)
