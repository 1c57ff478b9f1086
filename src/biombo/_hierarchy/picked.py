"""Some levels of a hierarchy."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from biombo._errors import UsageError
from biombo._hierarchy.changed import Changed
from biombo._hierarchy.hierarchy import TOP, Bounds, Hierarchy


@dataclass(frozen=True)
class Picked(Changed):
    """``inner`` without the levels that are not named: fewer combinations for a search."""

    only: tuple[int, ...]
    """The levels of ``inner`` that are left, rising from 1 or more."""

    def __post_init__(self) -> None:
        rising = all(lower < upper for lower, upper in pairwise((0, *self.only)))
        if not self.only or not rising or self.only[-1] > self.inner.height:
            raise UsageError("hierarchy.only", levels=list(self.only), height=self.inner.height)

    @classmethod
    def named(cls, inner: Hierarchy, levels: tuple[int | str, ...]) -> "Picked":
        """By the numbers of levels, or by their names."""
        names = list(inner.level_names)
        for level in levels:
            if isinstance(level, str) and level not in names:
                raise UsageError("hierarchy.only", levels=list(levels), height=inner.height)
        return cls(inner, tuple(1 + names.index(each) if isinstance(each, str) else each for each in levels))

    @property
    def height(self) -> int:
        """How many levels are left."""
        return len(self.only)

    @property
    def has_top(self) -> bool:
        """Is the highest level, where every value is ``*``, among them?"""
        return self.inner.has_top and self.only[-1] == self.inner.height

    @property
    def level_names(self) -> tuple[str | None, ...]:
        """Those of the levels that are left."""
        names = self.inner.level_names
        return tuple(names[level - 1] for level in self.only)

    def _level_label(self, level: int) -> str:
        return self.inner.level_label(self.only[level - 1])

    def _level_told(self, level: int) -> str:
        return self.inner.level_told(self.only[level - 1])

    def ancestors(self, value: str) -> tuple[str, ...] | None:
        """What the value becomes at the levels that are left."""
        above = self.inner.ancestors(value)
        return None if above is None else tuple(above[level - 1] for level in self.only)

    def _domain(self, level: int, bounds: Bounds | None) -> Iterable[str]:
        return super()._domain(self.only[level - 1], bounds)

    def to_tree(self) -> dict[str, Any]:
        """The inner document, with ``only``: names of levels where they have one of their own, else numbers."""
        names = self.inner.level_names
        called = [names[level - 1] for level in self.only]
        distinct = all(name is not None and name != TOP and names.count(name) == 1 for name in called)
        return {**self.inner.to_tree(), "only": called if distinct else list(self.only)}

    def _content(self) -> dict[str, Any]:
        return {**self.inner._content(), "only": list(self.only)}
