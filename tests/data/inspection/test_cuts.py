"""Cuts of numbers that nobody made a hierarchy for: near the middle, at round numbers that few people do not decide."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise

import hypothesis.strategies as st
import polars as pl
import pytest
from examples import examples
from hypothesis import assume, given

import biombo as bb
from biombo._data.inspection import cuts_for, date_cuts_for, hierarchy_by_cuts

numbers = st.lists(st.one_of(st.integers(-30, 120), st.sampled_from([0, 40, 41])), min_size=10, max_size=80)
decimals = st.lists(st.integers(-300, 3000).map(lambda hundredths: hundredths / 100), min_size=10, max_size=80)


def cuts(values: Sequence[float], least: int = 2) -> list[list[float]]:
    counted = Counter(map(str, values))
    document = cuts_for(list(counted), list(counted.values()), least)
    return [] if document is None else document["levels"]


def parts(values: Sequence[float], bounds: Sequence[float]) -> list[int]:
    """How many lie in each interval, one by one."""
    ends = [float("-inf"), *bounds, float("inf")]
    return [sum(low <= value < high for value in values) for low, high in pairwise(ends)]


def test_a_worked_example() -> None:
    """Of 1 … 100, above 37 and up to 64 leaves 37 people on both sides, and 50 is roundest. Of the 49 below, above 20
    and up to 30 leaves 20; of the 51 others, above 69 and up to 81.
    """
    assert cuts(range(1, 101), 20) == [[30, 50, 80], [50]]
    assert cuts(range(1, 101), 40) == [[50]]
    assert cuts(range(1, 101), 51) == []


@given(st.one_of(numbers, decimals), st.integers(1, 12))
@examples(200)
def test_every_interval_has_enough_people_at_every_level(values: list[float], least: int) -> None:
    levels = cuts(values, least)
    for bounds in levels:
        assert min(parts(values, bounds)) >= max(least, min(9, len(values) // 10) + 1)
    for below, above in pairwise(levels):
        assert set(above) < set(below)
        assert len(below) <= 2 * len(above) + 1


def roundest_in(above: int, up_to: int) -> int | None:
    """The largest multiple in reach of the largest of 1000, 500, 400, 200, 100, 50, … that has one, by trying all."""
    inside = range(above + 1, up_to + 1)
    units = [power * part // 5 for power in (1000, 100, 10, 1) for part in (5, 2.5, 2, 1) if power * part % 5 == 0]
    return next((max(n for n in inside if n % unit == 0) for unit in units if any(n % unit == 0 for n in inside)), None)


@given(numbers, st.integers(1, 6))
@examples(200)
def test_the_first_cut_is_the_roundest_number_near_the_middle(values: list[int], least: int) -> None:
    ordered, least = sorted(values), max(least, min(9, len(values) // 10) + 1)
    expected = None
    for eighths in (3, 2, 0):
        outside = max(least, len(values) * eighths // 8)
        if expected is None and 2 * outside <= len(values):
            expected = roundest_in(ordered[outside - 1], ordered[-outside])
    found = cuts(values, least)

    assert (found[-1] if found else None) == (None if expected is None else [expected])


@given(numbers, st.integers(2, 6), st.integers(0, 10**6), st.integers(0, 10**6))
@examples(150)
def test_how_far_out_the_first_and_last_people_are_changes_nothing(
    values: list[int], least: int, up: int, down: int
) -> None:
    few = max(least, min(9, len(values) // 10) + 1) - 1
    assume(len(values) >= 2 * few)
    ordered = sorted(values)
    out = [*(n - down for n in ordered[:few]), *ordered[few : len(ordered) - few], *(n + up for n in ordered[-few:])]

    assert cuts(out, least) == cuts(values, least)


def test_few_people_with_decimals_make_no_cut_with_decimals() -> None:
    values = [20] * 50 + [20.5] * 9 + [21] * 50

    assert cuts(values, 9) == [[21]]
    assert cuts([*values, 20.5], 9) == [[20.5, 21], [21]]


def test_a_cut_is_between_numbers_that_many_have() -> None:
    assert cuts([0] * 70 + [3] * 30, 10) == [[2]]
    assert cuts([0] * 95 + [3] * 5, 10) == []
    assert cuts([7] * 100, 10) == []


@given(decimals)
@examples(50)
def test_numbers_are_read_as_they_are_written(values: list[float]) -> None:
    counted = Counter(f"{value:.2f}".replace(".", ",") for value in values * 10)
    document = cuts_for(list(counted), list(counted.values()), 5)

    assert (document or {}).get("levels", []) == cuts(values * 10, 5)
    assert document is None or document["decimal"] == ","


days = st.lists(st.dates(date(1900, 1, 1), date(2024, 12, 31)), min_size=10, max_size=80)


def date_cuts(values: Sequence[date], least: int, written_so: str = "%Y-%m-%d") -> list[list[date]]:
    counted = Counter(day.strftime(written_so) for day in values)
    document = date_cuts_for(list(counted), list(counted.values()), least)
    return [] if document is None else [[date.fromisoformat(day) for day in level] for level in document["levels"]]


def test_dates_are_cut_at_the_first_of_years_and_months() -> None:
    """Two days a month of forty years: 1980 is the first of a decade near the middle, 1970 and 1990 near those."""
    births = [date(year, month, day) for year in range(1960, 2000) for month in range(1, 13) for day in (7, 19)]

    assert date_cuts(births, 200, "%d/%m/%Y") == [
        [date(1970, 1, 1), date(1980, 1, 1), date(1990, 1, 1)],
        [date(1980, 1, 1)],
    ]
    assert date_cuts([date(2021, 3, 9)] * 20 + [date(2021, 3, 17)] * 20, 10) == [[date(2021, 3, 17)]]


@given(days, st.integers(1, 12), st.sampled_from(["%Y-%m-%d", "%d/%m/%Y", "%Y%m%d"]))
@examples(60)
def test_every_interval_of_dates_has_enough_people_at_every_level(
    values: list[date], least: int, written_so: str
) -> None:
    levels = date_cuts(values, least, written_so)
    for bounds in levels:
        ends = [date.min, *bounds, date.max]
        held = [sum(low <= day < high for day in values) for low, high in pairwise(ends)]
        assert min(held) >= max(least, min(9, len(values) // 10) + 1)
    assert all(set(above) < set(below) for below, above in pairwise(levels))
    assert levels == date_cuts(values, least)


@given(days, st.integers(2, 6), st.integers(0, 5000))
@examples(60)
def test_how_old_the_first_people_are_changes_no_cut_of_dates(values: list[date], least: int, by: int) -> None:
    few = max(least, min(9, len(values) // 10) + 1) - 1
    ordered = sorted(values)
    out = [*(day - timedelta(by) for day in ordered[:few]), *ordered[few:]]

    assert date_cuts(out, least) == date_cuts(values, least)


@pytest.mark.parametrize(
    ("described", "is_cut"),
    [({}, True), ({"type": "discrete"}, True), ({"type": "continuous"}, True), ({"type": "categorical"}, False)],
)
def test_the_schema_says_what_is_a_number(described: dict[str, str], is_cut: bool) -> None:
    schema = bb.Schema({"n": bb.ColumnSchema("quasi", **described)} if described else {})
    data = bb.read(pl.DataFrame({"n": [str(n % 90) for n in range(400)]}), schema=schema)

    assert (hierarchy_by_cuts(data, "n", 5) is not None) == is_cut


def test_codes_and_texts_are_not_cut() -> None:
    table = {"code": [f"{n % 60:04}" for n in range(300)], "text": ["a", "b", "c"] * 100, "few": ["1", "2"] * 150}
    data = bb.read(pl.DataFrame(table))

    assert [hierarchy_by_cuts(data, name, 5) for name in table] == [None] * 3


def test_a_person_counts_once_and_invalid_values_not_at_all() -> None:
    schema = bb.Schema(
        {"age": bb.ColumnSchema("quasi", "discrete", invalid=frozenset({"999"})), "id": bb.ColumnSchema("identifier")},
        person="id",
    )
    ages = [n % 80 for n in range(200)]
    often = {"age": [*ages, *([79] * 500)], "id": [*range(200), *([199] * 500)]}
    unknown = {"age": [*ages, *([999] * 100)], "id": [*range(300)]}
    expected, *others = (
        hierarchy_by_cuts(bb.read(pl.DataFrame(each), schema=schema, columns=["age", "id"]), "age", 20)
        for each in ({"age": ages, "id": [*range(200)]}, often, unknown)
    )

    assert expected is not None
    assert others == [expected, expected]
