"""Batches of Arrow on their way in, and frames of Polars on their way out."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from biombo._data import decoded, is_bytes_type, is_text_type, plain_values, without_empty_texts, written
from biombo._engine.local.write import Target
from biombo._engine.step import Batch
from biombo._errors import ColumnError

_EXACT = 1 << 53
"""Up to here, floating-point numbers hold every whole number."""
_INT64, _UINT64 = 1 << 63, 1 << 64


@dataclass(frozen=True)
class ReleasedType:
    """What values of one nature need. Values that are not numbers keep their type."""

    other: pl.DataType | None = None
    """The type of values that are not numbers."""
    lowest: int = 0
    highest: int = 0
    """The range of the whole numbers, with 0."""
    beyond_floats: bool = False
    """Is there a whole number that a floating-point number would change?"""
    floats: bool = False
    """Is there a floating-point number that is not whole, or too large for 64 bits?"""
    scale: int = 0
    """The digits after the point that decimals have."""

    @classmethod
    def of(cls, values: pl.Series) -> "ReleasedType | None":
        """What plain ``values`` need; none where all are missing."""
        found = values.drop_nulls()
        if not len(found):
            return None
        kind = found.dtype
        if kind.is_integer():
            return cls._of_whole(found)
        if kind.is_float():
            return cls._of_floats(found)
        return cls._of_decimals(found) if kind.is_decimal() else cls(other=_coarsest(found))

    @classmethod
    def _of_whole(cls, numbers: pl.Series) -> "ReleasedType":
        lowest, highest = int(numbers.min()), int(numbers.max())  # type: ignore[arg-type]
        beyond = max(-lowest, highest) > _EXACT and bool((numbers.cast(pl.Float64).cast(pl.Int128) != numbers).any())
        return cls(lowest=min(lowest, 0), highest=max(highest, 0), beyond_floats=beyond)

    @classmethod
    def _of_floats(cls, numbers: pl.Series) -> "ReleasedType":
        is_whole = (numbers == numbers.floor()) & (numbers >= -float(_INT64)) & (numbers < float(_UINT64))
        whole = numbers.filter(is_whole)
        if not len(whole):
            return cls(floats=True)
        lowest, highest = int(whole.min()), int(whole.max())  # type: ignore[arg-type]
        return cls(lowest=min(lowest, 0), highest=max(highest, 0), floats=not is_whole.all())

    @classmethod
    def _of_decimals(cls, numbers: pl.Series) -> "ReleasedType":
        digits = written(numbers).str.extract(r"\.(.*)$").str.len_chars().fill_null(0)
        lowest, highest = int(numbers.min()), int(numbers.max())  # type: ignore[arg-type]
        return cls(lowest=min(lowest, 0), highest=max(highest, 0), scale=int(digits.max()))  # type: ignore[arg-type]

    def joined(self, more: "ReleasedType") -> "ReleasedType | None":
        """What the values of both need; none where no type holds them."""
        if self.other is not None or more.other is not None:
            return self if self.other == more.other else self._with_finer_times(more)
        both = ReleasedType(
            lowest=min(self.lowest, more.lowest),
            highest=max(self.highest, more.highest),
            beyond_floats=self.beyond_floats or more.beyond_floats,
            floats=self.floats or more.floats,
            scale=max(self.scale, more.scale),
        )
        return None if both.floats and (both.scale or both.beyond_floats) else both

    def _with_finer_times(self, more: "ReleasedType") -> "ReleasedType | None":
        """The one of both that has nanoseconds, if that is all that they differ in."""
        for fine, coarse in ((self, more), (more, self)):
            if fine.other is not None and _without_nanoseconds(fine.other) == coarse.other:
                return fine
        return None

    @property
    def dtype(self) -> pl.DataType:
        """The narrowest of a few types that all values fit into."""
        if self.other is not None:
            return self.other
        if self.floats:
            return pl.Float64()
        if self.scale:
            return pl.Decimal(38, self.scale)
        if self.lowest >= -_INT64 and self.highest < _INT64:
            return pl.Int64()
        return pl.UInt64() if self.lowest >= 0 and self.highest < _UINT64 else pl.Decimal(38, 0)


def _coarsest(values: pl.Series) -> pl.DataType:
    """The type of ``values``, without nanoseconds where none of them has any."""
    coarse = _without_nanoseconds(values.dtype)
    return (
        coarse if coarse == values.dtype or (values.cast(coarse).cast(values.dtype) == values).all() else values.dtype
    )


def _without_nanoseconds(kind: pl.DataType) -> pl.DataType:
    if isinstance(kind, pl.Datetime):
        return pl.Datetime("us", kind.time_zone)
    return pl.Duration("us") if isinstance(kind, pl.Duration) else kind


_is = pa.types
_NUMBERS = (_is.is_boolean, _is.is_integer, _is.is_floating, _is.is_decimal128)
_TIMES = (_is.is_date, _is.is_timestamp, _is.is_time, _is.is_duration)
_SINGLE_VALUES = (is_text_type, *_NUMBERS, *_TIMES, _is.is_null)


def readable(batch: pa.RecordBatch, source: str) -> pa.RecordBatch:
    """``batch`` with bytes as text, and nothing in it that operations could not treat value by value."""
    names = batch.schema.names
    return pa.RecordBatch.from_arrays([_readable(batch.column(name), name, source) for name in names], names)


def _readable(chunk: pa.Array, column: str, source: str) -> pa.Array:
    if _is.is_run_end_encoded(chunk.type):
        chunk = pc.run_end_decode(chunk)
    if _is.is_dictionary(chunk.type):
        return pa.DictionaryArray.from_arrays(chunk.indices, _readable(chunk.dictionary, column, source))
    if is_bytes_type(chunk.type) or not _is_text_throughout(chunk):
        return decoded(chunk, column, source)
    if any(is_kind(chunk.type) for is_kind in _SINGLE_VALUES):
        return chunk
    raise ColumnError("plan.column-type", column=column, source=source, type=str(chunk.type))


def _is_text_throughout(chunk: pa.Array) -> bool:
    """Is text, where it is called so, UTF-8? Not everybody looks."""
    if is_text_type(chunk.type):
        with suppress(pa.ArrowInvalid):
            chunk.validate(full=True)
            return True
        return False
    return True


def without_empty(batch: pa.RecordBatch) -> pa.RecordBatch:
    """``batch`` with missing values for empty texts, which steps may have written, as they count everywhere."""
    columns = [_without_empty(column) for column in batch.columns]
    return pa.RecordBatch.from_arrays(columns, batch.schema.names)


def _without_empty(chunk: pa.Array) -> pa.Array:
    if _is.is_dictionary(chunk.type):
        return pa.DictionaryArray.from_arrays(chunk.indices, _without_empty(chunk.dictionary))
    if _is.is_string_view(chunk.type):
        chunk = chunk.cast(pa.large_string())
    if not is_text_type(chunk.type):
        return chunk
    return without_empty_texts(chunk)


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

    @property
    def found(self) -> dict[str, ReleasedType | None]:
        """What the values of each column need, as far as they were seen here."""
        return dict(self._types)

    def add(self, found: Mapping[str, ReleasedType | None]) -> None:
        """Take notice of what values need that were seen elsewhere."""
        for name, needed in found.items():
            self._join(name, needed)

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
        self._join(name, ReleasedType.of(values))

    def _join(self, name: str, found: ReleasedType | None) -> None:
        before = self._types.get(name)
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
