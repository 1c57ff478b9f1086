"""All that values can be at a level, known without any data."""

from datetime import date, timedelta

import hypothesis.strategies as st
import pytest
from hypothesis import given
from refusal import refused

import biombo as bb

BUILT_IN = bb.Hierarchy.built_in("municipality")
ENDS = st.none() | st.integers(-40, 120)


def met(hierarchy: bb.Hierarchy, values, level: int) -> tuple[str, ...]:
    """What values become, in their order."""
    return tuple(dict.fromkeys(hierarchy.generalised(str(value), level) for value in values))


@given(st.integers(1, 30), st.integers(2, 4), ENDS, ENDS, st.integers(-50, 120), st.integers(0, 150), st.data())
def test_the_intervals_between_bounds_are_those_that_the_numbers_between_them_lie_in(
    width, multiple, bottom, top, low, span, data
) -> None:
    if bottom is not None and top is not None and bottom >= top:
        bottom = None
    hierarchy = bb.Hierarchy.by_interval(width, [multiple], bottom=bottom, top=top, origin=data.draw(st.integers(0, 9)))
    level = data.draw(st.sampled_from([1, 2]))

    assert hierarchy.domain(level, bounds=(low, low + span)) == met(hierarchy, range(low, low + span + 1), level)


@given(st.sets(st.integers(-20, 80), min_size=1, max_size=6), st.integers(-30, 80), st.integers(0, 60))
def test_so_are_those_between_bounds_of_ones_own(bounds, low, span) -> None:
    levels = [sorted(bounds), sorted(bounds)[::2]]
    hierarchy = bb.Hierarchy.by_bounds(levels)

    for level in (1, 2):
        assert hierarchy.domain(level, (low, low + span)) == met(hierarchy, range(low, low + span + 1), level)
        assert len(hierarchy.domain(level)) == len(levels[level - 1]) + 1


@given(st.dates(date(1900, 1, 1), date(2030, 1, 1)), st.integers(0, 4000), st.booleans())
def test_the_periods_between_two_days_are_those_of_the_days_between_them(first, span, keep_type) -> None:
    hierarchy = bb.Hierarchy.by_date(["month", "quarter", "year", "decade"], keep_type=keep_type)
    days = [first + timedelta(n) for n in range(span + 1)]

    for level in (1, 4):
        bounds = (first.isoformat(), days[-1].isoformat())
        assert hierarchy.domain(level, bounds) == met(hierarchy, days, level)


def test_lists_have_their_groups_and_ends_need_no_bounds() -> None:
    by_hand = bb.Hierarchy.by_hand({"south": {"SC": ["4205407"], "RS": ["4314902"]}, "north": {"PA": ["1501402"]}})
    assert by_hand.domain(0) == ("4205407", "4314902", "1501402")
    assert by_hand.domain(1) == ("SC", "RS", "PA")
    assert by_hand.with_top().domain(3) == ("*",)
    assert by_hand.picked([2]).domain(1) == ("south", "north")
    assert by_hand.answering("suppress").domain(2) == ("south", "north", "*")
    assert bb.Hierarchy.by_interval(10, bottom=20, top=40).domain(1) == ("< 20", "[20, 30)", "[30, 40)", "≥ 40")
    assert bb.Hierarchy.by_interval(40, lowest=0, highest=80).domain(1) == ("[0, 40)", "[40, 80)", "[80, 120)")
    assert set(met(BUILT_IN, BUILT_IN.values, 3)) <= set(BUILT_IN.domain(3))
    ages = bb.Hierarchy.load({"kind": "coded-age"})
    assert ages.domain(1)[:2] == ("0", "1")
    assert ages.domain(3, (0, 25)) == ("0-9", "10-19", "20-29")
    assert bb.Hierarchy.all_or_nothing().domain(1) == ("*",)


@pytest.mark.parametrize(
    "hierarchy",
    [
        bb.Hierarchy.by_interval(10),
        bb.Hierarchy.by_interval(10, top=90),
        bb.Hierarchy.by_prefix([2]),
        bb.Hierarchy.by_date(),
        bb.Hierarchy.from_columns(["city"], rows=[("a", "b")]),
    ],
)
def test_what_cannot_be_known_without_data_is_refused(hierarchy) -> None:
    with refused("hierarchy.no-domain", "1"):
        hierarchy.domain(1)


def test_bounds_are_numbers_for_numbers_and_dates_for_dates() -> None:
    with refused("hierarchy.domain-bounds", "'young'"):
        bb.Hierarchy.by_interval(10).domain(1, ("young", "old"))
    with refused("hierarchy.domain-bounds", "'31/12/1999'"):
        bb.Hierarchy.by_date().domain(1, ("31/12/1999", "31/12/2000"))
    with refused("hierarchy.level"):
        bb.Hierarchy.by_interval(10).domain(2, (0, 9))
