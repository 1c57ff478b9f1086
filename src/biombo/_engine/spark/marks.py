"""Marks dealt to the records of piles in an order, by workers, of whom each has some heaps of records."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import parquet

from biombo._engine.engine import Dealing
from biombo._engine.fates import Numbers
from biombo._engine.local.deal import Dealt, hand_marks
from biombo._engine.spark.failures import failures_in_sentences
from biombo._engine.spark.jobs import notes_of_stage
from biombo._engine.spark.lookup import Lookup
from biombo._engine.spark.products import PileHeaps, Turns
from biombo._engine.spark.tuples import NOTE, SpelledTuples
from biombo._engine.spark.worker import Placed, Rows, found, part_of
from biombo._engine.spark.workplace import Kept, Seal, Stage, address_of, packed, unpacked
from biombo._engine.step import ByMarks, Change, MarkedChange, Marks

if TYPE_CHECKING:
    from biombo._engine.spark.flow import SparkFlow

_HEAP = 1 << 20
"""Records that are put in order together, about."""
_TASKS = 256
"""So many tasks do so, at most."""


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
    heaps = PileHeaps.of(_sizes(dealing, counted.counts), _HEAP)
    lookup, kept = workplace.keep(Lookup.of(counted, dealing.pile)), workplace.keep(heaps)
    columns = tuple(counted.data.columns)
    turns = jobs.staged(jobs.mapped(flow.work(Turns(lookup, kept, columns, dealing.by, workplace.seal))))
    notes = [note for _, note in notes_of_stage(turns)]
    flow.heed(notes)
    starts = heaps.starts(sum((note.more for note in notes), start=np.zeros(heaps.count, np.int64)))
    hands = _Hands(replace(dealing, pile=np.zeros(0, np.int64)), starts, workplace.seal)
    drawn = jobs.read_stage(turns)
    pieces = drawn.where(drawn[NOTE].isNull()).select("heap", "part", "blob")
    in_heaps = pieces.repartition(max(1, min(heaps.count, _TASKS)), "heap").sortWithinPartitions("heap", "part")
    marked = in_heaps.mapInArrow(_dealing(workplace.keep(hands)), "part int, blob binary")
    path = workplace.new("marks")
    stage = Stage(path, workplace.seal)
    with failures_in_sentences(flow.label, jobs.session):
        marked.repartition(len(flow.parts), "part").write.partitionBy("part").parquet(address_of(path))
    return MarkedByPlace(change, path, flow.table.rows_by_part(), workplace.seal, stage)


def _sizes(dealing: Dealing, counts: Numbers) -> Numbers:
    """Records by pile."""
    inside = dealing.pile >= 0
    sizes = np.zeros(int(dealing.pile.max(initial=-1)) + 1, np.int64)
    np.add.at(sizes, dealing.pile[inside], counts[inside])
    return sizes


@dataclass(frozen=True, eq=False)
class _Hands:
    """What is dealt to the records of each heap."""

    dealing: Dealing
    starts: Numbers
    """By heap: how many of its pile's records are in heaps before it."""
    seal: Seal

    def dealt(self, heap: int, pieces: Sequence[bytes]) -> list[bytes]:
        """The marks of a heap's records, for each of the parts that these came from."""
        tables = [unpacked(self.seal.opened(each)) for each in pieces]
        pile, turn, row = (
            np.concatenate([table.column(name).to_numpy() for table in tables]) for name in ("pile", "turn", "row")
        )
        part = np.repeat(np.arange(len(tables)), [table.num_rows for table in tables])
        order = np.lexsort((row, part, turn, pile))
        piles = pile[order]
        place = np.arange(len(piles)) - np.searchsorted(piles, piles, side="left") + self.starts[heap]
        marks = np.full(len(pile), -1, np.int32)
        marks[order] = hand_marks(self.dealing, piles, place)
        return [self._closed(row, marks, (part == number) & (marks >= 0)) for number in range(len(tables))]

    def _closed(self, row: Numbers, marks: Marks, some: NDArray[np.bool_]) -> bytes:
        return self.seal.closed(packed(pa.table({"row": row[some], "mark": marks[some]})))


def _dealing(kept: Kept) -> Callable[[Rows], Rows]:
    """What puts the records of each heap in order, and gives them their marks; pieces come sorted by heap."""

    def dealing(batches: Rows) -> Rows:
        hands: _Hands = found(kept)
        for heap, pieces in groupby(_each(batches), key=lambda piece: piece[0]):
            parts, blobs = zip(*((part, blob) for _, part, blob in pieces), strict=True)
            yield pa.RecordBatch.from_arrays(
                [pa.array(parts, pa.int32()), pa.array(hands.dealt(heap, blobs), pa.binary())], ["part", "blob"]
            )

    return dealing


def _each(batches: Rows) -> Iterator[tuple[int, int, bytes]]:
    for batch in batches:
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)
