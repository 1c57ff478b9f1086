"""The measures of a release are those that the search gives to the plan."""

from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given, settings
from small_tables import SmallTable, criteria_lists, shares, small_tables

import biombo as bb
from biombo._utility import NAMES, Tables, measures_of

HALVES = bb.Hierarchy.by_hand({"low": ["1", "2"], "high": ["3", "4"]})


@settings(max_examples=50)
@given(small_tables(), criteria_lists, shares)
def test_a_plan_of_the_search_costs_what_the_search_said(
    table: SmallTable, criteria: list[bb.Criterion], share: float
) -> None:
    for ranked in bb.search(table.data, criteria, max_suppression=share, plans=3, **table.options):
        if ranked.suppressed == len(table.rows):
            continue
        released = bb.apply(table.data.decoded(), ranked.plan).data
        found = measures_of(Tables.of(table.data, released, ranked.plan, None), None, table.loss_domain)

        assert {name: getattr(found, name) for name in NAMES} == pytest.approx(
            {name: getattr(ranked, name) for name in NAMES}
        )
        assert found.column_loss == pytest.approx(ranked.column_loss)


def table_of(*values: str, sex: str = "FM") -> pl.DataFrame:
    return pl.DataFrame({"x": list(values), "sex": [sex[place % len(sex)] for place in range(len(values))]})


def test_masked_records_stay_but_tell_nothing() -> None:
    table = table_of("1", "2", "1", "3", "4", "4", sex="F")
    dropping = bb.Plan([bb.Generalise("x", HALVES, 1), bb.SuppressRecords({"x": "high"})], quasi=["x", "sex"])
    masking = bb.Plan([bb.MaskGroups()], [bb.KAnonymity(2)], quasi=["x", "sex"])

    dropped, masked = (
        bb.utility(table, bb.apply(table, plan).data, plan=plan).measures for plan in (dropping, masking)
    )

    assert dropped.completeness == 0.5
    assert dropped.precision == pytest.approx(1 - (0.5 + 0.5 * (1 / 2 + 0) / 2))
    assert (masked.completeness, masked.masked) == (1, 2)
    assert masked.precision == pytest.approx(1 - 2 / 6)
    assert masked.discernibility == 2**2 + 2**2 + 6 * 2


def test_a_column_that_is_removed_is_lost_altogether() -> None:
    table = table_of("1", "2", "3", "4")
    plan = bb.Plan([bb.SuppressColumn("x")], quasi=["x", "sex"])

    found = bb.utility(table, table.drop("x"), plan=plan)

    assert found.removed == ("x",)
    assert found.measures.column_loss == {"x": 1, "sex": 0}
    assert found.measures.precision == 0.5
    assert found.measures.class_size == 2


def test_records_that_no_sample_was_to_have_are_not_lost() -> None:
    table = table_of("1", "2", "3", "4", "1", "2", "3", "4")
    plan = bb.Plan([bb.Sample(records=4)], quasi=["x", "sex"])

    applied = bb.apply(table, plan)
    found = bb.utility(table, applied.data, plan=plan, outcome=applied.outcome).measures

    assert (found.completeness, found.precision, found.loss) == (1, 1, 0)


def test_what_measures_do_not_see_is_said() -> None:
    table = table_of("1", "2", "3", "4")
    plan = bb.Plan([bb.Round("x", 2)], quasi=["x", "sex"])

    found = bb.utility(table, bb.apply(table, plan).data, plan=plan).measures

    assert found.unseen == {"x": "round"}
    assert found.precision == 1


def test_without_a_plan_the_groups_of_the_release_are_measured() -> None:
    table = table_of("1", "2", "1", "2", "3")
    schema = bb.Schema({name: bb.ColumnSchema(role="quasi") for name in ("x", "sex")})

    found = bb.utility(table, table.head(4), schema=schema).measures

    assert (found.completeness, found.discernibility, found.class_size) == (0.8, 2**2 + 2**2 + 5, 5 / 3)
    assert found.reasons == dict.fromkeys(("precision", "loss", "granularity", "entropy"), "no-plan")


def test_without_quasi_columns_only_records_are_counted() -> None:
    table = table_of("1", "2", "3", "4")

    found = bb.utility(table, table.head(3)).measures

    assert found.completeness == 0.75
    assert set(found.reasons) == set(NAMES) - {"completeness"}
    assert set(found.reasons.values()) == {"no-quasi"}


@pytest.mark.parametrize("roles", [{}, {"x": bb.ColumnSchema(role="quasi")}])
def test_a_release_with_more_records_than_its_original_has_no_completeness(roles: dict[str, bb.ColumnSchema]) -> None:
    table = table_of("1", "2", "3", "4")

    found = bb.utility(table.head(3), table, schema=bb.Schema(roles)).measures

    assert found.completeness is None
    assert found.reasons["completeness"] == "more-records"


def test_the_limit_of_the_plan_does_not_matter_any_more(people: pl.DataFrame, plan: bb.Plan) -> None:
    strict = replace(plan, criteria=(bb.KAnonymity(40),), max_suppression=0.0)

    released = bb.apply(people, replace(strict, max_suppression=1.0)).data

    assert bb.utility(people, released, plan=strict).measures.completeness < 1


def test_the_average_group_of_a_hand_made_table() -> None:
    values = ["1", "2", "3", "4", "1"]
    found = bb.utility(table_of(*values, sex="F"), table_of(*values), plan=bb.Plan(quasi=["x"])).measures
    assert found.class_size == 5 / 4
    assert found.entropy == 0
