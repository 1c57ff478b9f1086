"""Intervals: of one width and its multiples, or between bounds that someone chose."""

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

from biombo._documents import Where, is_within_limit, limited, read_value, spelled
from biombo._errors import UsageError
from biombo._hierarchy.level_words import worded_unit
from biombo._hierarchy.numerals import Numerals, exact, exactly, plain
from biombo._hierarchy.numeric_hierarchy import Interval, NumericHierarchy, Place
from biombo._i18n import decimal_mark, integer, text


@dataclass(frozen=True)
class IntervalHierarchy(NumericHierarchy):
    """Intervals of ``width``, counted from ``origin``; what lies beyond ``bottom`` or ``top`` is one interval each."""

    kind: ClassVar[str] = "interval"

    width: float = field(metadata=limited(0, above=True))
    multiples: tuple[int, ...] = ()
    """How many intervals make one at level 2, 3, …: each a multiple of the one before."""
    origin: float = 0
    bottom: float | None = None
    """All below is one interval, at every level (bottom coding)."""
    top: float | None = None
    """All from here on is one interval, at every level (top coding)."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("width", "origin", "bottom", "top"):
            if (number := getattr(self, name)) is not None:
                object.__setattr__(self, name, plain(number, name))
        if not is_within_limit(self, "width"):
            raise UsageError("hierarchy.width-positive", width=self.width)
        if any(more <= fewer or more % fewer for fewer, more in pairwise((1, *self.multiples))):
            raise UsageError("hierarchy.multiples", multiples=list(self.multiples))
        if self.bottom is not None and self.top is not None and self.bottom >= self.top:
            raise UsageError("hierarchy.bottom-top", bottom=self.bottom, top=self.top)
        self._refuse_parts(self.width, self.origin, self.bottom, self.top)

    @property
    def height(self) -> int:
        """The highest level."""
        return 1 + len(self.multiples)

    @property
    def level_names(self) -> tuple[str, ...]:
        """How wide the intervals are, those at the ends aside."""
        width, write = exact(self.width), Numerals().write
        return tuple(f"width {write(multiple * width)}" for multiple in (1, *self.multiples))

    def _level_label(self, level: int) -> str:
        width = exact((1, *self.multiples)[level - 1]) * exact(self.width)
        shown = integer(int(width)) if width.denominator == 1 else Numerals(decimal_mark()).write(width)
        if self.unit is None:
            return text("hierarchy.level.bands", width=shown)
        return text("hierarchy.level.bands-of", width=shown, unit=worded_unit(self.unit))

    @cached_property
    def _ends(self) -> tuple[Fraction | None, Fraction | None]:
        return exactly(self.bottom), exactly(self.top)

    @cached_property
    def _grid(self) -> tuple[Fraction, Fraction]:
        return exact(self.origin), exact(self.width)

    @property
    def _stretch(self) -> tuple[Fraction, Fraction]:
        origin, width = self._grid
        return origin, origin + max(10 * width, Fraction(100))

    def _place(self, number: Fraction) -> Place:
        bottom, top = self._ends
        if bottom is not None and number < bottom:
            return "bottom"
        if top is not None and number >= top:
            return "top"
        origin, width = self._grid
        return math.floor((number - origin) / width)

    def _places(self, low: Fraction | None, high: Fraction | None) -> Iterator[Place]:
        bottom, top = self._ends
        origin, width = self._grid
        from_bottom = bottom is not None and (low is None or low < bottom)
        to_top = top is not None and (high is None or high >= top)
        first, last = bottom if from_bottom else low, top if to_top else high
        if first is None or last is None:
            return
        if from_bottom:
            yield "bottom"
        begin, end = (first - origin) / width, (last - origin) / width
        if begin < end or (begin == end and not to_top):
            yield from range(math.floor(begin), math.ceil(end) if to_top else math.floor(end) + 1)
        if to_top:
            yield "top"

    def _intervals(self, place: Place) -> Iterator[Interval]:
        bottom, top = self._ends
        origin, width = self._grid
        for multiple in (1, *self.multiples):
            if place == "bottom":
                yield None, bottom
            elif place == "top":
                yield top, None
            else:
                low = origin + place // multiple * multiple * width
                high = low + multiple * width
                yield low if bottom is None else max(low, bottom), high if top is None else min(high, top)


def _levels(value: Any, where: Where) -> tuple[tuple[float, ...], ...]:
    """The bounds of one level may stand without a list around them."""
    several = not isinstance(value, list) or (value and isinstance(value[0], list))
    levels: tuple[tuple[float, ...], ...] = read_value(
        tuple[tuple[float, ...], ...], value if several else [value], where
    )
    return levels


def check_nested(levels: Sequence[Sequence[Any]]) -> None:
    """Refuse bounds that do not rise, or that a level has and the one below lacks."""
    for bounds in levels or [()]:
        if not bounds or any(low >= high for low, high in pairwise(bounds)):
            raise UsageError("hierarchy.bounds", bounds=list(bounds))
    for level, (below, above) in enumerate(pairwise(levels), start=2):
        if strangers := sorted(set(above) - set(below)):
            raise UsageError("hierarchy.bounds-not-nested", bound=strangers[0], level=level, below=level - 1)


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
            self._refuse_parts(*bounds)
        check_nested(self.levels)

    @property
    def height(self) -> int:
        """The highest level."""
        return len(self.levels)

    def _level_label(self, level: int) -> str:
        return text("hierarchy.level.intervals", count=len(self.levels[level - 1]) + 1)

    def _level_told(self, level: int) -> str:
        """Without how many there are, where cuts may go by the data."""
        return text("hierarchy.level.intervals-told", level=level, height=self.height)

    @cached_property
    def _exact(self) -> list[list[Fraction]]:
        return [[exact(bound) for bound in bounds] for bounds in self.levels]

    @property
    def _stretch(self) -> tuple[Fraction, Fraction]:
        first, last = self._exact[0][0], self._exact[0][-1]
        margin = max((last - first) / 3, Fraction(10))
        return first - margin, last + margin

    @cached_property
    def _scaled(self) -> tuple[int, list[int]]:
        """A factor that makes all bounds whole, and the bounds times that: whole numbers are compared much faster."""
        factor = math.lcm(*(bound.denominator for bound in self._exact[0]))
        return factor, [int(bound * factor) for bound in self._exact[0]]

    def _place(self, number: Fraction) -> Place:
        factor, bounds = self._scaled
        return bisect_right(bounds, number.numerator * factor // number.denominator) or "bottom"

    def _places(self, low: Fraction | None, high: Fraction | None) -> list[Place]:
        every: list[Place] = ["bottom", *range(1, len(self._exact[0]) + 1)]
        first = 0 if low is None else every.index(self._place(low))
        last = len(every) - 1 if high is None else every.index(self._place(high))
        return every[first : last + 1]

    def _intervals(self, place: Place) -> Iterator[Interval]:
        for bounds in self._exact:
            after = bisect_right(bounds, self._exact[0][place - 1]) if isinstance(place, int) else 0
            yield bounds[after - 1] if after else None, bounds[after] if after < len(bounds) else None
