"""When two values of a column are one, wherever they come from: by a key that equal values share and others do not."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from biombo._data.plain import as_written, coarse, common_type, written

_is = pa.types


class Typed(NamedTuple):
    """The key of a value that Python would take for another: true for 1, two hours of the night for the same one."""

    kind: str
    value: Any
    """Microseconds for a time, days for a date; as it is written where it is finer than that."""


def keys_of(values: pa.Array) -> list[Any]:
    """The key of each of ``values``, which are plain; ``None`` for a missing one."""
    kind = values.type
    if _is.is_boolean(kind):
        return [None if value is None else Typed(str(kind), value) for value in values.to_pylist()]
    if _is.is_temporal(kind):
        return _keys_of_times(values)
    return values.to_pylist()  # type: ignore[no-any-return]


def values_of(keys: Sequence[Any], kinds: Iterable[pa.DataType]) -> pl.Series | None:
    """The values of ``keys``, in one type that keeps them apart; none where there is no such type.

    ``kinds`` are the types that the values had, as :func:`coarse` has them.
    """
    kind = common_type(kinds)
    if kind is None:
        return None
    values = [key.value if isinstance(key, Typed) else key for key in keys]
    if _is.is_temporal(kind):
        return None if any(isinstance(value, str) for value in values) else _times(values, kind)
    if _is.is_floating(kind):
        values = [None if value is None else float(value) for value in values]
    return pl.Series(pa.array(values, kind)) if len(set(values)) == len(values) else None


def texts_of(keys: Sequence[Any], kinds: Iterable[pa.DataType]) -> list[str | None]:
    """The values of ``keys`` as they are written."""
    by_name = {str(kind): kind for kind in kinds if _is.is_temporal(kind)}

    def text_of(key: Any) -> str | None:
        value = key.value if isinstance(key, Typed) else key
        if value is None or isinstance(value, str):
            return value
        if isinstance(key, Typed) and key.kind in by_name:
            return str(written(_times([value], by_name[key.kind]))[0])
        return as_written(value)

    return [text_of(key) for key in keys]


def _keys_of_times(values: pa.Array) -> list[Typed | None]:
    kind = coarse(values.type)
    rounded = values.cast(kind, safe=False)
    width = pa.int32() if _is.is_date(kind) else pa.int64()
    name = str(kind)
    keys = [None if value is None else Typed(name, value) for value in rounded.cast(width).to_pylist()]
    if values.type == kind:
        return keys
    is_finer = pc.fill_null(pc.not_equal(rounded.cast(values.type), values), False).to_pylist()
    texts = written(pl.Series(values)).to_list()
    return [Typed(name, text) if finer else key for key, finer, text in zip(keys, is_finer, texts, strict=True)]


def _times(values: list[Any], kind: pa.DataType) -> pl.Series:
    width = pa.int32() if _is.is_date(kind) else pa.int64()
    return pl.Series(pa.array(values, width).cast(kind))
