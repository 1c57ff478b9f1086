"""``biombo advise``: a table, JSON, and a plan to edit, in both languages."""

import json

import polars as pl
import pytest

import biombo as bb


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.csv"
    columns = {"name": [f"Person {row}" for row in range(600)], "age": [20 + row % 50 for row in range(600)]}
    pl.DataFrame(columns).with_columns(disease=pl.lit("A90")).write_csv(path)
    return path


@pytest.mark.parametrize(("code", "words"), [("en", ["generalise", "10.2"]), ("pt", ["generalizar", "10.2"])])
def test_each_column_has_its_technique_and_the_section_of_the_guide(biombo, people, code, words) -> None:
    ending = biombo("advise", people, "--lang", code)

    assert ending.code == 0
    assert all(word in ending.out for word in (*words, "age", "disease"))


def test_the_plan_is_written_and_can_be_applied(biombo, people, tmp_path) -> None:
    plan, out = tmp_path / "plan.yaml", tmp_path / "out.csv"
    ending = biombo("advise", people, "--distinguishable", "--slight-changes", "--out", plan)

    assert ending.code == 0
    assert str(plan) in ending.err
    assert {type(each) for each in bb.Plan.load(plan).operations} >= {bb.Pseudonymise, bb.Round}
    assert biombo("apply", people, "--plan", plan, "--out", out).code == 0
    assert biombo("advise", people, "--out", plan).code == 2


def test_json_has_the_advice_and_the_plan(biombo, people) -> None:
    told = json.loads(biombo("advise", people, "--no-relations", "--json").out)

    assert told["use"]["relations"] is False
    assert [each["column"] for each in told["advice"]][:3] == ["name", "age", "disease"]
    assert "swap" in {each["technique"] for each in told["advice"]}
    assert {"swap"} == {name for each in told["plan"]["operations"] for name in each}


def test_inspect_tells_of_it(biombo, people) -> None:
    assert "biombo advise" in biombo("inspect", people).err
