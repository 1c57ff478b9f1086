"""Columns that are left out, and what that means for criteria (PDPC 2018, section 6)."""

import polars as pl
import pytest
from refusal import refused

import biombo as bb


def test_the_worked_table_of_the_guide() -> None:
    scores = pl.DataFrame(
        {
            "student": ["John", "Yong", "Ming", "Poh", "Linnie", "Jake"],
            "trainer": ["Tina", "Tina", "Tina", "Huang", "Huang", "Huang"],
            "score": [87, 56, 92, 83, 45, 67],
        }
    )
    applied = bb.apply(scores, bb.Plan([bb.SuppressColumn("student")]), keep=["trainer", "score"], keep_order=True)

    assert applied.data.equals(scores.drop("student"))


def test_criteria_are_judged_without_a_quasi_column_that_nobody_sees(people) -> None:
    plan = bb.Plan(
        [bb.SuppressColumn("age"), bb.SuppressColumn("zip"), bb.SuppressGroups()],
        [bb.KAnonymity(2)],
        ["sex", "age", "zip"],
        identifiers=["name"],
    )
    applied = bb.apply(people, plan, keep=["disease"])

    assert applied.data.columns == ["sex", "disease"]
    assert (applied.suppressed, applied.holds) == (0, True)
    assert applied.judgement.verdicts[0].achieved == 2


def test_criteria_are_judged_without_a_sensitive_column_that_nobody_sees(people) -> None:
    alike = people.with_columns(ward=pl.lit("A"))
    plan = bb.Plan([bb.SuppressColumn("ward")], [bb.LDiversity(2)], ["sex"], ["disease", "ward"], ["name"])

    assert bb.apply(alike, plan).holds
    assert not bb.apply(alike, bb.Plan((), plan.criteria, plan.quasi, plan.sensitive, plan.identifiers)).holds


def test_a_column_that_only_the_schema_gives_a_role_is_left_out_too(people) -> None:
    schema = bb.Schema({"sex": bb.ColumnSchema(role="quasi"), "age": bb.ColumnSchema(role="quasi")})
    applied = bb.apply(people, bb.Plan([bb.SuppressColumn("age")], [bb.KAnonymity(2)]), schema=schema)

    assert "age" not in applied.data.columns
    assert applied.holds


@pytest.mark.parametrize(
    "criterion",
    [bb.KAnonymity(2, quasi=["sex", "age"]), bb.LDiversity(2, column="age"), bb.LDiversity(2, quasi=["age"])],
)
def test_a_criterion_about_a_column_that_is_removed_is_refused(criterion) -> None:
    with refused("plan.criterion-removed", "'age'", "suppress-column"):
        bb.Plan([bb.SuppressColumn("age")], [criterion], ["sex"])


def test_criteria_without_any_quasi_column_left_are_refused() -> None:
    with refused("plan.no-quasi-left"):
        bb.Plan([bb.SuppressColumn("age"), bb.SuppressColumn("sex")], [bb.KAnonymity(2)], ["sex", "age"])
    bb.Plan([bb.SuppressColumn("age"), bb.SuppressColumn("sex")], (), ["sex", "age"])


def test_a_column_that_does_not_exist_is_refused(people) -> None:
    with refused("column.missing-close", "'ages'", "'age'"):
        bb.apply(people, bb.Plan([bb.SuppressColumn("ages")]))


def test_nothing_left_is_refused() -> None:
    with refused("plan.no-columns"):
        bb.apply(pl.DataFrame({"a": [1], "b": [2]}), bb.Plan([bb.SuppressColumn("a"), bb.SuppressColumn("b")]))


def test_a_column_that_is_changed_as_well_is_refused() -> None:
    with refused("plan.overlap", "'age'", "suppress-column", "generalise"):
        bb.Plan([bb.SuppressColumn("age"), bb.Generalise("age", bb.Hierarchy.by_interval(5), 1)])
