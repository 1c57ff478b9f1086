"""Piles and releases that are too large for one task."""

import polars as pl
import pytest
from spark_engine import needs_spark, spark_engine

import biombo as bb

pytestmark = [needs_spark, pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")]

ROWS = 100
TABLE = pl.DataFrame({"x": range(ROWS), "city": ["AB"[number % 2] for number in range(ROWS)]})
ABOUT = {"quasi": ["city"], "sensitive": ["x"]}


@pytest.fixture(autouse=True)
def _heaps_are_small(monkeypatch) -> None:
    monkeypatch.setattr("biombo._engine.spark.marks._HEAP", 8)
    monkeypatch.setattr("biombo._engine.spark.release._HEAP", 8)


def test_the_same_records_are_duplicates() -> None:
    plan = bb.Plan([bb.DropDuplicates(["city"])], **ABOUT)
    here, there = (bb.apply(TABLE, plan, engine=each).data for each in ("local", spark_engine()))

    assert sorted(there.rows()) == sorted(here.rows())
    assert here.height == 2


def test_a_sample_has_its_size_and_no_heap_is_preferred() -> None:
    drawn = bb.apply(TABLE, bb.Plan([bb.Sample(records=50)], **ABOUT), engine=spark_engine()).data["x"]

    assert drawn.len() == drawn.n_unique() == 50
    assert len({number // 20 for number in drawn}) == 5  # of two million runs, one has none of a fifth


@pytest.mark.parametrize("keep_order", [True, False])
def test_heaps_are_put_one_after_the_other(keep_order: bool) -> None:
    after = bb.apply(TABLE, bb.Plan([], **ABOUT), engine=spark_engine(), keep_order=keep_order).data

    assert sorted(after.rows()) == TABLE.sort("x").rows()
    assert (after["x"].to_list() == list(range(ROWS))) is keep_order
