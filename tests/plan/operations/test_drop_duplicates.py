"""Records that say the same, kept once."""

import hypothesis.strategies as st
import polars as pl
import pytest
from hypothesis import given
from refusal import refused

import biombo as bb


def first_of_each(table: pl.DataFrame, columns: list[str]) -> pl.DataFrame:
    seen: set[object] = set()
    kept = []
    for row in table.iter_rows(named=True):
        values = tuple(row[column] for column in columns)
        if values not in seen:
            kept.append(row)
        seen.add(values)
    return pl.DataFrame(kept, table.schema)


@given(
    st.lists(st.tuples(st.sampled_from(["1", "01", None]), st.sampled_from([1, None]), st.booleans()), min_size=1),
    st.sampled_from([None, ["a"], ["b", "c"], ["a", "b", "c"]]),
)
def test_the_first_of_those_that_agree_is_kept(records, columns) -> None:
    table = pl.DataFrame(records, {"a": pl.String, "b": pl.Int64, "c": pl.Boolean}, orient="row")
    applied = bb.apply(table, bb.Plan([bb.DropDuplicates(columns)]), keep=table.columns, keep_order=True)
    expected = first_of_each(table, columns or table.columns)

    assert applied.data.rows() == expected.rows()
    assert (applied.duplicates, applied.suppressed) == (table.height - expected.height, 0)


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
