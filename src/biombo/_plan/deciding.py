"""What is done to which records: known once all of them have been seen."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from biombo._plan.decision import Drop, LeaveOut, Mask
from biombo._plan.errors import SuppressionError
from biombo._plan.judged import as_understood, judged_columns
from biombo._plan.memory import refuse_above_memory
from biombo._plan.operations import GroupOperation, RowOperation, Seen, TableOperation, TwoPassOperation
from biombo._plan.plan import Plan
from biombo._plan.step import Rows
from biombo._plan.streaming import Start, Stream

COUNTED = ("suppressed", "unhidden", "not_drawn", "duplicates", "invalid", "masked", "masked_further")
"""What is told of records that are not released as the others are, by the names that follow."""


@dataclass(frozen=True, eq=False)
class Decided:
    """A plan whose operations are ready to stream."""

    stream: Stream
    """The table to pass over once more."""
    starts: tuple[Start, ...]
    """What is still to be done to it."""
    settled: tuple[Start, ...] = ()
    """What has been done to it already."""
    rows: int | None = None
    """Rows of the table, where they had to be counted."""

    @property
    def _all(self) -> tuple[Start, ...]:
        return (*self.settled, *self.starts)

    @property
    def suppressed(self) -> Rows:
        """Records that are dropped."""
        return self._any([start.rows for start in self._all if isinstance(start, Drop)])

    @property
    def not_drawn(self) -> Rows:
        """Records that are left out because a sample was drawn without them."""
        return self._left_out("not-drawn")

    @property
    def duplicates(self) -> Rows:
        """Records that are left out because another says the same."""
        return self._left_out("duplicate")

    @property
    def invalid(self) -> Rows:
        """Records that are left out because of a value that is invalid."""
        return self._left_out("invalid")

    @property
    def valid(self) -> Rows | None:
        """The records that count for what was known beforehand; all where it is missing."""
        return _valid(self._all)

    @property
    def left_out(self) -> Rows:
        """Records that are not released, but not for what they say about anyone."""
        return self.not_drawn | self.duplicates | self.invalid

    @property
    def dropped(self) -> Rows:
        """Records that do not come out, for whatever reason."""
        return self.suppressed | self.left_out

    @property
    def unhidden(self) -> Rows:
        """Of the dropped, those that were to be masked, but would not have met the criteria as one group."""
        return self._any([start.rows for start in self._all if isinstance(start, Drop) and start.unhidden])

    @property
    def masked(self) -> Rows:
        """Records that are kept with their quasi values replaced."""
        return self._any([start.rows for start in self._all if isinstance(start, Mask)]) & ~self.dropped

    @property
    def masked_further(self) -> Rows:
        """Of the masked, those whose own group met the criteria: they hide the others."""
        return self._any([start.further for start in self._all if isinstance(start, Mask)]) & ~self.dropped

    def _left_out(self, because: str) -> Rows:
        found = [each.rows for each in self._all if isinstance(each, LeaveOut) and each.because == because]
        return self._any(found)

    def _any(self, marked: Sequence[Rows]) -> Rows:
        found = np.zeros(self.rows or 0, bool)
        for rows in marked:
            found |= rows
        return found


def decide(stream: Stream, plan: Plan) -> Decided:
    """Pass over the table once for each operation that must have seen it. Nothing is decided that the plan forbids."""
    starts: list[Start] = []
    settled: list[Start] = []
    rows: int | None = None
    for operation in plan.operations:
        if isinstance(operation, TwoPassOperation):
            if not all(start.repeatable for start in starts):
                stream = stream.settled(starts, rows, without=_unread(plan, stream))
                settled, starts = [*settled, *starts], []
            if isinstance(operation, TableOperation):
                refuse_above_memory(operation, rows or stream.table.rows, stream.table.label)
            columns = operation.sees(plan.criteria, stream.schema)
            data, suppressed = stream.recorded(columns, starts, rows)
            if isinstance(operation, TableOperation):
                refuse_above_memory(operation, data.rows, data.label)  # not every source tells its rows beforehand
            if isinstance(operation, GroupOperation):
                data = as_understood(data, plan.operations)
            valid = _valid([*settled, *starts])
            starts.append(operation.decide(Seen(data, suppressed, plan.criteria, stream.context, valid)))
            rows = data.rows
        elif isinstance(operation, RowOperation):
            starts.append(operation)
    decided = Decided(stream, tuple(starts), tuple(settled), rows)
    _refuse_too_much(decided, plan, stream.table.label)
    return decided


def _valid(starts: Sequence[Start]) -> Rows | None:
    """Which records are not left out because of an invalid value; nothing where nothing was asked."""
    invalid = [start.rows for start in starts if isinstance(start, LeaveOut) and start.because == "invalid"]
    return ~np.logical_or.reduce(invalid) if invalid else None


def _unread(plan: Plan, stream: Stream) -> set[str]:
    """Columns that are kept back and that nothing asks for: they need not lie in a file between two passes."""
    schema = stream.schema
    read = {*judged_columns(plan.criteria, schema), *(name for each in plan.operations for name in each.reads)}
    if schema.person is not None:
        read.add(schema.person)  # people are counted in the end
    for operation in plan.operations:
        if isinstance(operation, TwoPassOperation):
            seen = operation.sees(plan.criteria, schema)
            if seen is None:
                return set()
            read.update(seen)
    return {name for name in stream.table.columns if schema[name].kept_back} - read


def _refuse_too_much(decided: Decided, plan: Plan, source: str) -> None:
    if decided.rows is None:
        return
    suppressed = int((decided.suppressed | decided.masked).sum())
    asked_for = decided.rows - int(decided.left_out.sum())
    limit = plan.suppression_limit(asked_for)
    if suppressed > limit:
        raise SuppressionError(
            "plan.too-much",
            source=source,
            suppressed=suppressed,
            rows=asked_for,
            limit=limit,
            share=plan.max_suppression,
        )
    if decided.dropped.all():
        raise SuppressionError("plan.nothing-left", source=source, rows=decided.rows)
