"""A table as Biombo holds it: small integer codes, one dictionary per column."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._data.schema import Schema
from biombo._errors import ColumnError

Codes = NDArray[np.uint8] | NDArray[np.uint16] | NDArray[np.uint32]


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

    def codes(self, names: Sequence[str]) -> list[Codes]:
        """The code arrays of ``names``."""
        return [self[name].codes for name in names]

    def with_column(self, column: Column) -> "Dataset":
        """This dataset with ``column`` added, or put in the place of the one of its name."""
        return replace(self, columns={**self.columns, column.name: column})

    @property
    def nbytes(self) -> int:
        """The memory that the codes take."""
        return sum(column.codes.nbytes for column in self.columns.values())


def narrowest(cardinality: int) -> type[np.uint8] | type[np.uint16] | type[np.uint32]:
    """The smallest code type that tells ``cardinality`` values apart."""
    if cardinality <= 1 << 8:
        return np.uint8
    if cardinality <= 1 << 16:
        return np.uint16
    return np.uint32
