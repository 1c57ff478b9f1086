"""The many types that Arrow has for values, brought down to a few."""

from collections.abc import Iterable
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from biombo._data.formats.decode import decoded
from biombo._errors import ColumnError

_is = pa.types
TEXT_OR_BYTES = (
    _is.is_string,
    _is.is_large_string,
    _is.is_string_view,
    _is.is_binary,
    _is.is_large_binary,
    _is.is_binary_view,
    _is.is_fixed_size_binary,
)


def hashed(chunk: pa.Array, column: str) -> pa.DictionaryArray:
    """``chunk`` with a dictionary: the one it comes with, else a new one, by hashing every row once."""
    if _is.is_dictionary(chunk.type):
        return chunk
    if _is.is_run_end_encoded(chunk.type):
        chunk = pc.run_end_decode(chunk)
    try:
        return pc.dictionary_encode(chunk)
    except pa.ArrowNotImplementedError:
        raise ColumnError("column.nested", column=column, type=str(chunk.type)) from None


def plain(values: pa.Array, column: str, source: str) -> pa.Array:
    """``values`` as text, whole numbers, floats, decimals, booleans, dates or times, whatever their width in Arrow."""
    kind = values.type
    if any(is_kind(kind) for is_kind in TEXT_OR_BYTES):
        return decoded(values, column, source)
    if _is.is_boolean(kind) or _is.is_decimal128(kind) or _is.is_uint64(kind):
        return values
    if _is.is_floating(kind):
        return _without_nan(values.cast(pa.float64()))
    try:
        return values.cast(_plain_type(kind))
    except pa.ArrowInvalid:  # nanoseconds, which Python's times do not have
        return values.cast(pa.large_string())
    except pa.ArrowNotImplementedError:
        raise ColumnError("column.nested", column=column, type=str(kind)) from None


def _without_nan(values: pa.Array) -> pa.Array:
    """NaN stands for a missing number, and equals nothing, not even itself."""
    return pc.if_else(pc.is_nan(values), pa.scalar(None, values.type), values)


def _plain_type(kind: pa.DataType) -> pa.DataType:
    if _is.is_integer(kind):
        return pa.int64()
    if _is.is_date(kind):
        return pa.date32()
    if _is.is_timestamp(kind):
        return pa.timestamp("us", kind.tz)
    if _is.is_time(kind):
        return pa.time64("us")
    if _is.is_duration(kind):
        return pa.duration("us")
    return pa.large_string()


def common_type(kinds: Iterable[pa.DataType]) -> pa.DataType | None:
    """The type that holds values of all ``kinds``; none when they are of different natures."""
    distinct = set(kinds)
    if len(distinct) <= 1:
        return next(iter(distinct), pa.large_string())
    if all(map(_is.is_decimal, distinct)):
        return pa.decimal128(38, max(kind.scale for kind in distinct))
    if all(_is.is_integer(kind) or _is.is_floating(kind) or _is.is_decimal(kind) for kind in distinct):
        return pa.float64()
    return None


def written(values: pl.Series) -> pl.Series:
    """``values`` as people would write them, so that they can be held against what a schema lists."""
    if values.dtype == pl.Duration:
        return values.dt.to_string("iso")
    text = values.cast(pl.String)
    if not values.dtype.is_float():
        return text
    return text.str.strip_suffix(".0")


def as_written(value: Any) -> str:
    """A value as a person would write it: a whole number has no decimals."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value)
