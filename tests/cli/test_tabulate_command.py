"""``biombo tabulate`` in both languages."""

import json
from pathlib import Path

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
    assert "--full" not in done.err  # which it does not have
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


RECORD = ("--register", "register.db", "--series", "people", "--department", "Health", "--review", "2027-01-31")


@pytest.mark.usefixtures("people")
def test_tables_on_record_are_considered(biombo) -> None:
    """The second file has one man more, whom nobody finds by subtraction."""
    first = biombo("tabulate", "people.csv", "--by", "sex", "--k", 5, "--out", "one", *RECORD)
    assert first.code == 0, first.err
    assert "No earlier table" in first.out
    assert "number 1" in first.err
    table = pl.read_csv("people.csv")
    pl.concat([table, table.tail(1)]).write_csv("later.csv")
    second = biombo("tabulate", "later.csv", "--by", "sex", "--k", 5, "--out", "two", *RECORD)
    assert second.code == 0, second.err
    assert "Together with 1 earlier table" in second.out.replace("\n", " ")
    assert pl.read_csv("two/table.csv")["records"].to_list() == [20, None, None]
    assert [biombo("verify", name, "--register", "register.db").code for name in ("one", "two")] == [0, 0]
    told = json.loads(Path("two/manifest.json").read_text())["claims"]
    (beside,) = [claim["releases"] for claim in told if claim["claim"] == "earlier-tables"]
    assert beside == [json.loads(Path("one/manifest.json").read_text())["id"]]
    assert biombo("register", "list", "--register", "register.db").out.count("Health") == 2


@pytest.mark.usefixtures("people")
def test_a_name_that_may_be_mistyped_begins_no_series(biombo) -> None:
    """Beside another series nothing would be looked at; whoever means it says so."""
    begun = biombo("tabulate", "people.csv", "--by", "sex", "--k", 5, "--out", "one", *RECORD)
    assert begun.code == 0, begun.err
    table = pl.read_csv("people.csv")
    pl.concat([table, table.tail(1)]).write_csv("later.csv")
    for typed in ("peopel", "People", "people 2"):
        how = [each if each != "people" else typed for each in RECORD]
        for out in ((), ("--out", "two")):
            asked = ("tabulate", "later.csv", "--by", "sex", "--k", 5, *out, *(how if out else how[:4]))
            refused = biombo(*asked)
            assert refused.code == 2
            told = f"The register has tables of 'people' and none of '{typed}'"
            assert told in refused.err.replace("\n", " ")
            assert not Path("two").exists()
    said = biombo("tabulate", "later.csv", "--by", "sex", "--k", 5, "--out", "two", *how, "--new-series")
    assert said.code == 0, said.err
    assert "No earlier table" in said.out
    again = biombo("tabulate", "later.csv", "--by", "city", "--k", 5, "--out", "three", *how)
    assert again.code == 0, again.err


@pytest.mark.usefixtures("people")
def test_a_look_is_not_put_on_record(biombo) -> None:
    assert biombo("tabulate", "people.csv", "--by", "sex", "--out", "one", *RECORD).code == 0
    looked = biombo("tabulate", "people.csv", "--by", "city", *RECORD[:4], "--json")
    assert len(json.loads(looked.out)["earlier"]) == 1
    assert "number" not in looked.err
    again = biombo("tabulate", "people.csv", "--by", "city", *RECORD[:4], "--json")
    assert len(json.loads(again.out)["earlier"]) == 1


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["--out", "t", "--series", "x"], "--series is meant for a register"),
        (["--out", "t", "--register", "r.db", "--series", "x"], "--department, --review"),
        (["--out", "t", "--register", "r.db", "--department", "x", "--review", "2027-01-31"], "--series"),
        (["--out", "t.csv", "--register", "r.db", "--series", "x"], "cannot be put on record"),
        (["--register", "r.db", "--series", "x"], "no register"),
        (["--out", "t", *RECORD, "--where", "sex=F"], "--where"),
    ],
)
def test_what_a_register_needs_is_told(biombo, typed, said) -> None:
    refused = biombo("tabulate", "people.csv", "--by", "sex", *typed)
    assert refused.code == 2
    assert said in refused.err
    assert not Path("t").exists()


@pytest.mark.usefixtures("people")
def test_one_source_has_one_name(biombo) -> None:
    assert biombo("tabulate", "people.csv", "--by", "sex", "--out", "one", *RECORD).code == 0
    other = [part if part != "people" else "others" for part in RECORD]
    refused = biombo("tabulate", "people.csv", "--by", "city", "--out", "two", *other)
    assert refused.code == 2
    assert "'people'" in refused.err
    assert not Path("two").exists()


@pytest.mark.usefixtures("people")
def test_a_table_in_which_nothing_is_left_out(biombo) -> None:
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
