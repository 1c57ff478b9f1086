"""Records found again by the values of the tuples that were counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from biombo._data import ColumnEncoder
from biombo._engine.fates import Fate, Numbers
from biombo._engine.local.frames import without_empty
from biombo._engine.local.groups import numbered
from biombo._engine.spark.tuples import FATE, SpelledTuples, value_columns
from biombo._engine.spark.workplace import Kept
from biombo._engine.step import Batch, ByMarks, Step

_NUMBER = "number"


@dataclass(frozen=True, eq=False)
class Lookup:
    """A number for each of some tuples, which are known by how their values are spelled."""

    columns: Sequence[str]
    numbers: pl.DataFrame

    @classmethod
    def of(cls, counted: SpelledTuples, number: Numbers) -> "Lookup":
        """The numbers of tuples; those that are negative are left out."""
        every = number[counted.number]
        frame = counted.spelled(every >= 0).with_columns(pl.Series(_NUMBER, every[every >= 0]))
        return cls(list(counted.data.columns), frame)

    def found(self, batch: Batch) -> Numbers:
        """The number of each row, by what it is; -1 for others."""
        if not self.numbers.height or not len(batch.fates):
            return np.full(len(batch.fates), -1, np.int64)
        table = without_empty(batch.table.select(list(self.columns)))  # as it was when tuples were counted
        encoders = [ColumnEncoder(name) for name in self.columns]
        codes = [encoder.coded(table.column(encoder.name)) for encoder in encoders]
        texts = [encoder.spelled.texts for encoder in encoders]
        number, tuples = numbered([batch.fates, *codes], [len(Fate), *map(len, texts)])
        some = np.empty(tuples, np.intp)
        some[number] = np.arange(len(number))
        names = value_columns(len(texts))
        spelled = [
            pl.Series(name, each, pl.String).gather(pl.Series(code[some]))
            for name, each, code in zip(names, texts, codes, strict=True)
        ]
        asked = pl.DataFrame([*spelled, pl.Series(FATE, batch.fates[some])])
        joined = asked.join(self.numbers, on=[*names, FATE], how="left", nulls_equal=True, maintain_order="left")
        return joined[_NUMBER].fill_null(-1).to_numpy()[number]


@dataclass(frozen=True, eq=False)
class MarkedByValues(ByMarks):
    """A change by marks that follow from the values of records."""

    lookup: Kept
    found_by: tuple[str, ...]
    """The columns of the tuples."""

    @property
    def reads(self) -> tuple[str, ...]:
        """What it must be given to do so, and to find the marks."""
        return tuple(dict.fromkeys([*self.change.reads, *self.found_by]))

    def start(self, context: Any) -> Step:  # noqa: ARG002
        """Look the marks up."""
        return _Marking(self)


class _Marking(Step):
    def __init__(self, marked: MarkedByValues) -> None:
        self._step = marked.change.start()
        self._lookup: Lookup = marked.lookup.load()

    def __call__(self, batch: Batch) -> Batch:
        return self._step(batch, self._lookup.found(batch).astype(np.int32))
