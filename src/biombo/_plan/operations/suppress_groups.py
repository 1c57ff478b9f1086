"""Suppress the records of groups that fail the criteria."""

from dataclasses import dataclass
from typing import ClassVar

from biombo._criteria import rows_to_suppress
from biombo._engine import Fate
from biombo._plan.operations.operation import GroupOperation, Seen
from biombo._plan.treatment import Treatment, alike


@dataclass(frozen=True)
class SuppressGroups(GroupOperation):
    """Drop the records whose group, over the quasi columns as they are by then, fails a group-level criterion.

    >>> SuppressGroups().to_tree()
    {'suppress-groups': {}}
    """

    name: ClassVar[str] = "suppress-groups"
    truthful: ClassVar[bool] = True
    reversible: ClassVar[bool] = False
    leaks: ClassVar[str] = "plan.leaks.suppress-groups"

    def decide(self, seen: Seen) -> Treatment:
        """Drop all and only the records of failing groups."""
        failing = rows_to_suppress(seen.data, seen.criteria, keep=seen.valid, suppressed=seen.out)
        return alike(failing, Fate.SUPPRESSED, seen.counts)
