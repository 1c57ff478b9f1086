"""The type of a released column: it follows from the values that are released, and from no others."""

from dataclasses import dataclass

import polars as pl

from biombo._data import written

_EXACT = 1 << 53
"""Up to here, floating-point numbers hold every whole number."""
_INT64, _UINT64 = 1 << 63, 1 << 64


@dataclass(frozen=True)
class ReleasedType:
    """What values of one nature need. Values that are not numbers keep their type."""

    other: pl.DataType | None = None
    """The type of values that are not numbers."""
    lowest: int = 0
    highest: int = 0
    """The range of the whole numbers, with 0."""
    beyond_floats: bool = False
    """Is there a whole number that a floating-point number would change?"""
    floats: bool = False
    """Is there a floating-point number that is not whole, or too large for 64 bits?"""
    scale: int = 0
    """The digits after the point that decimals have."""

    @classmethod
    def of(cls, values: pl.Series) -> "ReleasedType | None":
        """What plain ``values`` need; none where all are missing."""
        found = values.drop_nulls()
        if not len(found):
            return None
        kind = found.dtype
        if kind.is_integer():
            return cls._of_whole(found)
        if kind.is_float():
            return cls._of_floats(found)
        return cls._of_decimals(found) if kind.is_decimal() else cls(other=_coarsest(found))

    @classmethod
    def _of_whole(cls, numbers: pl.Series) -> "ReleasedType":
        lowest, highest = int(numbers.min()), int(numbers.max())  # type: ignore[arg-type]
        beyond = max(-lowest, highest) > _EXACT and bool((numbers.cast(pl.Float64).cast(pl.Int128) != numbers).any())
        return cls(lowest=min(lowest, 0), highest=max(highest, 0), beyond_floats=beyond)

    @classmethod
    def _of_floats(cls, numbers: pl.Series) -> "ReleasedType":
        is_whole = (numbers == numbers.floor()) & (numbers >= -float(_INT64)) & (numbers < float(_UINT64))
        whole = numbers.filter(is_whole)
        if not len(whole):
            return cls(floats=True)
        lowest, highest = int(whole.min()), int(whole.max())  # type: ignore[arg-type]
        return cls(lowest=min(lowest, 0), highest=max(highest, 0), floats=not is_whole.all())

    @classmethod
    def _of_decimals(cls, numbers: pl.Series) -> "ReleasedType":
        digits = written(numbers).str.extract(r"\.(.*)$").str.len_chars().fill_null(0)
        lowest, highest = int(numbers.min()), int(numbers.max())  # type: ignore[arg-type]
        return cls(lowest=min(lowest, 0), highest=max(highest, 0), scale=int(digits.max()))  # type: ignore[arg-type]

    def joined(self, more: "ReleasedType") -> "ReleasedType | None":
        """What the values of both need; none where no type holds them."""
        if self.other is not None or more.other is not None:
            return self if self.other == more.other else self._with_finer_times(more)
        both = ReleasedType(
            lowest=min(self.lowest, more.lowest),
            highest=max(self.highest, more.highest),
            beyond_floats=self.beyond_floats or more.beyond_floats,
            floats=self.floats or more.floats,
            scale=max(self.scale, more.scale),
        )
        return None if both.floats and (both.scale or both.beyond_floats) else both

    def _with_finer_times(self, more: "ReleasedType") -> "ReleasedType | None":
        """The one of both that has nanoseconds, if that is all that they differ in."""
        for fine, coarse in ((self, more), (more, self)):
            if fine.other is not None and _without_nanoseconds(fine.other) == coarse.other:
                return fine
        return None

    @property
    def dtype(self) -> pl.DataType:
        """The narrowest of a few types that all values fit into."""
        if self.other is not None:
            return self.other
        if self.floats:
            return pl.Float64()
        if self.scale:
            return pl.Decimal(38, self.scale)
        if self.lowest >= -_INT64 and self.highest < _INT64:
            return pl.Int64()
        return pl.UInt64() if self.lowest >= 0 and self.highest < _UINT64 else pl.Decimal(38, 0)


def _coarsest(values: pl.Series) -> pl.DataType:
    """The type of ``values``, without nanoseconds where none of them has any."""
    coarse = _without_nanoseconds(values.dtype)
    return (
        coarse if coarse == values.dtype or (values.cast(coarse).cast(values.dtype) == values).all() else values.dtype
    )


def _without_nanoseconds(kind: pl.DataType) -> pl.DataType:
    if isinstance(kind, pl.Datetime):
        return pl.Datetime("us", kind.time_zone)
    return pl.Duration("us") if isinstance(kind, pl.Duration) else kind
