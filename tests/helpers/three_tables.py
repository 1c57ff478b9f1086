"""Three small tables without ties: originals, synthetic records half of which are near copies, and control records."""

import numpy as np
import polars as pl

NAMES = ("a", "b", "c", "d")


def three_tables(size: int = 60, seed: int = 2023) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Amounts from 0 to 100,000, whose ends all three have, so that every scale is the same."""
    random = np.random.default_rng(seed)
    original, fresh, control = (random.integers(1, 100_000, (size, len(NAMES))) for _ in range(3))
    near = np.clip(original + random.integers(-3000, 3000, original.shape), 1, 99_999)
    synthetic = np.where(np.arange(size)[:, None] % 2 == 0, near, fresh)
    for table in (original, synthetic, control):
        table[0], table[1] = 0, 100_000
    return tuple(pl.DataFrame(table, schema=list(NAMES), orient="row") for table in (original, synthetic, control))
