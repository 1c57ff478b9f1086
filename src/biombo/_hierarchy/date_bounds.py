"""Intervals of dates between bounds that someone chose."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import ClassVar

from biombo._documents import spelled
from biombo._hierarchy.dates import WrittenDates, day_of
from biombo._hierarchy.hierarchy import Bounds
from biombo._hierarchy.intervals import check_nested
from biombo._hierarchy.rule import RuleHierarchy
from biombo._i18n import text


@dataclass(frozen=True)
class DateBoundsHierarchy(RuleHierarchy):
    """Each level divides the dates at its bounds; a level has some of the bounds of the one below."""

    kind: ClassVar[str] = "date-bounds"

    levels: tuple[tuple[str, ...], ...] = field(metadata=spelled(schema={"type": "array"}))
    """The bounds at level 1, 2, …, rising, as YYYY-MM-DD: the first days of intervals. Before the first and from the
    last on lie two endless ones."""
    format: str = "YYYY-MM-DD"
    """How dates are written. A time of day after the date is left out."""

    def __post_init__(self) -> None:
        _ = self._written, self._days
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
    def _written(self) -> WrittenDates:
        return WrittenDates(self.format)

    @cached_property
    def _days(self) -> list[list[date]]:
        return [[day_of(bound) for bound in bounds] for bounds in self.levels]

    def ancestors(self, value: str) -> tuple[str, ...] | None:
        """The intervals that the date lies in."""
        day = self._written.read(value)
        return None if day is None else tuple(_label(bounds, bisect_right(bounds, day)) for bounds in self._days)

    def _examples(self) -> Iterator[str]:
        return map(self._written.write, (self._days[0][0], self._days[0][-1]))

    def _domain(self, level: int, bounds: Bounds | None) -> Iterator[str]:
        own = self._days[level - 1]
        first, last = (0, len(own)) if bounds is None else (bisect_right(own, day_of(bound)) for bound in bounds)
        return (_label(own, place) for place in range(first, last + 1))


def _label(bounds: list[date], place: int) -> str:
    """The interval after so many of the bounds."""
    if place == 0:
        return f"< {_told(bounds[0])}"
    if place == len(bounds):
        return f"≥ {_told(bounds[-1])}"
    return f"[{_told(bounds[place - 1])}, {_told(bounds[place])})"


def _told(day: date) -> str:
    """The day, or the month or year that it is the first of."""
    return day.isoformat() if day.day > 1 else f"{day.year:04}" if day.month == 1 else f"{day.year:04}-{day.month:02}"
