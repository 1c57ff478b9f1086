"""What tells who somebody is has no mean, and is no category."""

from itertools import pairwise

import polars as pl
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb

K = 5
PEOPLE = 30
TELLS_WHO = "tells who somebody is"


def cpf(number: int) -> int:
    """A CPF by its rule: each check digit is what the digits before leave of 11, weighted from 2 up."""
    digits = [int(each) for each in f"{number:09}"]
    for _ in range(2):
        left = sum(digit * weight for weight, digit in enumerate(reversed(digits), start=2)) * 10 % 11
        digits.append(left % 10)
    return int("".join(map(str, digits)))


def people(numbers, column: str = "number") -> pl.DataFrame:
    return pl.DataFrame({column: numbers, "sex": ["F", "M"] * (len(numbers) // 2)})


def desk(folder, columns=None, **told):
    schema = {"columns": {"sex": {"domain": ["F", "M"]}, **(columns or {})}}
    return {"history": folder / "desk.jsonl", "k": K, "schema": schema, **told}


@examples(15)
@given(
    first=st.integers(100_000_000, 990_000_000),
    role=st.sampled_from(["undecided", "quasi", "sensitive", "other", "identifier"]),
    is_text=st.booleans(),
)
def test_no_mean_of_valid_numbers_of_people_is_told_whatever_the_schema_says(
    tmp_path_factory, first: int, role: str, is_text: bool
) -> None:
    numbers = [cpf(first + 7 * place) for place in range(PEOPLE)]
    table = people([f"{each:011}" for each in numbers] if is_text else numbers)
    told = desk(tmp_path_factory.mktemp("desk"), {"number": {"role": role, "type": "discrete"}})
    with pytest.raises(bb.ColumnError, match=f"'number' {TELLS_WHO}"):
        bb.query(table, ["sex"], mean="number", **told)
    request = bb.QueryRequest(by=["sex"], mean="number", **told | {"history": str(told["history"])})
    for ask in (request.run, request.foreseen):
        with pytest.raises(bb.ColumnError, match=TELLS_WHO):
            ask(table)
    assert bb.query(table, ["sex"], **told).of("answered") == 2


@pytest.mark.parametrize("column", ["prontuario", "matricula", "patient_id", "cpf", "telefone"])
def test_a_name_is_enough(tmp_path, column: str) -> None:
    with pytest.raises(bb.ColumnError, match=f"'{column}' {TELLS_WHO}"):
        bb.query(people([*range(PEOPLE)], column), ["sex"], mean=column, **desk(tmp_path))


def test_amounts_that_all_differ_are_amounts(tmp_path) -> None:
    answer = bb.query(people([*range(100, 100 + PEOPLE)], "paid"), ["sex"], mean="paid", **desk(tmp_path))
    assert answer.to_frame()["paid: mean"].to_list() == [114.0, 115.0]


def test_who_is_told_apart_has_no_mean_and_is_not_asked_by(tmp_path) -> None:
    told = desk(tmp_path, person="number")
    for asked in ({"by": ["sex"], "mean": "number"}, {"by": ["number"]}, {"by": [], "where": {"number": "3"}}):
        with pytest.raises(bb.ColumnError, match=TELLS_WHO):
            bb.query(people([*range(PEOPLE)]), **asked, **told)


def test_somebody_with_many_records_is_no_category(tmp_path) -> None:
    """Where each record counts as another person, their number would be one that k people have."""
    numbers = [cpf(123_456_789 + 11 * max(0, place - 9)) for place in range(PEOPLE)]
    assert sum(one == other for one, other in pairwise(numbers)) >= K
    for asked in ({"by": ["number"]}, {"by": [], "where": {"number": str(numbers[0])}}):
        with pytest.raises(bb.ColumnError, match="seems to tell who somebody is"):
            bb.query(people(numbers), **asked, **desk(tmp_path))


def test_by_an_identifier_that_the_schema_calls_otherwise_only_what_k_people_have_is_listed(tmp_path) -> None:
    numbers = [cpf(123_456_789 + 11 * (place // 6 if place < 6 else place)) for place in range(PEOPLE)]
    table = people(numbers).with_columns(who=pl.int_range(PEOPLE))
    told = desk(tmp_path, {"number": {"role": "quasi"}}, person="who")
    answer = bb.query(table, ["number"], **told)
    assert answer.to_frame()["number"].to_list() == [str(numbers[0]), "(missing)", "(others)"]
