"""A plan that ends in a table of counts: what it counts, whom, and what it is refused for."""

import hypothesis.strategies as st
import polars as pl
import pytest
from donations import DONORS
from examples import examples
from hypothesis import given
from refusal import refused

import biombo as bb

BANDS = bb.Hierarchy.by_interval(1000)
GUIDE = bb.Plan(
    [bb.Generalise("salary", BANDS, 1), bb.Aggregate(["salary"], sum=["donated"], percent=0)],
    [bb.KAnonymity(3)],
    ["salary"],
    identifiers=["donor"],
)
PEOPLE = pl.DataFrame({"id": [1, 1, 1, 2, 3, 4, 5], "ward": ["A"] * 4 + ["B"] * 3, "days": [1, 2, 2, 3, 5, 4, 6]})


def test_the_guides_donations_are_those_of_a_table_of_bands() -> None:
    asked = {"sums": ["donated"], "k": 3, "percent": 0, "hierarchies": {"salary": BANDS}}

    assert bb.aggregate(DONORS, GUIDE).to_frame().equals(bb.tabulate(DONORS, {"salary": [1]}, **asked).to_frame())


def test_levels_are_those_of_the_schemas_hierarchy() -> None:
    schema = bb.Schema({"salary": bb.ColumnSchema("quasi", hierarchy=BANDS)})
    plan = bb.Plan([bb.Aggregate(["salary"], sum=["donated"], levels={"salary": [1]}, percent=0)], [bb.KAnonymity(3)])

    assert bb.aggregate(DONORS, plan, schema=schema).to_frame().equals(bb.aggregate(DONORS, GUIDE).to_frame())


rows = st.lists(
    st.tuples(st.integers(1, 9), st.sampled_from("abc"), st.sampled_from("xy"), st.integers(0, 9)),
    min_size=1,
    max_size=40,
)


@examples(30)
@given(rows, st.sampled_from([None, "who"]), st.integers(1, 4))
def test_it_is_the_table_of_the_records_that_are_left(rows, person, k) -> None:
    table = pl.DataFrame(rows, ["who", "ward", "sex", "days"], orient="row")
    left = table.filter(pl.col("ward") != "c")
    asked = bb.Aggregate(["ward", "sex"], sum=["days"])
    plan = bb.Plan([bb.SuppressRecords({"ward": "c"}), asked], [bb.KAnonymity(k)], ["ward"], person=person)
    if left.is_empty():
        with refused("plan.nothing-left"):
            bb.aggregate(table, plan)
        return
    expected = bb.tabulate(left, ["ward", "sex"], sums=["days"], k=k, person=person).to_frame()

    assert bb.aggregate(table, plan).to_frame().equals(expected)


def test_people_are_counted_and_not_their_records() -> None:
    """Four records of ward A are of two people."""
    asked = bb.Aggregate(["ward"], percent=0)
    records, people = (
        bb.aggregate(PEOPLE, bb.Plan([asked], [bb.KAnonymity(3)], person=person)).to_frame()["records"].to_list()
        for person in (None, "id")
    )

    assert records == [4, 3, 7]
    assert people == [None, 3, None]  # ward B is there because three are in it, so that the total would tell of A


def test_without_a_k_it_is_that_of_tables() -> None:
    assert bb.aggregate(DONORS, bb.Plan([bb.Aggregate(["salary"])])).rules == bb.tabulate(DONORS, ["salary"]).rules


def test_no_value_that_only_suppressed_records_have_is_a_category() -> None:
    plan = bb.Plan([bb.SuppressRecords({"ward": "B"}), bb.Aggregate(["ward"])], [bb.KAnonymity(2)])

    assert "B" not in bb.aggregate(PEOPLE, plan).to_frame()["ward"].to_list()


COUNTING = bb.Aggregate(["ward"])


@pytest.mark.parametrize(
    ("key", "plan"),
    [
        ("plan.aggregate-last", lambda: bb.Plan([COUNTING, bb.SuppressRecords({"days": "1"})])),
        ("plan.aggregate-last", lambda: bb.Plan([COUNTING, bb.Aggregate(["days"])])),
        ("plan.overlap", lambda: bb.Plan([bb.Swap(["ward"]), COUNTING])),
        ("plan.wrong-role", lambda: bb.Plan([COUNTING], identifiers=["ward"])),
        ("plan.aggregate-criterion", lambda: bb.Plan([COUNTING], [bb.LDiversity(2)], ["ward"], ["days"])),
        ("plan.aggregate-levels", lambda: bb.Aggregate(["ward"], levels={"days": [1]})),
        ("plan.aggregate-level-list", lambda: bb.Aggregate(["ward"], levels={"ward": 1})),
        ("plan.no-aggregation", lambda: bb.aggregate(PEOPLE, bb.Plan(quasi=["ward"]))),
        ("column.missing", lambda: bb.aggregate(PEOPLE.drop("ward"), bb.Plan([COUNTING]))),
        ("input.empty", lambda: bb.aggregate(PEOPLE.clear(), bb.Plan([COUNTING]))),
        ("plan.wrong-role", lambda: bb.aggregate(PEOPLE, bb.Plan([COUNTING]), schema=IDENTIFIED)),
    ],
)
def test_what_makes_no_sense_is_said(key, plan) -> None:
    with refused(key):
        plan()


IDENTIFIED = bb.Schema({"ward": bb.ColumnSchema("identifier")})


@pytest.mark.parametrize(
    "use",
    [
        lambda plan, _: bb.apply(PEOPLE, plan),
        lambda plan, _: bb.preview(PEOPLE, plan),
        lambda plan, folder: bb.publish(PEOPLE, plan, folder / "release"),
        lambda plan, _: bb.utility(PEOPLE, PEOPLE, plan=plan),
        lambda plan, _: bb.guarantees(plan),
    ],
    ids=["apply", "preview", "publish", "utility", "guarantees"],
)
def test_whatever_makes_or_measures_records_says_what_makes_tables(use, tmp_path) -> None:
    with refused("plan.aggregated", "bb.aggregate", "apply"):
        use(bb.Plan([COUNTING], [bb.KAnonymity(2)], ["ward"]), tmp_path)
    assert list(tmp_path.iterdir()) == []
