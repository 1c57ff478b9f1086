"""Release records that say the same only once."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from biombo._criteria import Criterion
from biombo._data import Role, Schema
from biombo._documents import is_within_limit, limited
from biombo._engine import Dealing, Fate, numbered
from biombo._errors import UsageError
from biombo._plan.operations.operation import CountingOperation, Seen
from biombo._plan.treatment import NewFates, Treatment


@dataclass(frozen=True)
class DropDuplicates(CountingOperation):
    """Of the records that agree in ``columns``, keep one.

    Which one it is depends on their values alone, by a digest of these, and not on the order in which they come.
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
    leaves_out: ClassVar[bool] = True

    columns_: tuple[str, ...] | None = field(default=None, metadata=limited(members=1))

    def __post_init__(self) -> None:
        super().__post_init__()
        if not is_within_limit(self, "columns_"):
            raise UsageError("plan.no-column-named", name=self.name)

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns in which records must agree; none are named where it is all."""
        return self.columns_ or ()

    def sees(self, criteria: Sequence[Criterion], schema: Schema) -> tuple[str, ...] | None:  # noqa: ARG002
        """The same, or all."""
        return self.columns_

    @property
    def chooses(self) -> bool:
        """Yes: one of those that say the same."""
        return True

    def decide(self, seen: Seen) -> Treatment:
        """Leave out all but one of each kind: which one, the records' own values say."""
        there = ~seen.out
        columns = list(seen.data.columns.values())
        kind, kinds = numbered([column.codes[there] for column in columns], [column.cardinality for column in columns])
        pile = np.full(len(there), -1, np.int64)
        pile[there] = kind
        size = np.zeros(kinds, np.int64)
        np.add.at(size, kind, seen.counts[there])
        first = np.stack([np.ones(kinds, np.int64), size - 1], axis=1).ravel()
        mark = np.tile(np.array([-1, int(Fate.DUPLICATE)]), kinds)
        dealing = Dealing(pile, np.repeat(np.arange(kinds), 2), mark, first, by=seen.values)
        return Treatment(dealing, NewFates())
