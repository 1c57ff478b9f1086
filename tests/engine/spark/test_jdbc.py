"""Databases behind JDBC, read by Spark: as the database is read here, and with the password nowhere."""

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres_server import PASSWORD
from spark_engine import needs_spark, spark_engine

import biombo as bb

pytestmark = needs_spark

DRIVER = Path("/usr/share/java/postgresql.jar")
TABLE = """
CREATE TABLE people (name text, age int, price numeric(8, 2), share numeric, born date, seen timestamp,
                     sent timestamptz, at time, ok boolean, "Odd ""name" double precision);
INSERT INTO people VALUES
  ('Ana', 31, 1.50, 1.25, '1500-01-01', '2020-06-01 12:30:00.000005', '2020-06-01 12:30:00-03', '12:30', true, 0.1),
  ('', NULL, -0.05, 1e-20, NULL, NULL, '1969-12-31 23:00:00Z', NULL, NULL, 1e300);
"""


@pytest.fixture(scope="module")
def people(postgres_server: str) -> Iterator[str]:
    """The address, without scheme and user, of a database with a table."""
    psycopg = pytest.importorskip("psycopg")
    if not DRIVER.exists():
        pytest.skip("there is no JDBC driver for PostgreSQL (libpostgresql-jdbc-java)")
    with psycopg.connect(f"postgresql://manager:{PASSWORD}@{postgres_server}", autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS people")
        connection.execute(TABLE)
        yield postgres_server
        connection.execute("DROP TABLE people")


def run(folder: Path, code: str) -> str:
    """What a program prints, in a process with a Spark of its own that keeps an event log."""
    (folder / "conf").mkdir()
    (folder / "events").mkdir()
    events = (folder / "events").as_uri()
    lines = [
        "spark.eventLog.enabled true",
        f"spark.eventLog.dir {events}",
        "spark.eventLog.compress false",
        f"spark.jars {DRIVER}",
    ]
    (folder / "conf" / "spark-defaults.conf").write_text("\n".join(lines))
    program = folder / "program.py"
    program.write_text(textwrap.dedent(code))
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", program],
        env=os.environ | {"SPARK_CONF_DIR": str(folder / "conf"), "TZ": "America/Sao_Paulo"},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_a_query_is_answered_as_here_and_the_password_is_nowhere(people: str, tmp_path: Path):
    code = f"""
        import json
        import biombo as bb
        from biombo._engine import engine_of
        from biombo._data import SourceTable

        def rows(table, columns):
            data = bb.read(table, columns=columns)
            written = [map(str, data[name].decoded().to_list()) for name in columns]
            return sorted(map(list, zip(*written)))

        engine, who = engine_of("spark:local[1]"), "manager:{PASSWORD}@{people}"
        query = "SELECT * FROM people WHERE age IS DISTINCT FROM 7;"
        far = engine.reached(query, database=f"jdbc:postgresql://{{who}}")
        near = SourceTable.open(query, database=f"postgresql://{{who}}")
        exact = [name for name in near.columns if name not in ("share", "at")]
        told = []
        for asked, where in (("SELECT nothing FROM people", who), (query, who.replace("s3cr3t", "wr0ng"))):
            try:
                engine.reached(asked, database=f"jdbc:postgresql://{{where}}").columns
            except bb.BiomboError as error:
                told.append(str(error))
        for column in ("share", "at"):
            try:
                rows(far, [column])
            except bb.BiomboError as error:
                told.append(str(error))
        (source,) = far.sources
        source._frame.explain(True)
        request = bb.RiskRequest(files=[query], database=f"jdbc:postgresql://{{who}}", engine="spark:local[1]",
                                 quasi=["name", "age"])
        request.save("request.yaml")
        found = request.run()
        print()
        print(json.dumps([far.columns == near.columns, rows(far, exact), rows(near, exact), told, repr(source),
                          repr(request), found.data.records]))
    """
    printed = run(tmp_path, code)
    same, far, near, told, *_, records = json.loads(printed.splitlines()[-1])

    assert same
    assert far == near
    assert records == 2
    assert [sentence.split(";")[0] for sentence in told] == [
        "The database refused the query",
        "Spark could not reach the database, or was not let in",
        "Spark does not read column 'share' of the query exactly, because of its type (numeric)",
        "Spark does not read column 'at' of the query exactly, because of its type (time)",
    ]
    files = [file for file in tmp_path.rglob("*") if file.is_file() and file.name != "program.py"]
    kept = [file.read_text(errors="replace") for file in files]
    assert any("SparkListenerJobEnd" in text for text in kept)
    assert any("jdbc:postgresql://manager@" in text for text in kept)
    assert not any(PASSWORD in text or "wr0ng" in text for text in [printed, *kept])


def test_without_a_driver_it_says_which():
    table = spark_engine().reached("SELECT 1 AS a", database="jdbc:postgresql://manager@127.0.0.1:1/people")
    with pytest.raises(bb.InputError, match=r"^Spark has no driver for PostgreSQL; name its file"):
        _ = table.columns
