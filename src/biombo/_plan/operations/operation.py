"""What every operation of a plan declares about itself."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

from biombo._criteria import Criterion
from biombo._data import Dataset
from biombo._data.schema import Role
from biombo._plan.decision import Decision
from biombo._plan.entries import chosen_entries, read_entries
from biombo._plan.step import Rows, Step

Scope = Literal["row", "two-pass", "table"]
"""``row``: streams; ``two-pass``: must have seen every record first; ``table``: needs everything in memory."""


@dataclass(frozen=True)
class Operation(ABC):
    """One thing that a plan does to a table. The fields of an operation are its entries in the plan."""

    name: ClassVar[str]
    """What it is called in a plan."""
    scope: ClassVar[Scope]
    roles: ClassVar[tuple[Role, ...]]
    """The roles of the columns that it may change."""
    truthful: ClassVar[bool]
    """Is what the table says afterwards still true, though perhaps less precise?"""
    reversible: ClassVar[bool]
    """Can whoever holds a key undo it?"""
    leaks: ClassVar[str]
    """What can still be told from the result: a key of the catalogue."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it names and changes."""
        return ()

    def to_tree(self) -> dict[str, Any]:
        """The operation as plain values for YAML or JSON, entries that are as usual left out."""
        return {self.name: chosen_entries(self)}

    @classmethod
    def from_entries(cls, entries: Mapping[str, Any] | None, folder: Path) -> Self:
        """The operation with these entries; files that they name are looked for in ``folder``."""
        return read_entries(cls, entries, folder)


@dataclass(frozen=True)
class RowOperation(Operation):
    """An operation that needs to see no more than one batch of rows at a time."""

    scope: ClassVar[Scope] = "row"

    @abstractmethod
    def start(self) -> Step:
        """What to do to each batch of one pass over the rows."""


@dataclass(frozen=True)
class GroupOperation(Operation):
    """An operation on the records of groups that fail the criteria, for which all of them must have been seen."""

    scope: ClassVar[Scope] = "two-pass"
    roles: ClassVar[tuple[Role, ...]] = ("quasi",)

    @abstractmethod
    def decide(self, data: Dataset, criteria: Sequence[Criterion], suppressed: Rows) -> Decision:
        """What to do to which records.

        ``data`` holds the quasi and sensitive columns as the operations before this one left them, ``suppressed`` marks
        the records that these have dropped.
        """
