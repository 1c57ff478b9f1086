"""Double coding from the command line: files go from one party to the other, and each has its own commands."""

from pathlib import Path
from types import SimpleNamespace

import pytest

WHY = ("--who", "the officer", "--reason", "request 17")


@pytest.fixture
def parties(biombo, tmp_path):
    keys = {name: biombo("key", "new", tmp_path / f"{name}.key").out.strip() for name in ("agency", "third")}
    plan, people = tmp_path / "plan.yaml", tmp_path / "people.csv"
    entries = f"column: name, kind: double, key: {keys['agency']}, third-party: {keys['third']}, dataset: clinic"
    plan.write_text(f"biombo-plan: 1\nidentifiers: [name]\noperations:\n  - pseudonymise: {{{entries}}}\n")
    people.write_text("name\nAna\nBia\nAna\n")
    files = {name: tmp_path / name for name in ("agency.key", "third.key", "codes.csv", "links.csv", "out.csv")}
    return SimpleNamespace(plan=plan, people=people, **{name.replace(".", "_"): path for name, path in files.items()})


def exchanged(biombo, parties) -> None:
    asking = ("--column", "name", "--plan", parties.plan, "--key", parties.agency_key, "--out", parties.codes_csv)
    assert biombo("codes", "ask", parties.people, *asking).code == 0
    answered = biombo("codes", "answer", parties.codes_csv, "--key", parties.third_key, "--out", parties.links_csv)
    assert answered.code == 0
    assert biombo("codes", "take", parties.links_csv, "--key", parties.agency_key).code == 0


def released(biombo, parties) -> list[str]:
    options = ("--plan", parties.plan, "--key", parties.agency_key, "--out", parties.out_csv, "--keep-order")
    assert biombo("apply", parties.people, *options).code == 0
    return parties.out_csv.read_text().split()[1:]


def test_both_parties_find_together_who_is_behind_a_code(biombo, parties) -> None:
    exchanged(biombo, parties)
    ana, bia, again = released(biombo, parties)
    assert "1 sealed answer was deleted" in biombo("codes", "forget", "--key", parties.agency_key).err
    told = biombo("codes", "first", bia, "--key", parties.third_key, *WHY)
    code = told.out.split()[1]
    private = Path(f"{parties.out_csv}.private")
    with_key = ("--plan", parties.plan, "--key", parties.agency_key, "--private", private)

    assert ana == again != bia
    assert "reveals.jsonl" in told.err
    assert biombo("reveal", code, "--column", "name", *with_key, *WHY).out == f"{code} Bia\n"


def test_the_codes_of_a_whole_table_can_be_asked_for(biombo, parties) -> None:
    exchanged(biombo, parties)
    released(biombo, parties)
    told = biombo("codes", "first", parties.out_csv, "--column", "name", "--key", parties.third_key, *WHY)

    assert len(told.out.splitlines()) == 2


def test_where_a_code_is_missing_nothing_is_left(biombo, parties) -> None:
    """Caio is new, and the third party has no code for him yet."""
    exchanged(biombo, parties)
    parties.people.write_text("name\nAna\nCaio\n")
    before = {*parties.people.parent.iterdir()}
    options = ("--plan", parties.plan, "--key", parties.agency_key, "--out", parties.out_csv)

    assert biombo("apply", parties.people, *options).code != 0
    assert {*parties.people.parent.iterdir()} == before


@pytest.mark.parametrize(("code", "word"), [("en", "is the other party's"), ("pt", "é da outra parte")])
def test_the_key_of_the_wrong_party_is_one_line(biombo, parties, code, word) -> None:
    exchanged(biombo, parties)
    ending = biombo("codes", "take", parties.links_csv, "--key", parties.third_key, "--lang", code)

    assert (ending.code, ending.out, ending.err.count("\n")) == (2, "", 1)
    assert word in ending.err


def test_a_file_is_not_overwritten(biombo, parties) -> None:
    exchanged(biombo, parties)
    before = parties.links_csv.read_bytes()
    ending = biombo("codes", "answer", parties.codes_csv, "--key", parties.third_key, "--out", parties.links_csv)

    assert ending.code == 2
    assert parties.links_csv.read_bytes() == before
