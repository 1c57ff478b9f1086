"""A table judged by its rows that count is the table without the others."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from counting import counted
from hypothesis import given
from hypothesis import strategies as st
from small_tables import SINGLE_CRITERIA, SmallTable, small_tables

import biombo as bb
from biombo._criteria import as_json


@given(small_tables(rows=30), st.data())
def test_rows_that_do_not_count_are_as_if_they_were_not_there(table: SmallTable, more: st.DataObject) -> None:
    rows = len(table.rows)
    keep = np.array(more.draw(st.lists(st.booleans(), min_size=rows, max_size=rows).filter(any)))
    rest = replace(table, rows=tuple(row for row, kept in zip(table.rows, keep, strict=True) if kept))
    asked = {"quasi": table.quasi, "sensitive": "disease"}

    found = bb.judge(table.data, SINGLE_CRITERIA, **asked, keep=keep)
    expected = bb.judge(rest.data, SINGLE_CRITERIA, **asked)

    for one, other in zip(as_json(found)["criteria"], as_json(expected)["criteria"], strict=True):
        assert one.pop("achieved") == pytest.approx(other.pop("achieved"), abs=1e-12)
        assert one == other
    assert found.failing_rows()[keep].tolist() == expected.failing_rows().tolist()


INCOMES = pl.DataFrame({"town": ["X", "A", "A", "B"], "income": ["9", "10", "200", "10"]})
ROLES = {"town": bb.ColumnSchema(role="quasi"), "income": bb.ColumnSchema(role="sensitive")}


def test_a_value_that_only_dropped_records_have_makes_no_others_closer() -> None:
    criteria = [bb.KAnonymity(1), bb.TCloseness(0.2, kind="ordered", column="income")]
    plan = bb.Plan([bb.DropInvalid({"town": ["X"]})], criteria, quasi=["town"], sensitive=["income"])
    far = bb.judge(INCOMES[1:], criteria, quasi=["town"], sensitive="income").verdicts[1]
    assert far.achieved == pytest.approx(1 / 3)

    applied = bb.apply(INCOMES, plan)

    assert applied.judgement.verdicts[1].achieved == far.achieved
    assert not applied.judgement.holds


@pytest.mark.parametrize("reading", [lambda data: data, counted], ids=["rows", "tuples"])
def test_a_value_that_only_dropped_records_have_needs_no_order_and_no_group(
    reading: Callable[[bb.Dataset], bb.Dataset],
) -> None:
    data = reading(bb.read(INCOMES.with_columns(income=pl.Series(["much", "10", "200", "10"])), bb.Schema(ROLES)))
    keep = data["town"].codes != data["town"].values.to_list().index("X")
    groups = bb.Hierarchy.by_hand({"low": ["10"], "high": ["200"]})
    criteria = [
        bb.TCloseness(0.5, kind="ordered"),
        bb.TCloseness(0.5, kind="hierarchical", column="income", hierarchy=groups),
    ]
    judged = bb.judge(data, criteria, quasi=["town"], sensitive="income", keep=keep)
    assert [verdict.achieved for verdict in judged.verdicts] == pytest.approx([1 / 3, 1 / 3])
