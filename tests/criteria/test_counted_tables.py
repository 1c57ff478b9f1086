"""Criteria on counted tuples say what they say of the rows that these stand for."""

import numpy as np
import pytest
from counting import counted
from hypothesis import given
from hypothesis import strategies as st
from small_tables import SINGLE_CRITERIA, SmallTable, criteria_lists, small_tables

import biombo as bb
from biombo._criteria import Verdict, rows_to_suppress
from biombo._criteria import as_json as judgement_as_json

Pair = tuple[bb.Dataset, bb.Dataset]


def facts(verdict: Verdict) -> tuple[object, ...]:
    causes = verdict.causes().to_dicts()
    return str(verdict), verdict.holds, verdict.achieved, verdict.groups, verdict.records, verdict.worst(50), causes


def rows_of(data: bb.Dataset, marked: np.ndarray) -> list[tuple[object, ...]]:
    """The records marked, sorted; of a counted table, each as often as it was counted."""
    counts = np.ones(data.rows, np.int64) if data.counts is None else data.counts
    codes = zip(*(column.codes.tolist() for column in data.columns.values()), strict=True)
    each = zip(codes, counts.tolist(), marked.tolist(), strict=True)
    return sorted(row for row, count, there in each if there for _ in range(count))


@given(small_tables(rows=40), criteria_lists)
def test_the_judgement_is_the_same(table: SmallTable, criteria: list[bb.Criterion]) -> None:
    data, tuples = table.data, counted(table.data)
    expected, found = (bb.judge(each, criteria, quasi=table.quasi, sensitive="disease") for each in (data, tuples))
    assert judgement_as_json(found) == judgement_as_json(expected)
    assert found.rows == expected.rows == len(table.rows)
    assert [facts(verdict) for verdict in found.verdicts] == [facts(verdict) for verdict in expected.verdicts]
    assert rows_of(tuples, found.failing_rows()) == rows_of(data, expected.failing_rows())


@given(small_tables(rows=40), criteria_lists, st.data())
def test_rows_left_out_or_suppressed_are_tuples(
    table: SmallTable, criteria: list[bb.Criterion], more: st.DataObject
) -> None:
    data, tuples = table.data, counted(table.data)
    chosen = more.draw(st.sampled_from(data["disease"].values.to_list()))
    other = more.draw(st.sampled_from(data["income"].values.to_list()))

    def judged(each: bb.Dataset) -> bb.Judgement:
        keep = each["disease"].codes == data["disease"].values.to_list().index(chosen)
        suppressed = each["income"].codes == data["income"].values.to_list().index(other)
        return bb.judge(each, criteria, quasi=table.quasi, sensitive="disease", keep=keep, suppressed=suppressed)

    expected, found = judged(data), judged(tuples)
    assert found.rows == expected.rows
    assert [str(verdict) for verdict in found.verdicts] == [str(verdict) for verdict in expected.verdicts]
    assert rows_of(tuples, found.failing_rows()) == rows_of(data, expected.failing_rows())


@given(small_tables(rows=40), st.sampled_from(SINGLE_CRITERIA))
def test_the_same_records_must_go(table: SmallTable, criterion: bb.Criterion) -> None:
    criteria = [bb.KAnonymity(3, quasi=table.quasi[:1]), criterion]
    data, tuples = table.data, counted(table.data)
    gone, counted_gone = (
        rows_to_suppress(each, criteria, quasi=table.quasi, sensitive=["disease"]) for each in (data, tuples)
    )
    assert rows_of(tuples, counted_gone) == rows_of(data, gone)
    assert tuples.records_in(counted_gone) == gone.sum()


def test_marks_are_one_for_each_tuple() -> None:
    tuples = counted(SmallTable(({"a": ()},), (("a", "flu", "9", "Ana"),) * 3).data)
    assert bb.judge(tuples, bb.KAnonymity(3), quasi=["q0"], keep=np.ones(1, bool)).holds
    with pytest.raises(bb.UsageError):
        bb.judge(tuples, bb.KAnonymity(3), quasi=["q0"], keep=np.ones(3, bool))
