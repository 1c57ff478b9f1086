"""Tuples that are too many for the driver: Spark keeps them, and brings the integers that are asked for.

They are kept by Spark itself, in memory and where that is not enough on the workers' disks, which is encrypted as its
shuffles are; files of our own would be sealed and opened for each of many questions. What is lost with a worker is
counted again and is the same, since nothing is drawn. Beyond the first count there are codes, and no values.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import finalize

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from biombo._cells import Counts, narrowest
from biombo._data import Column, Dataset, FarCodes, FarTuples, Schema
from biombo._engine.spark.jobs import Jobs, summed
from biombo._engine.spark.sweep import CodedFrame, SparkCells
from biombo._engine.spark.tuples import COUNT, FATE, NOTE, SET, Kinds, SpelledTuples, value_columns
from biombo._engine.spark.worker import Note, Rows, Work, found, merged_kinds
from biombo._engine.spark.workplace import Kept
from biombo._errors import InputError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_NAMED = 3
"""So many columns are named where there are too many tuples."""


def kept_by_spark(
    jobs: Jobs, work: Work, columns: Sequence[str], schema: Schema, heed: Callable[[Sequence[Note]], object]
) -> "SparkTuples":
    """The tuples of all parts, which are too many for the driver, and what can be asked about them."""
    merged = jobs.spelled(jobs.mapped(work), len(columns), len(work.parts)).persist()
    forget = finalize(jobs, merged.unpersist)
    forget.atexit = False  # the session ends before
    brought = jobs.brought(merged, columns, len(work.parts))
    heed(brought.notes)
    kinds = merged_kinds(brought.notes)
    records = sum(note.rows for note in brought.notes)
    return SparkTuples(tuple(columns), schema, jobs.label, records, jobs, merged, len(work.parts), kinds)


@dataclass(frozen=True, eq=False)
class SparkTuples(FarTuples):
    """See :class:`biombo._data.FarTuples`."""

    jobs: Jobs
    merged: "DataFrame"
    """Spelled values, counts, and notes."""
    parts: int
    kinds: Kinds
    met: dict[str, SpelledTuples] = field(default_factory=dict)
    """Columns that came alone."""

    def alone(self, column: str) -> Dataset:
        """One column, whose values must have room here."""
        return self._alone(column).data

    def _alone(self, column: str) -> SpelledTuples:
        if column not in self.met:
            self.met[column] = self._brought(column)
        return self.met[column]

    def _brought(self, column: str) -> SpelledTuples:
        from pyspark.sql import functions as fn

        value = fn.col(self._place(column)).alias(*value_columns(1))
        tuples = self.merged.where(fn.col(NOTE).isNull()).select(SET, value, FATE, COUNT, NOTE)
        brought = self.jobs.brought(self.jobs.spelled(tuples, 1, self.parts), [column], self.parts)
        if not brought.whole and column == self.schema.person:
            raise self.jobs.too_many(brought.rows, [column], column)
        if not brought.whole:
            told = {"source": self.jobs.label, "values": brought.rows, "most": self.jobs.most_tuples}
            raise InputError("spark.too-many-in-column", column=column, **told)
        return brought.tuples.counted(self.kinds, self.schema, self.jobs.label)

    def _place(self, column: str) -> str:
        return value_columns(len(self.columns))[self.columns.index(column)]

    def recoded(self, columns: Mapping[str, Column], keep: Mapping[str, NDArray[np.bool_]]) -> "SparkCodes":
        """The tuples by the codes of their values, which workers look up."""
        from pyspark.sql import functions as fn

        lookups = [self._lookup(name, column, keep.get(name)) for name, column in columns.items()]
        places = [self._place(name) for name in columns]
        names = value_columns(len(columns))
        kinds = ", ".join([*(f"{name} int" for name in names), f"{COUNT} long"])
        spelled = self.merged.where(fn.col(NOTE).isNull()).select(*places, COUNT)
        coded = spelled.mapInArrow(_coding(self.jobs.workplace.keep(lookups)), kinds)
        return SparkCodes(self, dict(columns), CodedFrame.of(self.jobs, summed(coded, names), names))

    def _lookup(self, name: str, column: Column, keep: NDArray[np.bool_] | None) -> tuple[pa.Array, pa.Array]:
        """How values are spelled, and their codes; -1 for what is left out."""
        tuples = self._alone(name)
        codes = column.codes.astype(np.int32)
        if keep is not None:
            codes[~keep] = -1
        spelled = tuples.spelled(np.ones(len(tuples.number), np.bool_))[value_columns(1)[0]]
        return spelled.to_arrow().cast(pa.string()), pa.array(codes[tuples.number])


def _coding(kept: Kept) -> Callable[[Rows], Rows]:
    """What gives tuples their codes."""

    def coding(batches: Rows) -> Rows:
        lookups: list[tuple[pa.Array, pa.Array]] = found(kept)
        for batch in batches:
            *values, counts = batch.columns
            codes = [code.take(pc.index_in(value, text)) for value, (text, code) in zip(values, lookups, strict=True)]
            table = pa.RecordBatch.from_arrays([*codes, counts], [*value_columns(len(codes)), COUNT])
            valid = np.logical_and.reduce([code.to_numpy() >= 0 for code in codes])
            yield table.filter(pa.array(valid))

    return coding


@dataclass(frozen=True, eq=False)
class SparkCodes(FarCodes):
    """See :class:`biombo._data.FarCodes`."""

    tuples_of: SparkTuples
    columns: dict[str, Column]
    frame: CodedFrame

    @cached_property
    def records(self) -> int:  # type: ignore[override]
        """How many records are left."""
        return self.frame.records

    def tuples(self) -> Dataset:
        """All of them here, if there is room."""
        whole = self.tuples_of
        if not self.frame.fits:
            raise self._too_many(whole.jobs)
        codes, counts = self.frame.brought(self.frame.columns)
        columns = {
            name: Column(name, own.astype(narrowest(column.cardinality)), column.values)  # type: ignore[arg-type]
            for (name, column), own in zip(self.columns.items(), codes, strict=True)
        }
        return Dataset(columns, len(counts), whole.schema, whole.label, counts=counts)

    def _too_many(self, jobs: Jobs) -> InputError:
        """How many there are, and where most of them come from."""
        person = self.tuples_of.schema.person
        if person in self.columns:
            return jobs.too_many(self.frame.rows, [*self.columns], person)
        values = {name: len(np.unique(column.codes)) for name, column in self.columns.items()}
        widest = sorted(values, key=lambda name: -values[name])[:_NAMED]
        told = {"tuples": self.frame.rows, "most": jobs.most_tuples, "source": jobs.label}
        columns = ", ".join(f"{name} ({values[name]})" for name in widest)
        return InputError("spark.too-many-codes", columns=columns, **told)

    def cells(self, quasi: Sequence[str], targets: Mapping[str, Sequence[str]]) -> SparkCells:
        """What attacks read."""
        cardinality = {place: self.columns[name].cardinality for name, place in self._places.items()}
        known = {name: self._places[name] for name in quasi}
        wanted = {target: tuple(self._places[name] for name in names) for target, names in targets.items()}
        return SparkCells(self.frame, known, wanted, cardinality)

    def spectrum(self, target: Sequence[str]) -> tuple[Counts, Counts]:
        """How many records hold a value, and how many values are held so."""
        return self.frame.spectrum([self._places[name] for name in target])

    @cached_property
    def _places(self) -> dict[str, str]:
        return dict(zip(self.columns, self.frame.columns, strict=True))
