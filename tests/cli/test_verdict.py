"""What commands say in the end: a few lines, the same as the report's first page; the rest is behind ``--full``."""

import json
import re
from html import unescape

import polars as pl
import pytest

ROWS = 5


@pytest.fixture
def people(tmp_path):
    """Eighty people: the day of birth singles out nearly all of them, the town nobody."""
    path = tmp_path / "folder" / "people.csv"
    path.parent.mkdir()
    rows = range(80)
    pl.DataFrame(
        {
            "born": [
                f"1980-01-{1 + row % 28:02d}" if row < 10 else f"1980-{1 + row % 12:02d}-{1 + row % 27:02d}"
                for row in rows
            ],
            "sex": ["F" if row % 3 else "M" for row in rows],
            "town": [f"T{row % 4}" for row in rows],
            "disease": [["flu", "cough", "none"][row % 3] for row in rows],
        }
    ).write_csv(path)
    return path


KNOWN = ("--quasi", "born,sex,town", "--sensitive", "disease")


def text_of(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", "", page)).split())


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_risk_ends_with_the_headline_of_its_report(biombo, people, tmp_path, lang) -> None:
    ending = biombo("risk", people, *KNOWN, "--out", tmp_path / "risk", "--lang", lang)
    lines = ending.out.splitlines()
    page = text_of((tmp_path / "risk" / "report.html").read_text("utf-8"))

    assert ending.code == 0
    assert len(lines) <= ROWS
    assert lines[0].startswith("people.csv: ")
    assert [line for line in lines[1:3] if line not in page] == []
    assert "--full" in ending.err


def test_risk_names_the_fewest_facts_that_make_it_bad(biombo, people) -> None:
    lines = biombo("risk", people, *KNOWN).out.splitlines()
    alone = pl.read_csv(people).group_by("born").len().filter(pl.col("len") == 1).height

    assert lines[1].startswith(f"born alone singles out {100 * alone / 80:.1f}% of the records; ")
    assert "Who knows" in lines[2]


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_search_ends_with_what_to_do_and_that_nothing_is_better(biombo, people, tmp_path, lang) -> None:
    ending = biombo("search", people, *KNOWN, "--k", 5, "--report", tmp_path / "search.html", "--lang", lang)
    page = text_of((tmp_path / "search.html").read_text("utf-8"))

    assert ending.code == 0
    assert len(ending.out.splitlines()) <= ROWS
    assert ending.out.splitlines()[0] in page


@pytest.mark.parametrize("command", [("risk",), ("search", "--k", 5)])
def test_full_shows_tables_before_the_same_verdict_and_leaves_json_alone(biombo, people, command) -> None:
    name, *options = command
    arguments = (name, people, *KNOWN, *options)
    short, full = biombo(*arguments).out, biombo(*arguments, "--full").out

    assert set(short.splitlines()) <= set(full.splitlines())
    assert len(full.splitlines()) > 2 * ROWS
    as_json = [json.loads(biombo(*arguments, "--json", *view).out) for view in ((), ("--full",))]
    assert as_json[0] == as_json[1]


def test_what_happens_to_everybody_is_one_line(biombo, people) -> None:
    table = pl.read_csv(people).with_row_index("number")
    table.write_csv(people)
    shown = biombo("risk", people, "--quasi", "number,born,sex,town", "--sensitive", "disease", "--full").out

    assert "100.00%" not in shown
    assert "Right for 100% with this many columns: 1, 2, 3, 4." in shown
    assert "All records are unique with this many columns: 1, 2, 3, 4." in shown


def test_folders_are_not_named_in_results(biombo, people) -> None:
    for command in (("risk",), ("risk", "--full"), ("search", "--k", 5, "--full")):
        name, *options = command
        assert str(people.parent) not in biombo(name, people, *KNOWN, *options).out


RELEASE = ("--k", 5, "--release-model", "public", "--harm", "low", "--title", "People of a town")


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_publish_ends_with_the_first_page_of_its_private_report(biombo, people, tmp_path, lang) -> None:
    ending = biombo("publish", people, *KNOWN, *RELEASE, "--out", tmp_path / "release", "--lang", lang)
    page = text_of((tmp_path / "release.private" / "report.html").read_text("utf-8"))

    assert ending.code == 0, ending.err
    assert 3 <= len(ending.out.splitlines()) <= ROWS
    assert [line for line in ending.out.splitlines() if line not in page] == []
    assert [line[:4] for line in ending.err.splitlines() if line[1:3] == "/6"] == [f"{n}/6 " for n in range(1, 7)]


def test_the_six_steps_and_the_title_stand_in_both_reports(biombo, people, tmp_path) -> None:
    ending = biombo("publish", people, *KNOWN, *RELEASE, "--out", tmp_path / "release")
    told = [line.split(": ", 1)[1] for line in ending.err.splitlines() if line[1:3] == "/6"]
    public, private = (
        text_of((tmp_path / folder / "report.html").read_text("utf-8")) for folder in ("release", "release.private")
    )

    assert [sentence for sentence in told if sentence not in public or sentence not in private] == []
    assert public.count("People of a town") >= 2
    assert json.loads((tmp_path / "release" / "manifest.json").read_text())["title"] == "People of a town"
    assert json.loads((tmp_path / "release" / "dictionary.json").read_text())["title"] == "People of a town"
    assert not any(str(people.parent) in text for text in (public, private))


def test_steps_tell_columns_and_no_numbers_of_records(biombo, people, tmp_path) -> None:
    ending = biombo("publish", people, *KNOWN, *RELEASE, "--out", tmp_path / "release")
    numbers = {
        number for line in ending.err.splitlines() if line[1:3] == "/6" for number in re.findall(r"\d+", line[3:])
    }

    assert numbers <= {"4", "5", "0", "1"}, "only how many columns there are, with trace_id and without, and levels"


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_utility_ends_with_what_was_lost(biombo, people, tmp_path, lang) -> None:
    biombo("publish", people, *KNOWN, *RELEASE, "--out", tmp_path / "release")
    ending = biombo("utility", people, tmp_path / "release", "--lang", lang)
    lines = ending.out.splitlines()

    assert ending.code == 0
    assert 2 <= len(lines) <= ROWS
    assert lines[0].startswith("data.csv (80 ")
    full = biombo("utility", people, tmp_path / "release", "--lang", lang, "--full").out.splitlines()
    assert set(lines) <= set(full)
    assert len(full) > 2 * ROWS


def test_a_title_names_the_reports_of_risk_and_search(biombo, people, tmp_path) -> None:
    biombo("risk", people, *KNOWN, "--out", tmp_path / "risk", "--title", "Our people")
    biombo("search", people, *KNOWN, "--k", 5, "--report", tmp_path / "search.html", "--title", "Our people")

    for path in (tmp_path / "risk" / "report.html", tmp_path / "search.html"):
        assert "<h1>Our people</h1>" in path.read_text("utf-8")
