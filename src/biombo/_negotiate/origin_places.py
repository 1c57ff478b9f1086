"""The records that a release was made of, found by its trace ids, as the table of a negotiation that starts from it."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from biombo._data import SourceTable
from biombo._files import PRIVATE, is_file, read_whole, write_whole
from biombo._negotiate.actors import Actor
from biombo._negotiate.request import Origin
from biombo._release import Manifest, OriginRecords, origin_records

PLACES = "origin.places"
"""Which records they are, in the folder of the negotiation: a bit for each record of the source."""

Marks = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class AtPlaces:
    """Selects records by their place in the source, which is passed over from the first to the last."""

    marks: Marks

    @property
    def reads(self) -> tuple[str, ...]:
        """No values."""
        return ()

    def choosing(self) -> "_Passing":
        """From the first record on."""
        return _Passing(self.marks)


class _Passing:
    def __init__(self, marks: Marks) -> None:
        self._marks, self._passed = marks, 0

    def __call__(self, batch: pa.RecordBatch, source: str) -> Marks:  # noqa: ARG002
        first, self._passed = self._passed, self._passed + batch.num_rows
        return self._marks[first : self._passed].copy()


def looked_up(origin: Origin, releases: Path | None, table: SourceTable, manager: Actor, reason: str) -> OriginRecords:
    """The records behind the trace ids; the source is checked, and the look-up logged."""
    return origin_records(origin.place(releases), origin.trace_ids, source=table, reason=reason, who=manager.name)


def released_records(release: Path) -> int:
    """How many records a release has, by its manifest."""
    claims = Manifest.of(release).claims
    return next((int(claim.value) for claim in claims if claim.name == "records-released"), 0)


def keep_places(folder: Path, marks: Marks) -> None:
    """Note which records they are, where they are not all."""
    write_whole(folder / PLACES, np.packbits(marks).tobytes(), mode=PRIVATE)


def at_kept_places(folder: Path, table: SourceTable) -> SourceTable:
    """The table with the records that were noted; as it is where none were."""
    if not is_file(folder / PLACES):
        return table
    bits = np.unpackbits(np.frombuffer(read_whole(folder / PLACES), np.uint8))
    return at_places(table, bits.astype(bool))


def at_places(table: SourceTable, marks: Marks) -> SourceTable:
    """The table with the records that ``marks`` marks."""
    return table.selected([AtPlaces(marks)])
