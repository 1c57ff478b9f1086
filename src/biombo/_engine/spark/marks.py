"""Marks dealt to the records of piles in an order: Spark puts the records in order, workers give the marks."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from biombo._engine.engine import Dealing
from biombo._engine.fates import Numbers
from biombo._engine.local.deal import Dealt, hand_marks
from biombo._engine.spark.failures import failures_in_sentences
from biombo._engine.spark.jobs import notes_of_stage
from biombo._engine.spark.lookup import Lookup
from biombo._engine.spark.products import TURNS, Turns
from biombo._engine.spark.tuples import SpelledTuples
from biombo._engine.spark.worker import Placed, Rows, found, part_of
from biombo._engine.spark.workplace import Kept, Seal, Stage, packed, unpacked
from biombo._engine.step import ByMarks, Change, MarkedChange

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from biombo._engine.spark.flow import SparkFlow

_HEAP = 1 << 20
"""Records that one task puts in order, about."""


@dataclass(frozen=True, eq=False)
class MarkedByPlace(ByMarks, Placed):
    """A change by marks that lie in files, those of each part for themselves."""

    folder: Path
    rows: tuple[int, ...]
    """By part."""
    seal: Seal
    stage: Stage | None

    def in_part(self, part: int) -> Change:
        """The marks of one part."""
        marks = np.full(self.rows[part], -1, np.int32)
        for path in part_of(self.folder, part).glob("*.parquet"):
            for sealed in parquet.read_table(path, columns=["blob"], partitioning=None).column(0).to_pylist():
                dealt = unpacked(self.seal.opened(sealed))
                marks[dealt.column("row").to_numpy()] = dealt.column("mark").to_numpy()
        return Dealt(self.change, marks)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "stage": None}  # workers read, and remove nothing


def dealt_in_order(flow: "SparkFlow", counted: SpelledTuples, dealing: Dealing, change: MarkedChange) -> MarkedByPlace:
    """Deal marks to the records of piles. Their turns are drawn once, into files; all else follows from these."""
    jobs, workplace = flow.jobs, flow.jobs.workplace
    sizes = _sizes(dealing, counted.counts)
    bits = np.ceil(np.log2(np.maximum(sizes / _HEAP, 1))).astype(np.int64)
    lookup, large = workplace.keep(Lookup.of(counted, dealing.pile)), workplace.keep(bits)
    columns = tuple(counted.data.columns)
    turns = jobs.staged(jobs.mapped(flow.work(Turns(lookup, large, columns, dealing.by, workplace.seal))))
    flow.heed([note for _, note in notes_of_stage(turns)])
    drawn = jobs.session.read.parquet(turns.path.as_uri()).select("blob").mapInArrow(_opened(workplace.seal), TURNS)
    ordered = _numbered(drawn, bool(bits.any()))
    hands = workplace.keep(replace(dealing, pile=np.zeros(0, np.int64)))
    marked = ordered.mapInArrow(_marking(hands), "part int, row long, mark int")
    path = workplace.new("marks")
    stage = Stage(path, workplace.seal)
    with failures_in_sentences(flow.label, jobs.session):
        shuffled = marked.repartition(len(flow.parts), "part").sortWithinPartitions("part", "row")
        sealed = shuffled.mapInArrow(_sealing(workplace.seal), "part int, blob binary")
        sealed.write.partitionBy("part").parquet(path.as_uri())
    return MarkedByPlace(change, path, flow.table.rows_by_part(), workplace.seal, stage)


def _opened(seal: Seal) -> Callable[[Rows], Rows]:
    """What opens the turns of records for Spark, whose shuffles are encrypted where they leave the machine."""

    def opened(batches: Rows) -> Rows:
        for batch in batches:
            for sealed in batch.column("blob").drop_null().to_pylist():
                yield from unpacked(seal.opened(sealed)).to_batches()

    return opened


def _sealing(seal: Seal) -> Callable[[Rows], Rows]:
    """What seals the marks of records, which come part by part, before they are written."""

    def sealing(batches: Rows) -> Rows:
        for batch in batches:
            part = batch.column("part").to_numpy()
            starts = np.flatnonzero(np.diff(part, prepend=-1))
            for start, end in zip(starts, [*starts[1:], len(part)], strict=True):
                sealed = seal.closed(packed(batch.select(["row", "mark"]).slice(start, end - start)))
                arrays = [pa.array([part[start]], pa.int32()), pa.array([sealed], pa.binary())]
                yield pa.RecordBatch.from_arrays(arrays, ["part", "blob"])

    return sealing


def _sizes(dealing: Dealing, counts: Numbers) -> Numbers:
    """Records by pile."""
    inside = dealing.pile >= 0
    sizes = np.zeros(int(dealing.pile.max(initial=-1)) + 1, np.int64)
    np.add.at(sizes, dealing.pile[inside], counts[inside])
    return sizes


# Windows are written in SQL: Spark's functions for them are others in sessions of Connect.
def _numbered(turns: "DataFrame", in_heaps: bool) -> "DataFrame":
    """Each record's number in its pile. A large pile is in heaps, which are numbered apart, and then one after the
    other.
    """
    within = "row_number() over (partition by pile, heap order by turn, part, `row`)"
    numbered = turns.selectExpr("*", f"cast({within} as long) - 1 as place")
    if not in_heaps:
        return numbered.select("pile", "place", "part", "row")
    sizes = turns.groupBy("pile", "heap").count()
    before = "sum(`count`) over (partition by pile order by heap rows between unbounded preceding and 1 preceding)"
    starts = sizes.selectExpr("pile", "heap", f"coalesce({before}, 0) as before")
    joined = numbered.join(starts.hint("broadcast"), ["pile", "heap"])
    return joined.selectExpr("pile", "place + before as place", "part", "`row`")


def _marking(hands: Kept) -> Callable[[Rows], Rows]:
    """What gives records their marks by their numbers in their piles."""

    def marking(batches: Rows) -> Rows:
        dealing: Dealing = found(hands)
        for batch in batches:
            pile, place = (batch.column(name).to_numpy() for name in ("pile", "place"))
            marks = hand_marks(dealing, pile, place)
            dealt = np.flatnonzero(marks >= 0)
            part, row = (batch.column(name).take(pa.array(dealt)) for name in ("part", "row"))
            yield pa.RecordBatch.from_arrays([part, row, pa.array(marks[dealt])], ["part", "row", "mark"])

    return marking
