"""A hierarchy that lists every value."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from biombo._hierarchy.hierarchy import TOP, Hierarchy


@dataclass(frozen=True)
class TableHierarchy(Hierarchy):
    """A hierarchy that lists every value."""

    levels: Mapping[str, tuple[str, ...]] = field(repr=False)
    """For each value, what it becomes at level 1, 2, …"""
    spellings: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Other ways to write a value, such as a municipality with its check digit."""
    names: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    """What people call the groups that are given by codes."""
    called: tuple[str, ...] = field(default=(), repr=False, compare=False)
    """What level 1, 2, … is called, if anything."""
    packaged_as: str | None = field(default=None, compare=False)
    """The name under which it comes with Biombo."""

    @property
    def height(self) -> int:
        """The highest level."""
        return len(next(iter(self.levels.values())))

    @cached_property
    def has_top(self) -> bool:
        """Does every value end in ``*``?"""
        return all(above[-1] == TOP for above in self.levels.values())

    @property
    def level_names(self) -> tuple[str | None, ...]:
        """What the levels are called, if anything."""
        return self.called or super().level_names

    @property
    def values(self) -> Collection[str]:
        """The values in the list, in its order."""
        return self.levels.keys()

    def name_of(self, label: str) -> str | None:
        """What people call the group."""
        return self.names.get(label)

    def ancestors(self, value: str) -> tuple[str, ...] | None:
        """The value's groups, as listed."""
        return self.levels.get(self.spellings.get(value, value))

    def to_tree(self) -> dict[str, Any]:
        """Its name where it is built in, else groups within groups."""
        if self.packaged_as is not None:
            return {"kind": "built-in", "name": self.packaged_as}
        tree: dict[str, Any] = {}
        for value, above in self.levels.items():
            branch = tree
            for label in above[:0:-1]:
                branch = branch.setdefault(label, {})
            branch.setdefault(above[0], []).append(value)
        return {"kind": "tree", "tree": tree}

    def _content(self) -> dict[str, Any]:
        rows = {value: list(above) for value, above in self.levels.items()}
        return {"kind": "table", "rows": rows, "spellings": dict(self.spellings)}
