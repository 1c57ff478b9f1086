"""A table as Biombo holds it: small integer codes, one dictionary per column."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._cells import Codes, narrowest
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


def _taken(column: Column, rows: NDArray[np.integer]) -> Column:
    there, codes = np.unique(column.codes[rows], return_inverse=True)
    values = column.values.gather(there)
    order = values.arg_sort(nulls_last=True).to_numpy()
    place = np.empty(len(order), narrowest(len(order)))
    place[order] = np.arange(len(order))
    return Column(column.name, place[codes.ravel()], values.gather(order))  # type: ignore[arg-type]


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

    def take(self, rows: NDArray[np.integer]) -> "Dataset":
        """Only these ``rows``, in this order. No value is left that only others have, and codes go by the values'
        order, so that nothing of the other rows shows.

        >>> from biombo import read
        >>> import polars as pl
        >>> read(pl.DataFrame({"sex": ["X", "M", "F"]})).take(np.array([1, 2]))["sex"].values.to_list()
        ['F', 'M']
        """
        columns = {name: _taken(column, rows) for name, column in self.columns.items()}
        return replace(self, columns=columns, rows=len(rows))

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
