"""Several states and years in one table, each with a prior and a leakage of its own."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import polars as pl
import pyarrow as pa

from biombo._samples.sample import Sample
from biombo._samples.siapa import SEED
from biombo._samples.state import STATES, State, between

_ROWS_PER_FACILITY = 250
"""A small sample has few facilities, or none of them would have enough rows to be anything in particular."""


def national(rows_per_state: int = 20_000, years: Sequence[int] = (2022, 2023), seed: int = SEED) -> pl.DataFrame:
    """SIA-PA records of five states in each of ``years``, with the columns ``UF`` and ``year`` in front.

    ``rows_per_state`` is the average for one year: the states differ in size, as they do in what a table reveals, with
    Roraima and Piauí at the upper end and Sergipe and the Federal District at the lower, as in the real files.

    >>> national(rows_per_state=500).group_by("UF", "year").len().sort("len").head(2)["UF"].to_list()
    ['RR', 'RR']
    """
    between("years", len(years), 1, 100)
    parts = [
        batch
        for state in STATES.values()
        for nth, year in enumerate(years)
        for batch in _part(state, nth, year, rows_per_state, seed)
    ]
    return pl.concat([pl.DataFrame(part).cast(pl.String) for part in parts])


def _part(state: State, nth: int, year: int, rows_per_state: int, seed: int) -> Iterator[pa.RecordBatch]:
    rows = round(state.size * rows_per_state)
    facilities = max(1, min(state.facilities, rows // _ROWS_PER_FACILITY))
    that_year = replace(
        state,
        prior=state.prior * (1 + 0.06 * nth),
        habit=state.habit * 0.92**nth,
        facilities=facilities,
        municipalities=min(state.municipalities, facilities),
    )
    return Sample(that_year, rows, seed, year).batches(rows, UF=state.uf, year=str(year))
