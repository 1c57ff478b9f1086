"""``biombo synthesise`` in both languages."""

import json

import polars as pl
import pytest
from made_up_synthesis import people

import biombo as bb


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "people.csv"
    people(300, 5).with_columns(name=pl.lit("Ana")).write_csv(path)
    return path


@pytest.mark.parametrize(
    ("language", "words"), [("en", ["No guarantee", "held out"]), ("pt", ["Sem garantia", "registros reservados"])]
)
def test_what_is_made_is_told(biombo, table, tmp_path, language, words):
    ending = biombo("synthesise", table, "--columns", "age,job", "--out", tmp_path / "out.csv", "--lang", language)

    assert ending.code in (0, 1)  # one honest table in twenty may be accused
    assert all(word in " ".join(ending.out.split()) for word in words)
    assert pl.read_csv(tmp_path / "out.csv").shape == (300, 2)
    assert str(tmp_path / "out.csv") in ending.err


def test_json_and_a_saved_request_say_the_same(biombo, table, tmp_path):
    out, saved, rules = tmp_path / "out.parquet", tmp_path / "request.yaml", tmp_path / "rules.yaml"
    rules.write_text("biombo-constraints: 1\nconstraints:\n- never: {job: cook, sex: F}\n")
    asked = ("--columns", "age,job,sex", "--records", 50, "--constraints", rules, "--holdout", 0, "--out", out)
    first = biombo("synthesise", table, *asked, "--json", "--save-request", saved)
    again = biombo("synthesise", "--request", saved, "--json", "--force")

    assert (first.code, again.code) == (0, 0)
    told = [json.loads(ending.out) for ending in (first, again)]
    assert [each["synthetic"] for each in told] == [50, 50]
    assert told[0].keys() == told[1].keys()
    assert told[0]["guarantee"] is None
    assert pl.read_parquet(out).filter((pl.col("job") == "cook") & (pl.col("sex") == "F")).height == 0
    assert bb.Request.load(saved).constraints == str(rules)


def test_records_and_columns_may_stay(biombo, table, tmp_path):
    out = tmp_path / "out.csv"
    asked = ("--columns", "income", "--keep-column", "age,sex", "--replace-where", "age>=60", "--out", out)
    ending = biombo("synthesise", table, *asked, "--json")

    assert ending.code == 0
    assert json.loads(ending.out)["synthetic"] == pl.read_csv(table).filter(pl.col("age") >= 60).height
    assert pl.read_csv(out).columns == ["age", "sex", "income"]


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (("--columns", "age"), "--out"),
        (("--out", "x.csv"), "--columns"),
        (("--columns", "agee", "--out", "x.csv"), "did you mean 'age'"),
        (("--columns", "age", "--epsilon", 0, "--out", "x.csv"), "above 0"),
        (("--columns", "age", "--epsilon", 1, "--out", "x.csv"), "has no public domain"),
        (("--columns", "age", "--constraints", "none.yaml", "--out", "x.csv"), "none.yaml"),
        (("--columns", "age", "--out", "x.txt"), "x.txt"),
    ],
)
def test_mistakes_are_told_in_one_sentence(biombo, table, asked, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ending = biombo("synthesise", table, *asked)

    assert ending.code == 2
    assert says in ending.err
    assert not (tmp_path / "x.csv").exists()
