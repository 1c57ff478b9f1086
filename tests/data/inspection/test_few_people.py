"""What nine people have decides no hierarchy that is proposed: whoever sees a release sees it in the labels."""

import random
from collections.abc import Sequence
from typing import Any

import hypothesis.strategies as st
import pytest
from examples import examples
from hypothesis import given
from made_up import dataset

import biombo as bb
from biombo._data.inspection import inspect

RANDOM = random.Random(11)
ROWS = 400
TOWNS = list(bb.Hierarchy.built_in("municipality").values)[:30]
TABLE = {
    "munic_res": [RANDOM.choice(TOWNS) for _ in range(ROWS)],
    "dtnasc": [f"{1940 + n % 70}-{1 + n % 12:02}-{1 + n % 28:02}" for n in range(ROWS)],
    "dt_inter": [f"2022{1 + n % 12:02}{1 + n % 28:02}" for n in range(ROWS)],
    "idade": [f"4{RANDOM.randrange(90):02}" for _ in range(ROWS)],
    "ocupacao": [f"K{RANDOM.choice('ABCD')}{RANDOM.randrange(10)}{RANDOM.randrange(10)}" for _ in range(ROWS)],
    "escolaridade": [RANDOM.choice("ABCDEFGHIJKLMNOPQRST") for _ in range(ROWS)],
    "dias_perm": [str(1 + n % 30) for n in range(ROWS)],
    "raca": [RANDOM.choice("123456999") for _ in range(ROWS)],
    "etnia": [f"{1 + n % 40:03}" for n in range(ROWS)],
}
"""A column for each rule by which hierarchies and codes for "unknown" are proposed."""

STRANGE = st.sampled_from(
    [
        "",
        "?",
        "0",
        "7",
        "8",
        "007",
        "1",
        "95",
        "99",
        "100",
        "0,5",
        "1500.5",
        "999999",
        "110001",
        "KA",
        "KA12345",
        "31/12/1930",
        "18500101",
        "1850-01-01",
        "2150-01-01",
        "Z",
        "N/A",
        "M54",
        "482",
        "4100",
        "a rather long answer",
        "900000001",
    ]
)


def proposed(table: dict[str, Sequence[Any]]) -> dict[str, Any]:
    """The hierarchies and types, without what is done about values that they lack, which no label shows."""
    found = inspect(dataset(table))
    documents = {name: found.hierarchies[name].document for name in TABLE}
    return {name: (plain(document), found.schema[name].type) for name, document in documents.items()}


def plain(document: str | dict[str, Any] | None) -> dict[str, Any]:
    entries = {"kind": "built-in", "name": document} if isinstance(document, str) else document or {}
    return {name: value for name, value in entries.items() if name != "missing"}


USUAL = {
    "munic_res": {"kind": "built-in", "name": "municipality"},
    "dtnasc": {"kind": "built-in", "name": "date"},
    "dt_inter": {"kind": "date", "levels": ["month", "quarter", "year"], "format": "YYYYMMDD"},
    "idade": {"kind": "built-in", "name": "coded-age"},
    "ocupacao": {"kind": "prefix", "lengths": [3, 2, 1]},
    "escolaridade": {"kind": "all-or-nothing"},
    "dias_perm": {"kind": "interval", "width": 5, "multiples": [2], "labels": "inclusive"},
    "raca": {"kind": "all-or-nothing"},
}


def test_each_rule_has_its_column() -> None:
    found = proposed(TABLE)
    assert {name: {**document, "only": None} for name, (document, _) in found.items() if name in USUAL} == {
        name: {**document, "only": None} for name, document in USUAL.items()
    }


@given(st.lists(st.tuples(st.integers(0, ROWS - 1), st.sampled_from(sorted(TABLE)), STRANGE), max_size=40))
@examples(60)
def test_nine_people_change_no_hierarchy(changes: list[tuple[int, str, str]]) -> None:
    nine = list(dict.fromkeys(place for place, _, _ in changes))[:9]
    table = {name: list(values) for name, values in TABLE.items()}
    for place, name, value in changes:
        if place in nine:
            table[name][place] = value
    assert proposed(table) == proposed(TABLE)


@pytest.mark.parametrize(("strange", "invalid"), [(["8"] * 9, {"9"}), (["8"] * 10, set())])
def test_nine_people_after_the_gap_do_not_make_the_nines_values(strange: list[str], invalid: set[str]) -> None:
    codes = [code for code in "1234569" for _ in range(20)]
    assert inspect(dataset({"estciv": codes + strange})).schema["estciv"].invalid == invalid


def test_a_person_with_many_records_counts_once() -> None:
    stays = [str(1 + n % 30) for n in range(300)]
    people = [f"{n:08}" for n in range(1, 301)]
    usual = inspect(dataset({"prontuario": [*people, people[0]], "dias_perm": [*stays, "1"]}))
    often = inspect(dataset({"prontuario": [*people, *people[:1] * 100], "dias_perm": [*stays, *["9000"] * 100]}))
    assert usual.person == often.person == "prontuario"
    assert usual.hierarchies["dias_perm"].document == often.hierarchies["dias_perm"].document


def test_rows_in_which_nobody_is_named_count_each() -> None:
    stays = [str(1 + n % 30) for n in range(300)]
    nobody = inspect(dataset({"prontuario": ["00000000"] * 298 + ["12345678"] * 2, "dias_perm": stays}))
    assert nobody.person == "prontuario"
    assert nobody.hierarchies["dias_perm"].document["width"] == 5


def test_periods_of_dates_are_both_where_nine_people_could_make_them_either() -> None:
    days = [f"2022{1 + n % 12:02}10" for n in range(300)]
    other = ["20100510"] * 20
    found = [inspect(dataset({"dt_inter": [*days, *other[:few]]})).hierarchies["dt_inter"] for few in (5, 20)]
    assert found[0].document["levels"] == ["month", "quarter", "year"]
    assert found[1].document["levels"] == ["month", "quarter", "year", "5 years", "10 years"]
