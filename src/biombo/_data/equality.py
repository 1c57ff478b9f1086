"""When two values of a column are one, wherever they come from: by a key that equal values share and others do not."""

from collections.abc import Iterable, Sequence
from decimal import Context, Decimal
from typing import Any, NamedTuple

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from biombo._data.plain import as_written, coarse, common_type, written

_is = pa.types

_EXACT = Context(prec=200)
"""With more digits than any decimal number of Arrow's has: otherwise Python rounds to 28."""


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
    if _is.is_decimal(kind):
        values = [None if value is None else Decimal(value) for value in values]
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
        return as_written(_one_number(value))

    return [text_of(key) for key in keys]


def _one_number(value: Any) -> Any:
    """Of whole numbers beyond those of 64 bits that are equal, always the same: they are written in different ways."""
    if not isinstance(value, int | Decimal) or -(1 << 64) < value < 1 << 64:
        return value
    return float(value) if value == float(value) else value


def spelled(key: Any) -> str | None:
    """A key as text, by which it can be told elsewhere: the same text for keys that are equal, another for others.

    >>> spelled("1"), spelled(1), spelled(1.0) == spelled(Decimal("1.00")), spelled(None)
    ('t1', 'n1', True, None)
    """
    if key is None:
        return None
    if isinstance(key, str):
        return "t" + key
    if isinstance(key, Typed):
        nature = "k" if isinstance(key.value, str) else "b" if isinstance(key.value, bool) else "c"
        return f"{nature}{key.kind}\0{key.value}"
    if isinstance(key, int) or _is_whole(key):
        return f"n{int(key)}"
    return f"f{key!r}" if isinstance(key, float) else _spelled_decimal(key)


def _is_whole(number: float | Decimal) -> bool:
    return number == number.to_integral_value() if isinstance(number, Decimal) else number.is_integer()


def _spelled_decimal(number: Decimal) -> str:
    near = float(number)
    return f"f{near!r}" if number == near else f"d{_EXACT.normalize(number)}"


def read_spelled(text: str | None) -> Any:
    """The key that was :func:`spelled` so, or one that is equal.

    >>> [read_spelled(spelled(key)) for key in (None, "", "a", 7, 2.5, Typed("bool", True))]
    [None, '', 'a', 7, 2.5, Typed(kind='bool', value=True)]
    """
    if text is None:
        return None
    nature, rest = text[0], text[1:]
    if nature in "kbc":
        kind, _, value = rest.partition("\0")
        return Typed(kind, value if nature == "k" else value == "True" if nature == "b" else int(value))
    reading: Any = {"t": str, "n": int, "f": float, "d": Decimal}[nature]
    return reading(rest)


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
