"""The cells of a release: how many records there are of each kind, from which all that was judged can be recomputed."""

from collections.abc import Collection
from io import BytesIO
from pathlib import Path

import numpy as np
import polars as pl

from biombo._data import Dataset
from biombo._engine import Counted
from biombo._files import PRIVATE, write_whole

CELLS = "cells.parquet"
"""In the private folder: small counts are about few people."""


def write_cells(folder: Path, found: Counted) -> None:
    """Write a row for each combination of values, with how many records have it, those that are not released apart.

    The person, where records are counted by people, is there as a number of no further meaning.
    """
    data = found.data
    released, records = (_free(name, data.columns) for name in ("released", "records"))
    codes = pl.DataFrame([pl.Series(name, column.codes) for name, column in data.columns.items()])
    codes = codes.with_columns(pl.Series(released, ~found.out))
    tuples = codes.columns
    counted = codes.with_columns(pl.Series(records, found.counts)).group_by(tuples).sum().sort(tuples)
    named = [_named(data, name, counted[name]) for name in data.columns]
    buffer = BytesIO()  # written by ourselves, so that a full disk is told as such
    counted.with_columns(named).write_parquet(buffer)
    write_whole(folder / CELLS, buffer.getvalue(), mode=PRIVATE)


def _named(data: Dataset, name: str, codes: pl.Series) -> pl.Series:
    """The values behind codes; of a person only the number, from 1."""
    if name == data.schema.person:
        return pl.Series(name, codes.to_numpy().astype(np.int64) + 1)
    return data[name].values.gather(codes).alias(name)


def _free(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name += "_"
    return name
