"""Ages as health records code them: a digit for the unit, then how many."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from biombo._errors import UsageError
from biombo._hierarchy.hierarchy import Bounds
from biombo._hierarchy.intervals import IntervalHierarchy
from biombo._hierarchy.rule import RuleHierarchy

_CODE = re.compile("([0-5])([0-9]{2,3})")
_MONTHS, _YEARS, _BEYOND = "3", "4", "5"
_OLDEST = 130
_NONE = ("000", "0000")
"""What stands for no age, besides codes that begin with 6 to 9."""


@dataclass(frozen=True)
class CodedAgeHierarchy(RuleHierarchy):
    """Ages coded as in the Brazilian records of deaths (482 is 82 years) and of notifiable diseases (4082): the first
    digit says minutes (0), hours (1), days (2), months (3), years (4), or years beyond a hundred (5).

    Level 1 is the age in completed years, then come bands. 000 and 999 are no ages.

    >>> CodedAgeHierarchy().ancestors("482"), CodedAgeHierarchy().ancestors("310"), CodedAgeHierarchy().ancestors("999")
    (('82', '80-84', '80-89', '80-99', '80-119'), ('0', '0-4', '0-9', '0-19', '0-39'), None)
    """

    kind: ClassVar[str] = "coded-age"

    width: int = 5
    """How many years a band has at level 2."""
    multiples: tuple[int, ...] = (2, 4, 8)
    """How many of these make one at level 3, 4, …"""

    def __post_init__(self) -> None:
        if self.width < 2:
            raise UsageError("hierarchy.width-positive", width=self.width)
        _ = self._bands

    @cached_property
    def _bands(self) -> IntervalHierarchy:
        return IntervalHierarchy(
            self.width, self.multiples, labels="inclusive", lowest=0, highest=_OLDEST, unit="years"
        )

    @property
    def height(self) -> int:
        """The highest level."""
        return 1 + self._bands.height

    @property
    def level_names(self) -> tuple[str, ...]:
        """Years, and how wide the bands are."""
        return ("years", *self._bands.level_names)

    def _level_label(self, level: int) -> str:
        return super()._level_label(level) if level == 1 else self._bands.level_label(level - 1)

    def ancestors(self, value: str) -> tuple[str, ...] | None:
        """The age in completed years, and its bands."""
        years = _years(value.strip())
        bands = None if years is None else self._bands.ancestors(str(years))
        return None if bands is None else (str(years), *bands)

    def _examples(self) -> tuple[str, ...]:
        return "407", "434"

    def _domain(self, level: int, bounds: Bounds | None) -> Iterable[str]:
        within = bounds or (0, _OLDEST)
        return (
            map(str, range(int(within[0]), int(within[1]) + 1)) if level == 1 else self._bands.domain(level - 1, within)
        )


def _years(code: str) -> int | None:
    match = _CODE.fullmatch(code)
    if match is None or code in _NONE:
        return None
    unit, number = match[1], int(match[2])
    if unit == _BEYOND:
        return 100 + number
    if unit == _YEARS:
        return number
    return number // 12 if unit == _MONTHS else 0
