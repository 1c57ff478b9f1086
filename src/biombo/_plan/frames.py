"""Batches of Arrow on their way in, and frames of Polars on their way out."""

from collections.abc import Sequence
from contextlib import suppress

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from biombo._data.formats.decode import decoded
from biombo._errors import ColumnError
from biombo._plan.step import Batch

_is = pa.types
_BYTES = (_is.is_binary, _is.is_large_binary, _is.is_binary_view, _is.is_fixed_size_binary)
_TEXT = (_is.is_string, _is.is_large_string, _is.is_string_view)
_NUMBERS = (_is.is_boolean, _is.is_integer, _is.is_floating, _is.is_decimal128)
_TIMES = (_is.is_date, _is.is_timestamp, _is.is_time, _is.is_duration)
_SINGLE_VALUES = (*_TEXT, *_NUMBERS, *_TIMES, _is.is_null)


def readable(batch: pa.RecordBatch, source: str) -> pa.RecordBatch:
    """``batch`` with bytes as text, and nothing in it that operations could not treat value by value."""
    names = batch.schema.names
    return pa.RecordBatch.from_arrays([_readable(batch.column(name), name, source) for name in names], names)


def _readable(chunk: pa.Array, column: str, source: str) -> pa.Array:
    if _is.is_run_end_encoded(chunk.type):
        chunk = pc.run_end_decode(chunk)
    if _is.is_dictionary(chunk.type):
        return pa.DictionaryArray.from_arrays(chunk.indices, _readable(chunk.dictionary, column, source))
    if any(is_kind(chunk.type) for is_kind in _BYTES) or not _is_text_throughout(chunk):
        return decoded(chunk, column, source)
    if any(is_kind(chunk.type) for is_kind in _SINGLE_VALUES):
        return chunk
    raise ColumnError("plan.column-type", column=column, source=source, type=str(chunk.type))


def _is_text_throughout(chunk: pa.Array) -> bool:
    """Is text, where it is called so, UTF-8? Not everybody looks."""
    if any(is_kind(chunk.type) for is_kind in _TEXT):
        with suppress(pa.ArrowInvalid):
            chunk.validate(full=True)
            return True
        return False
    return True


class Frames:
    """Makes frames of batches, all with the types of the first one."""

    def __init__(self) -> None:
        self._types: dict[str, pl.DataType] = {}
        self._untyped: set[str] = set()
        """Columns without a value in the first batch, which are written as text."""

    def released(self, batch: Batch, columns: Sequence[str]) -> pl.DataFrame:
        """The rows that come out, with only ``columns``, every value in its place."""
        frame = pl.DataFrame({name: self._uniform(name, column_values(batch.table.column(name))) for name in columns})
        return frame.filter(~batch.suppressed) if batch.suppressed.any() else frame

    def _uniform(self, name: str, values: pl.Series) -> pl.Series:
        if name not in self._types:
            if values.dtype == pl.Null:
                self._untyped.add(name)
            self._types[name] = pl.String() if values.dtype == pl.Null else values.dtype
        kept = self._types[name]
        if values.dtype == kept:
            return values
        whole = values.dtype.is_integer() and kept.is_integer()
        if values.dtype == pl.Null or name in self._untyped or whole:
            with suppress(pl.exceptions.InvalidOperationError):  # a whole number too large for the type
                return values.cast(kept)
        raise ColumnError("plan.types", column=name, before=str(kept), after=str(values.dtype))


def column_values(chunk: pa.Array) -> pl.Series:
    """The values of a column row by row, without a dictionary."""
    if not _is.is_dictionary(chunk.type):
        return pl.Series(chunk)
    return pl.Series(chunk.dictionary).gather(pl.Series(chunk.indices))
