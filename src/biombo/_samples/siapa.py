"""Made-up records that behave like DATASUS SIA-PA, the outpatient procedures of the Brazilian health system.

People have a facility, a municipality near it, an age, a race and a sex; they come once or again, and each visit leaves
procedures from what the facility does for people like them. At 1,000,000 rows and beyond, the prior and the best
leakage for each number of columns are within a few points of those measured for São Paulo in 2023 by Gonze, Lemes,
Almeida, Gonçalves and Alvim, "Riscos de Privacidade em Dados de Saúde" (Table 2).

Rows are the same for the same ``(rows, seed)`` and do not depend on the batch size.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TypedDict, Unpack

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from biombo._engine import CsvWriter
from biombo._files import replacing
from biombo._samples.draws import Codes
from biombo._samples.records import StateRecords
from biombo._samples.world import STATES, State, between, state_of

SEED = 3
QUASI = ("PA_CODUNI", "PA_MUNPCN", "PA_IDADE", "PA_MVM", "PA_CMP", "PA_RACACOR", "PA_SEXO")
SENSITIVE = "PA_PROC_ID"
_ROWS_PER_FACILITY = 250
"""A small sample has few facilities, or none of them would have enough rows to be anything in particular."""


class Options(TypedDict, total=False):
    """What may be said about a sample besides its rows and seed; see :func:`tables`."""

    batch_rows: int
    uf: str | None
    year: int
    invalid_share: float
    facilities: int | None
    municipalities: int | None


def code_arrays(rows: int, seed: int = SEED, facilities: int = 1_500, municipalities: int = 200) -> dict[str, Codes]:
    """``rows`` records as code arrays of the smallest unsigned type, valid values only.

    >>> codes = code_arrays(1_000, facilities=20, municipalities=5)
    >>> [str(codes[column].dtype) for column in ("PA_SEXO", "PA_PROC_ID")]
    ['uint8', 'uint16']
    """
    state = replace(state_of("SP"), facilities=facilities, municipalities=municipalities)
    return next(StateRecords(state, rows, seed).codes(rows))


def tables(
    rows: int,
    seed: int = SEED,
    *,
    batch_rows: int = 1_000_000,
    uf: str | None = None,
    year: int = 2023,
    invalid_share: float = 0.0,
    facilities: int | None = None,
    municipalities: int | None = None,
) -> Iterator[pa.RecordBatch]:
    """``rows`` records as Arrow batches of dictionary-encoded strings.

    Args:
        rows: How many in all.
        seed: Decides everything that is left to chance.
        batch_rows: How many at a time.
        uf: The state to take after, which is then named in a column ``UF``; São Paulo, unnamed, without it.
        year: The year in which the procedures are done.
        invalid_share: The share of rows in which a value is unknown, most often the race.
        facilities: How many facilities, if not the state's own number.
        municipalities: How many municipalities, if not the state's own number.

    >>> batch = next(tables(1_000, uf="RR"))
    >>> batch.column("UF")[0].as_py(), batch.num_rows
    ('RR', 1000)
    """
    own = state_of(uf or "SP")
    state = replace(
        own,
        facilities=own.facilities if facilities is None else facilities,
        municipalities=own.municipalities if municipalities is None else municipalities,
    )
    constants = {} if uf is None else {"UF": uf}
    return StateRecords(state, rows, seed, year, invalid_share).batches(batch_rows, **constants)


def write_parquet(path: str | Path, rows: int, seed: int = SEED, **options: Unpack[Options]) -> None:
    """Write ``rows`` records to a Parquet file of plain strings, one row group per batch of :func:`tables`."""
    batches = tables(rows, seed, **options)
    first = next(batches)
    # In random order every row group spans all values: statistics would say nothing and take half of the time.
    with (
        replacing(path) as file,
        pq.ParquetWriter(file, first.schema, store_schema=False, write_statistics=False) as writer,
    ):
        for batch in chain([first], batches):
            writer.write_batch(batch)


def write_csv(path: str | Path, rows: int, seed: int = SEED, separator: str = ",", **options: Unpack[Options]) -> None:
    """Write ``rows`` records to a CSV file with a header, batch by batch of :func:`tables`."""
    with replacing(path) as file, CsvWriter(file, separator) as writer:
        for batch in tables(rows, seed, **options):
            writer.write(pl.DataFrame(batch))


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
    return StateRecords(that_year, rows, seed, year).batches(rows, UF=state.uf, year=str(year))
