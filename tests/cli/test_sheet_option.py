"""``--sheet``: which table of a file that has several, for every command that reads one."""

from pathlib import Path
from zipfile import ZipFile

import openpyxl
import polars as pl
import pytest
import yaml

ROWS = [["age", "sex", "disease"], *[[str(20 + number % 3), "FM"[number % 2], "flu"] for number in range(60)]]


@pytest.fixture
def book(tmp_path) -> Path:
    made = openpyxl.Workbook()
    made.active.title = "Notes"
    made.active.append(["Source: register"])
    sheet = made.create_sheet("People")
    for row in ROWS:
        sheet.append(row)
    made.save(tmp_path / "book.xlsx")
    return tmp_path / "book.xlsx"


QUESTION = ("--quasi", "age,sex", "--sensitive", "disease")


def test_without_it_the_sheets_are_named(biombo, book):
    for command in (("inspect",), ("risk", *QUESTION), ("search", *QUESTION, "--k", "2")):
        ended = biombo(*command, book)
        assert ended.code == 2
        assert "Notes, People" in ended.err
        assert "--sheet" in ended.err


def test_every_command_that_reads_a_table_takes_it(biombo, book, tmp_path):
    assert biombo("inspect", book, "--sheet", "People", "--out", tmp_path / "schema.yaml").code == 0
    assert biombo("risk", book, *QUESTION, "--sheet", "People").code == 0
    schema = ("--schema", tmp_path / "schema.yaml", "--sheet", "People")
    found = biombo("search", book, *schema, "--k", "2", "--out", tmp_path / "plan.yaml")
    assert found.code == 0
    assert biombo("apply", book, *schema, "--plan", tmp_path / "plan.yaml", "--out", tmp_path / "out.csv").code == 0
    assert pl.read_csv(tmp_path / "out.csv").height == 60
    assert biombo("utility", book, tmp_path / "out.csv", "--sheet", "People").code == 0


def test_it_is_kept_in_requests(biombo, book, tmp_path):
    request = tmp_path / "request.yaml"
    assert biombo("risk", book, *QUESTION, "--sheet", "People", "--save-request", request).code == 0
    assert yaml.safe_load(request.read_text())["sheet"] == "People"
    assert biombo("risk", "--request", request).code == 0


def test_a_release_of_a_sheet_is_traced_to_it(biombo, book, tmp_path):
    """Also where the table is one of several in an archive, and where the file has another name of its own now."""
    packed = tmp_path / "data.zip"
    with ZipFile(packed, "w") as archive:
        archive.writestr("people.csv", "\n".join(",".join(row) for row in ROWS))
        archive.writestr("places.csv", "city\nRio\n")
    for file, sheet in ((book, "People"), (packed, "people.csv")):
        out = tmp_path / file.stem
        published = biombo(
            *("publish", file, "--sheet", sheet, *QUESTION, "--k", "2", "--out", out, "--release-model", "public"),
            *("--harm", "low"),
        )
        assert published.code in (0, 1), published.err
        trace_id = pl.read_csv(next(out.glob("data.csv")))["trace_id"][0]
        assert biombo("trace", out, trace_id, "--reason", "a test").code == 0
        given = biombo("trace", out, trace_id, "--reason", "a test", "--source", file, "--sheet", sheet)
        assert given.code == 0, given.err


def test_a_title_is_said_once(biombo, tmp_path):
    (tmp_path / "deaths.csv").write_text("Deaths in 2023\n\nage;sex;disease\n" + "30;F;flu\n" * 40)
    ended = biombo("risk", tmp_path / "deaths.csv", *QUESTION)
    assert ended.code == 0
    assert ended.err.count("'Deaths in 2023'") == 1
