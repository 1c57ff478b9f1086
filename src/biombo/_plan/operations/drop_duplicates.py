"""Release records that say the same only once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from biombo._criteria import Criterion
from biombo._data import Role, Schema
from biombo._errors import UsageError
from biombo._plan.decision import Decision, LeaveOut
from biombo._plan.numbering import numbered
from biombo._plan.operations.operation import Seen, TwoPassOperation


@dataclass(frozen=True)
class DropDuplicates(TwoPassOperation):
    """Of the records that agree in ``columns``, keep the first.

    Without ``columns`` they must agree in every column of the table, identifiers and what is not released included: two
    people with the same values are no duplicates. Two missing values agree. What is left out is not suppressed: it does
    not count towards the plan's limit.

    >>> DropDuplicates(["patient", "day"]).to_tree()
    {'drop-duplicates': {'columns': ['patient', 'day']}}
    """

    name: ClassVar[str] = "drop-duplicates"
    roles: ClassVar[tuple[Role, ...]] = ()
    truthful: ClassVar[bool] = True
    reversible: ClassVar[bool] = False
    leaks: ClassVar[str] = "plan.leaks.drop-duplicates"

    columns_: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.columns_ == ():
            raise UsageError("plan.no-column-named", name=self.name)

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns in which records must agree; none are named where it is all."""
        return self.columns_ or ()

    def sees(self, criteria: Sequence[Criterion], schema: Schema) -> tuple[str, ...] | None:  # noqa: ARG002
        """The same, or all."""
        return self.columns_

    def decide(self, seen: Seen) -> Decision:
        """Leave out all but the first of each kind."""
        there = np.flatnonzero(~seen.suppressed)
        columns = list(seen.data.columns.values())
        kind, kinds = numbered([column.codes[there] for column in columns], [column.cardinality for column in columns])
        first = np.empty(kinds, np.intp)
        first[kind[::-1]] = there[::-1]  # of several rows the one that is written last stays
        left_out = ~seen.suppressed
        left_out[first] = False
        return LeaveOut(left_out, because="duplicate")
