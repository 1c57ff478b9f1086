"""A hierarchy with one more level, where nothing is told."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from biombo._hierarchy.changed import Changed
from biombo._hierarchy.hierarchy import TOP, Bounds


@dataclass(frozen=True)
class Topped(Changed):
    """``inner``, and above it one level at which every value is ``*``."""

    @property
    def height(self) -> int:
        """The highest level."""
        return self.inner.height + 1

    @property
    def has_top(self) -> bool:
        """Every value ends in ``*``."""
        return True

    @property
    def level_names(self) -> tuple[str | None, ...]:
        """Those of the inner hierarchy, and ``*``."""
        return (*self.inner.level_names, TOP)

    def ancestors(self, value: str) -> tuple[str, ...] | None:
        """Those of the inner hierarchy, and ``*``."""
        above = self.inner.ancestors(value)
        return None if above is None else (*above, TOP)

    def _domain(self, level: int, bounds: Bounds | None) -> Iterable[str]:
        return (TOP,) if level == self.height else super()._domain(level, bounds)

    def to_tree(self) -> dict[str, Any]:
        """The inner document, with ``with_top: true``."""
        return {**self.inner.to_tree(), "with_top": True}

    def _content(self) -> dict[str, Any]:
        return {**self.inner._content(), "with_top": True}
