"""Some rows of a release, for whoever shows them without handing the file over."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from biombo._release.manifest import Manifest


@dataclass(frozen=True)
class ReleasedRows:
    """Rows as they stand in the file, and how many there are in all."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    total: int


def released_rows(folder: Path, first: int, most: int) -> ReleasedRows:
    """At most so many rows of the release in ``folder``, from the place ``first`` on, counted from 0."""
    data = folder / Manifest.of(folder).data
    table = pl.scan_parquet(data) if data.suffix == ".parquet" else pl.scan_csv(data, infer_schema=False)
    found, counted = pl.collect_all([table.slice(first, most), table.select(pl.len())])
    return ReleasedRows(tuple(found.columns), tuple(found.rows()), int(counted.item()))
