"""Round numbers to multiples of a base."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import pyarrow as pa

from biombo._data import Role
from biombo._documents import is_within_limit, limited
from biombo._engine import Batch, Step, Summary
from biombo._errors import ColumnError, UsageError
from biombo._hierarchy import Numerals, exact, plain
from biombo._plan.operations.operation import Context, RowOperation
from biombo._plan.values.numbers import RewrittenNumbers
from biombo._plan.values.spread import SpreadSeen


@dataclass(frozen=True)
class Round(RowOperation):
    """Replace numbers by the nearest multiple of ``base``, halves away from zero, reckoned exactly in decimals.

    Missing values and those in ``apart``, such as 999 for an unknown age, stay. ``decimal`` and ``thousands`` are the
    marks in numbers that are text. Text stays text, and numbers stay numbers.

    It warns where the base is small or large beside the range of most values, and where values are skewed.

    >>> Round("height", 5).to_tree()
    {'round': {'column': 'height', 'base': 5}}
    """

    name: ClassVar[str] = "round"
    roles: ClassVar[tuple[Role, ...]] = ("quasi", "sensitive", "other")
    truthful: ClassVar[bool] = False
    reversible: ClassVar[bool] = False
    leaks: ClassVar[str] = "plan.leaks.round"

    column: str
    base: float = field(metadata=limited(0, above=True))
    apart: tuple[str, ...] = ()
    decimal: str = "."
    thousands: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "apart", tuple(sorted(set(self.apart))))
        object.__setattr__(self, "base", plain(self.base, "base"))
        if not is_within_limit(self, "base"):
            raise UsageError("plan.base", column=self.column, base=self.base)
        Numerals(self.decimal, self.thousands)

    def start(self, context: Context) -> Step:  # noqa: ARG002
        """Look at each distinct number once."""
        return _Rounding(self)


class _Rounding(RewrittenNumbers):
    def __init__(self, operation: Round) -> None:
        base = exact(operation.base)

        @lru_cache(maxsize=1 << 16)
        def written(times: int, numerals: Numerals) -> str:
            return numerals.write(times * base)

        def rounded(number: Fraction, numerals: Numerals) -> str:
            return written(nearest_multiple(number, base), numerals)

        numerals = Numerals(operation.decimal, operation.thousands)
        super().__init__(operation.column, operation.apart, numerals, rounded)
        self._base = base
        self._spread = SpreadSeen(operation.column, float(base), numerals, operation.apart)

    def __call__(self, batch: Batch) -> Batch:
        done = super().__call__(batch)
        self._spread.add(batch.table.column(self._column))
        return done

    def summary(self) -> Summary:
        """How widely the numbers are spread."""
        return self._spread.summary()

    def _typed(self, labels: pa.DictionaryArray, before: pa.DataType) -> pa.Array:
        """The same type as before where multiples of the base fit into it."""
        kind = _type_of_multiples(before, self._base)
        if kind is None:
            return labels
        try:
            multiples = labels.dictionary.cast(kind)
        except pa.ArrowInvalid:
            raise ColumnError("plan.rounded-too-large", column=self._column) from None
        return pa.DictionaryArray.from_arrays(labels.indices, multiples).dictionary_decode()


def nearest_multiple(number: Fraction, base: Fraction) -> int:
    """⌊|x| / base + 1/2⌋ with the sign of x: how many times the base. In whole numbers, faster than fractions.

    >>> [nearest_multiple(Fraction(x), Fraction(5)) for x in ("7.4", "7.5", "-7.5")]
    [1, 2, -2]
    """
    unit = number.denominator * base.numerator
    times = (2 * abs(number.numerator) * base.denominator + unit) // (2 * unit)
    return times if number >= 0 else -times


def _type_of_multiples(before: pa.DataType, base: Fraction) -> pa.DataType | None:
    """The type of numbers that holds multiples of ``base``; none for text."""
    if pa.types.is_integer(before) and base.denominator == 1:
        return pa.uint64() if pa.types.is_uint64(before) else pa.int64()
    if pa.types.is_decimal(before):
        return pa.decimal128(38, max(before.scale, len(Numerals().write(base).partition(".")[2])))
    if pa.types.is_integer(before) or pa.types.is_floating(before):
        return pa.float64()
    return None
