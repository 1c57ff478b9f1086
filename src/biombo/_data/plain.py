"""The many types that Arrow has for values, brought down to a few."""

import datetime as dt
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from biombo._data.formats.encodings import decode, decoded
from biombo._errors import ColumnError

_is = pa.types
_TEXT = (_is.is_string, _is.is_large_string, _is.is_string_view)
_BYTES = (_is.is_binary, _is.is_large_binary, _is.is_binary_view, _is.is_fixed_size_binary)


def is_text_type(kind: pa.DataType) -> bool:
    """Is it one of the types that Arrow has for text?"""
    return any(is_kind(kind) for is_kind in _TEXT)


def is_bytes_type(kind: pa.DataType) -> bool:
    """Is it one of the types that Arrow has for bytes?"""
    return any(is_kind(kind) for is_kind in _BYTES)


def value_type(chunk: pa.Array) -> pa.DataType:
    """The type of the values, whether they stand in a dictionary or not."""
    return chunk.type.value_type if _is.is_dictionary(chunk.type) else chunk.type


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
    """``values`` as text, whole numbers, floats, decimals, booleans, dates or times, whatever their width in Arrow.

    What counts as one value is one value afterwards: an empty text and what is not a number are missing, and there is
    one zero.
    """
    kind = values.type
    if is_text_type(kind) or is_bytes_type(kind):
        return without_empty_texts(decoded(values, column, source))
    if _is.is_boolean(kind) or _is.is_decimal128(kind) or _is.is_uint64(kind) or _is.is_null(kind):
        return values
    if _is.is_floating(kind):
        numbers = pc.add(_as_double(values), 0.0)  # never minus zero
        return missing_where(pc.is_nan(numbers), numbers)
    try:
        return values.cast(_plain_type(kind))
    except pa.ArrowInvalid:  # some have nanoseconds
        return values
    except pa.ArrowNotImplementedError:
        raise ColumnError("column.nested", column=column, type=str(kind)) from None


def without_empty_texts(texts: pa.Array) -> pa.Array:
    """``texts`` with missing values for empty ones: not every reader of a CSV file can tell them apart."""
    return missing_where(pc.equal(texts, ""), texts)


def missing_where(is_missing: pa.Array, values: pa.Array) -> pa.Array:
    """``values`` without those that are marked as missing."""
    if not pc.any(is_missing).as_py():
        return values
    return pc.if_else(is_missing, pa.scalar(None, values.type), values)


def _as_double(values: pa.Array) -> pa.Array:
    """Short floats as they are written: the 0.1 of 32 bits is not 0.10000000149011612."""
    if _is.is_float64(values.type):
        return values
    return pl.Series(values.cast(pa.float32())).cast(pl.String).cast(pl.Float64).to_arrow()


def _plain_type(kind: pa.DataType) -> pa.DataType:
    if _is.is_integer(kind):
        return pa.int64()
    if _is.is_date(kind):
        return pa.date32()
    return coarse(kind) if _is.is_temporal(kind) else pa.large_string()


def coarse(kind: pa.DataType) -> pa.DataType:
    """Times in microseconds, which all but a few are whole numbers of."""
    if _is.is_timestamp(kind):
        return pa.timestamp("us", kind.tz)
    if _is.is_time(kind):
        return pa.time64("us")
    return pa.duration("us") if _is.is_duration(kind) else kind


def plain_values(chunk: pa.Array, column: str, source: str) -> pl.Series:
    """The plain values of a column row by row, without a dictionary."""
    if not _is.is_dictionary(chunk.type):
        return pl.Series(plain(chunk, column, source))
    return pl.Series(plain(chunk.dictionary, column, source)).gather(pl.Series(chunk.indices))


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
    """``values`` as people would write them, and as they stand in files.

    How a value is written follows from the value alone, whatever the type of its column: a whole number has no
    decimals, a number no zeros at its end, a time of day no more digits than it needs.

    >>> written(pl.Series([1.0, 2.5])).to_list(), written(pl.Series(["1.50", "7.00"]).cast(pl.Decimal(9, 2))).to_list()
    (['1', '2.5'], ['1.5', '7'])
    """
    kind = values.dtype
    if kind == pl.Duration:
        return values.dt.to_string("iso")
    if isinstance(kind, pl.Datetime):
        return values.dt.to_string("%Y-%m-%dT%H:%M:%S%.f" + ("%:z" if kind.time_zone else ""))
    if kind == pl.Time:
        return values.dt.to_string("%H:%M:%S%.f")
    if kind.is_float():
        return _written_floats(values.cast(pl.Float64))
    text = values.cast(pl.String)
    if isinstance(kind, pl.Decimal) and kind.scale:
        return text.str.strip_chars_end("0").str.strip_suffix(".")
    return text


def _written_floats(numbers: pl.Series) -> pl.Series:
    """Whole numbers as such as long as they fit into 64 bits; so that the type of a column does not show."""
    exact = numbers.fill_nan(None)
    text = exact.cast(pl.String)
    whole = exact == exact.floor()
    for kind in (pl.Int64, pl.UInt64):
        fitting = exact.set(~whole.fill_null(False), None).cast(kind, strict=False)
        text = fitting.cast(pl.String).fill_null(text)
    return text


def as_written(value: Any) -> str:
    """One value as :func:`written` writes it.

    >>> as_written(1.0), as_written(True), as_written(Decimal("1.50"))
    ('1', 'true', '1.5')
    """
    if isinstance(value, bytes):
        return decode(value)
    if isinstance(value, dt.datetime | dt.time):
        in_thousandths = value.microsecond and value.microsecond % 1000 == 0
        return value.isoformat(timespec="milliseconds" if in_thousandths else "auto")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, Decimal):
        text = f"{value:f}" if value else "0"
        return text.rstrip("0").removesuffix(".") if "." in text else text
    return str(written(pl.Series([value]))[0])
