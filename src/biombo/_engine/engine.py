"""What an engine can do: the few verbs by which a plan is carried out, here or on a cluster.

A plan is data, and what it decides speaks of tuples of values and of keys, never of positions. So nothing but an engine
knows where rows are, in which order they come, or how many machines hold them.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from biombo._data import Column, Dataset, FarTuples, Progress, Schema, SourceTable
from biombo._engine.fates import FateCounts, Fates, Numbers, Rows, are_out
from biombo._engine.randomness import Randomness
from biombo._engine.step import Change, MarkedChange, Warn

Keys = NDArray[np.uint64]
"""What an engine calls records; to others the numbers mean nothing, unless they are said to be places."""
Places = NDArray[np.intp]
Counting = Sequence[tuple[str, ...]]
"""Sets of columns whose tuples are to be counted."""

_AS_READ = "\x1fas read "


def as_read(column: str) -> str:
    """The name under which the values that a column had in the table can be asked for, whatever was done since."""
    return _AS_READ + column


def read_as(name: str) -> str | None:
    """The column behind such a name; none where it is no such name."""
    return name.removeprefix(_AS_READ) if name.startswith(_AS_READ) else None


@dataclass(frozen=True, eq=False)
class Counted:
    """The distinct tuples of some columns and of the records' fates, with how many records each stands for."""

    data: Dataset
    fates: Fates

    @property
    def counts(self) -> Numbers:
        """Records by tuple."""
        return np.ones(self.data.rows, np.int64) if self.data.counts is None else self.data.counts

    @property
    def out(self) -> Rows:
        """The tuples whose records do not come out."""
        return are_out(self.fates)

    @property
    def total(self) -> FateCounts:
        """Records by fate."""
        return FateCounts.of(self.fates, self.counts)


@dataclass(frozen=True, eq=False)
class Dealing:
    """Marks for the records of counted tuples.

    Tuples of the same pile are dealt to together: its records are put in an order, and the first so many get the first
    mark, the next the second, and so on; those that are left get none.
    """

    pile: Numbers
    """By tuple; -1 where its records get nothing."""
    to: Numbers
    """By hand: the pile that it goes to, in ascending order."""
    mark: Numbers
    """By hand; -1 for no mark."""
    count: Numbers
    """By hand: to how many records."""
    by: tuple[str, ...] | None = None
    """In the order of a digest of the values of these columns; else in random order."""
    is_alike: bool = False
    """Do all records of a pile get the one mark that goes to it? Then no order has to be found."""

    @classmethod
    def alike(cls, marks: NDArray[np.integer], counts: Numbers) -> Self:
        """All records of a tuple get the same mark, or none where it is negative."""
        dealt = np.flatnonzero(marks >= 0)
        pile = np.full(len(marks), -1, np.int64)
        pile[dealt] = np.arange(len(dealt))
        return cls(pile, np.arange(len(dealt)), marks[dealt].astype(np.int64), counts[dealt], is_alike=True)


class Tally(Protocol):
    """What was counted of all rows while they passed by."""

    @property
    def fates(self) -> FateCounts:
        """Records by fate."""

    def counted(self, columns: Sequence[str]) -> Counted:
        """The tuples of one of the sets of columns that were to be counted."""

    def people(self, column: str) -> Mapping[str, int]:
        """By the name of fates: how many different people have them; they do not add up over tuples. The column was
        to be counted.
        """


@dataclass(frozen=True, eq=False)
class Paired:
    """Some columns of released records beside some of their own originals: the same tuples in the same order, which
    stand for the same numbers of records.
    """

    released: Dataset
    own: Dataset


class Pairs(Protocol):
    """The records that were written, each beside its own original. Nobody else's values are in any answer."""

    @property
    def columns(self) -> Sequence[str]:
        """What was written of them, names that were given on the way out left aside."""

    @property
    def originals(self) -> Sequence[str]:
        """The columns of the table that were to be kept."""

    @property
    def records(self) -> int:
        """How many there are."""

    def counted(self, released: Sequence[str], own: Sequence[str] = ()) -> Paired:
        """The distinct tuples of what was released and what it was before, with how many records have each; where an
        engine has the rows at hand anyway, these will do.
        """

    def some(self, at_most: int) -> Paired:
        """All columns of all records, a row each, or of so many that are drawn where there are more: for what cannot
        be counted.
        """


@dataclass(frozen=True)
class StoreTarget:
    """A folder of Parquet files in a place that only an engine's workers write to."""

    address: str
    replace: bool = False
    """Does it take the place of what is there?"""

    def __str__(self) -> str:
        return self.address


class Reading(Protocol):
    """Reads written records, or a part of them, as whoever gets them does."""

    def __call__(self, path: Path, content: bytes | None = None) -> Dataset:
        """The records in a file; of one that would have such a ``content``, where it is nowhere."""


def _nothing_kept(_read: Reading) -> Pairs:
    raise AssertionError("no columns were to be kept when the table was opened")


@dataclass(frozen=True, eq=False)
class Written:
    """Records that have been written."""

    tally: Tally
    data: pl.DataFrame | None
    """The records themselves, where no file was asked for."""
    beside: Callable[[Reading], Pairs] = _nothing_kept
    """The records in the file, as they are read from it, beside their own originals; where the table was opened with
    columns to keep, and the records were given names."""


Prints = NDArray[np.uint64]
"""The fingerprints of records."""


class Printing(Protocol):
    """Makes fingerprints, by which records and files are recognised. It survives ``pickle``: workers use it."""

    def of_rows(self, batch: pa.RecordBatch, source: str) -> Prints:
        """That of each row."""

    def of_all(self, prints: Iterable[Prints]) -> str:
        """That of all records in their order, from their own."""

    def of_file(self, path: Path) -> str:
        """That of all bytes of a file."""


@dataclass(frozen=True)
class Printed:
    """A source whose records have fingerprints."""

    columns: tuple[str, ...]
    """Those that they are over."""
    rows: int
    records: str
    """The fingerprint of all of them."""
    content: str | None
    """That of the file, where it is one."""


@dataclass(frozen=True, eq=False)
class Origins:
    """Where records come from that are about to be named."""

    places: Keys
    """Where they lie in the sources, one after the other, from 0."""
    prints: Prints | None
    """Their fingerprints, where these were made."""

    def at(self, rows: Places) -> "Origins":
        """Those of some of the records."""
        return Origins(self.places[rows], None if self.prints is None else self.prints[rows])


Naming = Callable[[pl.DataFrame, Origins], tuple[pl.DataFrame, bytes]]
"""Gives the records of a frame, which are in their final order, their names, and says what is to be kept of that. It
survives ``pickle``, as workers may do it."""


@dataclass(frozen=True, eq=False)
class Watching:
    """Somebody who sees records on their way out, and may stop them."""

    counted: Callable[[Tally], object] = lambda _tally: None
    """Called once all records were counted, before any is handed on in its final order."""
    named: Naming | None = None
    kept: Callable[[bytes], object] = lambda _content: None
    """Called in this process with what is to be kept of names, in the order in which records are written."""
    complete: Callable[[], object] = lambda: None
    """Called when all is written, before the result takes its name."""


@dataclass(frozen=True, eq=False)
class Head:
    """A few records as they are after some changes."""

    frame: pl.DataFrame
    fates: Fates
    tally: Tally


class Gathered(Protocol):
    """Columns of the whole table in one place, in some order."""

    @property
    def data(self) -> Dataset:
        """The columns, a row for each record."""

    @property
    def fates(self) -> Fates:
        """By record."""

    def exchanged(self, columns: Sequence[str], rows: Rows, taken_from: Places) -> "Flow":
        """Each of ``rows`` takes the values that one of them has in ``columns``: the one at its place in
        ``taken_from``.
        """


class Flow(Protocol):
    """The rows of a table with changes that will be done to them."""

    @property
    def label(self) -> str:
        """What the table is called."""

    @property
    def columns(self) -> Sequence[str]:
        """All columns, new ones last."""

    @property
    def rows(self) -> int | None:
        """How many rows there are, where that is known."""

    @property
    def schema(self) -> Schema:
        """What the columns are."""

    @property
    def repeatable(self) -> bool:
        """Does each pass find the same values? Not while something would be drawn anew."""

    def mapped(self, change: Change) -> "Flow":
        """Map all rows through the steps of a change, when they are needed."""

    def spooled(self, without: Sequence[str], originals: Sequence[str] = ()) -> "Flow":
        """The same rows with their changes done once and for all, ``without`` some columns; of ``originals`` the
        values that they had in the table are kept as well.
        """

    def counted(self, columns: Sequence[str]) -> Counted:
        """Count the tuples of some columns as the changes leave them."""

    def dealt(self, counted: Counted, dealing: Dealing, change: MarkedChange) -> "Flow":
        """Deal marks to the records of tuples that were counted just before, the same for all passes that follow, and
        map the rows through the steps of ``change`` by their marks.
        """

    def gathered(self, columns: Sequence[str]) -> Gathered:
        """Some columns of all rows in one place."""

    def head(self, columns: Sequence[str], rows: int, counting: Counting) -> Head:
        """The first so many records in the engine's own order, which is the same for all flows of a table."""

    def write(
        self,
        columns: Sequence[str],
        target: Path | StoreTarget | None,
        counting: Counting,
        keep_order: bool,
        watching: Watching,
    ) -> Written:
        """Write ``columns`` of the records that come out, whole or not at all, in random order unless it is to be
        kept; the tuples of ``counting`` are counted in the same pass.
        """


class Table(Protocol):
    """A table that an engine has opened."""

    @property
    def label(self) -> str:
        """What it is called."""

    @property
    def columns(self) -> Sequence[str]:
        """Its columns."""

    @property
    def rows(self) -> int | None:
        """How many rows it has, where that is known beforehand."""

    def flow(
        self,
        schema: Schema,
        context: Any = None,
        *,
        random: Randomness,
        folder: Path | None,
        warn: Warn,
        progress: Progress | None = None,
    ) -> Flow:
        """All its rows as they are; ``context`` is handed to the steps of changes, ``folder`` is where files without
        a name may lie.
        """

    def tuples(self, columns: Sequence[str], schema: Schema, progress: Progress | None = None) -> Dataset:
        """The distinct tuples of some columns as they are, with how many records have each: what attacks and searches
        read. Rows will do for columns that were to be kept and are at hand.
        """

    def surveyed(self, columns: Sequence[str], schema: Schema) -> Dataset | FarTuples:
        """The same, or, where these are too many for one process, what can be asked where they were counted: for
        attacks on all subsets, and for searches.
        """

    def some(self, columns: Sequence[str], schema: Schema, at_most: int) -> Dataset:
        """Some columns of all records, a row each, or of so many that are drawn where there are more: for what cannot
        be counted, such as what models learn from. Besides :meth:`Pairs.some` and what operations gather, this is the
        only way by which rows come to one process.
        """

    def printed(self, printing: Printing, needed: Collection[str]) -> Sequence[Printed]:
        """Make the fingerprints of all records, over all columns of a source, or over those that are ``needed`` where
        others cannot be read. They go with the records to whoever names these.
        """


class Engine(Protocol):
    """Something that carries plans out."""

    def reached(
        self,
        source: Any,
        *,
        filename: str | None = None,  # noqa: ARG002
        database: str | None = None,  # noqa: ARG002
        sheet: str | None = None,  # noqa: ARG002
    ) -> Any:
        """``source`` opened by this engine, where nobody else gets to what it names; else as it is."""
        return source

    def target(self, out: str | Path, *, force: bool) -> Path | StoreTarget:  # noqa: ARG002
        """Where a result goes that is to be called ``out``; with ``force`` in the place of what is there."""
        return Path(out)

    def open(self, table: SourceTable, kept: Sequence[str] = (), coded: Mapping[str, Column] | None = None) -> Table:
        """A table to work on; ``kept`` are the columns whose original values are asked for afterwards, some of which
        may be ``coded`` already.
        """
