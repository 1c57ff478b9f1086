"""Value generalisation hierarchies: what a value becomes at each level, level 0 being the value itself."""

import csv
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from biombo._errors import InputError, UsageError


class Hierarchy(ABC):
    """Says what a value becomes at each level.

    >>> Hierarchy.by_prefix([4, 2]).generalised("0304020346", 2)
    '03'
    """

    @property
    @abstractmethod
    def height(self) -> int:
        """The highest level."""

    @abstractmethod
    def knows(self, value: str) -> bool:
        """Does the hierarchy have a place for ``value``?"""

    @abstractmethod
    def _above(self, value: str, level: int) -> str:
        """A known value at a level above 0."""

    def generalised(self, value: str, level: int) -> str:
        """``value`` at ``level``."""
        if not 0 <= level <= self.height:
            raise UsageError("hierarchy.level", level=level, height=self.height)
        return value if level == 0 else self._above(value, level)

    @staticmethod
    def from_csv(path: str | Path) -> "TableHierarchy":
        """Read a table with one row per value, level 0 first, separated by ``;``, comma, tab or ``|``; no header."""
        file = Path(path)
        try:
            content = file.read_bytes()
        except OSError as error:
            raise InputError("input.unreadable", path=str(path), detail=error.strerror) from None
        try:
            lines = content.decode("utf-8-sig").splitlines()
        except UnicodeDecodeError:
            lines = content.decode("cp1252", "replace").splitlines()
        delimiter = max(";,\t|", key=lambda mark: lines[0].count(mark)) if lines else ";"
        return TableHierarchy(_rows(lines, delimiter, str(path)))

    @staticmethod
    def by_prefix(lengths: Sequence[int]) -> "PrefixHierarchy":
        """Keep the first characters: ``[6, 4, 2]`` keeps six at level 1, four at level 2 and two at level 3."""
        return PrefixHierarchy(tuple(lengths))


@dataclass(frozen=True)
class TableHierarchy(Hierarchy):
    """A hierarchy that lists every value."""

    levels: Mapping[str, tuple[str, ...]]
    """For each value, what it becomes at level 1, 2, …"""

    @property
    def height(self) -> int:
        """The highest level."""
        return len(next(iter(self.levels.values())))

    def knows(self, value: str) -> bool:
        """Is ``value`` in the list?"""
        return value in self.levels

    def _above(self, value: str, level: int) -> str:
        return self.levels[value][level - 1]


@dataclass(frozen=True)
class PrefixHierarchy(Hierarchy):
    """A hierarchy for codes whose first characters name the larger unit."""

    lengths: tuple[int, ...]

    def __post_init__(self) -> None:
        falling = all(longer > shorter for longer, shorter in zip(self.lengths, self.lengths[1:], strict=False))
        if not self.lengths or not falling or self.lengths[-1] < 0:
            raise UsageError("hierarchy.prefix", lengths=list(self.lengths))

    @property
    def height(self) -> int:
        """The highest level."""
        return len(self.lengths)

    def knows(self, value: str) -> bool:  # noqa: ARG002
        """Every value has a prefix."""
        return True

    def _above(self, value: str, level: int) -> str:
        return value[: self.lengths[level - 1]]


def _rows(lines: list[str], delimiter: str, path: str) -> dict[str, tuple[str, ...]]:
    reader = csv.reader(lines, delimiter=delimiter)
    levels: dict[str, tuple[str, ...]] = {}
    width = 0
    for row in reader:
        if not row:
            continue
        width = width or len(row)
        if len(row) != width:
            raise InputError("hierarchy.width", path=path, line=reader.line_num, got=len(row), expected=width)
        value, *above = (field.strip() for field in row)
        if levels.setdefault(value, tuple(above)) != tuple(above):
            raise InputError("hierarchy.twice", path=path, line=reader.line_num, value=value)
    if width < 2:
        raise InputError("hierarchy.flat", path=path)
    return levels
