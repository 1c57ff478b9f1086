"""A released file as two strangers read it, who know nothing of Biombo."""

import csv
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import polars as pl
from polars import selectors
from pyarrow import parquet

Row = dict[str, Any]


def by_csv_module(path: Path) -> list[Row]:
    """Python's own reader, which knows text only."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def by_polars(path: Path) -> list[Row]:
    """Polars, which tells an empty field from an empty text."""
    read = pl.read_parquet(path) if path.suffix == ".parquet" else pl.read_csv(path, infer_schema=False)
    return read.with_columns(selectors.temporal().to_physical()).to_dicts()


def by_arrow(path: Path) -> list[Row]:
    """Arrow, whose numbers are Python's."""
    return parquet.read_table(path).to_pylist()  # type: ignore[no-any-return]


READERS: dict[str, list[Callable[[Path], list[Row]]]] = {
    ".csv": [by_csv_module, by_polars],
    ".parquet": [by_arrow, by_polars],
}


def groups(rows: Sequence[Row], quasi: Sequence[str]) -> list[list[Row]]:
    """Rows that look the same in ``quasi``: −0.0 is not 0.0, and what is not a number is not missing."""
    found: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        found[tuple(repr(row[name]) for name in quasi)].append(row)
    return list(found.values())


def smallest_group(rows: Sequence[Row], quasi: Sequence[str]) -> int:
    return min(map(len, groups(rows, quasi)))


def fewest_values(rows: Sequence[Row], quasi: Sequence[str], sensitive: str) -> int:
    """What a lenient reader would take for one value is one."""
    return min(len({_lenient(row[sensitive]) for row in group}) for group in groups(rows, quasi))


def _lenient(value: Any) -> Any:
    return None if value == "" or value != value else value
