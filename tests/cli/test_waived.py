"""What a plan waives is read from the plan, and said by every command that tells of criteria."""

import json
from pathlib import Path

import polars as pl
import pytest

PLAN = """
biombo-plan: 1
quasi: [town]
sensitive: [ill]
criteria:
- k-anonymity: {k: 3}
waived:
- criterion: {l-diversity: {l: 2, column: ill}}
  reason: the term is signed
  accepted-by: Ana Souza
  values: {flu: low}
operations:
- suppress-groups: {}
"""


@pytest.fixture
def people(tmp_path) -> Path:
    path = tmp_path / "people.csv"
    frame = pl.DataFrame({"town": list("AAABBBCCC"), "ill": ["flu"] * 3 + ["gout", "flu", "gout"] + ["only, here"] * 3})
    frame.write_csv(path)
    return path


@pytest.fixture
def plan(tmp_path):
    def write(values: str) -> Path:
        path = tmp_path / "plan.yaml"
        path.write_text(PLAN.replace("{flu: low}", values))
        return path

    return write


LISTED = "{flu: low, 'only, here': high}"


def test_apply_prints_that_it_is_waived_and_ends_well(biombo, people, plan, tmp_path) -> None:
    ending = biombo("apply", people, "--plan", plan(LISTED), "--out", tmp_path / "out.csv")

    assert ending.code == 0
    assert "k-anonymity with k = 3: met (smallest group 3)." in ending.out
    assert "l = 2, for ill: waived, not met (least diversity 1; groups that fail: 2, with 6 records)" in ending.out
    assert "accepted by Ana Souza, for this reason: the term is signed" in ending.out


@pytest.mark.parametrize("command", ["apply", "publish"])
@pytest.mark.parametrize("language", ["en", "pt"])
def test_a_value_that_is_not_listed_is_refused_and_told_to_whoever_has_the_data(
    biombo, people, plan, tmp_path, command, language
) -> None:
    out = tmp_path / ("out.csv" if command == "apply" else "out")
    ending = biombo(command, people, "--plan", plan("{flu: low}"), "--out", out, "--lang", language)

    assert ending.code == 1
    assert ending.out == ""
    refusal, listed = ending.err.splitlines()[-2:]
    assert "'ill'" in refusal
    assert "only" not in refusal
    assert listed.endswith("'only, here'.")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.csv", "plan.yaml"]


def test_publish_and_verify_say_it(biombo, people, plan, tmp_path) -> None:
    release = tmp_path / "release"
    published = biombo("publish", people, "--plan", plan(LISTED), "--out", release)
    full = biombo("publish", people, "--plan", plan(LISTED), "--out", tmp_path / "again", "--full")
    verified = biombo("verify", release)

    assert (published.code, full.code, verified.code) == (0, 0, 0)
    assert all("aived" in each for each in (published.out, full.out))
    (line,) = (line for line in verified.out.splitlines() if "l = 2" in line)
    assert line.startswith("○ Waived by the publisher, so nothing is claimed: distinct l-diversity with l = 2, for ill")
    assert "the term is signed" in line
    assert "Ana Souza" not in verified.out


def test_as_json_it_stands_apart(biombo, people, plan, tmp_path) -> None:
    told = json.loads(biombo("apply", people, "--plan", plan(LISTED), "--out", tmp_path / "out.csv", "--json").out)
    biombo("publish", people, "--plan", plan(LISTED), "--out", tmp_path / "release")
    checks = json.loads(biombo("verify", tmp_path / "release", "--json").out)["checks"]

    assert [each["criterion"] for each in told["judgement"]["criteria"]] == [{"k-anonymity": {"k": 3}}]
    assert [each["reason"] for each in told["judgement"]["waived"]] == ["the term is signed"]
    assert [(each["claim"], each["holds"]) for each in checks if each["waived"]] == [("criterion-waived", None)]
