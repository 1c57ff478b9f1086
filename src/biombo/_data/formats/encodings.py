"""From bytes to text. A file does not say how it is encoded, so each distinct value shows it for itself."""

from collections.abc import Iterator

import pyarrow as pa

from biombo._errors import InputError

ENCODINGS = ("utf-8", "cp1252")
"""Tried in this order. Text in Windows-1252 or Latin-1 practically never happens to be valid UTF-8 as well."""


def decoded(values: pa.Array, column: str, source: str, encodings: tuple[str, ...] = ENCODINGS) -> pa.Array:
    """Binary ``values`` as text; ``column`` and ``source`` are for the message when that cannot be."""
    raw = values.cast(pa.large_binary())
    try:
        return raw.cast(pa.large_string())
    except pa.ArrowInvalid:
        return pa.array(list(_each_decoded(raw, column, source, encodings)), pa.large_string())


def _each_decoded(values: pa.Array, column: str, source: str, encodings: tuple[str, ...]) -> Iterator[str | None]:
    for value in values.to_pylist():
        try:
            yield None if value is None else decode(value, encodings)
        except UnicodeDecodeError:
            raise InputError("input.undecodable", source=source, column=column, example=repr(value[:40])) from None


def decode(value: bytes, encodings: tuple[str, ...] = ENCODINGS) -> str:
    """``value`` in the first of ``encodings`` that it is valid in.

    >>> decode("São Paulo".encode("latin-1")) == decode("São Paulo".encode("utf-8")) == "São Paulo"
    True
    """
    for encoding in encodings[:-1]:
        try:
            return value.decode(encoding)
        except UnicodeDecodeError:
            continue
    return value.decode(encodings[-1])
