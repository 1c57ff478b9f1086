"""Levels as people call them: by number, by name, or by how wide intervals may be."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from biombo._errors import UsageError
from biombo._hierarchy import Hierarchy, HierarchyCodes, Numerals
from biombo._i18n import LANGUAGES, speaking
from biombo._search.arguments import is_level, lowest_and_highest

Level = int | str
"""A number from 0 up, or what the hierarchy calls the level: ``year``, ``width 10``."""
Bounds = Mapping[str, Level | tuple[Level | None, Level | None]]
"""Per column: the only level, or the lowest and the highest, that a plan may have; None where it is not bounded."""

_LOOKED_AT = 100
"""So many values are enough to find one that makes a good example."""


@dataclass(frozen=True, eq=False)
class CalledLevels:
    """The levels of one column's hierarchy, to be found by what people call them."""

    column: str
    hierarchy: Hierarchy
    at_levels: HierarchyCodes | None
    """What becomes of the table's values; none before they are read."""

    def within(self, bounds: Any) -> tuple[int, int]:
        """The lowest and the highest level that ``bounds`` allow."""
        if bounds is None:
            return 0, self.hierarchy.height
        if is_level(bounds):
            lowest = highest = self._number(bounds)
        else:
            least, most = lowest_and_highest(self.column, bounds)
            lowest, highest = self._at_least(least), self._at_most(most)
        if lowest > highest:
            raise UsageError("search.bounds-contradict", column=self.column, lowest=lowest, highest=highest)
        if not 0 <= lowest <= self.hierarchy.height:
            raise UsageError("search.bounds-height", column=self.column, level=lowest, levels=self._listed())
        return lowest, min(highest, self.hierarchy.height)

    def _at_least(self, level: Level | None) -> int:
        """A width that no level has stands for the next larger one."""
        width = _width(level)
        if width is None or not self._widths:
            return 0 if level is None else self._number(level)
        return next((at for at, own in self._widths.items() if own >= width), self.hierarchy.height)

    def _at_most(self, level: Level | None) -> int:
        """A width that no level has stands for the next smaller one."""
        width = _width(level)
        if width is None or not self._widths:
            return self.hierarchy.height if level is None else self._number(level)
        return max((at for at, own in self._widths.items() if own <= width), default=0)

    def _number(self, level: Level) -> int:
        if isinstance(level, str):
            if level in self.hierarchy.level_names:
                return 1 + self.hierarchy.level_names.index(level)
            if level.casefold() not in self._in_words:
                raise UsageError("search.no-such-level", column=self.column, level=level, levels=self._listed())
            return self._in_words[level.casefold()]
        return int(level)

    @cached_property
    def _in_words(self) -> dict[str, int]:
        """The levels by what people call them in any language; the lowest, where two are called the same."""
        found: dict[str, int] = {}
        for code in LANGUAGES:
            with speaking(code):
                for level in range(self.hierarchy.height + 1):
                    found.setdefault(self.hierarchy.level_label(level).casefold(), level)
        return found

    @property
    def _widths(self) -> dict[int, Fraction]:
        """How wide the intervals of each level are, for the levels that have such."""
        found = {level: _width(name) for level, name in enumerate(self.hierarchy.level_names, start=1)}
        return {level: width for level, width in found.items() if width is not None}

    def _listed(self) -> str:
        """All levels with their names and what a value becomes there: ``0 (37), 1 = width 5 (35-39), …``."""
        levels = range(self.hierarchy.height + 1)
        called = [f"{level} = {self.hierarchy.level_label(level)}" if level else "0" for level in levels]
        if self.at_levels is None:
            return ", ".join(called)
        return ", ".join(f"{each} ({label})" for each, label in zip(called, self._example(self.at_levels), strict=True))

    def _example(self, at_levels: HierarchyCodes) -> list[str | None]:
        """What becomes of a value that changes from level to level, as far as any does."""
        paths = [
            [labels[code] for labels, code in zip(at_levels.labels, codes, strict=True)]
            for codes in at_levels.codes.T[:_LOOKED_AT].tolist()
        ]
        return max(paths, key=lambda path: len(set(path)))


def check_bounds(column: str, hierarchy: Hierarchy, bounds: Any) -> None:
    """Raise where a hierarchy has no such levels whatever it is given; reading may show that it needs a top."""
    CalledLevels(column, hierarchy.with_top(), None).within(bounds)


def _width(level: Level | None) -> Fraction | None:
    """The width that ``width 10`` speaks of.

    >>> _width("width 2.5"), _width("year"), _width(2)
    (Fraction(5, 2), None, None)
    """
    if not isinstance(level, str) or not level.startswith("width "):
        return None
    return Numerals().read(level.removeprefix("width "))
