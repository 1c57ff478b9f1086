"""Columns that stay in the table without their values (PDPC 2018, section 6.3)."""

import hypothesis.strategies as st
import polars as pl
import pytest
from hypothesis import given, settings

import biombo as bb

SCORES = pl.DataFrame(
    {
        "student": ["John", "Yong", "Ming", "Poh", "Linnie", "Jake"],
        "trainer": ["Tina", "Tina", "Tina", "Huang", "Huang", "Huang"],
        "score": [87, 56, 92, 83, 45, 67],
    }
)


def test_the_worked_table_of_the_guide_with_its_structure() -> None:
    plan = bb.Plan([bb.ClearColumn("student")], identifiers=["student"])
    after = bb.apply(SCORES, plan, keep=["trainer", "score"], keep_order=True).data

    assert after.columns == SCORES.columns
    assert after["student"].null_count() == 6
    assert after.drop("student").equals(SCORES.drop("student"))


def test_a_file_has_the_column_and_nothing_in_it(tmp_path) -> None:
    plan = bb.Plan([bb.ClearColumn("student"), bb.ClearColumn("trainer", "x")])
    bb.apply(SCORES, plan, tmp_path / "out.csv", keep=["score"], keep_order=True)

    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert lines[:2] == ["student,trainer,score", ",x,87"]


@given(st.sampled_from(["", "*", "0"]), st.lists(st.integers() | st.none(), min_size=1, max_size=9))
@settings(max_examples=20, deadline=None)
def test_what_comes_out_does_not_depend_on_what_was_there(text, values) -> None:
    table = pl.DataFrame({"x": pl.Series([str(value) for value in values]), "y": ["a"] * len(values)})
    after = bb.apply(table, bb.Plan([bb.ClearColumn("x", text)]), keep=["y"]).data

    assert after["x"].to_list() == [text or None] * len(values)


def test_an_identifier_with_one_text_is_left_out_as_all_are() -> None:
    plan = bb.Plan([bb.ClearColumn("student", "x")], identifiers=["student"])

    assert bb.apply(SCORES, plan, keep=["trainer", "score"]).data.columns == ["trainer", "score"]


@pytest.mark.parametrize("text", ["", "*"])
def test_groups_are_those_without_the_column(text) -> None:
    plan = bb.Plan(
        [bb.ClearColumn("score", text)], [bb.KAnonymity(3)], quasi=["trainer", "score"], identifiers=["student"]
    )

    assert bb.apply(SCORES, plan).holds


def test_operations_before_it_may_read_it() -> None:
    plan = bb.Plan(
        [bb.SuppressRecords({"trainer": "Huang"}), bb.ClearColumn("trainer")],
        sensitive=["score"],
        identifiers=["student"],
    )

    assert bb.apply(SCORES, plan, keep_order=True).data.rows() == [(None, 87), (None, 56), (None, 92)]
