"""``biombo start``: answers for one table are never those for another, and a query's words stay at home."""

import sqlite3
from pathlib import Path
from zipfile import ZipFile

import polars as pl
import pytest

import biombo as bb

NAMED = "CPF 123.456.789-09"
QUERY = f"select idade, sexo, diagnostico from people where nome <> '{NAMED}'"


@pytest.fixture
def databases(people) -> list[str]:
    """Two databases, each with a table of people."""
    rows = pl.read_csv("people.csv").rows()
    for name in ("one.db", "two.db"):
        with sqlite3.connect(name) as database:
            database.execute("create table people (nome, idade, sexo, diagnostico, sala)")
            database.executemany("insert into people values (?, ?, ?, ?, ?)", rows)
    return ["sqlite:///one.db", "sqlite:///two.db"]


@pytest.fixture
def two_in_one(people) -> Path:
    """A file with two tables, which call columns alike."""
    other = pl.read_csv("people.csv").select(idade="idade", sexo="sala", sala="sexo")
    other.write_csv("other.csv")
    with ZipFile("both.zip", "w") as both:
        both.write("people.csv")
        both.write("other.csv")
    return people / "both.zip"


def described(path: str) -> dict[str, str]:
    """The roles of columns in a file of answers."""
    schema = bb.Schema.load(bb.PublishRequest.load(path).schema)
    return {name: about.role for name, about in schema.columns.items()}


def test_another_sheet_has_answers_of_its_own(two_in_one, answered):
    answered("start", "both.zip", "--sheet", "people.csv", "--lang", "en", answers="q\nq\n")
    before = Path("both.biombo.yaml").read_text()
    ended = answered("start", "both.zip", "--sheet", "other.csv", "--lang", "en", answers="-\n")
    assert "already" not in ended.out
    assert Path("both.biombo.yaml").read_text() == before
    assert bb.PublishRequest.load("both-2.biombo.yaml").sheet == "other.csv"
    assert set(described("both-2.biombo.yaml").values()) == {"undecided"}


def test_the_same_sheet_is_taken_up_again(two_in_one, answered):
    answered("start", "both.zip", "--sheet", "people.csv", "--lang", "en", answers="q\n")
    assert "already" in answered("start", "./both.zip", "--sheet", "people.csv", "--lang", "en", answers="\n").out


def test_another_database_has_answers_of_its_own(databases, answered):
    one, two = databases
    answered("start", QUERY, "--database", one, "--lang", "en", answers="q\nq\n")
    ended = answered("start", QUERY, "--database", two, "--lang", "en", answers="-\n")
    assert "already" not in ended.out
    assert bb.PublishRequest.load("query.biombo.yaml").database == one
    assert bb.PublishRequest.load("query-2.biombo.yaml").database == two
    assert "already" in answered("start", QUERY, "--database", one, "--lang", "en", answers="").out


def test_names_that_tell_columns_make_another_table(people, answered):
    answered("start", "people.csv", "--lang", "en", answers="q\n")
    ended = answered("start", "people.csv", "--filename", "{group}.csv", "--lang", "en", answers="q\n")
    assert "already" not in ended.out


def test_another_file_that_is_named_on_the_way_begins_anew(two_in_one, answered):
    typed = ("--k", "12", "--sheet", "people.csv", "--lang", "en")
    answered("start", "both.zip", *typed, answers="a\n" + "<\n<\nother.csv\n" + "-\n")
    assert described("both.biombo.yaml")["sexo"] == "quasi"
    assert bb.PublishRequest.load("both.biombo.yaml").files == ("both.zip",)
    other = bb.PublishRequest.load("other.biombo.yaml")
    assert (other.files, other.sheet, other.k) == (("other.csv",), None, 12)
    assert list(described("other.biombo.yaml").values()) == ["undecided"]


def test_each_column_of_another_file_is_asked_for_by_its_own_place(two_in_one, answered):
    answers = "a\n\n\n\n\n\n" + "<\n" * 5 + "other.csv\n" + "q\nq\nq\n"
    ended = answered("start", "people.csv", "--lang", "en", answers=answers)
    after = ended.out.rpartition("1 of 7")[2]
    assert [f"Column {place} of 3" in after for place in (1, 2, 3, 4)] == [True, True, True, False]
    other = bb.PublishRequest.load("other.biombo.yaml")
    assert (other.release_model, other.k, other.l, other.out) == (None, None, None, "")


def test_pressing_enter_at_the_file_changes_nothing(people, answered):
    answered("start", "people.csv", "--lang", "en", answers="a\n" + "<\n<\n\n")
    assert described("people.biombo.yaml")["sexo"] == "quasi"
    assert not Path("people-2.biombo.yaml").exists()


def test_several_files_stay_several(people, answered):
    Path("more.csv").write_bytes(Path("people.csv").read_bytes())
    answered("start", "people.csv", "more.csv", "--lang", "en", answers="<\n\n" + "q\n")
    assert bb.PublishRequest.load("people.biombo.yaml").files == ("people.csv", "more.csv")


def test_answers_for_columns_that_are_not_there_are_for_another_table(people, answered):
    answered("start", "people.csv", "--lang", "en", answers="a\n")
    Path("people.csv").write_text("idade,sexo\n30,F\n31,M\n")
    assert "already" not in answered("start", "people.csv", "--lang", "en", answers="q\n").out
    assert list(described("people-2.biombo.yaml")) == ["idade"]


@pytest.mark.parametrize("typed", [["other.csv"], ["people.csv", "--sheet", "two"], ["--filename", "{group}.csv"]])
def test_answers_are_not_taken_up_for_another_table(two_in_one, answered, biombo, typed):
    answered("start", "people.csv", "--lang", "en", answers="a\n")
    before = Path("people.biombo.yaml").read_text()
    ended = biombo("start", *typed, "--request", "people.biombo.yaml", "--yes", "--lang", "en")
    assert ended.code == 2
    assert "The answers in people.biombo.yaml are for another table" in ended.err
    assert Path("people.biombo.yaml").read_text() == before


def test_answers_that_name_no_table_are_for_any(people, biombo):
    Path("mine.yaml").write_text("biombo-request: 1\nkind: publish\nk: 25\n")
    assert biombo("start", "people.csv", "--request", "mine.yaml", "--yes", "--lang", "en").code == 0
    assert bb.PublishRequest.load("mine.yaml").k == 25


@pytest.mark.parametrize("command", ["start", "publish"])
def test_nothing_that_is_public_quotes_a_query(databases, biombo, command):
    asked = {
        "start": ["--yes"],
        "publish": ["--out", "query-release", "--quasi", "idade", "--sensitive", "diagnostico", "--k", "5"],
    }
    ended = biombo(command, QUERY, "--database", databases[0], *asked[command], "--lang", "en")
    assert ended.code == 0, ended.err
    assert {path.name for path in Path().iterdir() if path.is_dir()} == {"query-release", "query-release.private"}
    for path in Path("query-release").rglob("*"):
        told = path.name + path.read_text("utf-8")
        assert [words for words in (NAMED, "123.456", "where nome", "select ") if words in told] == [], path


def test_a_query_however_long_has_a_short_name(databases, biombo):
    long = QUERY + "".join(f" and nome <> 'Pessoa {number}'" for number in range(1000, 1050))
    assert biombo("start", long, "--database", databases[0], "--yes", "--lang", "pt").code == 0
    assert Path("consulta-publicacao").is_dir()
