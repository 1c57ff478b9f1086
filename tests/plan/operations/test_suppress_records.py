"""Records that meet conditions are dropped (PDPC 2018, section 7)."""

from datetime import date, datetime
from typing import Any

import hypothesis.strategies as st
import polars as pl
import pytest
import yaml
from hypothesis import given
from refusal import refused

import biombo as bb


def kept(table: pl.DataFrame, where: dict[str, Any], **marks: str) -> list[int]:
    """The rows, by their number, that stay."""
    numbered = table.with_row_index("row")
    plan = bb.Plan([bb.SuppressRecords(where, **marks)], sensitive=["row"])
    return bb.apply(numbered, plan, keep_order=True).data["row"].to_list()


def test_the_person_of_the_guide_who_stands_out_is_removed() -> None:
    """10.5: record 6 is the only address of Stonehenge Road."""
    table = pl.DataFrame(
        {"no": ["5", "6", "7"], "address": ["Tampines Street 90", "Stonehenge Road", "Tampines Street 90"]}
    )
    applied = bb.apply(
        table, bb.Plan([bb.SuppressRecords({"address": "Stonehenge Road"})], sensitive=["no"]), keep_order=True
    )

    assert applied.data["no"].to_list() == ["5", "7"]
    assert (applied.rows, applied.suppressed) == (2, 1)


def test_values_are_compared_as_they_are_written() -> None:
    codes = pl.DataFrame({"code": ["7", "007", "7.0", None]})

    assert kept(codes, {"code": "7"}) == [1, 2, 3]
    assert kept(codes, {"code": ["7", "007"]}) == [2, 3]
    assert kept(pl.DataFrame({"code": [7.0, 8.5]}), {"code": "7"}) == [1]


def test_missing_values_meet_missing_only() -> None:
    sexes = pl.DataFrame({"sex": ["F", None, "M"]})

    assert kept(sexes, {"sex": {"missing": True}}) == [0, 2]
    assert kept(sexes, {"sex": {"missing": False}}) == [1]
    assert kept(pl.DataFrame({"age": ["95", None]}), {"age": {"above": 0}}) == [1]


def test_all_conditions_must_hold_together() -> None:
    table = pl.DataFrame({"age": ["95", "95", "20"], "city": ["A", "B", "A"]})

    assert kept(table, {"age": {"at-least": 90}, "city": ["A"]}) == [1, 2]
    assert kept(table, {"age": {"above": 20, "below": 95}}) == [0, 1, 2]


COMPARED = {
    "above": lambda value, limit: value > limit,
    "below": lambda value, limit: value < limit,
    "at-least": lambda value, limit: value >= limit,
    "at-most": lambda value, limit: value <= limit,
}


@given(
    st.lists(st.none() | st.integers(-50, 50), min_size=1, max_size=20),
    st.dictionaries(st.sampled_from(list(COMPARED)), st.integers(-50, 50), min_size=1),
    st.booleans(),
)
def test_limits_on_numbers_mean_what_they_say(values, limits, as_text) -> None:
    meets = [v is not None and all(COMPARED[name](v, limit) for name, limit in limits.items()) for v in values]
    column = pl.Series("x", values, pl.Int64)
    table = pl.DataFrame([column.cast(pl.String) if as_text else column])
    if all(meets):
        with refused("plan.nothing-left"):
            kept(table, {"x": limits})
    else:
        assert kept(table, {"x": limits}) == [row for row, met in enumerate(meets) if not met]


def test_decimals_are_exact_and_their_mark_is_declared() -> None:
    table = pl.DataFrame({"x": ["0,1", "0,10", "1.000,5"]})

    assert kept(table, {"x": {"at-most": 0.1}}, decimal=",", thousands=".") == [2]
    assert kept(pl.DataFrame({"x": [0.1, 0.2]}), {"x": {"above": 0.1}}, decimal=",") == [0]


def test_a_limit_that_is_a_day_holds_for_all_of_it() -> None:
    moments = [datetime(2024, 1, 31, 0, 0), datetime(2024, 1, 31, 23, 59), datetime(2024, 2, 1, 0, 0)]
    for column in (pl.Series("t", moments), pl.Series("t", [str(moment) for moment in moments])):
        assert kept(column.to_frame(), {"t": {"at-most": "2024-01-31"}}) == [2]
        assert kept(column.to_frame(), {"t": {"above": "2024-01-31T12:00"}}) == [0]
    days = pl.DataFrame({"t": [date(2024, 1, 31), date(2024, 2, 1), None]})
    assert kept(days, {"t": {"above": "2024-01-31"}}) == [0, 2]


def test_values_apart_are_not_compared() -> None:
    ages = pl.DataFrame({"age": ["95", "unknown", "999"]})

    assert kept(ages, {"age": {"at-least": 90, "apart": ["unknown", "999"]}}) == [1, 2]


def test_the_records_count_towards_the_limit_of_the_plan(people) -> None:
    where = {"age": {"at-least": 90}}
    with pytest.raises(bb.SuppressionError):
        bb.apply(people, bb.Plan([bb.SuppressRecords(where)], max_suppression=0.1), keep=["sex"])
    allowed = bb.Plan([bb.SuppressRecords(where)], max_suppression=0.34)
    assert bb.apply(people, allowed, keep=["sex"]).suppressed == 2


def test_they_are_in_no_group_afterwards(people) -> None:
    plan = bb.Plan([bb.SuppressRecords({"name": ["Eva", "Fay"]})], [bb.KAnonymity(3)], ["sex"], identifiers=["name"])
    applied = bb.apply(people, plan)

    assert applied.data["sex"].to_list().count("F") == 2
    assert not applied.holds


def test_a_plan_in_yaml_reads_back_the_same() -> None:
    written = (
        "suppress-records: {where: {day: {at-least: 2024-01-31, missing: false}, city: [A, '007'], x: {above: 1.5}}}"
    )
    plan = bb.Plan.from_tree({"biombo-plan": 1, "operations": [yaml.safe_load(written)]})

    assert plan.operations[0].where["day"]["at-least"] == "2024-01-31"
    assert bb.Plan.from_tree(yaml.safe_load(plan.to_yaml())) == plan
    assert bb.Plan.from_tree(plan.to_tree()).hash == plan.hash


@pytest.mark.parametrize(
    ("where", "key"),
    [
        ({}, "plan.where-empty"),
        ({"age": 7}, "plan.where-values"),
        ({"age": []}, "plan.where-values"),
        ({"age": [7]}, "plan.where-values"),
        ({"age": None}, "plan.where-values"),
        ({"age": {}}, "plan.where-entries"),
        ({"age": {"apart": ["x"]}}, "plan.where-entries"),
        ({"age": {"atleast": 7}}, "plan.where-entries"),
        ({"age": {"at-least": "seven"}}, "plan.where-limit"),
        ({"age": {"at-least": True}}, "plan.where-limit"),
        ({"age": {"at-least": float("nan")}}, "plan.where-limit"),
        ({"age": {"missing": "yes"}}, "plan.where-missing"),
        ({"age": {"missing": True, "above": 7}}, "plan.where-missing"),
        ({"age": {"above": 7, "apart": "x"}}, "plan.where-values"),
    ],
)
def test_conditions_that_make_no_sense_are_refused(where, key) -> None:
    with refused(key, *where):
        bb.SuppressRecords(where)


def test_values_that_cannot_be_compared_are_named() -> None:
    with refused("plan.where-number", "'age'", "'12,5'"):
        kept(pl.DataFrame({"age": ["12", "12,5"]}), {"age": {"above": 90}})
    with refused("plan.where-date", "'day'", "'31/01/2024'"):
        kept(pl.DataFrame({"day": ["31/01/2024"]}), {"day": {"above": "2024-01-01"}})


def test_unknown_columns_and_marks_are_refused(people) -> None:
    with refused("column.missing-close", "'ages'", "'age'"):
        bb.apply(people, bb.Plan([bb.SuppressRecords({"ages": "7"})]))
    with refused("hierarchy.marks"):
        bb.SuppressRecords({"age": "7"}, decimal="x")
