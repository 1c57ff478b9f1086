"""``biombo utility`` in both languages."""

import json
from pathlib import Path

import polars as pl
import pytest

import biombo as bb

PLAN = """
biombo-plan: 1
identifiers: [name]
quasi: [sex, age]
sensitive: [disease]
criteria:
  - k-anonymity: {k: 2}
operations:
  - generalise: {column: age, hierarchy: {kind: interval, width: 10}, level: 1}
  - suppress-groups: {}
"""


@pytest.fixture
def original(tmp_path: Path) -> Path:
    """Made up."""
    path = tmp_path / "people.csv"
    rows = "Ana,F,31,flu\nBia,F,9,asthma\nCaio,M,62,flu\nDavi,M,67,\nEva,F,34,flu\nFay,F,5,gout\nGil,M,91,flu\n"
    path.write_text("name,sex,age,disease\n" + rows)
    return path


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.yaml"
    path.write_text(PLAN)
    return path


@pytest.fixture
def release(biombo, original, plan, tmp_path: Path) -> Path:
    path = tmp_path / "release.csv"
    assert biombo("apply", original, "--plan", plan, "--out", path).code == 0
    return path


def test_what_was_lost_is_printed(biombo, original, release, plan) -> None:
    ending = biombo("utility", original, release, "--plan", plan, "--full")

    assert ending.code == 0
    assert "(6 records) beside" in ending.out
    assert "0.8571" in ending.out
    assert "at the plan's" in ending.out
    assert "Intervals of age count by their middle." in ending.out
    assert "do not publish them" in ending.err


def test_json_has_all_numbers(biombo, original, release, plan) -> None:
    found = json.loads(biombo("utility", original, release, "--plan", plan, "--json").out)

    assert found["original"]["records"] == 7
    assert found["release"]["records"] == 6
    assert found["measures"]["completeness"] == pytest.approx(6 / 7)
    assert [column["column"] for column in found["columns"]] == ["sex", "age", "disease"]
    assert found["associations"]["columns"] == ["sex", "age", "disease"]
    assert found["numbers"][0]["statistics"][0]["name"] == "mean"
    assert found["classification"] is None


def test_a_column_is_predicted(biombo, original, release, plan) -> None:
    command = ("utility", original, release, "--plan", plan, "--predict", "sex", "--folds", 2, "--seed", 1)

    shown, found = biombo(*command, "--full"), json.loads(biombo(*command, "--json").out)

    assert "sex predicted from the other columns, 2 folds" in shown.out
    assert found["classification"]["original"]["records"] == 7
    assert found["classification"]["features"] == ["age", "disease"]


def test_without_a_plan_what_is_missing_says_why(biombo, original, release) -> None:
    ending = biombo("utility", original, release, "--predict", "sex", "--folds", 2, "--full")

    assert ending.code == 0
    assert "no quasi columns are named" in ending.out
    assert "needs the plan" in ending.out
    assert "name" in ending.out.split("Not in the release: ")[1].splitlines()[0]


def test_everything_is_in_portuguese_too(biombo, original, release, plan) -> None:
    command = ("utility", original, release, "--plan", plan, "--predict", "sex", "--folds", 2, "--lang", "pt")

    ending = biombo(*command, "--full")

    assert "0,8571" in ending.out
    assert "árvore" in ending.out
    assert "não os divulgue" in ending.err
    assert "utility." not in ending.out


def test_a_mistake_is_one_sentence(biombo, original, release) -> None:
    ending = biombo("utility", original, release, "--predict", "sx")

    assert (ending.code, ending.out) == (2, "")
    assert "did you mean 'sex'?" in ending.err
    assert ending.err.count("\n") == 1


def test_tables_with_nothing_in_common_are_refused(biombo, original, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n")

    ending = biombo("utility", original, other)

    assert ending.code == 2
    assert "no column in common" in ending.err


def test_a_folder_that_was_published_is_compared_by_the_plan_beside_it(
    biombo, original, release, plan, tmp_path
) -> None:
    folder = tmp_path / "published"
    assert biombo("publish", original, "--plan", plan, "--out", folder).code == 0
    by_file = json.loads(biombo("utility", original, release, "--plan", plan, "--json").out)

    ending = biombo("utility", original, folder, "--json")
    found = json.loads(ending.out)

    assert ending.code == 0
    assert f"By the plan beside it: {tmp_path / 'published.private' / 'plan.yaml'}" in ending.err
    assert found["measures"] == by_file["measures"]
    assert found["columns"] == by_file["columns"]


def test_a_folder_that_is_no_release_is_told(biombo, original, tmp_path) -> None:
    ending = biombo("utility", original, tmp_path)

    assert ending.code == 2
    assert "is not a release" in ending.err


def test_what_a_random_plan_drew_is_read_from_the_private_folder(biombo, tmp_path) -> None:
    people = pl.DataFrame(
        {"city": [name for name in "ABCDEFGHIJ" for _ in range(20)], "disease": ["flu", "gout"] * 100}
    )
    people.write_csv(tmp_path / "people.csv")
    plan = bb.Plan([bb.Sample(0.5), bb.SuppressGroups()], [bb.KAnonymity(11)], ["city"], ["disease"])
    release = bb.publish(tmp_path / "people.csv", plan, tmp_path / "published")
    ending = biombo("utility", tmp_path / "people.csv", release.out, "--json")

    assert json.loads(ending.out)["measures"]["completeness"] == pytest.approx(release.applied.rows / 100)
    assert "outcome.parquet" in ending.err
