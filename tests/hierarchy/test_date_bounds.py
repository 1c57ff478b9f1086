"""Intervals of dates between bounds of somebody's own."""

from datetime import date
from itertools import pairwise

import hypothesis.strategies as st
import pytest
from examples import examples
from hypothesis import given
from refusal import refused

import biombo as bb

dates = st.dates(date(1850, 1, 1), date(2150, 12, 31))
bounds = st.lists(dates, min_size=1, max_size=8, unique=True).map(sorted)


def by_bounds(levels: list[list[str]], **options: str) -> bb.Hierarchy:
    return bb.Hierarchy.by_date_bounds(levels, **options)


def test_a_date_lies_between_two_bounds_told_as_short_as_they_can_be() -> None:
    hierarchy = by_bounds([["1980-01-01", "1984-07-01", "1990-02-15"], ["1984-07-01"]], format="DD/MM/YYYY")

    assert hierarchy.ancestors("30/06/1984") == ("[1980, 1984-07)", "< 1984-07")
    assert hierarchy.ancestors("01/07/1984") == ("[1984-07, 1990-02-15)", "≥ 1984-07")
    assert hierarchy.ancestors("31/12/1979") == ("< 1980", "< 1984-07")
    assert hierarchy.ancestors("1984-06-30") is None
    assert hierarchy.domain(1) == ("< 1980", "[1980, 1984-07)", "[1984-07, 1990-02-15)", "≥ 1990-02-15")
    assert hierarchy.domain(1, ("1981-01-01", "1985-01-01")) == ("[1980, 1984-07)", "[1984-07, 1990-02-15)")
    assert hierarchy.level_label(1) == "4 intervals"


@given(bounds, dates)
@examples(100)
def test_the_interval_is_the_one_that_holds_the_day(days: list[date], day: date) -> None:
    hierarchy = by_bounds([[each.isoformat() for each in days]])
    ends = [date.min, *days, date.max]
    place = next(i for i, (low, high) in enumerate(pairwise(ends)) if low <= day < high)

    assert hierarchy.ancestors(day.isoformat()) == (hierarchy.domain(1)[place],)
    assert bb.Hierarchy.load(hierarchy.to_tree()) == hierarchy


@pytest.mark.parametrize(
    ("key", "levels", "how"),
    [
        ("hierarchy.bounds", [["1990-01-01", "1980-01-01"]], {}),
        ("hierarchy.bounds", [[]], {}),
        ("hierarchy.bounds", [], {}),
        ("hierarchy.bounds-not-nested", [["1990-01-01"], ["1980-01-01"]], {}),
        ("hierarchy.domain-bounds", [["first of May"]], {}),
        ("hierarchy.date-format", [["1990-01-01"]], {"format": "MM"}),
    ],
)
def test_what_is_no_bound_is_refused(key: str, levels: list[list[str]], how: dict[str, str]) -> None:
    with refused(key):
        by_bounds(levels, **how)
