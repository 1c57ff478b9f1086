"""Records that say the same, kept once."""

from collections import Counter

import hypothesis.strategies as st
import polars as pl
import pytest
from hypothesis import given
from refusal import refused

import biombo as bb


@given(
    st.lists(st.tuples(st.sampled_from(["1", "01", None]), st.sampled_from([1, None]), st.booleans()), min_size=1),
    st.sampled_from([None, ["a"], ["b", "c"], ["a", "b", "c"]]),
)
def test_one_of_those_that_agree_is_kept_whatever_their_order(records, columns) -> None:
    table = pl.DataFrame(records, {"a": pl.String, "b": pl.Int64, "c": pl.Boolean}, orient="row")
    plan = bb.Plan([bb.DropDuplicates(columns)])
    kept, backwards = (bb.apply(rows, plan, keep=table.columns) for rows in (table, table.reverse()))
    agreeing = columns or table.columns

    assert Counter(kept.data.select(agreeing).rows()) == Counter(set(table.select(agreeing).rows()))
    assert Counter(kept.data.rows()) <= Counter(table.rows())
    assert Counter(kept.data.rows()) == Counter(backwards.data.rows())
    assert (kept.duplicates, kept.suppressed) == (table.height - kept.rows, 0)


@pytest.mark.parametrize("identifiers", [["name"], []])
def test_columns_that_are_not_released_count_where_none_is_named(identifiers) -> None:
    table = pl.DataFrame({"name": ["Ana", "Bia", "Ana"], "disease": ["flu"] * 3})
    applied = bb.apply(table, bb.Plan([bb.DropDuplicates()], sensitive=["disease"], identifiers=identifiers))

    assert (applied.data.to_dict(as_series=False), applied.duplicates) == ({"disease": ["flu", "flu"]}, 1)


def test_values_are_compared_as_the_operations_before_left_them() -> None:
    table = pl.DataFrame({"age": ["31", "35", "62"]})
    tens = bb.Generalise("age", bb.Hierarchy.by_interval(10), 1)

    assert bb.apply(table, bb.Plan([tens, bb.DropDuplicates()])).duplicates == 1
    assert bb.apply(table, bb.Plan([bb.DropDuplicates(), tens])).duplicates == 0


def test_a_suppressed_record_hides_no_other() -> None:
    table = pl.DataFrame({"group": ["a", "b", "b"], "value": ["x", "x", "y"]})
    plan = bb.Plan([bb.SuppressGroups(), bb.DropDuplicates(["value"])], [bb.KAnonymity(2)], ["group"])
    applied = bb.apply(table, plan, keep=["value"], keep_order=True)

    assert (applied.data.rows(), applied.suppressed, applied.duplicates) == ([("b", "x"), ("b", "y")], 1, 0)


def test_bad_entries() -> None:
    with refused("plan.no-column-named", "drop-duplicates"):
        bb.DropDuplicates([])
    with refused("usage.string-for-list", "columns"):
        bb.DropDuplicates("name")
    with refused("column.missing-close", "'nme'"):
        bb.apply(pl.DataFrame({"name": ["Ana"]}), bb.Plan([bb.DropDuplicates(["nme"])]))
