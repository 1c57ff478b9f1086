"""For each row of the sample, the people who look the same in both tables."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from biombo._attack.in_sample.two_tables import TwoTables


def groups_of_sample_rows(tables: TwoTables, columns: Sequence[str]) -> pl.DataFrame:
    """``row`` (position in the sample, from 0), how many ``people`` it stands for, ``group`` (its number), ``n`` and
    ``d``, in the sample's order.
    """
    groups = tables.cells.groups(columns)
    keys = {f"code{i}": groups.codes[:, i] for i in range(len(columns))}
    numbered = pl.DataFrame({**keys, "group": np.arange(len(groups.n)), "n": groups.n, "d": groups.d})
    rows, counts = tables.sample_rows(), tables.counts[1]
    people = np.ones(len(rows), np.int64) if counts is None else counts[rows]
    codes = {f"code{i}": tables.sample[name].codes[rows].astype(np.uint32) for i, name in enumerate(columns)}
    return (
        pl.DataFrame({"row": rows, "people": people, **codes})
        .join(numbered, on=list(keys), how="left", maintain_order="left")
        .select("row", "people", "group", "n", "d")
    )
