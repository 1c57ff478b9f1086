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
from biombo._data import Column, Dataset, FarCodes, FarTuples, Schema, SpelledValues
from biombo._engine.spark.jobs import Jobs, summed
from biombo._engine.spark.sweep import CodedFrame, SparkCells
from biombo._engine.spark.tuples import COUNT, FATE, NOTE, SET, Kinds, SpelledTuples, coded_values, value_columns
from biombo._engine.spark.worker import Note, Rows, Work, found, merged_kinds
from biombo._engine.spark.workplace import Kept
from biombo._errors import LimitError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

PERSON = "person"
"""The column of people, where they are beside codes."""
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
        fn = self.jobs.functions

        value = fn.col(self._place(column)).alias(*value_columns(1))
        tuples = self.merged.where(fn.col(NOTE).isNull()).select(SET, value, FATE, COUNT, NOTE)
        brought = self.jobs.brought(self.jobs.spelled(tuples, 1, self.parts), [column], self.parts)
        if not brought.whole:
            told = {"source": self.jobs.label, "values": brought.rows, "most": self.jobs.most_tuples}
            raise LimitError("spark.too-many-in-column", column=column, **told)
        return brought.tuples.counted(self.kinds, self.schema, self.jobs.label)

    def _place(self, column: str) -> str:
        return value_columns(len(self.columns))[self.columns.index(column)]

    def recoded(
        self, columns: Mapping[str, Column], keep: Mapping[str, NDArray[np.bool_]], people: int = 0
    ) -> "SparkCodes":
        """The tuples by the codes of their values, which workers look up; people as they are spelled."""
        fn = self.jobs.functions

        lookups = [self._lookup(name, column, keep.get(name)) for name, column in columns.items()]
        names = value_columns(len(columns))
        places = [fn.col(self._place(name)) for name in columns]
        beside = [fn.col(self._place(str(self.schema.person))).alias(PERSON)] if people else []
        spelled = self.merged.where(fn.col(NOTE).isNull()).select(*places, *beside, COUNT)
        kinds = [*(f"{name} int" for name in names), *([f"{PERSON} string"] if people else []), f"{COUNT} long"]
        coded = spelled.mapInArrow(_coding(self.jobs.workplace.keep(lookups)), ", ".join(kinds))
        keys = [*names, PERSON] if people else names
        tuples = summed(coded, keys)
        if people:
            # one person may be spelled in as many ways as there are types
            tuples = _with_few_people(tuples, names, people * max(1, len(self.kinds[str(self.schema.person)])))
        return SparkCodes(self, dict(columns), CodedFrame.of(self.jobs, tuples, keys))

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
            values, beside = batch.columns[: len(lookups)], batch.columns[len(lookups) :]
            codes = [code.take(pc.index_in(value, text)) for value, (text, code) in zip(values, lookups, strict=True)]
            names = [*value_columns(len(codes)), *batch.schema.names[len(lookups) :]]
            table = pa.RecordBatch.from_arrays([*codes, *beside], names)
            valid = np.logical_and.reduce([code.to_numpy() >= 0 for code in codes])
            yield table.filter(pa.array(valid))

    return coding


# A window in SQL: Spark's functions for them are others in sessions of Connect.
def _with_few_people(tuples: "DataFrame", names: Sequence[str], most: int) -> "DataFrame":
    """At most so many people for each tuple, the first of whom has the records of those who are left out."""
    window = f"over (partition by {', '.join(names)} order by {PERSON})" if names else f"over (order by {PERSON})"
    ranked = tuples.selectExpr("*", f"row_number() {window} as rank", f"first_value({PERSON}) {window} as first")
    standing = f"if(rank <= {most}, {PERSON}, first) as {PERSON}"
    return summed(ranked.selectExpr(*names, standing, COUNT), [*names, PERSON])


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
        places = value_columns(len(self.columns))
        *codes, counts = (self.frame.brought([*places, *self._beside])).columns
        columns = {
            name: Column(name, own.to_numpy().astype(narrowest(column.cardinality)), column.values)
            for (name, column), own in zip(self.columns.items(), codes, strict=False)
        }
        if self._beside:
            person = str(whole.schema.person)
            people, texts = coded_values(codes[-1])
            columns[person] = SpelledValues(texts.to_pylist(), whole.kinds[person]).column(person, people)
        return Dataset(columns, counts.length(), whole.schema, whole.label, counts=counts.to_numpy())

    @property
    def _beside(self) -> list[str]:
        return [PERSON] if PERSON in self.frame.columns else []

    def _too_many(self, jobs: Jobs) -> LimitError:
        """How many there are, and where most of them come from."""
        if self._beside:
            return jobs.too_many(self.frame.rows, [str(self.tuples_of.schema.person)], self.tuples_of.schema.person)
        values = {name: len(np.unique(column.codes)) for name, column in self.columns.items()}
        widest = sorted(values, key=lambda name: -values[name])[:_NAMED]
        told = {"tuples": self.frame.rows, "most": jobs.most_tuples, "source": jobs.label}
        columns = ", ".join(f"{name} ({values[name]})" for name in widest)
        return LimitError("spark.too-many-codes", columns=columns, **told)

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
        return dict(zip(self.columns, value_columns(len(self.columns)), strict=True))
