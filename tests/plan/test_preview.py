"""A look at what a plan would do, which writes nothing."""

import json
import math
from datetime import date

import hypothesis.strategies as st
import polars as pl
import pytest
from hypothesis import given
from plain_plan import applied, group_of
from refusal import refused

import biombo as bb

VALUES = st.sampled_from(["31", "38", "62", None])
RECORDS = st.lists(
    st.fixed_dictionaries({"name": st.sampled_from("AB"), "age": VALUES, "sex": st.sampled_from("FM")}),
    min_size=1,
    max_size=15,
)


@given(RECORDS, st.integers(1, 4), st.integers(1, 20), st.sampled_from([None, "name"]))
def test_it_shows_what_apply_gives_and_how_large_groups_are(records, k, rows, person) -> None:
    operations = [bb.Generalise("age", bb.Hierarchy.by_interval(10), 1)]
    plan = bb.Plan(operations, [bb.KAnonymity(k)], ["age", "sex"], identifiers=["name"], person=person)
    table = pl.DataFrame(records, {"name": pl.String, "age": pl.String, "sex": pl.String})
    seen = bb.preview(table, plan, rows)
    before, after = records, applied(records, plan)

    assert seen.before.to_dicts() == before[:rows]
    assert seen.after.to_dicts() == after[:rows]
    assert seen.dropped == (False,) * min(rows, len(records))
    assert seen.groups_before == sizes(before, before, plan, k)
    assert seen.groups_after == sizes(after, before, plan, k)


def sizes(records, originals, plan, k) -> bb.GroupSizes:
    people = [original["name"] for original in originals]
    found = {}
    for record in records:
        group = group_of(record, records, plan)
        members = [n for n, each in enumerate(records) if each in group]
        size = len(members) if plan.person is None else len({people[n] for n in members})
        found[tuple(record[name] for name in plan.quasi)] = (size, len(members))
    below = [members for size, members in found.values() if size < k]
    return bb.GroupSizes(min(size for size, _ in found.values()), len(below), sum(below))


def test_records_that_do_not_come_out_are_marked(people, plan) -> None:
    seen = bb.preview(people, plan)

    assert seen.dropped == (False, False, False, False, True, True)
    assert seen.after.rows()[4:] == [(None,) * 4] * 2
    assert seen.after[:4].equals(bb.apply(people, plan, keep_order=True).data)
    assert (seen.groups_before, seen.groups_after) == (bb.GroupSizes(1, 6, 6), bb.GroupSizes(2, 0, 0))


def test_suppressed_columns_count_before_and_not_after(people) -> None:
    plan = bb.Plan([bb.SuppressColumn("age"), bb.SuppressColumn("zip")], quasi=["sex", "age", "zip"])
    seen = bb.preview(people, plan, 1)

    assert (seen.k, seen.groups_before, seen.groups_after) == (2, bb.GroupSizes(1, 6, 6), bb.GroupSizes(2, 0, 0))


def test_columns_that_are_new_count_after_and_not_before() -> None:
    table = pl.DataFrame({"a": ["2024-01-01"] * 2, "b": ["2024-01-05", "2024-01-09"]})
    seen = bb.preview(table, bb.Plan([bb.DeriveDuration("a", "b", "stay")], quasi=["stay"]))

    assert seen.after.columns == ["stay"]
    assert (seen.groups_before, seen.groups_after) == (None, bb.GroupSizes(1, 2, 2))


def test_without_quasi_columns_there_are_no_groups(people) -> None:
    seen = bb.preview(people, bb.Plan([bb.SuppressColumn("age")]), keep=["sex"])

    assert (seen.groups_before, seen.groups_after) == (None, None)


def test_rows_are_those_of_the_first_parts() -> None:
    parts = [pl.DataFrame({"x": [str(n), None]}) for n in range(4)]
    seen = bb.preview(parts, bb.Plan([bb.Round("x", 2)]), rows=5)

    assert seen.before["x"].to_list() == ["0", None, "1", None, "2"]
    assert seen.after["x"].to_list() == ["0", None, "2", None, "2"]


def test_what_apply_refuses_it_refuses(people, plan) -> None:
    with refused("column.missing", "'height'"):
        bb.preview(people, bb.Plan([bb.Round("height", 5)]))
    last_is_wrong = pl.DataFrame({"x": ["1", "2", "three"]})
    with refused("plan.not-exact", "'three'"):
        bb.preview(last_is_wrong, bb.Plan([bb.Round("x", 5)]), rows=1)
    with pytest.raises(bb.SuppressionError):
        bb.preview(people, bb.Plan(plan.operations, [bb.KAnonymity(3)], plan.quasi))


@pytest.mark.parametrize("rows", [0, -1, 2.5, True, "10"])
def test_the_number_of_rows_is_checked(people, rows) -> None:
    with refused("plan.preview-rows", repr(rows)):
        bb.preview(people, bb.Plan(), rows)


def test_it_is_plain_values_for_json() -> None:
    table = pl.DataFrame({"x": [1.5, float("nan")], "n": [1, 2], "day": [date(2024, 1, 31), None], "yes": [True, None]})
    seen = bb.preview(table, bb.Plan([bb.SuppressRecords({"n": "2"})]), keep=table.columns)

    assert json.loads(json.dumps(seen.as_json(), allow_nan=False)) == {
        "source": "the Polars table",
        "before": [
            {"x": 1.5, "n": 1, "day": "2024-01-31", "yes": True},
            {"x": None, "n": 2, "day": None, "yes": None},
        ],
        "after": [{"x": 1.5, "n": 1, "day": "2024-01-31", "yes": True}, None],
        "k": 2,
        "groups_before": None,
        "groups_after": None,
        "privacy": None,
        "noised": [],
        "undecided": [],
        "became_constant": [],
        "moves": {},
    }


def test_what_noise_will_cost_is_told() -> None:
    table = pl.DataFrame({"age": [31, 34], "weight": [60.0, 71.5], "height": [1.6, 1.7]})
    noise = [bb.Geometric("age", 2, (0, 110)), bb.AddNoise("weight", 3), bb.AddNoise("height", 3, "normal")]
    plan = bb.Plan(noise)
    seen = bb.preview(table, plan)

    assert seen.privacy == bb.guarantees(plan, columns=table.columns)
    assert seen.moves == {"weight": 1.5, "height": pytest.approx(3 * (2 / math.pi) ** 0.5)}
    assert seen.as_json()["privacy"]["epsilon_of_record"] == 2


@pytest.mark.parametrize("kind", ["uniform", "normal"])
def test_noise_moves_values_as_far_as_is_told(kind) -> None:
    """On average over so many draws that a tenth is more than ten deviations."""
    plan = bb.Plan([bb.AddNoise("x", 2, kind, decimals=6)])
    moved = bb.apply(pl.DataFrame({"x": [0.0] * 20_000}), plan).data["x"].abs().mean()

    assert moved == pytest.approx(bb.preview(pl.DataFrame({"x": [0.0]}), plan).moves["x"], rel=0.1)
