"""Searches on counted tuples find what they find on the rows that these stand for."""

from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from counting import counted
from hypothesis import given, settings
from hypothesis import strategies as st
from small_tables import SINGLE_CRITERIA, SmallTable, criteria_lists, policies, shares, small_tables

import biombo as bb
from biombo._data import read_counted
from biombo._search import (
    as_json,
    explanation_as_json,
    explanations,
    frontier_as_json,
    minimal_as_json,
)


def outcome(data: bb.Dataset, criteria: list[bb.Criterion], **asked: Any) -> dict[str, Any]:
    """Everything that a search finds."""
    found = bb.search(data, criteria, plans=50, **asked)
    plans = {key: value for key, value in as_json(found).items() if key != "checked"}  # threads spare each other nodes
    told = {"found": plans, "reasons": [explanation_as_json(each) for each in explanations(found)]}
    if isinstance(found, bb.SearchResult):
        assert 0 <= as_json(found)["checked"] <= as_json(found)["lattice"]
        told["minimal"] = minimal_as_json(found)
        told["examples"] = [column.example(column.height) for column in found.question.columns]
    return told


def outcome_or_refusal(data: bb.Dataset, criteria: list[bb.Criterion], **asked: Any) -> dict[str, Any] | str:
    try:
        return outcome(data, criteria, **asked)
    except bb.BiomboError as error:
        return str(error)


@settings(max_examples=60)
@given(small_tables(rows=40), criteria_lists, shares, policies)
def test_the_plans_are_the_same(table: SmallTable, criteria: list[bb.Criterion], share: float, policy: str) -> None:
    asked = {**table.options, "max_suppression": share, "prefer": policy}
    assert outcome(counted(table.data), criteria, **asked) == outcome(table.data, criteria, **asked)


@settings(max_examples=30)
@given(small_tables(rows=40), criteria_lists, shares)
def test_the_plans_are_the_same_in_slices(table: SmallTable, criteria: list[bb.Criterion], share: float) -> None:
    asked = {**table.options, "max_suppression": share}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("biombo._search.exploration.CHEAP", 0)
        assert outcome(counted(table.data), criteria, **asked) == outcome(table.data, criteria, **asked)


@settings(max_examples=30)
@given(small_tables(rows=40), st.sampled_from(SINGLE_CRITERIA))
def test_the_frontier_is_the_same(table: SmallTable, criterion: bb.Criterion) -> None:
    of_each = [
        bb.frontier(data, criterion, ks=[2, 3, 5], limits=[0, 0.1, 0.4], **table.options)
        for data in (table.data, counted(table.data))
    ]
    assert frontier_as_json(of_each[0]) == frontier_as_json(of_each[1])


@settings(max_examples=30)
@given(small_tables(rows=40, columns=3), st.booleans(), st.sampled_from([0.0, 0.3]))
def test_several_sets_are_the_same(table: SmallTable, overlap: bool, share: float) -> None:
    first, *others = table.quasi
    if not others:
        return
    sets = [[first], [first, *others] if overlap else others]
    criteria = [bb.KAnonymity(2, quasi=quasi) for quasi in sets]
    asked = {**table.options, "max_suppression": 0.0 if overlap else share}
    assert outcome(counted(table.data), criteria, **asked) == outcome(table.data, criteria, **asked)


@settings(max_examples=30)
@given(small_tables(rows=40), criteria_lists, shares)
def test_records_with_invalid_values_are_left_out_alike(
    table: SmallTable, criteria: list[bb.Criterion], share: float
) -> None:
    columns = {"q0": bb.ColumnSchema(invalid=frozenset({"a", None}))}
    data = replace(table.data, schema=replace(table.data.schema, columns=columns))
    asked = {**table.options, "max_suppression": share, "drop_invalid": True}
    assert outcome_or_refusal(counted(data), criteria, **asked) == outcome_or_refusal(data, criteria, **asked)


def test_k_may_be_as_large_as_there_are_records() -> None:
    data = read_counted(pl.DataFrame({"q": ["a", "a", "a", "b"]}))
    hierarchies = {"q": bb.Hierarchy.all_or_nothing()}
    assert bb.search(data, bb.KAnonymity(4), quasi=["q"], hierarchies=hierarchies)[0].levels == {"q": 1}
    with pytest.raises(bb.UsageError, match="4"):
        bb.search(data, bb.KAnonymity(5), quasi=["q"], hierarchies=hierarchies)
