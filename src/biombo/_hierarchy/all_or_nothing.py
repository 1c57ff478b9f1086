"""The hierarchy of a column that nobody made one for: each value is told, or nothing is."""

from dataclasses import dataclass
from typing import ClassVar

from biombo._hierarchy.by_rule import RuleHierarchy
from biombo._hierarchy.hierarchy import TOP


@dataclass(frozen=True)
class AllOrNothing(RuleHierarchy):
    """Every value becomes ``*``.

    >>> AllOrNothing().ancestors("0304020346")
    ('*',)
    """

    kind: ClassVar[str] = "all-or-nothing"

    @property
    def height(self) -> int:
        """One step."""
        return 1

    @property
    def has_top(self) -> bool:
        """It has nothing else."""
        return True

    def ancestors(self, value: str) -> tuple[str, ...] | None:  # noqa: ARG002
        """``*``, whatever the value."""
        return (TOP,)
