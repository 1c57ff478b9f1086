"""Hierarchies that go by a rule: all that there is to them is a few parameters."""

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from biombo._documents import plain
from biombo._hierarchy.hierarchy import TOP, Bounds, Hierarchy


@dataclass(frozen=True)
class RuleHierarchy(Hierarchy):
    """A hierarchy whose fields are its document."""

    kind: ClassVar[str]

    def to_tree(self) -> dict[str, Any]:
        """The kind and the parameters that are not as usual."""
        own_first = sorted(fields(self), key=lambda field: bool(field.kw_only))
        chosen = [field.name for field in own_first if getattr(self, field.name) != field.default]
        return {"kind": self.kind} | {name: plain(getattr(self, name)) for name in chosen}

    def _content(self) -> dict[str, Any]:
        deciding = [field.name for field in fields(self) if field.compare]
        return {"kind": self.kind} | {name: plain(getattr(self, name)) for name in deciding}


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

    def _domain(self, level: int, bounds: Bounds | None) -> tuple[str, ...]:  # noqa: ARG002
        return (TOP,)
