"""A table as Biombo holds it: small integer codes, one dictionary per column."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._cells import RECORDS_AT_MOST, Codes, Counts, narrowest, records_of
from biombo._data.formats.source import ColumnNotes
from biombo._data.schema import Schema
from biombo._errors import ColumnError, UsageError
from biombo._files import without_folders
from biombo._frames import Framed, FrameKind, framed
from biombo._glance import Glance, Glanced


@dataclass(frozen=True, eq=False)
class Column:
    """One column: ``values[codes[i]]`` is row i's value. A missing value has a code of its own, whose value is null."""

    name: str
    codes: Codes
    values: pl.Series

    @property
    def cardinality(self) -> int:
        """How many different values the column holds, a missing one included."""
        return len(self.values)

    def decoded(self) -> pl.Series:
        """The column's values, row by row."""
        return self.values.gather(pl.Series(self.codes)).alias(self.name)


def _taken(column: Column, rows: NDArray[np.integer]) -> Column:
    there, codes = np.unique(column.codes[rows], return_inverse=True)
    values = column.values.gather(there)
    order = values.arg_sort(nulls_last=True).to_numpy()
    place = np.empty(len(order), narrowest(len(order)))
    place[order] = np.arange(len(order))
    return Column(column.name, place[codes.ravel()], values.gather(order))  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False, repr=False)
class Dataset(Glanced, Framed):
    """The columns in use of one table, as codes, and what they mean.

    Made by :func:`biombo.read`, or by ``read_counted``, whose rows are tuples that stand for any number of records;
    never changed afterwards.
    """

    columns: Mapping[str, Column]
    rows: int
    """How many codes each column has."""
    schema: Schema
    label: str
    """Where the rows came from, in words for messages: a file name, the query, the kind of table."""
    counts: Counts | None = field(default=None, kw_only=True)
    """How many records each row of codes stands for, at least one; None: one each."""
    notes: Mapping[str, ColumnNotes] = field(default_factory=dict, kw_only=True)
    """What the file says of its columns: labels, what codes mean, which of them stand for a missing value."""
    kind: FrameKind = field(default="polars", kw_only=True)
    """The kind of frame that the rows came as, and go out as."""
    population: "Dataset | None" = field(default=None, kw_only=True)
    """Everybody of whom the people of these rows are some, by the quasi columns, where such a table is at hand."""

    def __post_init__(self) -> None:
        if self.counts is None:
            return
        if self.counts.shape != (self.rows,) or (self.counts < 1).any():
            raise UsageError("data.counts", rows=self.rows)
        if _exact_sum(self.counts) > RECORDS_AT_MOST:
            raise UsageError("data.too-many-records", source=self.label, most=RECORDS_AT_MOST)

    def __len__(self) -> int:
        return self.rows

    def __getitem__(self, name: str) -> Column:
        try:
            return self.columns[name]
        except KeyError:
            raise ColumnError.missing(name, self.columns, self.label) from None

    @property
    def records(self) -> int:
        """How many records there are."""
        return records_of(self.rows, self.counts)

    def records_in(self, rows: NDArray[np.bool_] | None) -> int:
        """How many records the rows marked stand for; all, where none are marked."""
        return records_of(self.rows, self.counts, rows)

    def need_rows(self) -> None:
        """Raise where single records are wanted and only counts are there."""
        if self.counts is not None:
            raise UsageError("data.counted", source=self.label)

    def take(self, rows: NDArray[np.integer]) -> "Dataset":
        """Only these ``rows``, in this order, each for as many records as it was. No value is left that only others
        have, and codes go by the values' order, so that nothing of the other rows shows.

        >>> from biombo import read
        >>> import polars as pl
        >>> read(pl.DataFrame({"sex": ["X", "M", "F"]})).take(np.array([1, 2]))["sex"].values.to_list()
        ['F', 'M']
        """
        columns = {name: _taken(column, rows) for name, column in self.columns.items()}
        return replace(self, columns=columns, rows=len(rows), counts=None if self.counts is None else self.counts[rows])

    @property
    def title(self) -> str:
        """The label without folders, for reports, which other people read."""
        return without_folders(self.label)

    def head(self, rows: int = 5) -> Any:
        """The first ``rows`` as they are, as the kind of frame that they came as. They are records: keep them private.

        >>> from biombo import read, samples
        >>> read(samples.clinic(), columns=["age", "sex"]).head(2).rows()
        [(34, 'F'), (34, 'M')]
        """
        self.need_rows()
        shown = [replace(column, codes=column.codes[: max(rows, 0)]).decoded() for column in self.columns.values()]
        return framed(pl.DataFrame(shown), self.kind)

    def describe(self) -> Any:
        """How the values of each column are spread, without any of them, as the kind of frame that the rows came as.

        ``column``, ``role``; ``distinct`` values, a missing one included; ``missing`` values; the records of the
        ``rarest`` value and of the one that ``most`` have; the share of records ``alone`` with their value.

        >>> from biombo import read, samples
        >>> read(samples.clinic(), columns=["sex"]).describe().row(0)
        ('sex', 'undecided', 2, 0, 6, 6, 0.0)
        """
        from biombo._data.glance import described

        return framed(described(self), self.kind)

    def _table(self) -> pl.DataFrame:
        return self.decoded()

    @property
    def _kind(self) -> FrameKind:
        return self.kind

    def _glance(self) -> Glance:
        from biombo._data.glance import of_dataset

        return of_dataset(self)

    def decoded(self) -> pl.DataFrame:
        """The table with its values, row by row; refused where only counts are there."""
        self.need_rows()
        return pl.DataFrame([column.decoded() for column in self.columns.values()])

    @property
    def nbytes(self) -> int:
        """The memory that the codes take, and their counts."""
        counts = 0 if self.counts is None else self.counts.nbytes
        return sum(column.codes.nbytes for column in self.columns.values()) + counts


def _exact_sum(counts: Counts) -> int:
    """What counts add up to, however much that is."""
    high, low = counts >> 32, counts & 0xFFFFFFFF
    return (int(high.sum()) << 32) + int(low.sum())
