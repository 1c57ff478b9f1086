from typing import Any

import pytest

import biombo as bb


def test_intervals_are_of_one_width_then_of_its_multiples() -> None:
    ages = bb.Hierarchy.by_interval(5, [2, 4])
    assert ages.height == 3
    assert ages.ancestors("37") == ("[35, 40)", "[30, 40)", "[20, 40)")
    assert ages.ancestors("-1") == ("[-5, 0)", "[-10, 0)", "[-20, 0)")


def test_a_bound_belongs_to_the_interval_above_it() -> None:
    assert bb.Hierarchy.by_interval(10).ancestors("20") == ("[20, 30)",)
    assert bb.Hierarchy.by_interval(0.1).ancestors("0.3") == ("[0.3, 0.4)",)


def test_the_origin_moves_the_bounds() -> None:
    assert bb.Hierarchy.by_interval(10, [2], origin=18).ancestors("37") == ("[28, 38)", "[18, 38)")


def test_top_and_bottom_coding_hold_at_every_level() -> None:
    ages = bb.Hierarchy.by_interval(5, [4], bottom=18, top=90)
    assert ages.ancestors("17") == ("< 18", "< 18")
    assert ages.ancestors("90") == ("≥ 90", "≥ 90")
    assert ages.ancestors("18") == ("[18, 20)", "[18, 20)")
    assert ages.ancestors("89") == ("[85, 90)", "[80, 90)")


def test_bounds_of_ones_own_divide_all_numbers() -> None:
    ages = bb.Hierarchy.by_bounds([[12, 18, 65], [18]])
    assert [ages.ancestors(age) for age in ("3", "12", "40", "65")] == [
        ("< 12", "< 18"),
        ("[12, 18)", "< 18"),
        ("[18, 65)", "≥ 18"),
        ("≥ 65", "≥ 18"),
    ]


def test_labels_of_whole_numbers_name_both_ends() -> None:
    ages = bb.Hierarchy.by_interval(1, [5], labels="inclusive", top=90)
    assert ages.ancestors("7") == ("7", "5-9")
    assert ages.ancestors("99") == ("≥ 90", "≥ 90")
    assert not ages.knows("7.5")


@pytest.mark.parametrize("value", ["042", " 42 ", "42.0", "+42", "4.2e1"])
def test_numbers_are_read_as_they_are_written(value: str) -> None:
    assert bb.Hierarchy.by_interval(10).ancestors(value) == ("[40, 50)",)


@pytest.mark.parametrize(
    "value", ["", "n/a", "4,2", "1,234", "1e999", "1e99999999", "inf", "nan", "٤", "1" * 10**6, "1_0"]
)
def test_what_is_no_number_is_not_known(value: str) -> None:
    assert not bb.Hierarchy.by_interval(10).knows(value)


def test_the_marks_of_numbers_are_declared() -> None:
    incomes = bb.Hierarchy.by_interval(0.5, [2000], decimal=",", thousands=".")
    assert incomes.ancestors("1.234,75") == ("[1234,5; 1235)", "[1000; 2000)")
    assert not incomes.knows("1.2")


def test_numbers_out_of_range_are_not_known() -> None:
    ages = bb.Hierarchy.by_interval(5, lowest=0, highest=130)
    assert [ages.knows(age) for age in ("-1", "0", "130", "130.5", "999")] == [False, True, True, False, False]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"width": 0}, "above 0"),
        ({"width": float("nan")}, "must be a number"),
        ({"width": "5"}, "must be a number"),
        ({"width": True}, "must be a number"),
        ({"width": 5, "multiples": [2, 3]}, "multiple of the one before"),
        ({"width": 5, "multiples": [2, 2]}, "multiple of the one before"),
        ({"width": 5, "multiples": [-2]}, "multiple of the one before"),
        ({"width": 5, "bottom": 9, "top": 9}, "below the top"),
        ({"width": 0.5, "labels": "inclusive"}, "whole"),
        ({"width": 5, "top": 90.5, "labels": "inclusive"}, "whole"),
        ({"width": 5, "labels": "roman"}, "interval, inclusive"),
        ({"width": 5, "decimal": ";"}, "decimal mark"),
        ({"width": 5, "decimal": ",", "thousands": ","}, "decimal mark"),
        ({"width": 5, "highest": float("inf")}, "highest"),
    ],
)
def test_intervals_that_make_no_sense_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(bb.UsageError, match=words):
        bb.Hierarchy.by_interval(**options)


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        ([], "at least one"),
        ([[]], "at least one"),
        ([[3, 2]], "rise"),
        ([[2, 2]], "rise"),
        ([[10, 20], [15]], "Level 2 divides at 15"),
        ([["a"]], "must be a number"),
    ],
)
def test_bounds_that_make_no_sense_are_refused(levels: Any, words: str) -> None:
    with pytest.raises(bb.UsageError, match=words):
        bb.Hierarchy.by_bounds(levels)
