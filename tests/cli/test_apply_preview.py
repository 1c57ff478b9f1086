import json
from pathlib import Path

import pytest

PLAN = """
biombo-plan: 1
identifiers: [name]
quasi: [sex, age]
criteria:
  - k-anonymity: {k: 2}
operations:
  - generalise: {column: age, hierarchy: {kind: interval, width: 10}, level: 1}
  - derive-duration: {from: in, to: out, into: stay}
  - suppress-groups: {}
"""


@pytest.fixture
def files(tmp_path) -> tuple[Path, Path]:
    people, plan = tmp_path / "people.csv", tmp_path / "plan.yaml"
    people.write_text(
        "name,sex,age,in,out\nAna,F,31,2024-01-01,2024-01-09\nBia,F,34,2024-01-01,\nEva,F,90,2024-01-01,2024-01-02\n"
    )
    plan.write_text(PLAN)
    return people, plan


def test_records_are_shown_before_and_after_and_nothing_is_written(biombo, files, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    people, plan = files
    ending = biombo("apply", people, "--plan", plan, "--preview", "--out", tmp_path / "out.csv")
    lines = [" ".join(line.split()) for line in ending.out.splitlines()]

    assert ending.code == 0
    assert "1 Ana → ✗ F 31 → [30, 40) 2024-01-01 → ✗ 2024-01-09 → ✗ → 8" in lines
    assert "2 Bia → ✗ F 34 → [30, 40) 2024-01-01 → ✗ (missing) → ✗ → (missing)" in lines
    assert "3 dropped Eva F 90 2024-01-01 2024-01-02" in lines
    assert lines[-3:] == ["smallest group 1 2", "groups below 2 3 0", "records in them 3 0"]
    assert "Nothing was written" in ending.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.csv", "plan.yaml"]


def test_the_same_in_portuguese(biombo, files) -> None:
    people, plan = files
    ending = biombo("apply", people, "--plan", plan, "--preview", "--lang", "pt")

    assert "3 descartado" in ending.out
    assert "menor grupo" in ending.out
    assert "Nada foi gravado" in ending.err


def test_json_is_one_object(biombo, files) -> None:
    people, plan = files
    seen = json.loads(biombo("apply", people, "--plan", plan, "--preview", "--json").out)

    assert seen["after"] == [
        {"sex": "F", "age": "[30, 40)", "stay": 8},
        {"sex": "F", "age": "[30, 40)", "stay": None},
        None,
    ]
    assert seen["groups_after"] == {"smallest": 2, "below": 0, "records": 0}


def test_what_is_wrong_is_one_sentence(biombo, files) -> None:
    people, plan = files
    plan.write_text(PLAN.replace("column: age", "column: ages"))
    ending = biombo("apply", people, "--plan", plan, "--preview")

    assert (ending.code, ending.out) == (2, "")
    assert "'ages'" in ending.err
