"""Operations one after the other: each takes what the one before it left."""

from pathlib import Path

import polars as pl
import pytest
from operation_examples import EXAMPLES, PEOPLE, QUASI, SENSITIVE
from refusal import refused

import biombo as bb
from biombo._plan import OPERATIONS

PARTS = [PEOPLE[:4], PEOPLE[4:]]
KEPT = ["age", "admitted"]


def operation_of(name: str) -> bb.Operation:
    return OPERATIONS[name].from_entries(EXAMPLES[name], Path())


def released(first: bb.Operation, second: bb.Operation) -> bb.Applied:
    return bb.apply(PARTS, plan_of(first, second), keep=KEPT)


def plan_of(first: bb.Operation, second: bb.Operation) -> bb.Plan:
    return bb.Plan([first, second], [bb.KAnonymity(2, quasi=["sex"])], QUASI, SENSITIVE)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::biombo._errors.BiomboWarning")
@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_any_two_operations_on_different_columns_can_be_combined(name) -> None:
    first = operation_of(name)
    for other in sorted(EXAMPLES):
        second = operation_of(other)
        if isinstance(second, bb.SelectRecords) and not isinstance(first, bb.SelectRecords):
            with refused("plan.late-selection", name):
                released(first, second)
            continue
        both = {*first.columns} & {*second.columns} or {*first.adds} & {*second.adds}
        if both and first.name not in second.follows:
            with pytest.raises(bb.BiomboError, match="|".join(both)):
                released(first, second)
            continue
        if isinstance(first, bb.Aggregate):
            with refused("plan.aggregate-last"):
                released(first, second)
            continue
        if isinstance(second, bb.Aggregate):
            assert bb.aggregate(pl.concat(PARTS), plan_of(first, second)).cube.records.max() <= PEOPLE.height
            continue
        applied = released(first, second)
        gone = applied.suppressed + applied.not_drawn + applied.duplicates + applied.invalid
        assert applied.rows + gone == PEOPLE.height - isinstance(first, bb.SelectRecords)
        assert applied.data.height == applied.rows
        removed, added = {*first.removes, *second.removes}, {*first.adds, *second.adds}
        spoken_of = {*QUASI, *SENSITIVE, *KEPT, *first.columns, *second.columns}
        assert set(applied.data.columns) == spoken_of - removed | added
        assert set(applied.unspoken) == {*PEOPLE.columns} - spoken_of


def test_a_record_that_is_gone_for_two_reasons_is_counted_once() -> None:
    table = pl.DataFrame({"city": ["A", "A", "B", "B"]})
    plan = bb.Plan([bb.Sample(records=3), bb.SuppressRecords({"city": ["A"]})], quasi=["city"])

    for _ in range(20):
        applied = bb.apply(table, plan)
        assert applied.rows + applied.not_drawn + applied.suppressed == 4
