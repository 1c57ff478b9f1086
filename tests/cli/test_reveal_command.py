"""Pseudonyms from the command line: given by ``biombo apply``, undone by ``biombo reveal``."""

import json
from pathlib import Path

import pytest

PLAN = """
biombo-plan: 1
identifiers: [cpf, name]
operations:
  - pseudonymise: {{column: cpf, kind: format-preserving, format: cpf, key: {key}, dataset: clinic}}
  - pseudonymise: {{column: name, kind: random, reversible: true, key: {key}}}
"""


@pytest.fixture
def key(biombo, tmp_path) -> Path:
    biombo("key", "new", tmp_path / "a.key")
    return tmp_path / "a.key"


@pytest.fixture
def plan(biombo, key, tmp_path) -> Path:
    path = tmp_path / "plan.yaml"
    path.write_text(PLAN.format(key=biombo("key", "id", key).out.strip()))
    return path


@pytest.fixture
def people(tmp_path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text("cpf,name,disease\n123.456.789-09,Ana,flu\n111.444.777-35,Bia,gout\n,Ana,flu\n")
    return path


@pytest.fixture
def out(biombo, people, plan, key, tmp_path) -> Path:
    path = tmp_path / "out.csv"
    assert biombo("apply", people, "--plan", plan, "--out", path, "--key", key, "--keep-order").code == 0
    return path


@pytest.fixture
def reveal(biombo, plan, key, out):
    def run(*arguments: object, column: str = "cpf", who: str = "DPO", reason: str = "request 17"):
        private = f"{out}.private"
        options = {"--column": column, "--plan": plan, "--key": key, "--private": private, "--who": who}
        flat = [each for option in options.items() for each in option]
        return biombo("reveal", *arguments, *flat, "--reason", reason)

    return run


def rows(path: Path) -> list[list[str]]:
    return [line.split(",") for line in path.read_text().splitlines()[1:]]


def test_pseudonyms_are_given_and_the_law_is_named(biombo, people, plan, key, tmp_path) -> None:
    out = tmp_path / "result.csv"
    ending = biombo("apply", people, "--plan", plan, "--out", out, "--key", key, "--keep-order")
    (first, _, third) = rows(out)

    assert ending.code == 0
    assert "cpf, name" in ending.out
    assert "still personal data (LGPD, art. 13, § 4)" in ending.out
    assert f"{out}.private" in ending.out
    assert first[1] == third[1] != "Ana"
    assert third[0] == ""
    assert not any(word in out.read_text() for word in ("Ana", "Bia", "123.456.789-09"))


def test_and_in_portuguese(biombo, people, plan, key, tmp_path) -> None:
    ending = biombo("apply", people, "--plan", plan, "--out", tmp_path / "r.csv", "--key", key, "--lang", "pt")

    assert "continuam sendo dados pessoais (LGPD, art. 13, § 4º)" in ending.out


def test_without_the_right_key_nothing_is_written(biombo, people, plan, tmp_path) -> None:
    biombo("key", "new", tmp_path / "b.key")
    before = sorted(tmp_path.iterdir())

    for options in ((), ("--key", tmp_path / "b.key"), ("--key", tmp_path / "none.key")):
        ending = biombo("apply", people, "--plan", plan, "--out", tmp_path / "result.csv", *options)
        assert (ending.code, ending.out) == (2, "")
        assert ending.err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


def test_the_private_folder_can_be_elsewhere(biombo, people, plan, key, tmp_path) -> None:
    biombo("apply", people, "--plan", plan, "--out", tmp_path / "r.csv", "--key", key, "--private", tmp_path / "mine")

    assert len(list((tmp_path / "mine").glob("*.identities"))) == 1
    assert not (tmp_path / "r.csv.private").exists()


def test_the_key_is_in_no_output(biombo, people, plan, key, tmp_path, out) -> None:
    secret = key.read_text().split()[-1]
    written = [path for path in tmp_path.rglob("*") if path.is_file() and path != key]

    assert not any(
        secret.encode() in path.read_bytes() or bytes.fromhex(secret) in path.read_bytes() for path in written
    )


def test_pseudonyms_are_undone(reveal, out) -> None:
    (first, second, _) = rows(out)

    assert reveal(first[0]).out == f"{first[0]} 123.456.789-09\n"
    assert reveal(second[1], first[1], column="name").out == f"{second[1]} Bia\n{first[1]} Ana\n"


def test_all_of_a_table_are_undone(reveal, out) -> None:
    ending = reveal(out, "--json", column="name")

    assert ending.code == 0
    assert sorted(json.loads(ending.out).values()) == ["Ana", "Bia"]


def test_each_use_is_logged(reveal, out) -> None:
    ending = reveal(rows(out)[0][0], who="Zé", reason="judge's order")
    log = Path(f"{out}.private", "reveals.jsonl")
    (entry,) = map(json.loads, log.read_text("utf-8").splitlines())

    assert str(log) in ending.err
    assert (entry["who"], entry["reason"], entry["asked"], entry["found"]) == ("Zé", "judge's order", 1, 1)


def test_what_is_not_known_is_told_by_the_exit_code(reveal) -> None:
    ending = reveal("nobody")

    assert ending.code == 1
    assert "1 of 1" in ending.err


def test_no_reason_no_values(reveal, out) -> None:
    ending = reveal(rows(out)[0][0], reason=" ")

    assert (ending.code, ending.out) == (2, "")
    assert "--reason" in ending.err


def test_the_limit_can_be_lowered(reveal, out) -> None:
    ending = reveal(out, "--at-most", "1", column="name")

    assert (ending.code, ending.out) == (2, "")
    assert "--at-most" in ending.err


def test_the_one_table_to_look_in_can_be_named(reveal, out) -> None:
    (table,) = Path(f"{out}.private").glob("*.identities")

    assert reveal(rows(out)[0][1], "--table", table, column="name").out.endswith(" Ana\n")
