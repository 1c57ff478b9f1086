"""Dates that lose their day, their month, their year."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

from biombo._errors import UsageError
from biombo._hierarchy.hierarchy import Bounds
from biombo._hierarchy.level_words import worded_level
from biombo._hierarchy.rule import RuleHierarchy
from biombo._i18n import text

_TOKENS = {"YYYY": ("year", "[0-9]{4}"), "MM": ("month", "[0-9]{2}"), "DD": ("day", "[0-9]{2}")}
_TIME = r"(?:[ T][0-9]{2}:[0-9]{2}\S*)?"
_DAY, _MONTH, _QUARTER, _YEAR = 0, 1, 3, 12
_STEPS = {"day": _DAY, "month": _MONTH, "quarter": _QUARTER, "year": _YEAR, "decade": 10 * _YEAR}
"""In months; a day is less than one."""


@dataclass(frozen=True)
class WrittenDates:
    """Dates as a column has them."""

    format: str

    def __post_init__(self) -> None:
        found = re.findall("YYYY|MM|DD", self.format)
        if sorted(found) not in (["YYYY"], ["MM", "YYYY"], ["DD", "MM", "YYYY"]):
            raise UsageError("hierarchy.date-format", format=self.format)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        pattern = re.escape(self.format)
        for token, (name, digits) in _TOKENS.items():
            pattern = pattern.replace(token, f"(?P<{name}>{digits})")
        return re.compile(pattern + _TIME)

    def read(self, value: str) -> date | None:
        """The day that ``value`` is, the first of its month or year where it tells no more; none where it is none.

        >>> WrittenDates("DD/MM/YYYY").read("23/05/1987"), WrittenDates("YYYYMM").read("198713")
        (datetime.date(1987, 5, 23), None)
        """
        match = self._pattern.fullmatch(value.strip())
        if match is None:
            return None
        try:
            return date(**{"month": 1, "day": 1, **{part: int(digits) for part, digits in match.groupdict().items()}})
        except ValueError:
            return None

    def write(self, day: date) -> str:
        """The day in this format."""
        parts = {"YYYY": f"{day.year:04}", "MM": f"{day.month:02}", "DD": f"{day.day:02}"}
        return re.sub("YYYY|MM|DD", lambda token: parts[token.group()], self.format)


@dataclass(frozen=True)
class DateHierarchy(RuleHierarchy):
    """Dates by month, year, and so many years."""

    kind: ClassVar[str] = "date"

    levels: tuple[str, ...] = ("month", "year", "5 years", "10 years")
    """``day`` (of a time), ``month``, ``quarter``, ``year``, ``5 years``, ``decade``: each made up of those before."""
    format: str = "YYYY-MM-DD"
    """How dates are written, such as DD/MM/YYYY or YYYYMM. A time of day after the date is left out."""
    keep_type: bool = False
    """Every level is a date again, the first of its period (1964-01-01 for 1964), so that the column stays one."""

    def __post_init__(self) -> None:
        _ = self._written
        steps = self._steps
        if not steps or any(not _nests(fine, coarse) for fine, coarse in pairwise(steps)):
            raise UsageError("hierarchy.date-levels", levels=", ".join(self.levels))

    @property
    def height(self) -> int:
        """The highest level."""
        return len(self.levels)

    @property
    def level_names(self) -> tuple[str, ...]:
        """The periods."""
        return self.levels

    def _level_label(self, level: int) -> str:
        years, rest = divmod(self._steps[level - 1], _YEAR)
        if rest or years <= 1:
            return worded_level(self.levels[level - 1])
        return worded_level("decade") if years == 10 else text("hierarchy.level.years", years=years)

    @cached_property
    def _steps(self) -> list[int]:
        return [_step(level) for level in self.levels]

    @cached_property
    def _written(self) -> WrittenDates:
        return WrittenDates(self.format)

    def ancestors(self, value: str) -> tuple[str, ...] | None:
        """The periods that the date lies in."""
        day = self._written.read(value)
        if day is None:
            return None
        return tuple(self._label(day, step) for step in self._steps)

    def _examples(self) -> Iterator[str]:
        return map(self._written.write, (date(1987, 5, 23), date(2021, 2, 3)))

    def _domain(self, level: int, bounds: Bounds | None) -> Iterator[str]:
        if bounds is None:
            return
        first, last = (day_of(bound).toordinal() for bound in bounds)
        for day in range(first, last + 1):
            yield self._label(date.fromordinal(day), self._steps[level - 1])

    def _label(self, day: date, step: int) -> str:
        if self.keep_type:
            return self._written.write(start_of_period(day, step))
        if step == _DAY:
            return day.isoformat()
        if step == _MONTH:
            return f"{day.year:04}-{day.month:02}"
        if step == _QUARTER:
            return f"{day.year:04}-Q{(day.month + 2) // 3}"
        years = step // _YEAR
        first = day.year - day.year % years
        return f"{first:04}" if years == 1 else f"{first:04}-{first + years - 1:04}"


def day_of(bound: float | str) -> date:
    """The day that a bound is, as YYYY-MM-DD."""
    try:
        return date.fromisoformat(str(bound))
    except ValueError:
        raise UsageError("hierarchy.domain-bounds", bound=bound) from None


def _step(level: str) -> int:
    """How many months a level's periods have."""
    if level in _STEPS:
        return _STEPS[level]
    years = re.fullmatch("([1-9][0-9]{0,3}) years", level)
    if years is None:
        raise UsageError("hierarchy.date-level", level=level)
    return int(years[1]) * _YEAR


def _nests(fine: int, coarse: int) -> bool:
    return coarse > fine and (fine == _DAY or coarse % fine == 0)


def start_of_period(day: date, step: int) -> date:
    """The first day of the period that ``day`` lies in; there is no year 0, so the first of them start at year 1."""
    if step == _DAY:
        return day
    months = day.year * 12 + day.month - 1
    year, month = divmod(months - months % step, 12)
    return date(max(year, 1), month + 1, 1)
