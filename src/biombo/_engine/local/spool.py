"""What was drawn at random is drawn once: later passes read it back from a file that nobody else can open."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO
from weakref import finalize

import pyarrow as pa

from biombo._data import Source
from biombo._engine.step import Batch
from biombo._files import in_sentences

FATES = "\0fates"
"""The column of the file that has the fate of each row; no other column has such a name."""


class Spool(Source):
    """Batches in a temporary file without a name, which is gone when the program ends, however it ends."""

    def __init__(self, batches: Iterator[Batch], label: str, folder: Path | None) -> None:
        place = folder or Path(tempfile.gettempdir())
        with in_sentences(place):
            self._file: BinaryIO = tempfile.TemporaryFile(dir=place)  # noqa: SIM115 - lives as long as the source
        finalize(self, _let_go, self._file)
        self._label = label
        self._rows = 0
        self._columns: list[str] = []
        for batch in batches:
            with in_sentences(place):
                self._keep(batch)
        with in_sentences(place):
            self._file.flush()

    def _keep(self, batch: Batch) -> None:
        """Write a batch with the types that it has, which may be others than those of the last."""
        names = batch.table.schema.names
        columns = [*batch.table.columns, pa.array(batch.fates)]
        table = pa.RecordBatch.from_arrays(columns, [*names, FATES])
        with pa.ipc.new_stream(self._file, table.schema) as writer:
            writer.write_batch(table)
        self._rows += table.num_rows
        self._columns = names

    @property
    def label(self) -> str:
        """What the rows are called in messages: as before."""
        return self._label

    @property
    def columns(self) -> list[str]:
        """The columns that the operations left."""
        return self._columns

    @property
    def rows(self) -> int | None:
        """How many there are."""
        return self._rows

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows, with only ``columns``, and their fates."""
        end = self._file.seek(0, os.SEEK_END)
        self._file.seek(0)
        while self._file.tell() < end:
            for batch in pa.ipc.open_stream(self._file):
                yield batch.select([*columns, FATES])


def _let_go(file: BinaryIO) -> None:
    with suppress(OSError):  # what was not written is not wanted either
        file.close()
