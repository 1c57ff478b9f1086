"""What people type: numbers as they write them, names with commas."""

import json

import pytest


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text('"income, monthly",sex,disease\n' + "".join(f"{n % 4},{n % 2},{n % 3}\n" for n in range(24)))
    return path


@pytest.mark.parametrize("share", ["0.25", "0,25", "25%", "25 %", "25,0%"])
def test_a_share_may_be_written_in_all_ways(biombo, people, share) -> None:
    ending = biombo("search", people, "--quasi", "sex", "--k", 2, "--max-suppression", share, "--json")

    assert ending.code == 0, ending.err
    assert json.loads(ending.out)["max_suppression"] == 0.25


@pytest.mark.parametrize(
    ("option", "number"),
    [
        ("--max-suppression", "200%"),
        ("--max-suppression", "1,000"),
        ("--time-limit", "5%"),
        ("--k", "2,5"),
        ("--k", "5%"),
    ],
)
def test_what_could_be_misread_is_refused(biombo, people, option, number) -> None:
    ending = biombo("search", people, "--quasi", "sex", "--k", 2, option, number)

    assert (ending.code, ending.out) == (2, "")
    assert option in ending.err


def test_names_with_commas_are_quoted(biombo, people) -> None:
    ending = biombo("risk", people, "--quasi", 'sex,"income, monthly"', "--sensitive", "disease", "--json")

    assert ending.code == 0, ending.err
    assert "income, monthly" in ending.out
    levels = biombo(
        "search", people, "--quasi", '"income, monthly"', "--k", 2, "--level", '"income, monthly"=0', "--json"
    )
    assert json.loads(levels.out)["plans"][0]["levels"] == {"income, monthly": 0}


@pytest.mark.parametrize("typed", ['"income, monthly', 'sex,"a"b', '"'])
def test_a_quotation_mark_that_nothing_closes_is_told(biombo, people, typed) -> None:
    ending = biombo("risk", people, "--quasi", typed)

    assert (ending.code, ending.out) == (2, "")
    assert "quotation mark" in ending.err


def test_a_doubled_mark_in_quotes_is_one(biombo, tmp_path) -> None:
    path = tmp_path / "people.csv"
    path.write_text('"say ""a"", b",sex\n1,2\n1,2\n')
    ending = biombo(
        "search", path, "--quasi", '"say ""a"", b",sex', "--k", 2, "--weights", '"say ""a"", b"=0,5', "--json"
    )

    assert ending.code == 0, ending.err
    assert list(json.loads(ending.out)["plans"][0]["levels"]) == ['say "a", b', "sex"]


def test_values_may_be_quoted_too(biombo, tmp_path) -> None:
    path = tmp_path / "people.csv"
    path.write_text('town,sex,disease\n"Rio, b=1",F,flu\n"Rio, b=1",F,none\n')
    known = ("--target", 'town="Rio, b=1",sex=F', "--private", tmp_path / "private")
    ending = biombo("risk", path, "--quasi", "town,sex", "--sensitive", "disease", *known)

    assert ending.code == 0, ending.err
    assert json.loads((tmp_path / "private" / "target.json").read_text())["known"] == {"town": "Rio, b=1", "sex": "F"}
