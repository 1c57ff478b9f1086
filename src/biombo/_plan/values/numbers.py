"""Numbers in columns: as floats to compute with, and exactly, each value read alone and always alike."""

from collections.abc import Callable, Sequence
from fractions import Fraction

import polars as pl
import pyarrow as pa

from biombo._data import is_text_type, value_type, written
from biombo._engine import Batch, Floats, Step
from biombo._errors import ColumnError
from biombo._hierarchy import Numerals
from biombo._plan.values.distinct_values import Remembered, relabelled

LARGEST = 10**15
"""Beyond it, floating-point numbers are too far apart to count with."""

MICROSECONDS_A_DAY = 86_400_000_000


def numbers_in(values: pl.Series, column: str, numerals: Numerals, apart: Sequence[str] = ()) -> Floats:
    """``values`` as numbers; not a number for a missing one and for those ``apart``.

    Text is read as ISO dates if there are any, else as numbers in ``numerals``.

    >>> numbers_in(pl.Series(["12,5", "999", None]), "height", Numerals(","), apart=["999"]).tolist()
    [12.5, nan, nan]
    """
    asked = values.is_not_null() & values.is_not_nan() if values.dtype.is_float() else values.is_not_null()
    if apart:
        asked &= ~written(values).is_in(list(apart)).fill_null(False)
    numbers = _numbers(values.set(~asked, None), numerals)
    strange = values.filter(asked & ~(numbers.abs() <= LARGEST).fill_null(False))
    if len(strange):
        raise ColumnError("plan.not-numbers", column=column, example=str(strange[0]))
    return numbers.fill_null(float("nan")).to_numpy()


def numbers_or_none(values: pl.Series, numerals: Numerals) -> Floats:
    """As :func:`numbers_in`, and not a number for whatever is none."""
    return _numbers(values, numerals).fill_null(float("nan")).to_numpy()


def is_date_text(values: pl.Series) -> bool:
    """Are there ISO dates in ``values``?"""
    return values.dtype == pl.String and bool(_iso_dates(values).is_not_null().any())


def _iso_dates(values: pl.Series) -> pl.Series:
    return values.str.to_date("%Y-%m-%d", strict=False)


def _numbers(values: pl.Series, numerals: Numerals) -> pl.Series:
    if is_date_text(values):
        values = _iso_dates(values)
    if values.dtype == pl.Date:
        return values.to_physical().cast(pl.Float64)
    if isinstance(values.dtype, pl.Datetime):
        return values.cast(pl.Datetime("us")).to_physical() / MICROSECONDS_A_DAY
    if values.dtype == pl.String:
        return _read(values.str.strip_chars(), numerals)
    if values.dtype.is_numeric():
        return values.cast(pl.Float64)
    return pl.Series(values.name, [None] * len(values), pl.Float64)


def _read(values: pl.Series, numerals: Numerals) -> pl.Series:
    """The same as ``numerals.read`` for each of ``values``, many at a time."""
    plain = values.str.replace_all(numerals.thousands, "", literal=True) if numerals.thousands else values
    numbers = plain.str.replace(numerals.decimal, ".", literal=True).cast(pl.Float64, strict=False)
    return numbers.set(~values.str.contains(f"^(?:{numerals.pattern.pattern})$").fill_null(False), None)


Rewrite = Callable[[Fraction, Numerals], str | None]
"""What a number becomes, in the numerals of its column; ``None`` where it stays as it is written."""


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


def is_text(chunk: pa.Array) -> bool:
    """Are the values text, with marks that must be declared?"""
    return is_text_type(value_type(chunk))
