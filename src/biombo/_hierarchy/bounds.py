"""Intervals between bounds that someone chose."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

from biombo._documents import Where, read_value, spelled
from biombo._errors import UsageError
from biombo._hierarchy.numerals import exact, plain
from biombo._hierarchy.numeric import Interval, NumericHierarchy, Place


def _levels(value: Any, where: Where) -> tuple[tuple[float, ...], ...]:
    """The bounds of one level may stand without a list around them."""
    several = not isinstance(value, list) or (value and isinstance(value[0], list))
    levels: tuple[tuple[float, ...], ...] = read_value(
        tuple[tuple[float, ...], ...], value if several else [value], where
    )
    return levels


@dataclass(frozen=True)
class BoundsHierarchy(NumericHierarchy):
    """Each level divides the numbers at its bounds; a level has some of the bounds of the one below."""

    kind: ClassVar[str] = "bounds"

    levels: tuple[tuple[float, ...], ...] = field(metadata=spelled(read=_levels, schema={"type": "array"}))
    """The bounds at level 1, 2, …, rising. Below the first and from the last on lie two endless intervals."""

    def __post_init__(self) -> None:
        super().__post_init__()
        numbers = tuple(tuple(plain(bound, "levels") for bound in bounds) for bounds in self.levels)
        object.__setattr__(self, "levels", numbers)
        for bounds in self.levels:
            if not bounds or any(low >= high for low, high in pairwise(bounds)):
                raise UsageError("hierarchy.bounds", bounds=list(bounds))
            self._refuse_parts(*bounds)
        for level, (below, above) in enumerate(pairwise(self.levels), start=2):
            if strangers := sorted(set(above) - set(below)):
                raise UsageError("hierarchy.bounds-not-nested", bound=strangers[0], level=level, below=level - 1)
        if not self.levels:
            raise UsageError("hierarchy.bounds", bounds=[])

    @property
    def height(self) -> int:
        """The highest level."""
        return len(self.levels)

    @cached_property
    def _exact(self) -> list[list[Fraction]]:
        return [[exact(bound) for bound in bounds] for bounds in self.levels]

    def _place(self, number: Fraction) -> Place:
        return bisect_right(self._exact[0], number) or "bottom"

    def _intervals(self, place: Place) -> Iterator[Interval]:
        for bounds in self._exact:
            after = bisect_right(bounds, self._exact[0][place - 1]) if isinstance(place, int) else 0
            yield bounds[after - 1] if after else None, bounds[after] if after < len(bounds) else None
