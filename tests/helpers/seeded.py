"""Random draws that a test can repeat."""

import numpy as np
import polars as pl

import biombo as bb
from biombo._plan import Context, TwoPassOperation
from biombo._plan.operations import Seen
from biombo._plan.randomness import Randomness


def seen(table: pl.DataFrame, seed: int, suppressed: list[bool] | None = None) -> Seen:
    """All records of ``table``, for an operation that draws from ``seed``."""
    data = bb.read(table)
    dropped = np.zeros(data.rows, bool) if suppressed is None else np.array(suppressed, bool)
    return Seen(data, dropped, (), Context(random=Randomness.seeded(seed)))


def decided(operation: TwoPassOperation, table: pl.DataFrame, seed: int, suppressed: list[bool] | None = None):
    """What ``operation`` decides about ``table``."""
    return operation.decide(seen(table, seed, suppressed))
