"""What holds for every hierarchy, whatever its kind."""

from datetime import date
from typing import Any

import hypothesis.strategies as st
from hypothesis import given

import biombo as bb

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6)
NUMBERS = st.one_of(
    st.integers(-300, 300).map(str),
    st.decimals(-50, 50, places=2).map(str),
    st.floats(-1e6, 1e6).map(repr),
)
DATES = st.dates(date(1, 1, 1), date(2100, 1, 1)).map(str)
CODES = st.text("0123-", max_size=9)


def rising(numbers: Any, size: int) -> Any:
    return st.lists(numbers, min_size=1, max_size=size, unique=True).map(sorted)


@st.composite
def intervals(draw: st.DrawFn) -> bb.Hierarchy:
    width = draw(st.sampled_from([0.1, 0.25, 1, 5, 7.5]))
    steps = draw(st.lists(st.integers(2, 4), max_size=3))
    ends = draw(st.sampled_from([{}, {"bottom": -3.3}, {"top": 17}, {"bottom": -11, "top": 40.5}]))
    return bb.Hierarchy.by_interval(width, _products(steps), origin=draw(st.sampled_from([0, 2, -0.5])), **ends)


def _products(steps: list[int]) -> list[int]:
    products: list[int] = []
    for step in steps:
        products.append((products or [1])[-1] * step)
    return products


@st.composite
def bounds(draw: st.DrawFn) -> bb.Hierarchy:
    lowest = draw(rising(st.integers(-100, 100), 8))
    levels = [lowest]
    for _ in range(draw(st.integers(0, 2))):
        levels.append(sorted(draw(st.sets(st.sampled_from(levels[-1]), min_size=1))))
    return bb.Hierarchy.by_bounds(levels)


@st.composite
def prefixes(draw: st.DrawFn) -> bb.Hierarchy:
    lengths = draw(rising(st.integers(0, 8), 4))[::-1]
    return bb.Hierarchy.by_prefix(
        lengths, pad=draw(st.sampled_from(["", "*"])), separators=draw(st.sampled_from(["", "-"]))
    )


@st.composite
def dates(draw: st.DrawFn) -> bb.Hierarchy:
    steps = ["day", "month", "quarter", "year", "5 years", "10 years", "100 years"]
    levels = draw(st.lists(st.sampled_from(steps), min_size=1, unique=True))
    return bb.Hierarchy.by_date(sorted(levels, key=steps.index), keep_type=draw(st.booleans()))


@st.composite
def cases(draw: st.DrawFn) -> tuple[bb.Hierarchy, list[str]]:
    """A hierarchy and some values that it knows."""
    kind, values = draw(
        st.sampled_from([(intervals, NUMBERS), (bounds, NUMBERS), (prefixes, CODES), (dates, DATES), (None, TEXT)])
    )
    some = draw(st.lists(values, min_size=2, max_size=20, unique=True))
    hierarchy = (
        draw(kind()) if kind else bb.Hierarchy.by_order([f"v{value}" for value in some], draw(st.integers(2, 4)))
    )
    if kind is None:
        some = [f"v{value}" for value in some]
    return (hierarchy.with_top() if draw(st.booleans()) else hierarchy), some


@given(cases())
def test_values_equal_at_a_level_are_equal_at_every_higher_one(case: tuple[bb.Hierarchy, list[str]]) -> None:
    hierarchy, values = case
    for level in range(hierarchy.height):
        above: dict[str, str] = {}
        for value in values:
            upper = hierarchy.generalised(value, level + 1)
            assert above.setdefault(hierarchy.generalised(value, level), upper) == upper


@given(cases())
def test_codes_agree_with_single_values(case: tuple[bb.Hierarchy, list[str]]) -> None:
    hierarchy, values = case
    coded = hierarchy.recode(values)
    assert coded.height == hierarchy.height
    assert coded.codes[0].tolist() == list(range(len(values)))
    for level, labels in enumerate(coded.labels):
        assert [labels[code] for code in coded.codes[level]] == [hierarchy.generalised(v, level) for v in values]
        assert len(set(labels)) == len(labels)


@given(cases())
def test_every_hierarchy_can_end_in_one_value(case: tuple[bb.Hierarchy, list[str]]) -> None:
    hierarchy, values = case
    topped = hierarchy.with_top()
    assert topped.with_top() is topped
    assert {topped.generalised(value, topped.height) for value in values} == {"*"}
    coded = topped.recode([*values, None])
    assert (coded.single_top, coded.labels[-1]) == (True, ("*",))
    assert coded.leaves[-1].tolist() == [coded.domain]


@given(cases())
def test_every_hierarchy_survives_being_written_down(case: tuple[bb.Hierarchy, list[str]]) -> None:
    hierarchy, values = case
    again = bb.Hierarchy.load(hierarchy.to_tree())
    assert again == hierarchy
    assert again.content_hash() == hierarchy.content_hash()
    assert [again.ancestors(value) for value in values] == [hierarchy.ancestors(value) for value in values]


@given(intervals(), NUMBERS)
def test_a_number_lies_in_its_interval(hierarchy: bb.Hierarchy, number: str) -> None:
    for label in hierarchy.ancestors(number) or ():
        value = float(number)
        if label.startswith("<"):
            assert value < float(label[2:])
        elif label.startswith("≥"):
            assert value >= float(label[2:])
        else:
            low, high = (float(bound) for bound in label[1:-1].split(", "))
            assert low <= value < high


@given(
    cases(),
    st.lists(st.sampled_from(["?", "n/a", "unknown"]), min_size=1, unique=True),
    st.sampled_from(["own-branch", "suppress"]),
)
def test_unknown_values_never_join_a_group(case: tuple[bb.Hierarchy, list[str]], odd: list[str], answer: Any) -> None:
    hierarchy, values = case
    unknown = [value for value in odd if not hierarchy.knows(value)]
    coded = hierarchy.recode([*values, *unknown], missing=answer)
    assert {each.value for each in coded.unknown} == set(unknown)
    for level in range(hierarchy.height):
        known, strange = (
            set(part.tolist()) for part in (coded.codes[level, : len(values)], coded.codes[level, len(values) :])
        )
        assert not {coded.labels[level][code] for code in known & strange} - {"*"}
