"""What is done to the rows of a table, batch by batch, wherever the batches are."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from biombo._engine.fates import Fates, Rows, are_out, later

Marks = NDArray[np.int32]
"""A mark for each row, by which something is done to it; negative where nothing is."""
Warn = Callable[[str], object]
"""Called with a sentence of which somebody must be warned."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Some rows on their way through a plan."""

    table: pa.RecordBatch
    fates: Fates
    """Rows that will not come out stay until the end because criteria compare with all records that went in."""

    @property
    def out(self) -> Rows:
        """The rows that will not come out."""
        return are_out(self.fates)

    def with_column(self, name: str, values: pa.Array) -> "Batch":
        """The same rows with other ``values`` in a column."""
        place = self.table.schema.get_field_index(name)
        return replace(self, table=self.table.set_column(place, name, values))

    def marked(self, marks: NDArray[np.integer]) -> "Batch":
        """The same rows, with the fates that ``marks`` says where it is not negative; who is out stays out."""
        return replace(self, fates=later(self.fates, marks))


class Summary(ABC):
    """What can only be told once every row was seen: each part of a table has one, and these are merged."""

    @abstractmethod
    def merged(self, other: Self) -> Self:
        """What both have to tell."""

    @abstractmethod
    def tell(self, warn: Warn) -> None:
        """Raise what is wrong, and warn of what may be."""


class Step(ABC):
    """Does one thing to each of some batches."""

    @abstractmethod
    def __call__(self, batch: Batch) -> Batch:
        """The batch afterwards."""

    def summary(self) -> Summary | None:
        """What it has noticed in the batches that it was given."""
        return None


class MarkedStep(ABC):
    """Does something to rows by the marks that were dealt to them."""

    @abstractmethod
    def __call__(self, batch: Batch, marks: Marks) -> Batch:
        """The batch afterwards."""


class Footprint:
    """What everything that is done to rows says about itself, so that no engine reads more than it needs."""

    repeatable: ClassVar[bool] = True
    """Does it do the same to the same rows each time? Not what draws at random."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it changes."""
        return ()

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns that it must be given to do so."""
        return self.columns

    @property
    def adds(self) -> tuple[str, ...]:
        """Columns that are not there before."""
        return ()

    @property
    def chooses(self) -> bool:
        """May it give records another fate? Then it is done whatever columns are asked for."""
        return False

    @property
    def remembers(self) -> bool:
        """Does what it does to some values depend on which others there are? See :meth:`Change.settled`."""
        return False


class Change(Footprint, ABC):
    """Something to do to rows that depends on nothing but their own values.

    A change and the context can be pickled, so that every worker has its own; steps are made where they are needed and
    never leave. Workers share nothing: all that steps have in common afterwards is what their summaries say.
    """

    @abstractmethod
    def start(self, context: Any) -> Step:
        """What to do to the batches of one pass, or of a part of it; ``context`` is the flow's. Of a change that
        remembers, one and the same step must see all batches.
        """

    def values_in(self, batch: Batch) -> Collection[str]:  # noqa: ARG002
        """Of a change that remembers: the values that it would meet in a batch, each once; of others none matter."""
        return ()

    def settled(self, values: Collection[str], context: Any) -> "Change":  # noqa: ARG002
        """Of a change that remembers: one that does the same and need not, since all ``values`` of the table are known.
        Others are settled as they are.

        An engine that has no step for all batches asks each part for its values, and settles the change with all of
        them, once, in the process that has the context.
        """
        return self


class MarkedChange(Footprint, ABC):
    """Something to do to rows by their marks."""

    @abstractmethod
    def start(self) -> MarkedStep:
        """What to do to the batches of one pass, or of a part of it."""


@dataclass(frozen=True, eq=False)
class ByMarks(Change, ABC):
    """A change by marks that rows have, wherever these are."""

    change: MarkedChange

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it changes."""
        return self.change.columns

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns that it must be given to do so."""
        return self.change.reads

    @property
    def chooses(self) -> bool:
        """May it give records another fate?"""
        return self.change.chooses
