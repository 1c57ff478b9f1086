"""A plan that selects records does what the rest of it does to a table that never had any others."""

from collections import Counter
from typing import Any

import hypothesis.strategies as st
import polars as pl
import pytest
from examples import examples
from hypothesis import given
from partition_engine import PartitionEngine
from selections import Where, beforehand, frames, wheres

import biombo as bb
from biombo._criteria import as_json
from biombo._engine import LOCAL, NAMES, Engine

pytestmark = pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")

ENGINES = [LOCAL, PartitionEngine(4)]
OPERATIONS = [
    bb.DropInvalid({"ill": ["999"]}),
    bb.SuppressRecords({"age": {"above": 40}}),
    bb.DropDuplicates(["sex", "ill"]),
    bb.Generalise("age", bb.Hierarchy.by_interval(10), 1),
]
GROUPS = [bb.SuppressGroups(), bb.MaskGroups(), bb.MaskGroups(if_failing="drop")]
CRITERIA = [bb.KAnonymity(2), bb.LDiversity(2), bb.TCloseness(0.4), bb.Vulnerability(0.7), bb.Leakage(0.3)]
FEW = ("input.none-selected", "plan.few-selected")


@st.composite
def plans(draw: st.DrawFn) -> bb.Plan:
    operations = draw(st.lists(st.sampled_from(OPERATIONS), max_size=2, unique_by=id))
    return bb.Plan(
        [*operations, *draw(st.lists(st.sampled_from(GROUPS), max_size=1))],
        draw(st.lists(st.sampled_from(CRITERIA), min_size=1, max_size=3, unique_by=type)),
        ["sex", "age"],
        ["ill"],
        person=draw(st.sampled_from([None, "who"])),
        max_suppression=draw(st.sampled_from([None, 0.3])),
    )


def told(table: pl.DataFrame, plan: bb.Plan, engine: Engine, **how: Any) -> Any:
    """All that comes of a plan, but for what the table and the plan are called."""
    try:
        applied = bb.apply(table, plan, engine=engine, **how)
    except bb.BiomboError as error:
        return error.key
    return {
        "records": Counter(map(str, applied.data.rows())),
        "types": applied.data.schema,
        "numbers": {name: (getattr(applied, name), applied.people[name]) for name in NAMES},
        "judgement": None if applied.judgement is None else as_json(applied.judgement),
        "outcome": applied.outcome.total,
    }


def previewed(table: pl.DataFrame, plan: bb.Plan) -> Any:
    try:
        return {name: value for name, value in bb.preview(table, plan).as_json().items() if name != "source"}
    except bb.BiomboError as error:
        return error.key


@pytest.mark.parametrize("engine", ENGINES, ids=["local", "partitions"])
@examples(40)
@given(table=frames(), where=wheres, plan=plans())
def test_a_plan_does_to_the_selected_what_it_does_to_a_table_of_them(engine, table, where, plan) -> None:
    selecting = plan.selecting([bb.SelectRecords(where)])
    found, expected = told(table, selecting, engine), told(beforehand(table, where), plan, engine)
    if found in FEW:
        assert _too_few(table, where, plan)
    else:
        assert not _too_few(table, where, plan)
        assert found == expected


@examples(25)
@given(table=frames(), where=wheres, plan=plans())
def test_so_does_its_preview(table, where, plan) -> None:
    found = previewed(table, plan.selecting([bb.SelectRecords(where)]))
    if found in FEW:
        assert _too_few(table, where, plan)
    else:
        assert found == previewed(beforehand(table, where), plan)


def _too_few(table: pl.DataFrame, where: Where, plan: bb.Plan) -> bool:
    """Is there nobody, or are there fewer people than each group must have?"""
    asked = max((each.group_size or 1 for each in plan.criteria), default=1)
    selected = beforehand(table, where)
    return (selected.height if plan.person is None else selected[plan.person].n_unique()) < asked


@examples(25)
@given(table=frames(), where=wheres, other=frames())
def test_it_makes_no_difference_who_else_there_is(table, where, other) -> None:
    """What comes out of two tables with the same selected records, and others besides, is the same."""
    plan = bb.Plan(
        [bb.SelectRecords(where), bb.SuppressGroups()],
        [bb.KAnonymity(2), bb.TCloseness(0.5)],
        ["sex", "age"],
        ["ill"],
    )
    selected = beforehand(table, where)
    others = other[[place for place in range(other.height) if beforehand(other[[place]], where).is_empty()]]

    assert told(table, plan, LOCAL) == told(pl.concat([others, selected]), plan, LOCAL)
