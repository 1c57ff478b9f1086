"""``biombo tabulate`` in both languages."""

import json

import polars as pl
import pytest


@pytest.fixture
def people(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = pl.DataFrame({"sex": ["F"] * 20 + ["M"] * 22, "city": (["A"] * 9 + ["B"] * 11) + ["A"] * 20 + ["B"] * 2})
    table.with_columns(paid=pl.int_range(42)).write_csv("people.csv")


@pytest.mark.usefixtures("people")
def test_a_table_is_shown_written_and_verified(biombo) -> None:
    done = biombo("tabulate", "people.csv", "--by", "sex,city", "--k", 5, "--out", "table")
    assert done.code == 0, done.err
    assert "…" in done.out
    assert "Left out: 1 that tell too much" in done.out.replace("\n", " ")
    assert biombo("verify", "table").code == 0
    again = biombo("tabulate", "people.csv", "--by", "sex,city", "--k", 5, "--out", "table")
    assert again.code == 2
    assert "table" in again.err


@pytest.mark.usefixtures("people")
def test_it_speaks_portuguese(biombo) -> None:
    done = biombo("tabulate", "people.csv", "--by", "sex,city", "--lang", "pt")
    assert "A tabela como todos podem vê-la" in " ".join(done.out.split())
    assert "Omitidas" in done.out


@pytest.mark.usefixtures("people")
def test_json_has_every_cell(biombo) -> None:
    done = biombo("tabulate", "people.csv", "--by", "sex", "--by", "city", "--sum", "paid", "--json")
    told = json.loads(done.out)
    assert len(told["table"]) == told["cells"] == 9
    assert told["table"][-1]["records"] == 42


@pytest.mark.usefixtures("people")
def test_the_table_alone_is_a_file(biombo) -> None:
    assert biombo("tabulate", "people.csv", "--by", "sex", "--out", "t.csv").code == 0
    assert pl.read_csv("t.csv")["records"].to_list() == [20, 22, 42]


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["--by", "colour"], "colour"),
        (["--by", "sex", "--dominance", "x"], "no list of numbers"),
        (["--by", "sex", "--dominance", "2"], "whole number of people"),
        (["--by", "sex=state"], "hierarchy"),
        ([], "--by"),
        (["--by", "sex", "--round", 1], "--round"),
        (["--by", "sex", "--round", 5], "k is 10"),
        (["--by", "sex", "--round", 10, "--epsilon", 1], "--round, --epsilon"),
        (["--by", "sex", "--round", 10, "--sum", "paid"], "added up"),
        (["--by", "sex", "--epsilon", 0], "above 0"),
        (["--by", "sex", "--epsilon", -1], "--epsilon"),
        (["--by", "sex", "--epsilon", 1], "list them in a file (--categories)"),
        (["--by", "sex", "--cell-key", "people.csv"], "people.csv"),
        (["--by", "sex", "--cell-noise", "5,3,2"], "--cell-key"),
        (["--by", "sex", "--cell-key", "k", "--cell-noise", "5"], "three numbers"),
        (["--by", "sex", "--categories", "people.csv"], "categories"),
    ],
)
def test_mistakes_are_told_in_one_sentence(biombo, typed, said) -> None:
    refused = biombo("tabulate", "people.csv", *typed)
    assert refused.code == 2
    assert said in refused.err


@pytest.mark.usefixtures("people")
def test_a_table_in_which_nothing_is_left_out(biombo) -> None:
    from pathlib import Path

    Path("lists.yaml").write_text("sex: ['F', 'M']\ncity: ['A', 'B']\n")
    assert biombo("key", "new", "tables.key").code == 0
    for kind, typed in {
        "round": ["--round", 10],
        "keys": ["--cell-key", "tables.key", "--cell-noise", "4,2,0"],
        "noise": ["--epsilon", 1, "--records-per-person", 2, "--categories", "lists.yaml"],
    }.items():
        done = biombo("tabulate", "people.csv", "--by", "sex,city", "--out", kind, *typed)
        assert done.code == 0, done.err
        assert "Nothing is left out" in " ".join(done.out.split())
        assert biombo("verify", kind).code == 0
