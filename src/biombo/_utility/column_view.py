"""A column for statistics: numbers or numbered values, and where nothing is told."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from biombo._data import Column, written
from biombo._utility.amounts import Floats, numbers_of


@dataclass(frozen=True, eq=False)
class Told:
    """One column of one table, row by row."""

    rows: NDArray[np.bool_]
    """Where something is told; a missing value is a value of its own among categories, but no number."""
    numbers: Floats | None
    codes: NDArray[np.integer]

    @cached_property
    def everywhere(self) -> bool:
        """Is something told in every row?"""
        return bool(self.rows.all())


def reads_as_numbers(column: Column, marks: frozenset[str]) -> bool:
    """Is every value that is told a number, or an interval with a middle?"""
    told = ~_untold(column, marks) & column.values.is_not_null().to_numpy()
    return bool(told.any()) and not np.isnan(numbers_of(column.values)[told]).any()


def amounts(column: Column, marks: frozenset[str]) -> Floats:
    """The numbers of the column's values, in the order of its dictionary; not a number for marks."""
    return np.where(_untold(column, marks), np.nan, numbers_of(column.values))


def told(column: Column, marks: frozenset[str], *, numeric: bool) -> Told:
    """``column`` as numbers where it is ``numeric``, else as categories; marks tell nothing unless there is no more."""
    if numeric:
        numbers = amounts(column, marks)[column.codes]
        return Told(~np.isnan(numbers), numbers, column.codes)
    rows = ~_untold(column, marks)[column.codes]
    return Told(rows if rows.any() else ~rows, None, column.codes)


def _untold(column: Column, marks: frozenset[str]) -> NDArray[np.bool_]:
    return written(column.values).is_in(sorted(marks)).fill_null(False).to_numpy()
