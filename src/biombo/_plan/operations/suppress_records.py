"""Drop the records that meet a condition."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar

import numpy as np
import polars as pl

from biombo._data import Column, Role, written
from biombo._errors import UsageError
from biombo._hierarchy import Numerals
from biombo._plan.conditions import Condition, conditions_of
from biombo._plan.decision import Decision, Drop
from biombo._plan.operations.operation import Seen, TwoPassOperation
from biombo._plan.step import Rows


@dataclass(frozen=True)
class SuppressRecords(TwoPassOperation):
    """Drop the records that meet all conditions of ``where``, such as outliers that everybody knows.

    Under a column stands a value or a list of values, compared as they are written; or ``above``, ``below``,
    ``at-least``, ``at-most`` with a number or an ISO date, and ``apart`` with values that are not compared; or
    ``missing: true`` or ``false``. ``decimal`` and ``thousands`` are the marks in numbers that are text. The records
    count towards ``max-suppression``.

    >>> SuppressRecords({"age": {"at-least": 90}, "city": ["A", "B"]}).to_tree()
    {'suppress-records': {'where': {'age': {'at-least': 90}, 'city': ['A', 'B']}}}
    """

    name: ClassVar[str] = "suppress-records"
    roles: ClassVar[tuple[Role, ...]] = ("identifier", "quasi", "sensitive", "other")
    truthful: ClassVar[bool] = True
    reversible: ClassVar[bool] = False
    leaks: ClassVar[str] = "plan.leaks.suppress-records"

    where: Mapping[str, Any]
    decimal: str = "."
    thousands: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "where", {column: _tidied(entry) for column, entry in self.where.items()})
        if not self.where:
            raise UsageError("plan.where-empty")
        Numerals(self.decimal, self.thousands)
        for column in self.where:
            conditions_of(column, self.where[column])

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns that the conditions are about."""
        return tuple(self.where)

    def decide(self, seen: Seen) -> Decision:
        """Drop all and only the records still there that meet every condition."""
        chosen = ~seen.suppressed
        for column, entry in self.where.items():
            for condition in conditions_of(column, entry):
                chosen &= self._meeting(seen.data[column], condition)
        return Drop(chosen)

    def _meeting(self, column: Column, condition: Condition) -> Rows:
        """Which rows meet the condition, decided once for each distinct value."""
        is_text = column.values.dtype == pl.String
        numerals = Numerals(self.decimal, self.thousands) if is_text else Numerals()
        meets = [condition.holds(value, numerals) for value in written(column.values).to_list()]
        return np.array(meets, bool)[column.codes]


def _tidied(entry: Any) -> Any:
    """Lists as tuples, and the dates that YAML makes of 2024-01-31 as text again."""
    if isinstance(entry, Mapping):
        return {name: _tidied(value) for name, value in entry.items()}
    if isinstance(entry, list | tuple):
        return tuple(_tidied(value) for value in entry)
    return str(entry) if isinstance(entry, date) else entry
