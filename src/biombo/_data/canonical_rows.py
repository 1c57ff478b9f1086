"""Rows as text in one canonical form: the same values give the same text however they are stored, others never do."""

from collections.abc import Iterator
from decimal import Context, Decimal
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from biombo._data.formats.encodings import decoded
from biombo._data.plain import as_written, is_bytes_type, is_text_type
from biombo._errors import ColumnError

ROWS_AT_A_TIME = 1 << 16
MISSING = "-"

_is = pa.types
_TEXT = pa.large_string()
_EXACT = Context(prec=100)
"""More digits than any decimal of Arrow has."""


def canonical_rows(batch: pa.RecordBatch, source: str) -> Iterator[pa.Array]:
    """The rows of ``batch`` as text, a bounded number at a time; ``source`` is what they are called in a message.

    Each value is ``nature length:text``, with the length in bytes; a missing one is ``-``, and empty text is not. So no
    two rows of the same columns that differ give the same text. Numbers that are equal are the same, whatever their
    type; a number is not the text that it is written as.

    >>> table = pa.record_batch({"name": ["Ana", "", None], "age": [31, 4, None]})
    >>> [rows.to_pylist() for rows in canonical_rows(table, "a table")]
    [['t3:Anan2:31', 't0:n1:4', '--']]
    """
    names = batch.schema.names
    for start in range(0, batch.num_rows, ROWS_AT_A_TIME):
        rows = batch.slice(start, ROWS_AT_A_TIME)
        yield pc.binary_join_element_wise(*(_canonical(rows.column(name), name, source) for name in names), _text(""))


def _canonical(column: pa.Array, name: str, source: str) -> pa.Array:
    try:
        if _is.is_run_end_encoded(column.type):
            column = pc.run_end_decode(column)
        if _is.is_floating(column.type):
            column = column.cast(pa.float64())
        if _is.is_floating(column.type) or _is.is_decimal(column.type):
            column = pc.dictionary_encode(column)  # each value is written by itself
        if not _is.is_dictionary(column.type):
            return pc.fill_null(_delimited(column, name, source), MISSING)
        return pc.fill_null(pc.take(_delimited(column.dictionary, name, source), column.indices), MISSING)
    except pa.ArrowNotImplementedError:
        raise ColumnError("column.nested", column=name, type=str(column.type)) from None


def _delimited(values: pa.Array, column: str, source: str) -> pa.Array:
    nature, texts = _written(values, column, source)
    lengths = pc.binary_length(texts).cast(_TEXT)
    return pc.binary_join_element_wise(_text(nature), lengths, _text(":"), texts, _text(""))  # null where one is


def _written(values: pa.Array, column: str, source: str) -> tuple[str, pa.Array]:
    """Of what nature ``values`` are, and each of them as text."""
    kind = values.type
    if is_text_type(kind) or is_bytes_type(kind):
        return "t", decoded(values, column, source)
    if _is.is_integer(kind):
        return "n", values.cast(_TEXT)
    if _is.is_floating(kind) or _is.is_decimal(kind):
        return "n", pa.array([_number(value) for value in values.to_pylist()], _TEXT)
    if _is.is_boolean(kind):
        return "b", values.cast(_TEXT)
    if _is.is_temporal(kind):
        counted = values.cast(pa.int32() if kind.bit_width == 32 else pa.int64())
        return f"{kind} ", counted.cast(_TEXT)
    if _is.is_null(kind):
        return "", values.cast(_TEXT)
    raise ColumnError("column.nested", column=column, type=str(kind))


def _number(value: Any) -> str | None:
    """A number as it is written in one way alone; NaN stands for a missing one."""
    if value is None or value != value:
        return None
    if isinstance(value, Decimal):
        return format(value.normalize(_EXACT), "f") if value else "0"  # without the sign of a zero
    return as_written(value)


def _text(value: str) -> pa.Scalar:
    return pa.scalar(value, _TEXT)
