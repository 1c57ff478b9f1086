"""What to do to which records, once all of them have been seen."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

from biombo._plan.distinct import overwritten, replaced
from biombo._plan.step import Batch, Rows, Step


@dataclass(frozen=True)
class Counts:
    """Records that operations on groups concern."""

    suppressed: int = 0
    """Dropped."""
    masked: int = 0
    """Kept with their quasi values replaced."""
    masked_further: int = 0
    """Of the masked, those whose own group met the criteria: they hide the others."""

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.suppressed + other.suppressed,
            self.masked + other.masked,
            self.masked_further + other.masked_further,
        )


@dataclass(frozen=True, eq=False)
class Decision(ABC):
    """Something to do to the records that ``rows`` marks."""

    rows: Rows

    @property
    @abstractmethod
    def counts(self) -> Counts:
        """How many records are concerned, and how."""

    @abstractmethod
    def start(self) -> Step:
        """What to do to each batch of one pass over the same rows."""


@dataclass(frozen=True, eq=False)
class Drop(Decision):
    """The records are suppressed."""

    @property
    def counts(self) -> Counts:
        """All of them are suppressed."""
        return Counts(suppressed=int(self.rows.sum()))

    def start(self) -> Step:
        """Mark them, batch by batch."""
        return _Dropping(self)


@dataclass(frozen=True, eq=False)
class Mask(Decision):
    """The records keep only what is not quasi."""

    columns: tuple[str, ...]
    mark: str
    further: int
    """How many of the records are masked only to hide the others."""

    @property
    def counts(self) -> Counts:
        """All of them are masked."""
        return Counts(masked=int(self.rows.sum()), masked_further=self.further)

    def start(self) -> Step:
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
    def __call__(self, batch: Batch) -> Batch:
        return replace(batch, suppressed=batch.suppressed | self._next(batch))


class _Masking(_ByRow):
    def __init__(self, decision: Mask) -> None:
        super().__init__(decision)
        self._decision = decision

    def __call__(self, batch: Batch) -> Batch:
        rows, table = self._next(batch), batch.table
        for name in self._decision.columns:
            table = replaced(table, name, overwritten(table.column(name), name, rows, self._decision.mark))
        return replace(batch, table=table)
