"""Mistakes in plans and tables, with every operation there is: one sentence, and nothing is written."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from operation_examples import EXAMPLES, OF_NUMBERS, PEOPLE, QUASI, SENSITIVE
from refusal import refused

import biombo as bb
from biombo._plan import OPERATIONS

NAMES = sorted(EXAMPLES)


def plan_of(*operations: dict[str, Any]) -> dict[str, Any]:
    criteria = [{"k-anonymity": {"k": 1}}]
    return {
        "biombo-plan": 1,
        "quasi": QUASI,
        "sensitive": SENSITIVE,
        "criteria": criteria,
        "operations": list(operations),
    }


def operation_of(name: str, entries: dict[str, Any]) -> bb.Operation:
    return OPERATIONS[name].from_entries(entries, Path())


def applied(name: str, entries: dict[str, Any], table: pl.DataFrame, folder: Path) -> bb.Applied | bb.Tabulation:
    plan = bb.Plan.from_tree(plan_of({name: entries}))
    if plan.aggregation is None:
        return bb.apply(table, plan, folder / "out.csv", keep_order=True)
    found = bb.aggregate(table, plan)
    found.to_frame().write_csv(folder / "out.csv")
    return found


def test_every_operation_has_an_example() -> None:
    assert sorted(OPERATIONS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_can_be_applied(name, tmp_path) -> None:
    assert applied(name, EXAMPLES[name], PEOPLE, tmp_path).holds
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


@pytest.mark.parametrize("name", NAMES)
def test_a_column_that_is_not_there_is_named(name, tmp_path) -> None:
    for column in operation_of(name, EXAMPLES[name]).reads:
        with refused("column.missing", column):
            applied(name, EXAMPLES[name], PEOPLE.drop(column), tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", [name for name in NAMES if operation_of(name, EXAMPLES[name]).columns])
def test_two_operations_on_one_column_are_named(name) -> None:
    column = operation_of(name, EXAMPLES[name]).columns[0]
    again = {"generalise": {"column": column, "hierarchy": {"kind": "prefix", "lengths": [1]}, "level": 1}}

    with refused("plan.overlap", column, name, "generalise"):
        bb.Plan.from_tree(plan_of({name: EXAMPLES[name]}, again))
    if "generalise" in OPERATIONS[name].follows:
        assert len(bb.Plan.from_tree(plan_of(again, {name: EXAMPLES[name]})).operations) == 2
        again = {"round": {"column": column, "base": 5}}
    with refused("plan.overlap", column, name, next(iter(again))):
        bb.Plan.from_tree(plan_of(again, {name: EXAMPLES[name]}))


OF_ANOTHER_KIND = [
    (name, entry, wrong)
    for name in NAMES
    for entry, value in EXAMPLES[name].items()
    for wrong in ([[]], {"x": [[]]}, "§", True)
    if type(wrong) is not type(value)
]


@pytest.mark.parametrize(("name", "entry", "wrong"), OF_ANOTHER_KIND)
def test_an_entry_of_another_kind_is_refused_in_a_sentence(name, entry, wrong) -> None:
    with refused("plan.in-operation", name):
        bb.Plan.from_tree(plan_of({name: EXAMPLES[name] | {entry: wrong}}))


@pytest.mark.parametrize("name", NAMES)
def test_an_entry_that_does_not_exist_is_named(name) -> None:
    with refused("plan.in-operation", "1", name, "colour"):
        bb.Plan.from_tree(plan_of({name: EXAMPLES[name] | {"colour": "red"}}))


@pytest.mark.parametrize("name", [name for name in NAMES if "column" in EXAMPLES[name]])
def test_a_column_must_be_named(name) -> None:
    with refused("plan.in-operation", name, "column"):
        bb.Plan.from_tree(plan_of({name: {key: v for key, v in EXAMPLES[name].items() if key != "column"}}))


@pytest.mark.parametrize("name", OF_NUMBERS)
def test_what_is_neither_number_nor_date_is_named_with_its_column(name, tmp_path) -> None:
    (column,) = operation_of(name, EXAMPLES[name]).reads
    spoilt = PEOPLE.with_columns(pl.col(column).replace(PEOPLE[column][3], "n/a"))

    with pytest.raises(bb.BiomboError) as caught:
        applied(name, EXAMPLES[name], spoilt, tmp_path)
    assert column in str(caught.value)
    assert "n/a" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["laplace", "geometric"])
def test_noise_needs_bounds_that_are_declared(name, tmp_path) -> None:
    entries = {key: value for key, value in EXAMPLES[name].items() if key != "bounds"}

    with pytest.raises(bb.BiomboError, match="bounds"):
        applied(name, entries, PEOPLE, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["exponential", "randomised-response"])
def test_noise_needs_a_domain_that_is_declared(name, tmp_path) -> None:
    entries = {key: value for key, value in EXAMPLES[name].items() if key != "domain"}

    with pytest.raises(bb.BiomboError, match="domain"):
        applied(name, entries, PEOPLE, tmp_path)
    assert list(tmp_path.iterdir()) == []
