"""``biombo query`` in both languages."""

import json

import polars as pl
import pytest


@pytest.fixture
def people(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = pl.DataFrame({"sex": ["F"] * 20 + ["M"] * 22, "city": (["A"] * 9 + ["B"] * 11) + ["A"] * 20 + ["B"] * 2})
    table.with_columns(paid=pl.int_range(42)).write_csv("people.csv")


@pytest.mark.usefixtures("people")
def test_questions_are_answered_against_the_history(biombo) -> None:
    first = biombo("query", "people.csv", "--by", "sex", "--history", "desk.jsonl", "--k", 5, "--who", "Ana")
    assert first.code == 0, first.err
    assert "4 cells were asked for: 1 answered, 3 suppressed, 0 refused" in " ".join(first.out.split())
    second = biombo("query", "people.csv", "--where", "sex=M", "--where", "city=B", "--history", "desk.jsonl")
    assert second.code == 1
    assert "fewer than 5 people, perhaps nobody" in " ".join(second.out.split())
    told = biombo("query", "people.csv", "--by", "city", "--mean", "paid", "--history", "desk.jsonl", "--json")
    assert json.loads(told.out)["asked"] == 10


@pytest.mark.usefixtures("people")
def test_it_speaks_portuguese_and_needs_a_history(biombo) -> None:
    done = biombo("query", "people.csv", "--by", "sex", "--history", "h.jsonl", "--lang", "pt")
    assert "Suprimida: menos de 10 pessoas" in " ".join(done.out.split())
    refused = biombo("query", "people.csv", "--by", "sex")
    assert refused.code == 2
    assert "--history" in refused.err


@pytest.mark.parametrize(("language", "sentence"), [("en", "tells who somebody is"), ("pt", "diz quem alguém é")])
def test_no_mean_is_told_of_what_tells_who_somebody_is(biombo, tmp_path, monkeypatch, language, sentence) -> None:
    monkeypatch.chdir(tmp_path)
    pl.DataFrame({"prontuario": range(40), "sex": ["F", "M"] * 20}).write_csv("people.csv")
    asked = ("query", "people.csv", "--by", "sex", "--mean", "prontuario", "--history", "h.jsonl", "--lang", language)
    refused = biombo(*asked)
    assert refused.code == 2
    assert refused.out == ""
    assert refused.err.count("\n") == 1
    assert sentence in refused.err
