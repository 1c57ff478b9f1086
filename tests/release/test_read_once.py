"""The original is read for the plan, and the comparison takes what was read then."""

import sqlite3
from contextlib import closing

import polars as pl
import pyarrow as pa
import pytest
from report_reading import read_back

import biombo as bb

PLAN = bb.Plan([bb.SuppressColumn("note")], quasi=["city"], sensitive=["disease"])
PEOPLE = pl.DataFrame(
    {"city": ["Serra", "Lagoa"] * 20, "disease": ["flu", "gout", "cold", "flu"] * 10, "note": ["-"] * 40}
)


def stream() -> pa.RecordBatchReader:
    table = PEOPLE.to_arrow()
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches())


@pytest.mark.parametrize("source", [stream, lambda: bb.read(PEOPLE)], ids=["stream", "dataset"])
@pytest.mark.parametrize("operations", [[], [bb.MaskGroups()]], ids=["one pass", "two passes"])
def test_what_gives_its_rows_once_is_published_with_reports(source, operations, tmp_path) -> None:
    plan = bb.Plan([*PLAN.operations, *operations], [bb.KAnonymity(5)], PLAN.quasi, PLAN.sensitive)
    release = bb.publish(source(), plan, tmp_path / "release")

    assert bb.verify(release.out).holds
    assert sorted(pl.DataFrame(release.data).select("city", "disease").rows()) == sorted(
        PEOPLE.select("city", "disease").rows()
    )
    assert "Picking a person's record. Original: 5.00%. Release: 5.00%." in private_report(release)


def test_a_query_is_asked_once(tmp_path) -> None:
    """The order of its rows is another each time: only where the first answer was kept are records found to be own."""
    database = tmp_path / "people.db"
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TABLE people (age INTEGER, disease TEXT)")
        connection.executemany("INSERT INTO people VALUES (?, 'flu')", [(age,) for age in range(40)])
        connection.commit()
    noise = bb.AddNoise("age", 0.1)  # which is rounded away
    release = bb.publish(
        "SELECT age, disease FROM people ORDER BY random()",
        bb.Plan([noise], quasi=["age"], sensitive=["disease"]),
        tmp_path / "release",
        database=f"sqlite:///{database}",
        unprotected="a test",
    )

    assert "Picking a person's record. Original: 100.00%. Release: 100.00%." in private_report(release)


def private_report(release: bb.Release) -> str:
    return read_back((release.private / "report.html").read_text()).text
