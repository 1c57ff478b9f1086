"""Whatever a plan does to whatever table, there is a result, in numbers."""

import json

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from small_tables import SmallTable, criteria_lists, small_tables

import biombo as bb
from biombo._utility import as_json

VALUES = st.sampled_from(["1", "2.5", "-3", "0", "[0, 5)", "20-29", "≥ 90", "*", "x", "", None])
tables = st.integers(1, 8).flatmap(lambda rows: st.tuples(*[st.lists(VALUES, min_size=rows, max_size=rows)] * 2))


@settings(max_examples=60)
@given(small_tables(), criteria_lists, st.booleans())
def test_a_plan_of_the_search(table: SmallTable, criteria: list[bb.Criterion], masking: bool) -> None:
    original = pl.DataFrame({name: column.decoded() for name, column in table.data.columns.items()})
    for ranked in bb.search(table.data, criteria, max_suppression=0.9, plans=2, **table.options):
        operations = [*ranked.plan.operations[:-1], bb.MaskGroups()] if masking else ranked.plan.operations
        plan = bb.Plan(operations, ranked.plan.criteria, ranked.plan.quasi, ranked.plan.sensitive)
        try:
            release = bb.apply(original, plan).data
        except bb.SuppressionError:
            continue

        found = bb.utility(original, release, plan=plan)

        json.dumps(as_json(found), allow_nan=False)
        assert found.measures.completeness == pytest.approx(release.height / original.height)
        if release.height == original.height and not masking:
            for each in found.distances:
                lost = 1 if "nothing-told" in each.reasons else 0
                assert each.total_variation == pytest.approx(lost, abs=1e-12)


@settings(max_examples=150)
@example(((["x"], ["x"])), (["1"], ["1"]), "discrete")
@example(((["1"], ["1"])), (["x"], ["x"]), "discrete")
@given(tables, tables, st.sampled_from(["categorical", "discrete", "continuous"]))
def test_two_tables_that_have_little_to_do_with_each_other(
    before: tuple[list[str | None], ...], after: tuple[list[str | None], ...], kind: str
) -> None:
    original, release = (
        pl.DataFrame({"a": table[0], "b": table[1]}, schema={"a": pl.String, "b": pl.String})
        for table in (before, after)
    )

    found = bb.utility(original, release, schema=bb.Schema({"a": bb.ColumnSchema(type=kind)}))  # type: ignore[arg-type]

    json.dumps(as_json(found), allow_nan=False)
    for each in found.distances:
        assert each.total_variation is None or 0 <= each.total_variation <= 1
    for pair in found.associations.pairs:
        assert -1 <= pair.original <= 1
        assert -1 <= pair.release <= 1
