"""Released records as a stranger reads them: by a way of its own, which has nothing in common with how they were made.

A file can be read in two ways. To some an empty field, an empty text and what is not a number are one missing value and
0 is −0, to others each of them is a value. What is claimed must hold for both.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from biombo._cells import Codes, narrowest
from biombo._data import Column, Dataset, Schema, foreign_failures, unescaped, unescaped_text
from biombo._errors import InputError


@dataclass(frozen=True, eq=False)
class PlainReading(Dataset):
    """Released records, with one missing value for all that may be one."""

    strict: Dataset | None = None
    """The same with all values apart; none where that is no other reading."""

    @property
    def readings(self) -> Iterator[Dataset]:
        """All ways to read them."""
        yield self
        if self.strict is not None:
            yield self.strict


def plainly_read(path: Path) -> PlainReading:
    """The records in a file of a release."""
    with foreign_failures("input.damaged", path=str(path)):
        frame = _frame(path)
        columns = {name: _column(frame[name]) for name in frame.columns}
    if not frame.height:
        raise InputError("input.empty", source=str(path))
    merged = {name: _merged(column) for name, column in columns.items()}
    differ = any(merged[name].cardinality < columns[name].cardinality for name in columns)
    strict = Dataset(columns, frame.height, Schema(), str(path)) if differ else None
    return PlainReading(merged, frame.height, Schema(), str(path), strict)


def _frame(path: Path) -> pl.DataFrame:
    if path.suffix not in (".csv", ".parquet"):
        raise InputError("input.unknown-format", path=str(path), known=".csv .parquet")
    with path.open("rb") as file:  # its name may be of another encoding
        if path.suffix == ".parquet":
            return pl.read_parquet(file)
        frame = pl.read_csv(file, infer_schema=False, new_columns=_header(path))
    if any(frame[name].str.contains("\0", literal=True).any() for name in frame.columns):
        raise InputError("input.nul", path=str(path))
    return frame.with_columns([_unescaped(frame[name]) for name in frame.columns])


def _header(path: Path) -> list[str]:
    """The names of the columns; Polars leaves the quotes in them doubled."""
    with path.open(newline="", encoding="utf-8") as file:
        return [unescaped_text(name) for name in next(csv.reader(file), [])]


def _unescaped(texts: pl.Series) -> pl.Series:
    """Without what keeps spreadsheets from taking text for formulas: no two texts become one by it."""
    return pl.Series(texts.name, unescaped(texts.to_arrow()))


def _column(values: pl.Series) -> Column:
    """A column whose codes tell apart whatever is written differently."""
    key = values.to_physical() if values.dtype.is_temporal() else values
    if not key.null_count() and key.n_unique() == len(key):
        return _coded(values.name, np.arange(len(key)), values)
    number = key.cast(pl.String).cast(pl.Categorical(pl.Categories.random())).to_physical()
    with_missing = number.cast(pl.Int64).fill_null(-1).to_numpy()
    _, first, codes = np.unique(with_missing, return_index=True, return_inverse=True)
    return _coded(values.name, codes, values.gather(first))


def _merged(column: Column) -> Column:
    """The column with one missing value and one zero."""
    values = column.values
    if values.dtype == pl.String and (values == "").any():
        values = values.set(values == "", None)
    elif values.dtype.is_float():
        values = values.fill_nan(None) + 0.0
    else:
        return column
    distinct = values.unique(maintain_order=True)
    if len(distinct) == len(values):
        return replace(column, values=values)
    code_of = {value: code for code, value in enumerate(distinct.to_list())}
    codes = np.array([code_of[value] for value in values.to_list()])
    return _coded(column.name, codes[column.codes], distinct)


def _coded(name: str, codes: np.ndarray, values: pl.Series) -> Column:
    narrow: Codes = codes.astype(narrowest(len(values)))  # type: ignore[assignment]
    return Column(name, narrow, values)
