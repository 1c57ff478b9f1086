"""Subsets of the quasi columns as tables that people read."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from biombo._cells import SubsetCounts

_NAMED: Mapping[str, pl.DataType] = {"size": pl.Int64(), "quasi": pl.List(pl.String), "groups": pl.Int64()}


def named_subsets(quasi: Sequence[str], counts: SubsetCounts) -> pl.DataFrame:
    """A row for each subset of a sweep: its size, its columns' names and how many groups it makes."""
    sizes, groups = counts.members.sum(axis=1), counts.groups.sum(axis=1)
    return pl.DataFrame({"size": sizes, "quasi": subset_names(quasi, counts.members), "groups": groups})


def subset_names(quasi: Sequence[str], members: NDArray[np.bool_]) -> pl.Series:
    """The columns' names of each subset."""
    offsets = np.concatenate([[0], np.cumsum(members.sum(axis=1))])
    names = pa.array(quasi, pa.large_string()).take(pa.array(members.nonzero()[1]))
    return pl.Series("quasi", pa.LargeListArray.from_arrays(offsets, names))


def one_subset(columns: Sequence[str], groups: int) -> pl.DataFrame:
    """The row of :func:`named_subsets` for a subset that was not swept."""
    return pl.DataFrame([[len(columns)], [list(columns)], [groups]], schema=_NAMED)


def rows_of_adversaries(
    subsets: pl.DataFrame, adversaries: Mapping[str, Sequence[str]], evaluate: Callable[[Sequence[str]], pl.DataFrame]
) -> pl.DataFrame:
    """What each named adversary gains: its rows of ``subsets``, or ``evaluate``'d where its subset was not swept."""
    found = [subsets.clear().with_columns(pl.lit("").alias("adversary"))]
    for name, known in adversaries.items():
        rows = rows_of_subset(subsets, known)
        rows = evaluate(known) if rows.is_empty() else rows
        found.append(rows.with_columns(pl.lit(name).alias("adversary")))
    return pl.concat(found).select("adversary", *subsets.columns)


def flat(subsets: pl.DataFrame) -> pl.DataFrame:
    """The columns' names joined by ``+``, so that no cell is a list."""
    return subsets.with_columns(pl.col("quasi").list.join("+"))


def rows_of_subset(subsets: pl.DataFrame, columns: Sequence[str]) -> pl.DataFrame:
    """The rows for one subset, its columns in any order."""
    same_size = subsets.filter(pl.col("size") == len(columns))
    wanted = pl.Series([sorted(columns)], dtype=pl.List(pl.String))
    return same_size.filter(pl.col("quasi").list.sort() == wanted)


def strongest(subsets: pl.DataFrame, *keys: str) -> pl.DataFrame:
    """The row with the highest posterior for each combination of ``keys``, the first of several."""
    return subsets.group_by(*keys, maintain_order=True).agg(pl.all().get(pl.col("posterior").arg_max()))
