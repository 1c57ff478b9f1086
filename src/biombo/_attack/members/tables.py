"""A sample and the population it was drawn from, brought to the same columns and codes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._attack.evidence import Dropped, valid_rows
from biombo._attack.scope import AttackScope
from biombo._cells import Codes, Counts, SampledCells, narrowest, records_of
from biombo._data import Column, Dataset, written
from biombo._engine import digests
from biombo._errors import ColumnError, InputError

Repeated = Literal["refuse", "count-once"]
"""What to do with a person who has several records: membership is about people, one record each."""


@dataclass(frozen=True, eq=False)
class TwoTables:
    """The valid records of a sample and of its population, coded alike."""

    scope: AttackScope
    sample: Mapping[str, Column]
    """The sample's quasi columns, with the population's codes; values that it does not have come after them."""
    population: Mapping[str, Column]
    """The population's, under the sample's names."""
    rows: tuple[int, int]
    """All rows of codes of the population and of the sample."""
    keep: tuple[NDArray[np.bool_] | None, NDArray[np.bool_] | None]
    """Which rows of the population and of the sample count."""
    dropped: tuple[Dropped, Dropped]
    """Records left out of the population and of the sample because of an invalid value."""
    data: Dataset
    """The sample as it was read."""
    counts: tuple[Counts | None, Counts | None] = (None, None)
    """How many people each row of the population and of the sample stands for; None: one each."""

    @classmethod
    def of(cls, sample: Dataset, population: Dataset, scope: AttackScope, repeated: Repeated) -> "TwoTables":
        """Align the columns as the sample's schema says, and leave invalid rows and repeated people out."""
        pairs = {name: _aligned(sample, population, name) for name in scope.quasi}
        whole_keep, whole_dropped = valid_rows(population, [population[name_there(sample, n)] for n in pairs])
        part_keep, part_dropped = valid_rows(sample, [sample[name] for name in pairs])
        part = _people_once(sample, [each for each, _ in pairs.values()], part_keep, repeated)
        whole = _people_once(population, [each for _, each in pairs.values()], whole_keep, repeated)
        tables = cls(
            scope,
            {name: in_sample for name, (in_sample, _) in pairs.items()},
            {name: in_population for name, (_, in_population) in pairs.items()},
            (population.rows, sample.rows),
            (whole.keep, part.keep),
            (whole_dropped, part_dropped),
            sample,
            (whole.counts, part.counts),
        )
        tables._check_sizes(sample.label, population.label)
        return tables

    @property
    def people(self) -> int:
        """People in the population."""
        return records_of(self.rows[0], self.counts[0], self.keep[0])

    @property
    def sampled(self) -> int:
        """People in the sample."""
        return records_of(self.rows[1], self.counts[1], self.keep[1])

    @cached_property
    def cells(self) -> SampledCells:
        """Both tables, counted."""
        quasi = self.scope.quasi
        return SampledCells.count(
            [self.population[name] for name in quasi],
            [self.sample[name] for name in quasi],
            self.rows,
            self.keep,
            self.counts,
        )

    def sample_rows(self) -> NDArray[np.intp]:
        """The positions of the sample's rows that count."""
        return np.arange(self.rows[1]) if self.keep[1] is None else np.flatnonzero(self.keep[1])

    def described(self, subset: Sequence[str], codes: Sequence[int]) -> str:
        """A group in words, for a message."""
        values = (written(self.sample[name].values)[int(code)] for name, code in zip(subset, codes, strict=True))
        return ", ".join(f"{name}={value}" for name, value in zip(subset, values, strict=True))

    def _check_sizes(self, sample: str, population: str) -> None:
        if self.sampled == 0 or self.people == 0:
            raise InputError("membership.nobody", source=sample if self.sampled == 0 else population)
        if self.sampled > self.people:
            raise InputError(
                "membership.larger", sample=sample, population=population, sampled=self.sampled, people=self.people
            )


def name_there(sample: Dataset, name: str) -> str:
    """What the population calls a column of the sample."""
    return sample.schema[name].population.column or name


def _aligned(sample: Dataset, population: Dataset, name: str) -> tuple[Column, Column]:
    """A column of the sample with the codes of the population, and the population's under the same name."""
    here, there = sample[name], population[name_there(sample, name)]
    mapping = sample.schema[name].population.values
    code_of: dict[str | None, int] = {value: code for code, value in enumerate(written(there.values).to_list())}
    there_as = [value if value is None else mapping.get(value, value) for value in written(here.values)]
    codes = [code_of.setdefault(value, len(code_of)) for value in there_as]
    values = pl.Series(name, list(code_of), dtype=pl.String)
    recoded = cast(Codes, np.array(codes, narrowest(len(code_of)))[here.codes])
    return Column(name, recoded, values), Column(name, there.codes, values)


@dataclass(frozen=True, eq=False)
class _People:
    """The rows of codes to keep, and how many people each stands for."""

    keep: NDArray[np.bool_] | None
    counts: Counts | None


def _people_once(data: Dataset, quasi: Sequence[Column], keep: NDArray[np.bool_] | None, repeated: Repeated) -> _People:
    """The rows to keep when each person counts once; all of ``keep`` where the table does not name people.

    Of several records of a person the values decide, so that their order does not matter: first the ``quasi`` ones,
    which are written alike in both tables, then all others.
    """
    if data.schema.person is None or data.schema.person not in data.columns:
        return _People(keep, data.counts)
    codes = data[data.schema.person].codes
    valid = np.arange(data.rows) if keep is None else np.flatnonzero(keep)
    people = np.unique(codes[valid])
    records = data.records_in(keep)
    if len(people) == records:
        return _People(keep, data.counts)
    if repeated == "refuse":
        raise ColumnError(
            "membership.repeated", column=data.schema.person, source=data.label, rows=records, people=len(people)
        )
    by_values = digests(list(data.columns.values()), valid), digests(quasi, valid)
    order = np.lexsort((*by_values, codes[valid]))
    is_first = np.diff(codes[valid][order].astype(np.int64), prepend=-1) != 0
    once = np.zeros(data.rows, bool)
    once[valid[order[is_first]]] = True
    return _People(once, None)


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
