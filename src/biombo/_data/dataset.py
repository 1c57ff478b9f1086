"""A table as Biombo holds it: small integer codes, one dictionary per column."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath

import polars as pl

from biombo._cells import Codes
from biombo._data.schema import Schema
from biombo._errors import ColumnError


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


@dataclass(frozen=True, eq=False)
class Dataset:
    """The columns in use of one table, as codes, and what they mean.

    Made by :func:`biombo.read`; never changed afterwards.
    """

    columns: Mapping[str, Column]
    rows: int
    schema: Schema
    label: str
    """Where the rows came from, in words for messages: a file name, the query, the kind of table."""

    def __len__(self) -> int:
        return self.rows

    def __getitem__(self, name: str) -> Column:
        try:
            return self.columns[name]
        except KeyError:
            raise ColumnError.missing(name, self.columns, self.label) from None

    def __repr__(self) -> str:
        return f"<Dataset {self.label}: {self.rows:,} rows, {len(self.columns)} columns>"

    @property
    def title(self) -> str:
        """The label without folders, for reports, which other people read."""
        return " … ".join(PurePath(part).name for part in self.label.split(" … "))

    def decoded(self) -> pl.DataFrame:
        """The table with its values, row by row."""
        return pl.DataFrame([column.decoded() for column in self.columns.values()])

    @property
    def nbytes(self) -> int:
        """The memory that the codes take."""
        return sum(column.codes.nbytes for column in self.columns.values())
