"""A hierarchy that itself says what becomes of the values that it has no place for."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from biombo._errors import UsageError
from biombo._hierarchy.changed import Changed
from biombo._hierarchy.hierarchy import TOP, Bounds, Hierarchy

if TYPE_CHECKING:
    from biombo._hierarchy.codes import Answer

_ANSWERS = ("own-branch", "suppress")


@dataclass(frozen=True)
class Answering(Changed):
    """``inner``; a value that it lacks stays what it is until ``*`` (own-branch), or is ``*`` at once (suppress)."""

    missing: "Answer"

    def __post_init__(self) -> None:
        if self.missing not in _ANSWERS:
            raise UsageError("hierarchy.answer", answer=self.missing, answers=", ".join(_ANSWERS))

    @property
    def height(self) -> int:
        """The highest level."""
        return self.inner.height

    @property
    def has_top(self) -> bool:
        """Does every value end in ``*``?"""
        return self.inner.has_top

    @property
    def level_names(self) -> tuple[str | None, ...]:
        """Those of the inner hierarchy."""
        return self.inner.level_names

    @property
    def strict(self) -> Hierarchy:
        """The inner hierarchy, which does not know every value."""
        return self.inner.strict

    def is_beside(self, value: str) -> bool:
        """Does the inner hierarchy lack the value, or not list it?"""
        return not self.inner.knows(value) or self.inner.is_beside(value)

    def ancestors(self, value: str) -> tuple[str, ...] | None:
        """Those of the inner hierarchy, or what was answered."""
        above = self.inner.ancestors(value)
        if above is not None:
            return above
        if self.missing == "suppress":
            return (TOP,) * self.height
        return (*(value,) * (self.height - 1), TOP if self.has_top else value)

    def _domain(self, level: int, bounds: Bounds | None) -> Iterable[str]:
        found = tuple(super()._domain(level, bounds))
        return (*found, TOP) if found and self.missing == "suppress" else found

    def to_tree(self) -> dict[str, Any]:
        """The inner document, with ``missing``."""
        return {**self.inner.to_tree(), "missing": self.missing}

    def _content(self) -> dict[str, Any]:
        return {**self.inner._content(), "missing": self.missing}
