"""Top and bottom coding (PDPC 2018, 10.4)."""

import hypothesis.strategies as st
import polars as pl
import pytest
from hypothesis import given
from refusal import refused

import biombo as bb


def coded(values: list[object], **options: object) -> list[object]:
    plan = bb.Plan([bb.TopBottomCode("x", **options)])
    return bb.apply(pl.DataFrame({"x": values}), plan, keep_order=True).data["x"].to_list()


@given(
    st.lists(st.none() | st.integers(-20, 120), min_size=1, max_size=20),
    st.none() | st.integers(-10, 40),
    st.integers(41, 110),
    st.booleans(),
)
def test_the_ends_become_one_value_each_and_the_rest_stays(values, bottom, top, as_text) -> None:
    def expected(value: int | None) -> str | None:
        if value is None:
            return None
        if bottom is not None and value <= bottom:
            return f"≤ {bottom}"
        return f"≥ {top}" if value >= top else str(value)

    column = pl.Series(values, dtype=pl.Int64)
    given = (column.cast(pl.String) if as_text else column).to_list()
    if any(value is not None for value in given):
        assert coded(given, bottom=bottom, top=top) == [expected(value) for value in values]


def test_what_stays_is_as_written() -> None:
    assert coded(["007", "7.50", "095", None], top=90) == ["007", "7.50", "≥ 90", None]
    assert coded([7.5, 95.0], top=90) == ["7.5", "≥ 90"]


def test_999_is_no_age() -> None:
    assert coded(["31", "999", "n/a"], top=90, apart=["999", "n/a"]) == ["31", "999", "n/a"]


def test_marks_are_declared() -> None:
    assert coded(["1.000,5", "0,5"], bottom=0.5, top=1000.5, decimal=",", thousands=".") == ["≥ 1000,5", "≤ 0,5"]


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({}, "plan.no-end"),
        ({"bottom": 5, "top": 5}, "plan.ends"),
        ({"bottom": 9, "top": 5}, "plan.ends"),
        ({"top": float("nan")}, "hierarchy.number"),
        ({"top": 5, "decimal": "x"}, "hierarchy.marks"),
        ({"top": 5, "apart": "999"}, "usage.string-for-list"),
    ],
)
def test_entries_that_make_no_sense_are_refused(options, key) -> None:
    with refused(key):
        bb.TopBottomCode("x", **options)


def test_wrong_columns_are_refused(people) -> None:
    with refused("column.missing", "'height'"):
        bb.apply(people, bb.Plan([bb.TopBottomCode("height", top=5)]))
    with refused("plan.not-exact", "'sex'", "'F'"):
        bb.apply(people, bb.Plan([bb.TopBottomCode("sex", top=5)]))
