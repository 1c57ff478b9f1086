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
    assert lines[0] == "people.csv: the first 3 records, before → after"
    assert "1 31 → [30, 40) → 8" in lines
    assert "2 34 → [30, 40) → (missing)" in lines
    assert "3 dropped 90" in lines
    assert "As they are: sex." in lines
    assert "Do not come out: name, in, out." in lines
    assert lines[-3:] == ["smallest group 1 2", "groups below 2 3 0", "records in them 3 0"]
    assert "Nothing was written" in ending.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.csv", "plan.yaml"]


def test_what_has_no_room_stands_one_below_the_other(biombo, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    columns = [f"c{number}" for number in range(87)]
    people, plan = tmp_path / "wide.csv", tmp_path / "plan.yaml"
    people.write_text("\n".join([",".join(columns), *[",".join(["12345"] * 87)] * 4]) + "\n")
    cut = "".join(
        f"  - generalise: {{column: {name}, hierarchy: {{kind: prefix, lengths: [3]}}, level: 1}}\n"
        for name in columns[:12]
    )
    plan.write_text(f"biombo-plan: 1\nquasi: [{', '.join(columns[:12])}]\noperations:\n{cut}")
    ending = biombo("apply", people, "--plan", plan, "--preview")
    lines = [" ".join(line.split()) for line in ending.out.splitlines()]

    assert ending.code == 0, ending.err
    assert "1 c0 12345 → 123" in lines
    assert "c11 12345 → 123" in lines
    assert max(map(len, ending.out.splitlines())) <= 80
    assert not any("c86" in line for line in lines), "what nobody spoke of is named apart"


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
