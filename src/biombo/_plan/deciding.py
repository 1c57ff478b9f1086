"""What is done to which records: known once all of them have been seen."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from biombo._criteria import Criterion, SensitiveCriterion
from biombo._data import Schema
from biombo._plan.decision import Decision, Drop, Mask
from biombo._plan.errors import SuppressionError
from biombo._plan.operations import GroupOperation, RowOperation
from biombo._plan.plan import Plan
from biombo._plan.step import Rows
from biombo._plan.streaming import Start, Stream


@dataclass(frozen=True, eq=False)
class Decided:
    """A plan whose operations are ready to stream."""

    starts: tuple[Start, ...]
    rows: int | None = None
    """Rows of the table, where they had to be counted."""

    @property
    def suppressed(self) -> Rows:
        """Records that are dropped."""
        return self._any([start.rows for start in self.starts if isinstance(start, Drop)])

    @property
    def unhidden(self) -> Rows:
        """Of the dropped, those that were to be masked, but would not have met the criteria as one group."""
        return self._any([start.rows for start in self.starts if isinstance(start, Drop) and start.unhidden])

    @property
    def masked(self) -> Rows:
        """Records that are kept with their quasi values replaced."""
        return self._any([start.rows for start in self.starts if isinstance(start, Mask)]) & ~self.suppressed

    @property
    def masked_further(self) -> Rows:
        """Of the masked, those whose own group met the criteria: they hide the others."""
        return self._any([start.further for start in self.starts if isinstance(start, Mask)]) & ~self.suppressed

    def _any(self, marked: Sequence[Rows]) -> Rows:
        found = np.zeros(self.rows or 0, bool)
        for rows in marked:
            found |= rows
        return found


def decide(stream: Stream, plan: Plan) -> Decided:
    """Pass over the table once for each operation on groups. Nothing is decided that the plan does not allow."""
    columns = judged_columns(plan.criteria, stream.schema)
    starts: list[RowOperation | Decision] = []
    rows: int | None = None
    for operation in plan.operations:
        if isinstance(operation, GroupOperation):
            data, suppressed = stream.recorded(columns, starts, rows)
            starts.append(operation.decide(data, plan.criteria, suppressed))
            rows = data.rows
        elif isinstance(operation, RowOperation):
            starts.append(operation)
    decided = Decided(tuple(starts), rows)
    _refuse_too_much(decided, plan, stream.table.label)
    return decided


def judged_columns(criteria: Sequence[Criterion], schema: Schema) -> tuple[str, ...]:
    """The columns that the criteria read."""
    if not criteria:
        return ()
    about = [criterion for criterion in criteria if isinstance(criterion, SensitiveCriterion)]
    columns = [*schema.quasi, *(column for criterion in criteria for column in criterion.quasi or ())]
    columns += [criterion.column for criterion in about if criterion.column is not None]
    if any(criterion.column is None for criterion in about):
        columns += schema.sensitive
    if schema.person is not None:
        columns.append(schema.person)
    return tuple(dict.fromkeys(columns))


def _refuse_too_much(decided: Decided, plan: Plan, source: str) -> None:
    if decided.rows is None:
        return
    suppressed = int((decided.suppressed | decided.masked).sum())
    limit = plan.suppression_limit(decided.rows)
    if suppressed > limit:
        raise SuppressionError(
            "plan.too-much",
            source=source,
            suppressed=suppressed,
            rows=decided.rows,
            limit=limit,
            share=plan.max_suppression,
        )
    if decided.suppressed.all():
        raise SuppressionError("plan.nothing-left", source=source, rows=decided.rows)
