"""Which records of a table are asked for; it is as if the others had never been there."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from biombo._data import Choosing
from biombo._engine import Batch, Fate, Step
from biombo._plan.operations.operation import Context
from biombo._plan.operations.where import WhereOperation


@dataclass(frozen=True)
class SelectRecords(WhereOperation):
    """Take only the records that meet all conditions of ``where``, such as those of one town, or of one year.

    Conditions are those of :class:`SuppressRecords`. It is no suppression: the other records are as if they had never
    been in the table. They count for no limit, no prior and no loss, and no report tells of them. So it stands before
    all other operations.

    >>> SelectRecords({"city": "211130", "day": {"at-least": "2023-01-01", "below": "2024-01-01"}}).to_tree()
    {'select-records': {'where': {'city': '211130', 'day': {'at-least': '2023-01-01', 'below': '2024-01-01'}}}}
    """

    name: ClassVar[str] = "select-records"
    leaks: ClassVar[str] = "plan.leaks.select-records"
    leaves_out: ClassVar[bool] = True

    def start(self, context: Context) -> Step:  # noqa: ARG002
        """Look at each distinct value of a batch once."""
        return _Selecting(self)

    def choosing(self) -> Choosing:
        """What chooses rows where they are read, so that nothing else sees the others."""
        from biombo._engine import readable  # whoever selects nothing needs nothing of what it loads

        meeting = self.meeting()
        return lambda batch, source: meeting(readable(batch.select(list(self.reads)), source))


class _Selecting(Step):
    """Leaves all records out that do not meet every condition. Where the table was opened for the plan, there are none
    of them: see :func:`biombo._plan.selection.selected`.
    """

    def __init__(self, operation: SelectRecords) -> None:
        self._meeting = operation.meeting()

    def __call__(self, batch: Batch) -> Batch:
        return batch.marked(np.where(self._meeting(batch.table), -1, int(Fate.NOT_SELECTED)))
