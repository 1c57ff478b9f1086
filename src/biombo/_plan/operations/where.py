"""What operations on the records that meet conditions have in common."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from biombo._data import Role
from biombo._errors import UsageError
from biombo._hierarchy import Numerals
from biombo._plan.operations.operation import RowOperation
from biombo._plan.values.conditions import Meeting, conditions_of, tidied


@dataclass(frozen=True)
class WhereOperation(RowOperation):
    """An operation that tells records apart by the conditions of ``where``, all of which a record meets or not."""

    roles: ClassVar[tuple[Role, ...]] = ("identifier", "quasi", "sensitive", "other")
    truthful: ClassVar[bool] = True
    reversible: ClassVar[bool] = False

    where: Mapping[str, Any]
    decimal: str = "."
    thousands: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "where", {column: tidied(entry) for column, entry in self.where.items()})
        if not self.where:
            raise UsageError("plan.where-empty", name=self.name)
        Numerals(self.decimal, self.thousands)
        for column in self.where:
            conditions_of(column, self.where[column])

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns that the conditions are about."""
        return tuple(self.where)

    @property
    def chooses(self) -> bool:
        """Yes, by the conditions."""
        return True

    def meeting(self) -> Meeting:
        """What finds the records that meet the conditions, in one pass."""
        return Meeting(self.where, Numerals(self.decimal, self.thousands))
