"""Searching among the records without invalid values, as if the others had never been there."""

from dataclasses import replace

import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from refusal import refused
from small_tables import SmallTable, criteria_lists, policies, shares, small_tables

import biombo as bb

INVALID = {"q0": frozenset({"a", None}), "disease": frozenset({"colic"})}


def with_invalid(data: bb.Dataset) -> bb.Dataset:
    columns = {name: bb.ColumnSchema(invalid=values) for name, values in INVALID.items()}
    return replace(data, schema=bb.Schema(columns, person=data.schema.person))


def valid_part(table: SmallTable) -> SmallTable:
    rows = tuple(row for row in table.rows if row[0] not in INVALID["q0"] and row[-3] not in INVALID["disease"])
    assume(len(rows) > 1)
    return SmallTable(table.hierarchies, rows, table.with_people, table.loss_domain)


@settings(max_examples=40)
@given(small_tables(rows=15, columns=2), criteria_lists, shares, policies)
def test_plans_are_those_of_the_table_without_them(
    table: SmallTable, criteria: list[bb.Criterion], share: float, policy: str
) -> None:
    rest = valid_part(table)
    asked = {"max_suppression": share, "prefer": policy, "plans": 10_000}

    expected = bb.search(rest.data, criteria, **asked, **rest.options)
    found = bb.search(with_invalid(table.data), criteria, drop_invalid=True, **asked, **table.options)

    assert [dict(plan.levels) for plan in found] == [dict(plan.levels) for plan in expected]
    for one, other in zip(found, expected, strict=True):
        assert (one.suppressed, one.groups) == (other.suppressed, other.groups)
        assert (one.score, one.loss) == pytest.approx((other.score, other.loss))
    assert (found.records, found.dropped.rows) == (len(rest.rows), len(table.rows) - len(rest.rows))


@settings(max_examples=40)
@given(small_tables(rows=15, columns=2), criteria_lists, st.sampled_from([0.1, 0.5]))
def test_the_plan_leaves_the_same_records_out(table: SmallTable, criteria: list[bb.Criterion], share: float) -> None:
    rest = valid_part(table)
    found = bb.search(with_invalid(table.data), criteria, drop_invalid=True, max_suppression=share, **table.options)
    assume(found and found[0].suppressed < len(rest.rows))
    names = [*table.quasi, "disease", "income", "person"]
    rows = pl.DataFrame(list(table.rows), schema=dict.fromkeys(names, pl.String), orient="row")

    applied = bb.apply(rows, found[0].plan)

    assert applied.holds
    assert (applied.invalid, applied.suppressed) == (found.dropped.rows, found[0].suppressed)


def test_missing_and_invalid_values_stay_unless_asked(clinic: bb.Dataset) -> None:
    found = bb.search(clinic, bb.KAnonymity(2))
    assert found.dropped is None
    assert found.records == clinic.rows


def test_the_frontier_drops_them_too() -> None:
    ages = with_invalid(bb.read(pl.DataFrame({"q0": ["a", "b", "b", "c", "c"]})))
    asked = {"quasi": ["q0"], "hierarchies": {"q0": bb.Hierarchy.all_or_nothing()}, "ks": [2, 5], "limits": [0]}
    assert bb.frontier(ages, **asked).points[0].best.levels == {"q0": 1}
    valid = bb.frontier(ages, drop_invalid=True, **asked)
    assert (valid.ks, valid.points[0].best.levels) == ((2,), {"q0": 0})


def test_nothing_but_invalid_records() -> None:
    ages = with_invalid(bb.read(pl.DataFrame({"q0": ["a", "a"]})))
    with refused("attack.all-invalid", "'q0'"):
        bb.search(
            ages, bb.KAnonymity(1), quasi=["q0"], hierarchies={"q0": bb.Hierarchy.all_or_nothing()}, drop_invalid=True
        )


def test_what_would_stop_the_plan_stops_the_search() -> None:
    table = pl.DataFrame({"q0": ["a", "b", "b"], "town": ["nowhere", "x", "x"]})
    hierarchies = {"q0": bb.Hierarchy.all_or_nothing(), "town": bb.Hierarchy.by_hand({"*": ["x"]})}
    with refused("hierarchy.unknown-in-column", "'nowhere'"):
        bb.search(
            with_invalid(bb.read(table)),
            bb.KAnonymity(2),
            quasi=["q0", "town"],
            hierarchies=hierarchies,
            drop_invalid=True,
        )
