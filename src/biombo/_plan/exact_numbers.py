"""Numbers in a column: each value is read alone, exactly and always alike, by the marks that the plan declares."""

from collections.abc import Callable, Sequence
from fractions import Fraction

import pyarrow as pa

from biombo._engine import Batch, Step
from biombo._errors import ColumnError
from biombo._hierarchy import Numerals
from biombo._plan.distinct import Remembered, relabelled

Rewrite = Callable[[Fraction, Numerals], str | None]
"""What a number becomes, in the numerals of its column; ``None`` where it stays as it is written."""

_TEXT = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)


class RewrittenNumbers(Step):
    """Rewrites each distinct number of ``column``. Missing values and those in ``apart`` stay as they are."""

    def __init__(self, column: str, apart: Sequence[str], declared: Numerals, rewrite: Rewrite) -> None:
        self._column = column
        self._declared = declared
        self._rewrite = rewrite
        self._numerals = declared
        self._labels = Remembered(self._label, apart)

    def __call__(self, batch: Batch) -> Batch:
        chunk = batch.table.column(self._column)
        self._numerals = self._declared if is_text(chunk) else Numerals()
        rewritten = self._typed(relabelled(chunk, self._column, self._labels), value_type(chunk))
        return batch.with_column(self._column, rewritten)

    def _typed(self, labels: pa.DictionaryArray, before: pa.DataType) -> pa.Array:  # noqa: ARG002
        """The new values, as text unless a step knows better; ``before`` is the type of the old ones."""
        return labels

    def _label(self, value: str) -> str:
        number = self._numerals.read(value)
        if number is None:
            raise ColumnError("plan.not-exact", column=self._column, example=value)
        rewritten = self._rewrite(number, self._numerals)
        return value if rewritten is None else rewritten


def value_type(chunk: pa.Array) -> pa.DataType:
    """The type of the values, whether they stand in a dictionary or not."""
    return chunk.type.value_type if pa.types.is_dictionary(chunk.type) else chunk.type


def is_text(chunk: pa.Array) -> bool:
    """Are the values text, with marks that must be declared?"""
    return is_text_type(value_type(chunk))


def is_text_type(kind: pa.DataType) -> bool:
    """Is it one of the types that Arrow has for text?"""
    return any(is_kind(kind) for is_kind in _TEXT)
