"""Released records as a stranger reads them, and criteria counted once more on what is read.

Records are read by a way of its own, which has nothing in common with how they were made. A file can be read in two
ways. To some an empty field, an empty text and what is not a number are one missing value and 0 is −0, to others each
of them is a value. What is claimed must hold for both.
"""

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from io import BytesIO, TextIOWrapper
from math import isclose
from pathlib import Path
from typing import BinaryIO

import numpy as np
import polars as pl

from biombo._cells import Codes, narrowest
from biombo._criteria import Criterion, PlainGroups, Verdict, judge
from biombo._data import Column, Dataset, Schema, SourceTable, foreign_failures, unescaped, unescaped_text
from biombo._engine import LOCAL, Engine, Reading, Table
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


@dataclass(frozen=True, eq=False)
class Released:
    """The records of a release, as whoever gets them reads them from its file."""

    path: Path
    table: Table | None = None
    """The file as an engine has opened it, where that counts the records; else this process reads them, once."""

    @classmethod
    def of(cls, path: Path, engine: Engine = LOCAL) -> "Released":
        """The records in a file. In this process they are read by a way of its own."""
        if engine is LOCAL:
            return cls(path)
        table = SourceTable.open(path, unescape=True)
        return cls(path, engine.open(table, table.columns))

    @cached_property
    def _whole(self) -> PlainReading:
        return plainly_read(self.path)

    @property
    def columns(self) -> list[str]:
        """What is told of each record."""
        return list(self._whole.columns if self.table is None else self.table.columns)

    @cached_property
    def records(self) -> int:
        """How many there are."""
        return self._whole.rows if self.table is None else self.tuples(self.columns[-1:]).records

    def tuples(self, columns: Sequence[str]) -> PlainReading:
        """The tuples of some columns; rows where they are in this process."""
        if self.table is None:
            return replace(self._whole, columns={name: self._whole[name] for name in columns})
        return _both_readings(self.table.tuples(columns, Schema()))

    @property
    def read(self) -> Reading:
        """What reads the records, or a part of them that lies in a file of its own, wherever that is done."""
        return plainly_read if self.table is not None else self._read

    def _read(self, path: Path, content: bytes | None = None) -> Dataset:
        return self._whole if path == self.path and content is None else plainly_read(path, content)


def plainly_read(path: Path, content: bytes | None = None) -> PlainReading:
    """The records in a file of a release, or in one that would have this ``content``."""
    with foreign_failures("input.damaged", path=str(path)):
        frame = _frame(path, lambda: path.open("rb") if content is None else BytesIO(content))
        columns = {name: _column(frame[name]) for name in frame.columns}
    if not frame.height:
        raise InputError("input.empty", source=str(path))
    return _both_readings(Dataset(columns, frame.height, Schema(), str(path)))


def _both_readings(strict: Dataset) -> PlainReading:
    merged = {name: _merged(column) for name, column in strict.columns.items()}
    differ = any(merged[name].cardinality < column.cardinality for name, column in strict.columns.items())
    return PlainReading(
        merged, strict.rows, strict.schema, strict.label, strict if differ else None, counts=strict.counts
    )


def _frame(path: Path, opened: Callable[[], BinaryIO]) -> pl.DataFrame:
    if path.suffix not in (".csv", ".parquet"):
        raise InputError("input.unknown-format", path=str(path), known=".csv .parquet")
    with opened() as file:  # its name may be of another encoding
        if path.suffix == ".parquet":
            return pl.read_parquet(file)
        frame = pl.read_csv(file, infer_schema=False, new_columns=_header(opened()))
    if any(frame[name].str.contains("\0", literal=True).any() for name in frame.columns):
        raise InputError("input.nul", path=str(path))
    return frame.with_columns([_unescaped(frame[name]) for name in frame.columns])


def _header(opened: BinaryIO) -> list[str]:
    """The names of the columns; Polars leaves the quotes in them doubled."""
    with TextIOWrapper(opened, newline="", encoding="utf-8") as file:
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


def recounted(criterion: Criterion, released: Dataset, quasi: Sequence[str], sensitive: Sequence[str]) -> Verdict:
    """How the records stand to the criterion for whoever reads them in the way that is worst for them."""
    readings = released.readings if isinstance(released, PlainReading) else [released]
    verdicts = [_judged(criterion, reading, quasi, sensitive) for reading in readings]
    sign = 1 if criterion.lowest_is_worst else -1
    return min(verdicts, key=lambda verdict: (verdict.holds, sign * (verdict.achieved or 0)))


def _judged(criterion: Criterion, data: Dataset, quasi: Sequence[str], sensitive: Sequence[str]) -> Verdict:
    verdict = judge(data, criterion, quasi=quasi, sensitive=sensitive).verdicts[0]
    found = criterion.counted(PlainGroups(data, verdict.quasi), sensitive)
    if found is not None and (verdict.achieved is None or not isclose(found, verdict.achieved, rel_tol=1e-9)):
        raise InputError("release.counted-differently", criterion=criterion, judged=verdict.achieved, counted=found)
    return verdict
