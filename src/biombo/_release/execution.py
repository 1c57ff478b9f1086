"""The plan of a release, carried out where the release is built."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import polars as pl
import polars.selectors as cs

from biombo._data import Dataset, Progress, Schema, SourceTable
from biombo._engine import Counted, Table, Written
from biombo._files import PRIVATE, write_whole
from biombo._plan import (
    OUTCOME,
    Applied,
    Onlooker,
    Plan,
    Privacy,
    SuppressionError,
    UsedPseudonyms,
    apply_to_table,
    schema_in_use,
)
from biombo._release.errors import RefusedError
from biombo._release.staging import Staging
from biombo._release.trace.ids import named
from biombo._release.trace.vault import NewVault
from biombo._secrets import KeyPlace

Done = TypeVar("Done")


@dataclass(frozen=True)
class Carried:
    """A plan that was carried out."""

    plan: Plan
    applied: Applied
    used: Schema
    declared: Schema
    """What somebody said that the columns are; of others the values tell."""
    written: Written
    data: Path
    release: str
    """The id of the release that the vault is of."""
    given: UsedPseudonyms
    """Pseudonyms that are never to be given again, to be kept once the release stays."""

    def in_place(self, out: Path, private: Path) -> Applied:
        """What the plan did, with its files where they will be."""
        tables = tuple(private / path.name for path in self.applied.identity_tables)
        return replace(self.applied, out=out / self.data.name, identity_tables=tables)


def first_that_fits(plans: Sequence[Plan], carried_out: Callable[[Plan], Done]) -> Done:
    """What comes of the first plan that does not mask or drop more than it may; the last is not refused by us."""
    *earlier, last = plans
    for plan in earlier:
        try:
            return carried_out(plan)
        except SuppressionError:
            continue
    return carried_out(last)


@dataclass(frozen=True)
class CarryingOut:
    """Writes the records of a release as a plan leaves them."""

    source: SourceTable
    table: Table
    """The same, as an engine has opened it."""
    schema: Schema
    staging: Staging
    vault: NewVault
    data: str
    """What the file with the records is called."""
    plan_keys: KeyPlace | Iterable[KeyPlace] | None
    before_noise: Callable[[Privacy], object] | None
    progress: Progress | None
    population: Any = None
    """A table of the population, where criteria are counted in it."""

    def first_that_fits(self, plans: tuple[Plan, ...]) -> Carried:
        """The first plan that does not mask more than it may, carried out; refused when the criteria are not met."""
        return first_that_fits(plans, self._carried)

    def _carried(self, plan: Plan) -> Carried:
        data = self.staging.public / self.data
        with self.vault.written(self.staging.private) as vault:
            written: list[Written] = []
            given: list[UsedPseudonyms] = []
            cells = partial(write_cells, self.staging.private)
            applied = apply_to_table(
                self.source,
                plan,
                data,
                self.schema,
                key=self.plan_keys,
                private=self.staging.private,
                population=self.population,
                before_noise=self.before_noise,
                progress=self.progress,
                onlooker=Onlooker(named, vault.add, cells, written.append, given.append),
                table=self.table,
            )
        applied.outcome.write(self.staging.private / OUTCOME)
        if not applied.holds:
            raise RefusedError("release.not-met", verdict=str(applied.judgement))
        completed, (last,) = plan.completed(self.schema), written
        used = schema_in_use(completed, self.schema)
        return Carried(completed, applied, used, self.schema, last, data, self.vault.release, given[-1])


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
    tuples = cs.by_name(*codes.columns)
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
