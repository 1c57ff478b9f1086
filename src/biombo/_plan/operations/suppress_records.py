"""Drop the records that meet a condition."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from biombo._engine import Batch, Fate, Step
from biombo._plan.operations.operation import Context
from biombo._plan.operations.where import WhereOperation


@dataclass(frozen=True)
class SuppressRecords(WhereOperation):
    """Drop the records that meet all conditions of ``where``, such as outliers that everybody knows.

    Under a column stands a value or a list of values, compared as they are written; or ``above``, ``below``,
    ``at-least``, ``at-most`` with a number or an ISO date, and ``apart`` with values that are not compared; or
    ``missing: true`` or ``false``. ``decimal`` and ``thousands`` are the marks in numbers that are text. The records
    count towards ``max-suppression``.

    >>> SuppressRecords({"age": {"at-least": 90}, "city": ["A", "B"]}).to_tree()
    {'suppress-records': {'where': {'age': {'at-least': 90}, 'city': ['A', 'B']}}}
    """

    name: ClassVar[str] = "suppress-records"
    leaks: ClassVar[str] = "plan.leaks.suppress-records"

    def start(self, context: Context) -> Step:  # noqa: ARG002
        """Look at each distinct value of a batch once."""
        return _Suppressing(self)


class _Suppressing(Step):
    """Drops all and only the records still there that meet every condition."""

    def __init__(self, operation: SuppressRecords) -> None:
        self._meeting = operation.meeting()

    def __call__(self, batch: Batch) -> Batch:
        return batch.marked(np.where(self._meeting(batch.table), int(Fate.SUPPRESSED), -1))
