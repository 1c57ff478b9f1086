"""What was drawn at random is drawn once: later passes read it back from a file that nobody else can open."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO
from weakref import finalize

import pyarrow as pa

from biombo._data.formats.source import Source
from biombo._files import in_sentences
from biombo._plan.step import Batch

SUPPRESSED = "\0suppressed"
"""The column of the file that marks suppressed rows; no other column has such a name."""


class Settled(Source):
    """Batches in a temporary file without a name, which is gone when the program ends, however it ends."""

    def __init__(self, batches: Iterator[Batch], label: str, folder: Path | None) -> None:
        place = folder or Path(tempfile.gettempdir())
        with in_sentences(place):
            self._file: BinaryIO = tempfile.TemporaryFile(dir=place)  # noqa: SIM115 - lives as long as the source
        finalize(self, self._file.close)
        self._label = label
        self._rows = 0
        writer = None
        for batch in batches:
            plain = _plain(batch)
            with in_sentences(place):
                writer = writer or pa.ipc.new_stream(self._file, plain.schema)
                writer.write_batch(plain)
            self._rows += plain.num_rows
            self._columns = [name for name in plain.schema.names if name != SUPPRESSED]
        if writer is not None:
            with in_sentences(place):
                writer.close()
                self._file.flush()

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
        """The rows, with only ``columns``, and whether they are suppressed."""
        self._file.seek(0)
        for batch in pa.ipc.open_stream(self._file):
            yield batch.select([*columns, SUPPRESSED])


def _plain(batch: Batch) -> pa.RecordBatch:
    """The batch without dictionaries, which differ from one batch to the next."""
    arrays = [_decoded(column) for column in batch.table.columns]
    names = [*batch.table.schema.names, SUPPRESSED]
    return pa.RecordBatch.from_arrays([*arrays, pa.array(batch.suppressed)], names)


def _decoded(column: pa.Array) -> pa.Array:
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
