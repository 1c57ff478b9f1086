"""Drop the records that meet a condition."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any, ClassVar

import numpy as np

from biombo._data import Role
from biombo._engine import Batch, Fate, Step
from biombo._errors import UsageError
from biombo._hierarchy import Numerals
from biombo._plan.operations.operation import Context, RowOperation
from biombo._plan.values.conditions import conditions_of
from biombo._plan.values.distinct_values import Marked
from biombo._plan.values.numbers import is_text


@dataclass(frozen=True)
class SuppressRecords(RowOperation):
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

    @property
    def chooses(self) -> bool:
        """Yes: those that do not meet the conditions."""
        return True

    def start(self, context: Context) -> Step:  # noqa: ARG002
        """Look at each distinct value of a batch once."""
        return _Suppressing(self)


class _Suppressing(Step):
    """Drops all and only the records still there that meet every condition."""

    def __init__(self, operation: SuppressRecords) -> None:
        self._declared = Numerals(operation.decimal, operation.thousands)
        self._conditions = [each for column, entry in operation.where.items() for each in conditions_of(column, entry)]
        self._meeting = {
            (place, numerals): Marked(partial(condition.holds, numerals=numerals))
            for place, condition in enumerate(self._conditions)
            for numerals in (self._declared, Numerals())
        }

    def __call__(self, batch: Batch) -> Batch:
        chosen = ~batch.out
        for place, condition in enumerate(self._conditions):
            chunk = batch.table.column(condition.column)
            numerals = self._declared if is_text(chunk) else Numerals()
            chosen &= self._meeting[place, numerals](chunk, condition.column)
        return batch.marked(np.where(chosen, int(Fate.SUPPRESSED), -1))


def _tidied(entry: Any) -> Any:
    """Lists as tuples, and the dates that YAML makes of 2024-01-31 as text again."""
    if isinstance(entry, Mapping):
        return {name: _tidied(value) for name, value in entry.items()}
    if isinstance(entry, list | tuple):
        return tuple(_tidied(value) for value in entry)
    return str(entry) if isinstance(entry, date) else entry
