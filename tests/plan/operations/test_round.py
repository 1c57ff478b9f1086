"""Rounding to multiples of a base (PDPC 2018, section 12)."""

from decimal import Decimal
from fractions import Fraction

import hypothesis.strategies as st
import polars as pl
import pytest
from hypothesis import given
from refusal import refused

import biombo as bb


def rounded(values: list[object], base: float, **options: object) -> pl.Series:
    plan = bb.Plan([bb.Round("x", base, **options)])
    return bb.apply(pl.DataFrame({"x": values}, strict=False), plan, keep_order=True).data["x"]


def test_the_worked_table_of_the_guide() -> None:
    """12.6, by the rule in its note: the nearest multiple of x. It prints 18 for 20 and 42 for 44, which are not."""
    table = pl.DataFrame(
        {
            "person": ["198740", "287402", "398747", "498732", "598772"],
            "height": [160, 177, 158, 173, 169],
            "weight": [50, 70, 46, 75, 82],
            "age": [30, 36, 20, 22, 44],
            "smoker": ["no", "no", "yes", "no", "yes"],
        }
    )
    plan = bb.Plan([bb.Round("height", 5), bb.Round("weight", 3), bb.Round("age", 3)])

    assert bb.apply(table, plan, keep=["person", "smoker"], keep_order=True).data.equals(
        table.with_columns(
            height=pl.Series([160, 175, 160, 175, 170]),
            weight=pl.Series([51, 69, 45, 75, 81]),
            age=pl.Series([30, 36, 21, 21, 45]),
        )
    )


@given(
    st.lists(st.decimals(-1000, 1000, places=3), min_size=1, max_size=20),
    st.sampled_from(["5", "3", "0.5", "0.1", "0.25", "1000"]),
    st.sampled_from([".", ","]),
)
def test_no_multiple_is_nearer_and_halves_go_away_from_zero(values, base, mark) -> None:
    found = rounded([str(value).replace(".", mark) for value in values], float(base), decimal=mark)

    for value, result in zip(values, found, strict=True):
        exact, multiple = Fraction(value), Fraction(result.replace(mark, "."))
        assert multiple % Fraction(base) == 0
        assert abs(multiple - exact) <= Fraction(base) / 2
        assert abs(multiple - exact) < Fraction(base) / 2 or abs(multiple) > abs(exact)


def test_text_stays_text_and_numbers_stay_numbers() -> None:
    assert rounded(["007", " 12 ", None], 5).to_list() == ["5", "10", None]
    assert rounded([7, None, 13], 5).to_list() == [5, None, 15]
    assert rounded([7, 13], 5).dtype == pl.Int64
    assert rounded([7, 13], 0.3).to_list() == [6.9, 12.9]
    assert rounded([0.15, float("nan"), -0.15], 0.1).to_list() == [0.2, None, -0.2]
    assert rounded([Decimal("0.15"), Decimal("2.00")], 0.1).to_list() == [Decimal("0.2"), Decimal("2.0")]


def test_values_apart_stay() -> None:
    assert rounded(["42", "999", "n/a"], 10, apart=["999", "n/a"]).to_list() == ["40", "999", "n/a"]
    assert rounded([42, 999], 10, apart=["999"]).to_list() == [40, 999]


def test_marks_are_declared_for_text_only() -> None:
    assert rounded(["1.234,56"], 0.5, decimal=",", thousands=".").to_list() == ["1234,5"]
    assert rounded([1.26], 0.5, decimal=",").to_list() == [1.5]
    with refused("plan.not-exact", "'x'", "'1,5'"):
        rounded(["1", "1,5"], 1)


def test_the_type_does_not_depend_on_the_batch() -> None:
    tables = [pl.DataFrame({"x": [1]}), pl.DataFrame({"x": [None]}, schema={"x": pl.Int64}), pl.DataFrame({"x": [9]})]

    assert bb.apply(tables, bb.Plan([bb.Round("x", 5)]), keep_order=True).data["x"].to_list() == [0, None, 10]


@pytest.mark.parametrize("base", [0, -5])
def test_a_base_that_is_not_above_zero_is_refused(base) -> None:
    with refused("plan.base", "'x'", str(base)):
        bb.Round("x", base)


@pytest.mark.parametrize("base", ["5", True])
def test_a_base_that_is_no_number_is_refused(base) -> None:
    with refused("document.entry-number", "base", str(base)):
        bb.Round("cost", base)


@pytest.mark.parametrize("base", [float("nan"), float("inf")])
def test_a_base_without_a_value_is_refused(base) -> None:
    with refused("hierarchy.number", "base"):
        bb.Round("x", base)


def test_wrong_columns_are_refused(people) -> None:
    with refused("column.missing", "'height'"):
        bb.apply(people, bb.Plan([bb.Round("height", 5)]))
    with refused("plan.not-exact", "'sex'", "'F'"):
        bb.apply(people, bb.Plan([bb.Round("sex", 5)]))


def test_a_plan_reads_back_the_same() -> None:
    plan = bb.Plan([bb.Round("x", 0.5, apart=["n", "a"], decimal=",")])

    assert bb.Plan.from_tree(plan.to_tree()) == plan
    assert bb.Plan([bb.Round("x", 5)]).hash == bb.Plan([bb.Round("x", 5.0)]).hash


def test_a_multiple_that_does_not_fit_is_refused() -> None:
    assert rounded([2**63 - 1], 5).to_list() == [2**63 - 3]
    with refused("plan.rounded-too-large", "'x'"):
        rounded([2**63 - 1], 10)
