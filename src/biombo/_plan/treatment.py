"""What to do to which records, once all of them have been counted."""

from dataclasses import dataclass

import numpy as np

from biombo._engine import (
    Batch,
    Counted,
    Dealing,
    Fate,
    FateCounts,
    MarkedChange,
    MarkedStep,
    Marks,
    Numbers,
    Rows,
    later,
)
from biombo._plan.values.distinct_values import as_text, overwritten


@dataclass(frozen=True, eq=False)
class Treatment:
    """Marks for the records of some tuples, and what is done to a record by its mark."""

    dealing: Dealing
    change: MarkedChange

    def fates_after(self, counted: Counted) -> FateCounts | None:
        """How many records have each fate afterwards; none where that depends on who is dealt what."""
        if not isinstance(self.change, NewFates):
            return counted.total
        if not self.dealing.is_alike:
            return None
        marks = np.full(len(counted.fates), -1, np.int64)
        dealt = self.dealing.pile >= 0
        marks[dealt] = self.dealing.mark[self.dealing.pile[dealt]]
        return FateCounts.of(later(counted.fates, marks), counted.counts)


@dataclass(frozen=True, eq=False)
class NewFates(MarkedChange):
    """The marks are fates; who is masked gets ``mark`` for the values of the quasi columns."""

    quasi: tuple[str, ...] = ()
    """They become text even where nobody is masked in the end: what was done must not show in their type."""
    mark: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """The quasi columns."""
        return self.quasi

    @property
    def chooses(self) -> bool:
        """Yes: it gives records another fate."""
        return True

    def start(self) -> MarkedStep:
        """Note the fates, and put the marks in."""
        return _Marking(self)


class _Marking(MarkedStep):
    def __init__(self, change: NewFates) -> None:
        self._change = change

    def __call__(self, batch: Batch, marks: Marks) -> Batch:
        masked = (marks == Fate.MASKED) | (marks == Fate.MASKED_FURTHER)
        some = bool(masked.any())
        for name in self._change.quasi:
            chunk = batch.table.column(name)
            text = overwritten(chunk, name, masked, self._change.mark) if some else as_text(chunk, name)
            batch = batch.with_column(name, text)
        return batch.marked(marks)


def alike(rows: Rows, fate: Fate, counts: Numbers, change: NewFates | None = None) -> Treatment:
    """All records of the tuples that ``rows`` marks have one fate."""
    return Treatment(Dealing.alike(np.where(rows, int(fate), -1), counts), change or NewFates())
