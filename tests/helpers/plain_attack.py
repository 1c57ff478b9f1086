"""Attribute inference by plain group-bys, to judge the samples with something that shares no code with Biombo."""

from collections.abc import Iterator, Sequence

import polars as pl

from biombo._samples import QUASI, SENSITIVE


def prior(records: pl.DataFrame) -> float:
    return _top_counts(records, [])


def posterior(records: pl.DataFrame, known: Sequence[str]) -> float:
    return _top_counts(records, list(known))


def growing(records: pl.DataFrame) -> Iterator[tuple[list[str], float]]:
    """One known column after the other, each time the one that adds most, with the posterior."""
    known: list[str] = []
    while len(known) < len(QUASI):
        candidates = [[*known, column] for column in QUASI if column not in known]
        reached, known = max((posterior(records, columns), columns) for columns in candidates)
        yield known, reached


def _top_counts(records: pl.DataFrame, known: list[str]) -> float:
    cells = records.group_by([*known, SENSITIVE]).len()
    tops = cells.group_by(known).agg(pl.col("len").max()) if known else cells.select(pl.col("len").max())
    return float(tops["len"].sum()) / len(records)
