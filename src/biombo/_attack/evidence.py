"""What an attack reads: the valid rows of the columns in use, counted into cells."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo import _kernel
from biombo._attack.scope import AttackScope, joint_name
from biombo._cells import Cells, Countable, Counts, tallied
from biombo._data import Binning, Column, Dataset, FarCodes, FarTuples, binned, written
from biombo._errors import ColumnError, InputError, UsageError, shortened
from biombo._i18n import text


class NoValidRowsError(InputError):
    """Every row has an invalid value in a column in use."""


@dataclass(frozen=True)
class Dropped:
    """Records that an attack leaves out because a column in use holds an invalid value (Gonze et al. 2024, 4.1)."""

    rows: int
    by_column: Mapping[str, int]
    """For each column in use, records with an invalid value in it; one may count for several columns."""

    @classmethod
    def total(cls, every: Iterable["Dropped"]) -> "Dropped":
        """The rows left out of several tables.

        >>> Dropped.total([Dropped(2, {"age": 1, "sex": 2}), Dropped(1, {"sex": 1})])
        Dropped(rows=3, by_column={'age': 1, 'sex': 3})
        """
        rows, by_column = 0, dict[str, int]()
        for each in every:
            rows += each.rows
            for column, invalid in each.by_column.items():
                by_column[column] = by_column.get(column, 0) + invalid
        return cls(rows, by_column)


@dataclass(frozen=True, eq=False)
class Evidence:
    """The rows that an adversary reasons on, seen through the columns of an attack."""

    scope: AttackScope
    columns: Mapping[str, Column]
    """The quasi columns, the sensitive ones, and these jointly where there are several."""
    keep: NDArray[np.bool_] | None
    """Which rows are valid; all where it is missing."""
    rows: int
    """How many records are valid."""
    dropped: Dropped
    binnings: tuple[Binning, ...]
    adversaries: Mapping[str, tuple[str, ...]]
    """What the adversaries that the schema names know, of those who know quasi columns only."""
    data: Dataset
    """The table as it was read; without rows where its tuples are far."""
    far: FarCodes | None = None
    """What takes the place of rows that are not here."""

    @classmethod
    def of(cls, data: Dataset | FarTuples, scope: AttackScope) -> "Evidence":
        """Drop the invalid rows, bin continuous columns, join the sensitive columns."""
        if isinstance(data, FarTuples):
            return cls._of_far(data, scope)
        used = [data[name] for name in (*scope.quasi, *scope.sensitive)]
        keep, dropped = valid_rows(data, used)
        refuse_all_invalid(data, dropped)
        columns, binnings = _binned(data, used)
        if len(scope.sensitive) > 1:
            joint = _jointly([columns[name] for name in scope.sensitive], data.rows)
            columns[joint.name] = joint
        return cls(scope, columns, keep, data.records - dropped.rows, dropped, binnings, _known(data, scope), data)

    @classmethod
    def _of_far(cls, data: FarTuples, scope: AttackScope) -> "Evidence":
        """The same, with each column told by its own values, and the rest left to whoever has the tuples."""
        used = {name: data.alone(name) for name in (*scope.quasi, *scope.sensitive)}
        valid = {name: valid_rows(table, [table[name]]) for name, table in used.items()}
        read = {name: _binned(table, [table[name]]) for name, table in used.items()}
        columns = {name: found[name] for name, (found, _) in read.items()}
        keep = {name: rows for name, (rows, _) in valid.items() if rows is not None}
        codes = data.recoded(columns, keep)
        by_column = {name: dropped.rows for name, (_, dropped) in valid.items()}
        dropped = Dropped(data.records - codes.records, by_column)
        refuse_all_invalid(next(iter(used.values())), dropped)
        binnings = tuple(binning for _, found in read.values() for binning in found)
        header = data.header
        return cls(scope, columns, None, codes.records, dropped, binnings, _known(header, scope), header, codes)

    @property
    def targets(self) -> tuple[str, ...]:
        """What the adversary may guess: each sensitive column, and all of them together where there are several."""
        names = self.scope.sensitive
        return (*names, joint_name(names)) if len(names) > 1 else names

    @cached_property
    def cells(self) -> Countable:
        """The valid rows, counted."""
        if self.far is not None:
            return self.far.cells(self.scope.quasi, {name: self._parts_of(name) for name in self.targets})
        quasi = [self.columns[name] for name in self.scope.quasi]
        targets = [self.columns[name] for name in self.targets]
        return Cells.count(quasi, targets, self.data.rows, self.keep, self.data.counts)

    def _parts_of(self, target: str) -> tuple[str, ...]:
        """The sensitive columns that a target consists of."""
        return (target,) if target in self.scope.sensitive else self.scope.sensitive

    def checked(self, subset: Sequence[str]) -> Sequence[str]:
        """``subset``, if it is a list of quasi columns."""
        return checked_subset(subset, self.scope.quasi)

    def spectrum(self, target: str) -> tuple[Counts, Counts]:
        """How many valid records hold a value of a target, in ascending order, and how many values are held so."""
        if self.far is not None:
            return self.far.spectrum(self._parts_of(target))
        coded = self.columns[target]
        counts = tallied(coded.codes, coded.cardinality, self.data.counts, self.keep)
        return np.unique(counts[counts > 0], return_counts=True)

    def row_groups(self, names: Sequence[str]) -> NDArray[np.uint32]:
        """For each row of codes, the number of its group by ``names``."""
        columns = [self.columns[name] for name in names]
        numbers, _ = _kernel.row_groups([c.codes for c in columns], [c.cardinality for c in columns], self.data.rows)
        return numbers.ravel()

    def valid_rows(self) -> tuple[NDArray[np.intp], Counts | None]:
        """The positions of the valid rows of codes, and how many records each stands for."""
        counts = self.data.counts
        if self.keep is None:
            return np.arange(self.data.rows), counts
        return np.flatnonzero(self.keep), None if counts is None else counts[self.keep]


def _known(data: Dataset, scope: AttackScope) -> dict[str, tuple[str, ...]]:
    return {name: known for name, known in data.schema.adversaries.items() if set(known) <= set(scope.quasi)}


def checked_subset(subset: Sequence[str], quasi: Sequence[str]) -> Sequence[str]:
    """``subset``, if it is a list of columns among ``quasi``."""
    if isinstance(subset, str):
        raise UsageError("usage.string-for-list", argument="subset", value=subset)
    for name in subset:
        if name not in quasi:
            raise ColumnError.missing(name, quasi, text("risk.the-quasi"))
    return subset


def code_of_value(column: Column, value: str | None) -> int:
    """The code of a value as people write it."""
    values = written(column.values)
    found = (values.is_null() if value is None else values == str(value)).fill_null(False).arg_true()
    if found.is_empty():
        raise ColumnError("attack.no-such-value", column=column.name, value=value, some=shortened(values.head(8)))
    return int(found[0])


def valid_rows(data: Dataset, columns: Sequence[Column]) -> tuple[NDArray[np.bool_] | None, Dropped]:
    """Which rows have a valid value in every column; none where all do."""
    keep: NDArray[np.bool_] | None = None
    by_column: dict[str, int] = {}
    for column in columns:
        invalid = _invalid_codes(data, column)
        by_column[column.name] = 0
        if invalid.any():
            valid = ~invalid[column.codes]
            by_column[column.name] = data.records_in(~valid)
            keep = valid if keep is None else keep & valid
    dropped = 0 if keep is None else data.records_in(~keep)
    return (keep if dropped else None), Dropped(dropped, by_column)


def refuse_all_invalid(data: Dataset, dropped: Dropped) -> None:
    """Raise where no row is left."""
    if dropped.rows == data.records:
        worst = max(dropped.by_column, key=lambda name: dropped.by_column[name])
        raise NoValidRowsError("attack.all-invalid", source=data.label, column=worst)


def _invalid_codes(data: Dataset, column: Column) -> NDArray[np.bool_]:
    """Per code: does the schema call its value invalid?"""
    invalid = data.schema[column.name].invalid
    listed = written(column.values).is_in([value for value in invalid if value is not None]).fill_null(None in invalid)
    return listed.to_numpy()


def _binned(data: Dataset, columns: Sequence[Column]) -> tuple[dict[str, Column], tuple[Binning, ...]]:
    """Continuous columns in intervals, the others as they are."""
    result: dict[str, Column] = {}
    binnings: list[Binning] = []
    for column in columns:
        schema = data.schema[column.name]
        if schema.type == "continuous":
            column, binning = binned(column, schema, counts=data.counts)
            binnings.append(binning)
        result[column.name] = column
    return result, tuple(binnings)


def _jointly(columns: Sequence[Column], rows: int) -> Column:
    """Several columns as one: a code for each combination that occurs."""
    numbers, groups = _kernel.row_groups([c.codes for c in columns], [c.cardinality for c in columns], rows)
    name = joint_name([column.name for column in columns])
    return Column(name, numbers.ravel(), pl.Series(name, range(groups), dtype=pl.UInt32))
