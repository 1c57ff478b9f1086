"""Tuples that are called far, and lie in this process: for tests of whatever asks without having them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._cells import Cells, Counts, narrowest
from biombo._data import Column, Dataset, FarCodes, FarTuples
from biombo._errors import InputError

COUNT = "\x1fcount"


@dataclass(frozen=True, eq=False)
class NearbyTuples(FarTuples):
    whole: Dataset
    most: int

    @classmethod
    def of(cls, whole: Dataset, most: int) -> "NearbyTuples":
        return cls(tuple(whole.columns), whole.schema, whole.label, whole.records, whole, most)

    def alone(self, column: str) -> Dataset:
        """The values in an order of their own."""
        held = self._frame([column]).group_by(column).agg(pl.col(COUNT).sum()).sort(column, descending=True)
        there = held[column].to_numpy()
        codes = np.arange(len(there)).astype(narrowest(len(there)))
        own = Column(column, codes, self.whole[column].values.gather(there))
        return Dataset({column: own}, len(there), self.schema, self.label, counts=held[COUNT].to_numpy())

    def recoded(
        self, columns: Mapping[str, Column], keep: Mapping[str, NDArray[np.bool_]], people: int = 0
    ) -> "NearbyCodes":
        person = [str(self.schema.person)] if people else []
        frame = self._frame([*columns, *person])
        for name, column in columns.items():
            there = frame[name].unique().sort(descending=True).to_numpy()
            code_of = np.full(self.whole[name].cardinality, -1)
            code_of[there] = np.where(keep.get(name, True), column.codes.astype(np.int64), -1)
            frame = frame.with_columns(pl.Series(name, code_of[frame[name].to_numpy()]))
        valid = frame.filter(pl.all_horizontal(pl.col(name) >= 0 for name in columns))
        if person:
            named = pl.col(*person)
            standing = pl.when(named.rank("dense") <= people).then(named).otherwise(named.min()).over(*columns)
            valid = valid.with_columns(standing.alias(*person))
        tuples = valid.group_by(*columns, *person).agg(pl.col(COUNT).sum())
        return NearbyCodes(self, {**columns, **{name: self.whole[name] for name in person}}, tuples)

    def _frame(self, columns: Sequence[str]) -> pl.DataFrame:
        counts = np.ones(self.whole.rows, np.int64) if self.whole.counts is None else self.whole.counts
        codes = [pl.Series(name, self.whole[name].codes.astype(np.int64)) for name in columns]
        return pl.DataFrame([*codes, pl.Series(COUNT, counts)])


@dataclass(frozen=True, eq=False)
class NearbyCodes(FarCodes):
    source: NearbyTuples
    columns: dict[str, Column]
    frame: pl.DataFrame

    @property
    def records(self) -> int:
        return int(self.frame[COUNT].sum())

    def tuples(self) -> Dataset:
        if self.frame.height > self.source.most:
            raise InputError("input.empty", source="too many")
        columns = {name: self._column(name) for name in self.columns}
        counts = self.frame[COUNT].to_numpy()
        return Dataset(columns, len(counts), self.source.schema, self.source.label, counts=counts)

    def cells(self, quasi: Sequence[str], targets: Mapping[str, Sequence[str]]) -> Cells:
        known = [self._column(name) for name in quasi]
        wanted = [self._jointly(name, columns) for name, columns in targets.items()]
        return Cells.count(known, wanted, self.frame.height, counts=self.frame[COUNT].to_numpy())

    def spectrum(self, target: Sequence[str]) -> tuple[Counts, Counts]:
        held = self.frame.group_by(*target).agg(pl.col(COUNT).sum())
        return np.unique(held[COUNT].to_numpy(), return_counts=True)

    def _column(self, name: str) -> Column:
        column = self.columns[name]
        codes = self.frame[name].to_numpy().astype(narrowest(column.cardinality))
        return Column(name, codes, column.values)

    def _jointly(self, name: str, columns: Sequence[str]) -> Column:
        joint = pl.struct(*columns).rank("dense").cast(pl.Int64) - 1
        codes = self.frame.select(joint.alias(name))[name].to_numpy()
        values = pl.Series(name, range(int(codes.max()) + 1))
        return Column(name, codes.astype(narrowest(len(values))), values)
