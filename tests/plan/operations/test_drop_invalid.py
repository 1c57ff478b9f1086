"""Records with invalid values, left out as if they had never been there."""

import hypothesis.strategies as st
import polars as pl
import pytest
from hypothesis import assume, given
from refusal import refused

import biombo as bb

records = st.lists(
    st.tuples(st.sampled_from(["31", "999", None]), st.sampled_from([1, 2, None]), st.sampled_from(["flu", "?"])),
    min_size=1,
    max_size=30,
)
INVALID = {"age": ["999", None], "city": ["2"]}
CRITERIA = [bb.TCloseness(0.3), bb.Leakage(0.1), bb.Leakage(0.2, over="table"), bb.KAnonymity(2), bb.LDiversity(2)]


def table_of(rows: list[tuple[str | None, int | None, str]]) -> pl.DataFrame:
    return pl.DataFrame(rows, {"age": pl.String, "city": pl.Int64, "disease": pl.String}, orient="row")


def valid(rows: list[tuple[str | None, int | None, str]]) -> list[tuple[str | None, int | None, str]]:
    return [row for row in rows if row[0] not in ("999", None) and row[1] != 2]


@given(records, st.sampled_from(CRITERIA), st.sampled_from([bb.SuppressGroups(), bb.MaskGroups(if_failing="drop")]))
def test_it_is_as_if_the_records_had_never_been_there(rows, criterion, protect) -> None:
    assume(valid(rows))
    plan = bb.Plan([protect], [criterion], quasi=["age", "city"], sensitive=["disease"])
    dropping = bb.Plan([bb.DropInvalid(INVALID), protect], [criterion], quasi=["age", "city"], sensitive=["disease"])
    try:
        expected = bb.apply(table_of(valid(rows)), plan, keep_order=True)
    except bb.BiomboError as error:
        with pytest.raises(type(error)):
            bb.apply(table_of(rows), dropping, keep_order=True)
        return
    applied = bb.apply(table_of(rows), dropping, keep_order=True)

    assert applied.data.rows() == expected.data.rows()
    assert (applied.suppressed, applied.masked) == (expected.suppressed, expected.masked)
    assert applied.invalid == len(rows) - len(valid(rows))
    (found,), (plainly,) = applied.judgement.verdicts, expected.judgement.verdicts
    assert (found.holds, found.achieved) == (plainly.holds, pytest.approx(plainly.achieved, abs=1e-9))


def test_what_is_left_out_does_not_count_towards_the_limit() -> None:
    table = table_of([("31", 1, "flu")] * 8 + [("999", 1, "flu")] * 8 + [("32", 1, "flu")])
    plan = bb.Plan([bb.DropInvalid(INVALID), bb.SuppressGroups()], [bb.KAnonymity(2)], ["age"], max_suppression=1 / 9)
    applied = bb.apply(table, plan)
    assert (applied.rows, applied.invalid, applied.suppressed) == (8, 8, 1)
    with pytest.raises(bb.BiomboError, match="of the 9"):
        bb.apply(table, bb.Plan(plan.operations, plan.criteria, plan.quasi, max_suppression=0.1))


def test_values_are_those_that_the_operations_before_left() -> None:
    table = pl.DataFrame({"age": ["31", "35", "62"]})
    tens = bb.Generalise("age", bb.Hierarchy.by_interval(10), 1)
    thirty = bb.DropInvalid({"age": ["31", "[30, 40)"]})
    assert bb.apply(table, bb.Plan([thirty, tens])).invalid == 1
    assert bb.apply(table, bb.Plan([tens, thirty])).invalid == 2


def test_a_record_that_was_suppressed_before_is_counted_once() -> None:
    table = pl.DataFrame({"age": ["999", "999", "31", "31", "62"]})
    both = [bb.SuppressRecords({"age": "62"}), bb.DropInvalid({"age": ["999", "62"]})]
    applied = bb.apply(table, bb.Plan(both), keep=["age"])
    assert (applied.rows, applied.suppressed, applied.invalid) == (2, 1, 2)


@pytest.mark.parametrize("values", [{"age": "999"}, {"age": []}, {"age": [999]}])
def test_bad_values(values) -> None:
    with refused("plan.where-values", "'age'"):
        bb.DropInvalid(values)


def test_no_values() -> None:
    with refused("plan.no-column-named", "drop-invalid"):
        bb.DropInvalid({})
