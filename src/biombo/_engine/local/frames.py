"""Batches of Arrow on their way in, and frames of Polars on their way out."""

from collections.abc import Collection, Sequence
from contextlib import suppress

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from biombo._data import decoded, missing_where, plain_values, written
from biombo._engine.local.released_types import ReleasedType
from biombo._engine.local.write import Target
from biombo._engine.step import Batch
from biombo._errors import ColumnError

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


def without_empty(batch: pa.RecordBatch) -> pa.RecordBatch:
    """``batch`` with missing values for empty texts: not every reader of a CSV file can tell them apart."""
    columns = [_without_empty(column) for column in batch.columns]
    return pa.RecordBatch.from_arrays(columns, batch.schema.names)


def _without_empty(chunk: pa.Array) -> pa.Array:
    if _is.is_dictionary(chunk.type):
        return pa.DictionaryArray.from_arrays(chunk.indices, _without_empty(chunk.dictionary))
    if _is.is_string_view(chunk.type):
        chunk = chunk.cast(pa.large_string())
    if not any(is_kind(chunk.type) for is_kind in _TEXT):
        return chunk
    return missing_where(pc.equal(chunk, ""), chunk)


class Frames:
    """Makes frames of batches: of the values that come out, as they count, and by nothing but these.

    For a text file they are written at once. Else the type of a column is known once all of its values are, so that
    frames are ``typed`` afterwards.
    """

    def __init__(self, target: Target = "memory", mixed: Collection[str] = ()) -> None:
        self.target = target
        self._mixed = mixed
        """Columns that are text only because their values have no type in common; it may grow on the way."""
        self._types: dict[str, ReleasedType | None] = {}
        """What the values of each column need; nothing as long as all are missing."""

    def released(self, batch: Batch, columns: Sequence[str]) -> pl.DataFrame:
        """The rows that come out, with only ``columns``, every value in its place."""
        keep = pl.Series(~batch.out) if batch.out.any() else None
        return pl.DataFrame([self._values(name, batch.table.column(name), keep) for name in columns])

    def typed(self, frame: pl.DataFrame) -> pl.DataFrame:
        """One of the frames, with the types that all values together ask for."""
        if self.target == "text":
            return frame
        return frame.with_columns([self._typed(frame[name]) for name in frame.columns if name in self._types])

    def _values(self, name: str, chunk: pa.Array, keep: pl.Series | None) -> pl.Series:
        every = plain_values(chunk, name, source="").alias(name)
        values = every if keep is None else every.filter(keep)
        if self.target == "text":
            return written(values)
        self._note(name, values)
        return values

    def _note(self, name: str, values: pl.Series) -> None:
        if self.target == "typed" and name in self._mixed:
            raise ColumnError("plan.mixed", column=name)
        found, before = ReleasedType.of(values), self._types.get(name)
        if found is None or before is None:
            self._types[name] = found or before
            return
        self._types[name] = both = before.joined(found)
        if both is None:
            raise ColumnError("plan.types", column=name, before=str(before.dtype), after=str(found.dtype))

    def _typed(self, values: pl.Series) -> pl.Series:
        found = self._types[values.name]
        kind = pl.String() if found is None else found.dtype
        if values.dtype == kind:
            return values
        if values.null_count() == len(values):
            return pl.repeat(None, len(values), dtype=kind, eager=True).alias(values.name)
        try:
            return values.cast(kind)
        except pl.exceptions.PolarsError:  # more digits than any type has
            raise ColumnError("plan.types", column=values.name, before=str(values.dtype), after=str(kind)) from None
