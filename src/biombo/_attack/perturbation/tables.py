"""A released table and the original one, brought to the same codes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._attack.evidence import Dropped, valid_rows
from biombo._attack.scope import AttackScope, joint_name
from biombo._cells import Codes, Counts, narrowest, records_of, tallied
from biombo._data import Binning, Column, Dataset, binned, parse_numbers, written
from biombo._errors import ColumnError, InputError, UsageError

Rows = NDArray[np.bool_]

_LOOKED_UP = 8
"""Pairs that could occur are looked up in a list of all of them, unless these are so many for each row."""


@dataclass(frozen=True, eq=False)
class ReleaseAndTruth:
    """The records of a release, and below them the original ones, coded alike."""

    scope: AttackScope
    columns: Mapping[str, Column]
    """The quasi and sensitive columns, the latter also jointly, over the rows of both tables."""
    released: Rows
    """Which of all rows are valid records of the release."""
    targets: Rows
    """Which of all rows are valid original records of somebody who is in the release."""
    first: int
    """Where the original rows begin."""
    dropped: tuple[Dropped, Dropped]
    """Records left out of the release and of the truth because of an invalid value."""
    binnings: tuple[Binning, ...]
    data: tuple[Dataset, Dataset]
    """The release and the truth as they were read."""
    counts: Counts | None
    """How many records each of all rows stands for; None: one each."""

    @classmethod
    def of(cls, released: Dataset, truth: Dataset, scope: AttackScope, link: str | None) -> "ReleaseAndTruth":
        """Bring the columns of the attack together, and leave out invalid rows and who is not in the release."""
        used = (*scope.quasi, *scope.sensitive)
        in_release = _in_release(released, truth, link)
        keep, dropped = zip(*(valid_rows(data, [data[n] for n in used]) for data in (released, truth)), strict=True)
        valid = [np.ones(d.rows, bool) if k is None else k for d, k in zip((released, truth), keep, strict=True)]
        counts = _counts_of_both(released, truth)
        columns, binnings = _together(released, truth, used, counts)
        if len(scope.sensitive) > 1:
            columns[joint_name(scope.sensitive)] = _jointly([columns[name] for name in scope.sensitive])
        nobody, no_target = np.zeros(truth.rows, bool), np.zeros(released.rows, bool)
        tables = cls(
            scope,
            columns,
            np.concatenate([valid[0], nobody]),
            np.concatenate([no_target, valid[1] & in_release]),
            released.rows,
            (dropped[0], dropped[1]),
            binnings,
            (released, truth),
            counts,
        )
        if not tables.released.any() or not tables.targets.any():
            raise InputError("attack.truth-nobody", source=(truth if tables.released.any() else released).label)
        return tables

    @property
    def attacked(self) -> int:
        """How many original records are attacked."""
        return records_of(len(self.targets), self.counts, self.targets)

    def counted(self, codes: Codes, cardinality: int, rows: Rows) -> Counts:
        """How many records of some of all ``rows`` hold each code."""
        return tallied(codes, cardinality, self.counts, rows)

    def mean(self, per_target: NDArray[Any]) -> float:
        """The mean of a number for each of the ``targets``, over the records that they stand for."""
        if self.counts is None:
            return float(per_target.mean())
        return float(np.average(per_target, weights=self.counts[self.targets]))

    def groups(self, names: Sequence[str]) -> Column:
        """A code for each of all rows, the same for those that agree in ``names``."""
        return _jointly([self.columns[name] for name in names])


def _counts_of_both(released: Dataset, truth: Dataset) -> Counts | None:
    if released.counts is None and truth.counts is None:
        return None
    each = (np.ones(data.rows, np.int64) if data.counts is None else data.counts for data in (released, truth))
    return np.concatenate(list(each))


def _in_release(released: Dataset, truth: Dataset, link: str | None) -> Rows:
    """Which original records are in the release."""
    if link is None:
        if released.records != truth.records:
            raise UsageError("attack.truth-rows", released=released.records, truth=truth.records)
        return np.ones(truth.rows, bool)
    for data in (released, truth):
        data.need_rows()
    ids = [written(data[link].decoded()) for data in (released, truth)]
    for data, found in zip((released, truth), ids, strict=True):
        if found.null_count() or found.n_unique() < data.rows:
            raise ColumnError("attack.truth-link", column=link, source=data.label)
    if not ids[0].is_in(ids[1].implode()).all():
        raise ColumnError("attack.truth-stranger", column=link, source=released.label, truth=truth.label)
    return ids[1].is_in(ids[0].implode()).to_numpy()


def _together(
    released: Dataset, truth: Dataset, names: Sequence[str], counts: Counts | None
) -> tuple[dict[str, Column], tuple[Binning, ...]]:
    """Each column over the rows of both tables; a continuous one in intervals that are chosen on both."""
    columns: dict[str, Column] = {}
    binnings: list[Binning] = []
    for name in names:
        column = stacked(released[name], truth[name])
        schema = released.schema[name]
        if schema.type == "continuous":
            column, binning = binned(column, schema, counts=counts)
            binnings.append(binning)
        columns[name] = column
    return columns, tuple(binnings)


def stacked(released: Column, truth: Column) -> Column:
    """The rows of ``released`` and then those of ``truth``, with a code for each different value."""
    values = [_comparable(released.values, truth.values), _comparable(truth.values, released.values)]
    code_of: dict[str | None, int] = {}
    lookups = [np.array([code_of.setdefault(value, len(code_of)) for value in each], np.int64) for each in values]
    codes = np.concatenate([lookups[0][released.codes], lookups[1][truth.codes]]).astype(narrowest(len(code_of)))
    return Column(released.name, cast(Codes, codes), pl.Series(released.name, list(code_of), pl.String))


def _comparable(values: pl.Series, others: pl.Series) -> list[str | None]:
    """Values as they are written; text is read as what the other table holds: 070,5 is 70.5."""
    if values.dtype.is_decimal() and not others.dtype.is_decimal():
        values = values.cast(pl.Float64)  # 1.50 is 1.5 for everybody else
    as_text = written(values)
    if values.dtype == pl.String:
        as_text = written(_read_as(values, others.dtype)).fill_null(as_text)
    return as_text.to_list()


def _read_as(values: pl.Series, kind: pl.DataType) -> pl.Series:
    """Text as numbers or times; null where it is none."""
    if kind.is_numeric():
        return parse_numbers(values)
    if kind == pl.Time:
        return values.str.to_time("%H:%M:%S%.f", strict=False)
    if isinstance(kind, pl.Datetime) and kind.time_zone is None:
        return values.str.replace("T", " ").str.to_datetime("%Y-%m-%d %H:%M:%S%.f", time_unit="us", strict=False)
    return values


def _jointly(columns: Sequence[Column]) -> Column:
    """Several columns as one: a code for each combination that occurs."""
    first, *others = columns
    codes, count = first.codes, first.cardinality
    for other in others:
        codes, count = paired(codes, other.codes, count, other.cardinality)
    name = joint_name([column.name for column in columns])
    return Column(name, codes, pl.Series(name, range(count), dtype=pl.UInt32))


def paired(one: Codes, other: Codes, of_one: int, of_other: int) -> tuple[Codes, int]:
    """A code for each pair of codes that occurs, in the order of the pairs, and how many there are.

    >>> paired(np.array([1, 0, 1], np.uint8), np.array([0, 5, 0], np.uint8), 2, 6)
    (array([1, 0, 1], dtype=uint32), 2)
    """
    pair = one.astype(np.uint64) * np.uint64(of_other) + other
    if of_one * of_other > _LOOKED_UP * len(pair):
        distinct, codes = np.unique(pair, return_inverse=True)
        return codes.astype(np.uint32), len(distinct)
    occurs = np.zeros(of_one * of_other, bool)
    occurs[pair] = True
    code_of = np.cumsum(occurs, dtype=np.uint32) - np.uint32(1)
    return code_of[pair], int(occurs.sum())
