"""Bands of round width, with ends, that no few people could have made other ones."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import hypothesis.strategies as st
import pytest
from examples import examples
from hypothesis import given

import biombo as bb
from biombo._data.inspection import bands_for

Values = Sequence[object]


def bands(values: Values) -> dict[str, Any] | None:
    counted = Counter(map(str, values))
    return bands_for(list(counted), list(counted.values()))


def widths(document: dict[str, Any]) -> set[float]:
    return {document["width"] * multiple for multiple in (1, *document["multiples"])}


anything = st.one_of(
    st.integers(-(10**12), 10**12),
    st.floats(-(10**6), 10**6).map(lambda number: round(number, 3)),
    st.sampled_from(["?", "1,5", "1.000,5", "0", "1500.5", "9" * 30]),
)
changes = st.lists(st.tuples(st.integers(0, 10**6), anything), max_size=9)


def with_others(values: Values, some: list[tuple[int, object]]) -> list[object]:
    """The same people, nine of whom at most have something else."""
    changed = list(values)
    for place, value in some:
        changed[place % len(values)] = value
    return changed


@given(
    st.lists(st.integers(0, 400), min_size=30, max_size=60),
    st.sampled_from([3, 40]),
    st.sampled_from([1, 13, 1000]),
    changes,
)
@examples(150)
def test_nine_people_turn_no_bands_into_others(
    numbers: list[int], times: int, scale: int, some: list[tuple[int, object]]
) -> None:
    """They can have bands besides, or an end taken away; never other ones in their place."""
    values = [scale * number for number in numbers for _ in range(times)]
    one, other = bands(values), bands(with_others(values, some))
    if one is None or other is None:
        return
    assert widths(one) & widths(other)
    assert one.get("labels") == other.get("labels") == "inclusive"
    for end in ("bottom", "top"):
        assert one.get(end, other.get(end)) == other.get(end, one.get(end))


CLEAR = {
    "length of stay": [1 + n % 30 for n in range(2000)],
    "few people": [1 + n % 30 for n in range(60)],
    "weight at birth": [2000 + 4 * n for n in range(500)],
    "a tail": [int(1.002**n) for n in range(4000)],
    "mostly none": [0] * 1500 + [7 * n for n in range(500)],
    "decimals": [round(0.37 * n, 2) for n in range(700)],
}


@pytest.mark.parametrize("values", CLEAR.values(), ids=CLEAR)
@given(some=changes)
@examples(25)
def test_where_it_is_clear_nine_people_change_nothing(values: Values, some: list[tuple[int, object]]) -> None:
    assert bands(values) is not None
    assert bands(with_others(values, some)) == bands(values)


@given(st.lists(st.integers(-2000, 5000), min_size=60, max_size=200))
@examples(60)
def test_an_end_is_the_roundest_number_that_some_and_not_many_lie_beyond(numbers: list[int]) -> None:
    values = [number for number in numbers for _ in range(25)]
    document = bands(values)
    if document is None:
        return
    fewest, most = max(len(values) // 50, 50), max(len(values) // 50, 50) + len(values) // 10
    for end, lies_beyond in (("bottom", int.__lt__), ("top", int.__ge__)):
        if end in document:
            bound, width = document[end], document["width"]
            assert bound % width == 0
            beyond = {
                number: sum(lies_beyond(value, number) for value in values) for number in range(-2000, 5001, width)
            }
            assert fewest <= beyond[bound] <= most
            allowed = [number for number in beyond if fewest <= beyond[number] <= most]
            assert all(roundness(bound) >= roundness(number) for number in allowed)


def roundness(number: int) -> tuple[int, int]:
    """The more, the rounder: how many zeros, and before them a multiple of ten, five, four, two or one."""
    if number == 0:
        return 99, 0
    units = [(power, step) for power in range(6) for step in (1, 2, 4, 5)]
    return max((power, step) for power, step in units if number % (step * 10**power) == 0)


def test_people_who_are_dropped_stretch_no_bands() -> None:
    stays = [1 + n % 30 for n in range(60)]
    usual = {"kind": "interval", "width": 5, "multiples": [2], "labels": "inclusive"}
    assert bands(stays) == usual
    assert bands([*stays[:56], *range(900_000, 900_004)]) == usual
    assert bands([*stays, "120.5"]) == usual, "nor does one with decimals change how they are written"


def test_ten_people_with_decimals_are_enough() -> None:
    assert "labels" in bands([*range(500), *[0.5] * 9])
    assert "labels" not in bands([*range(500), *[0.5] * 10])


def test_bands_hold_some_values_each_in_a_small_table() -> None:
    document = bands([1 + (7 * n) % 30 for n in range(150)])
    hierarchy = bb.Hierarchy.load(document)
    assert len({hierarchy.ancestors(str(stay))[0] for stay in range(1, 31)}) == 7


def test_the_proposal_is_a_hierarchy_that_knows_every_number() -> None:
    incomes = [f"{n * 37},50" for n in range(400)]
    document = bands(incomes)
    hierarchy = bb.Hierarchy.load(document)
    assert document["decimal"] == ","
    assert all(map(hierarchy.knows, incomes))


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=30, max_size=60))
@examples(40)
def test_whatever_is_proposed_can_be_loaded(numbers: list[float]) -> None:
    if (document := bands([number for number in numbers for _ in range(40)])) is not None:
        assert bb.Hierarchy.load(document).to_tree() == document


@pytest.mark.parametrize(
    "values",
    [[], ["1"], ["a", "b"] * 50, ["3", "4"], ["7"] * 500, [10**24 + 10**21 * n for n in range(500)]],
    ids=["none", "one", "texts", "few people", "one number", "beyond what a document holds"],
)
def test_too_few_records_or_no_numbers_get_none(values: Values) -> None:
    assert bands(values) is None
