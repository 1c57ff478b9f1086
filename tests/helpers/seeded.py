"""Random draws that a test can repeat."""

import polars as pl

import biombo as bb
from biombo._data import SourceTable
from biombo._engine import Randomness
from biombo._plan import Context, apply_to_table


def applied(plan: bb.Plan, table: pl.DataFrame, seed: int) -> bb.Applied:
    """What comes of ``plan``, in the order of ``table``, with draws from ``seed``."""
    context = Context(random=Randomness.seeded(seed))
    return apply_to_table(SourceTable.open(table), plan, None, bb.Schema(), keep_order=True, context=context)
