"""What to do to which records, once all of them have been seen."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Literal

from biombo._plan.context import Context
from biombo._plan.distinct import as_text, overwritten, replaced
from biombo._plan.step import Batch, Rows, Step
from biombo._plan.touching import Touching


@dataclass(frozen=True, eq=False)
class Decision(Touching, ABC):
    """Something to do to the records that ``rows`` marks."""

    rows: Rows

    @abstractmethod
    def start(self, context: Context) -> Step:
        """What to do to each batch of one pass over the same rows."""


@dataclass(frozen=True, eq=False)
class Drop(Decision):
    """The records are suppressed."""

    unhidden: bool = False
    """Were they to be masked, but would not have met the criteria as one group?"""
    as_text: tuple[str, ...] = ()
    """Columns that would have been text, had the records been masked: what was done must not show in their type."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Those that become text."""
        return self.as_text

    def start(self, context: Context) -> Step:  # noqa: ARG002
        """Mark them, batch by batch."""
        return _Dropping(self)


@dataclass(frozen=True, eq=False)
class LeaveOut(Decision):
    """The records are not released, but not for what they say: this is no suppression, which a plan may limit."""

    because: Literal["not-drawn", "duplicate", "invalid"]

    def start(self, context: Context) -> Step:  # noqa: ARG002
        """Mark them, batch by batch."""
        return _Dropping(self)


@dataclass(frozen=True, eq=False)
class Mask(Decision):
    """The records keep only what is not quasi."""

    further: Rows
    """Those of the records whose own group met the criteria: they are masked to hide the others."""
    quasi: tuple[str, ...]
    mark: str

    @property
    def columns(self) -> tuple[str, ...]:
        """The quasi columns."""
        return self.quasi

    def start(self, context: Context) -> Step:  # noqa: ARG002
        """Replace their values, batch by batch."""
        return _Masking(self)


class _ByRow(Step):
    """Takes the rows of the decision that are in the batch at hand."""

    def __init__(self, decision: Decision) -> None:
        self._rows = decision.rows
        self._seen = 0

    def _next(self, batch: Batch) -> Rows:
        start, self._seen = self._seen, self._seen + batch.table.num_rows
        return self._rows[start : self._seen]


class _Dropping(_ByRow):
    def __init__(self, decision: Drop | LeaveOut) -> None:
        super().__init__(decision)
        self._as_text = decision.columns

    def __call__(self, batch: Batch) -> Batch:
        table = batch.table
        for name in self._as_text:
            table = replaced(table, name, as_text(table.column(name), name))
        return replace(batch, table=table, suppressed=batch.suppressed | self._next(batch))


class _Masking(_ByRow):
    def __init__(self, decision: Mask) -> None:
        super().__init__(decision)
        self._decision = decision

    def __call__(self, batch: Batch) -> Batch:
        rows, table = self._next(batch), batch.table
        for name in self._decision.columns:
            table = replaced(table, name, overwritten(table.column(name), name, rows, self._decision.mark))
        return replace(batch, table=table)
