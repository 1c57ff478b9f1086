"""``--where``: which records are asked for, for every command that reads a table."""

import json
import re
from pathlib import Path

import polars as pl
import pytest
import yaml

PEOPLE = pl.DataFrame(
    {
        "town": ["211130", "210005", "211130"] * 40,
        "day": [f"202{2 + number % 3}-05-01" for number in range(120)],
        "age": [str(20 + number % 4) for number in range(120)],
        "disease": ["flu", "gout"] * 60,
        "a>=b": [str(number % 5) for number in range(120)],
    }
)
QUESTION = ("--quasi", "age", "--sensitive", "disease")
YEAR = ("--where", "town=211130", "--where", "day>=2022-01-01", "--where", "day<2023-01-01")
SELECTED = PEOPLE.filter(pl.col("town") == "211130", pl.col("day").str.starts_with("2022")).height


@pytest.fixture
def people(tmp_path) -> Path:
    PEOPLE.write_csv(tmp_path / "people.csv")
    return tmp_path / "people.csv"


def records(ended) -> int:
    assert ended.code == 0, ended.err
    return json.loads(ended.out)["records"]


def test_every_command_that_reads_a_table_takes_it(biombo, people, tmp_path):
    assert records(biombo("risk", people, *QUESTION, *YEAR, "--json")) == SELECTED
    plan, out = tmp_path / "plan.yaml", tmp_path / "out.csv"
    assert records(biombo("search", people, *QUESTION, *YEAR, "--k", "2", "--out", plan, "--json")) == SELECTED
    (first, *_) = yaml.safe_load(plan.read_text())["operations"]
    assert first["select-records"]["where"]["town"] == ["211130"]
    assert records(biombo("apply", people, "--plan", plan, "--out", out, "--json")) == SELECTED
    assert biombo("utility", people, out, "--plan", plan).code == 0
    measured = biombo("utility", people, out, *YEAR, "--json")
    assert json.loads(measured.out)["original"]["records"] == SELECTED
    released = biombo("publish", people, *QUESTION, *YEAR, "--k", "2", "--out", tmp_path / "release", "--json")
    assert json.loads(released.out)["applied"]["records"] == SELECTED


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["town=210005"], PEOPLE.filter(pl.col("town") == "210005").height),
        (["town=210005", "town=211130"], 120),
        (["age>21"], 60),
        (["age>=21", "age<=22"], 60),
        (["age<21,5"], 60),
        (['"a>=b"=3'], 24),
        (['"a>=b">=3'], 48),
        (["disease=flu", "town=211130"], 40),
    ],
)
def test_conditions_are_typed_as_people_say_them(biombo, people, typed, expected):
    options = [option for condition in typed for option in ("--where", condition)]
    assert records(biombo("risk", people, *QUESTION, *options, "--json")) == expected


def test_it_is_kept_in_requests(biombo, people, tmp_path):
    request = tmp_path / "request.yaml"
    assert biombo("risk", people, *QUESTION, *YEAR, "--save-request", request).code == 0
    assert yaml.safe_load(request.read_text())["where"] == {
        "town": ["211130"],
        "day": {"at-least": "2022-01-01", "below": "2023-01-01"},
    }
    assert records(biombo("risk", "--request", request, "--json")) == SELECTED


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["town"], "'town'"),
        (["=3"], "'=3'"),
        (["town=1", "town>2"], "'town'"),
        (["age>1", "age>2"], "'age'"),
        (["age>old"], "'old'"),
        (["age>1_000"], "'1_000'"),
        (["towns=211130"], "'town'"),
        (["town=999999"], "people.csv"),
        (["disease>3"], "'flu'"),
    ],
)
def test_mistakes_are_told_in_one_sentence(biombo, people, typed, told):
    options = [option for condition in typed for option in ("--where", condition)]
    ended = biombo("risk", people, *QUESTION, *options)

    assert ended.code == 2
    assert told in ended.err
    assert len(ended.err.strip().splitlines()) == 1


def test_of_too_few_it_is_not_told_how_many_there_are(biombo, people, tmp_path):
    ended = biombo(
        "publish",
        people,
        *QUESTION,
        "--where",
        "town=211130",
        "--where",
        '"a>=b"=3',
        "--k",
        "99",
        "--out",
        tmp_path / "r",
    )

    assert ended.code == 2
    assert "99" in ended.err
    assert not re.search(r"\b16\b", ended.err)
    assert not (tmp_path / "r").exists()
