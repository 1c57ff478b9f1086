"""What other people's libraries hand over: their failures in our words, and values that nothing here can hold."""

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from biombo._errors import BiomboError, InputError

_NOT_A_FAILURE = (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError, BiomboError)


@contextmanager
def foreign_failures(key: str, **values: Any) -> Iterator[None]:
    """Raise ``InputError(key, **values)`` instead of whatever the library raises, a panic of Rust code included."""
    try:
        yield
    except pa.ArrowMemoryError as error:  # more than there ever is was asked for
        raise InputError(key, **values, detail=" ".join(str(error).split())) from None
    except _NOT_A_FAILURE:
        raise
    except BaseException as error:  # a panic of Rust code is no Exception
        raise InputError(key, **values, detail=" ".join(str(error).split())) from None


_is = pa.types
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_DAY = 24 * 60 * 60
_EPOCH = dt.date(1970, 1, 1)
_FIRST, _LAST = (dt.date.min - _EPOCH).days, (dt.date.max - _EPOCH).days
_LONGEST = (1 << 63) // 10**6 - 1
"""Seconds of a duration that can be counted in microseconds."""


def sound(batch: pa.RecordBatch, source: str) -> pa.RecordBatch:
    """``batch``, unless it holds what cannot be; ``source`` is for the message."""
    columns = [_sound(batch.column(place), name, source) for place, name in enumerate(batch.schema.names)]
    fields = [
        pa.field(field.name, column.type, metadata=field.metadata)  # which may say how the values came about
        for field, column in zip(batch.schema, columns, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=pa.schema(fields))


def _sound(chunk: pa.Array, column: str, source: str) -> pa.Array:
    kind = chunk.type
    if _is.is_dictionary(kind):
        _refuse_outside(chunk.indices, (0, len(chunk.dictionary) - 1), "input.no-such-entry", column, source)
        values = chunk.dictionary
        checked = _sound(values, column, source)
        return chunk if checked is values else pa.DictionaryArray.from_arrays(chunk.indices, checked)
    if _is.is_temporal(kind) and (span := _span(kind)) is not None:
        if _is.is_timestamp(kind) and kind.tz is not None and not _is_known(kind.tz):
            raise InputError("input.time-zone", source=source, column=column, zone=kind.tz)
        _refuse_outside(_counted(chunk), span, "input.no-such-time", column, source)
    if _is.is_decimal32(kind) or _is.is_decimal64(kind):
        return chunk.cast(pa.decimal128(kind.precision, kind.scale))
    return chunk


def _refuse_outside(numbers: pa.Array, span: tuple[int, int], key: str, column: str, source: str) -> None:
    found = pc.min_max(numbers)
    least, most = found["min"].as_py(), found["max"].as_py()
    if least is not None and not span[0] <= least <= most <= span[1]:
        raise InputError(key, source=source, column=column)


def _counted(chunk: pa.Array) -> pa.Array:
    return chunk.view(pa.int32() if chunk.type.bit_width == 32 else pa.int64())


def _span(kind: pa.DataType) -> tuple[int, int] | None:
    """The first and the last count of days, or of parts of a second, that is a date or time to Python as well."""
    if _is.is_date32(kind):
        return _FIRST, _LAST
    if _is.is_date64(kind):
        return _FIRST * _DAY * 1000, (_LAST + 1) * _DAY * 1000 - 1
    if not (_is.is_timestamp(kind) or _is.is_time(kind) or _is.is_duration(kind)):
        return None
    parts = _PER_SECOND[kind.unit]
    if _is.is_time(kind):
        return 0, _DAY * parts - 1
    if _is.is_duration(kind):
        return -_LONGEST * parts, _LONGEST * parts
    days = 0 if kind.tz in (None, "", "UTC") else 1  # elsewhere the first or last day may be in another year
    return (_FIRST + days) * _DAY * parts, (_LAST + 1 - days) * _DAY * parts - 1


@cache
def _is_known(zone: str) -> bool:
    """Is there such a time zone for all who will hold its times?"""
    sample = pa.array([0], pa.timestamp("us", zone))
    try:
        with foreign_failures("input.time-zone", source="", column="", zone=zone):
            sample.to_pylist()
            pl.Series(sample).to_list()
    except InputError:
        return False
    return True
