"""What was drawn at random is drawn once: later passes read it back from a file that nobody else can open."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO
from weakref import finalize

import pyarrow as pa

from biombo._data.formats.source import Source
from biombo._data.plain import hashed
from biombo._errors import ColumnError
from biombo._files import in_sentences
from biombo._plan.exact_numbers import is_text_type, value_type
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
        writer, uniform = None, _Uniform()
        for batch in batches:
            plain = uniform(batch)
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


class _Uniform:
    """Gives all batches the types of the first one. Dictionaries stay, though each batch has its own."""

    def __init__(self) -> None:
        self._types: dict[str, pa.DataType] = {}
        self._untyped: set[str] = set()
        """Columns without a value in the first batch, which are kept as text."""

    def __call__(self, batch: Batch) -> pa.RecordBatch:
        names = batch.table.schema.names
        arrays = [self._uniform(name, batch.table.column(name)) for name in names]
        return pa.RecordBatch.from_arrays([*arrays, pa.array(batch.suppressed)], [*names, SUPPRESSED])

    def _uniform(self, name: str, column: pa.Array) -> pa.Array:
        if name not in self._types:
            if pa.types.is_null(column.type):
                self._untyped.add(name)
            self._types[name] = _kept(column.type)
        kept = self._types[name]
        if column.type == kept:
            return column
        if name in self._untyped or _alike(value_type(column), getattr(kept, "value_type", kept)):
            with suppress(pa.ArrowInvalid):  # a whole number too large for the type
                return _converted(column, name, kept)
        raise ColumnError("plan.types", column=name, before=str(kept), after=str(column.type))


def _kept(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_dictionary(kind):
        return pa.dictionary(pa.int32(), kind.value_type)
    return pa.large_string() if pa.types.is_null(kind) else kind


def _alike(one: pa.DataType, other: pa.DataType) -> bool:
    whole = pa.types.is_integer(one) and pa.types.is_integer(other)
    return pa.types.is_null(one) or one == other or whole or (is_text_type(one) and is_text_type(other))


def _converted(column: pa.Array, name: str, kind: pa.DataType) -> pa.Array:
    if pa.types.is_dictionary(kind):
        coded = hashed(column, name)
        return pa.DictionaryArray.from_arrays(coded.indices.cast(pa.int32()), coded.dictionary.cast(kind.value_type))
    return (column.dictionary_decode() if pa.types.is_dictionary(column.type) else column).cast(kind)
