"""Tens of thousands of names are checked in seconds, whoever wrote the plan."""

import time

import polars as pl
import pyarrow as pa

import biombo as bb
from biombo._data import SourceTable

NAMES = [f"column {number}" for number in range(40_000)]


def test_a_plan_with_forty_thousand_names_is_checked_at_once() -> None:
    begun = time.perf_counter()
    bb.Plan(identifiers=NAMES)
    table = SourceTable.open(pa.table(dict.fromkeys(NAMES, pa.nulls(1))))
    table.check(NAMES)

    assert time.perf_counter() - begun < 10


def test_and_so_is_a_table_with_thousands_that_is_applied() -> None:
    begun = time.perf_counter()
    table, plan = pl.DataFrame(dict.fromkeys(NAMES[:4_000], "a")), bb.Plan(identifiers=NAMES[:2_000])
    applied = bb.apply(table, plan, keep=NAMES[3_000:4_000])

    assert applied.data.columns == NAMES[3_000:4_000]
    assert applied.unspoken == tuple(NAMES[2_000:3_000])
    assert time.perf_counter() - begun < 30
