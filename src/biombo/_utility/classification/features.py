"""What a model is shown of a table, and the values that it predicts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._data import Column, Dataset, written
from biombo._errors import ColumnError
from biombo._utility.column_view import Reading, amounts, days_of, numbers_of, reads_as_numbers
from biombo._utility.tables import Tables

FREQUENT = 50
"""Values of a category that get a yes or no; the others are a no to all."""

MOST = 50
"""Different values of a target: with more, forests take gigabytes and little of what they say is right."""

Rows = NDArray[np.intp]
Matrix = NDArray[np.float32]
Labels = NDArray[np.intp]


@dataclass(frozen=True)
class Amounts:
    """A column of numbers, of intervals by their middle, or of dates; not a number where nothing is told."""

    apart: frozenset[str]
    reading: Reading

    def of(self, column: Column, rows: Rows) -> Matrix:
        """One column of numbers."""
        return amounts(column, self.apart, self.reading).astype(np.float32)[column.codes[rows]][:, None]


@dataclass(frozen=True)
class Categories:
    """A column of values, of which some were frequent."""

    frequent: tuple[str | None, ...]

    @classmethod
    def learned(cls, column: Column, rows: Rows) -> "Categories":
        """The most frequent values in ``rows``."""
        count = np.bincount(column.codes[rows], minlength=column.cardinality)
        chosen = [code for code in np.argsort(-count, kind="stable")[:FREQUENT].tolist() if count[code]]
        names = written(column.values).to_list()
        return cls(tuple(names[code] for code in chosen))

    def of(self, column: Column, rows: Rows) -> Matrix:
        """A column of yes (1) and no (0) for each frequent value."""
        place_of = {value: place for place, value in enumerate(self.frequent)}
        places = np.array([place_of.get(value, -1) for value in written(column.values).to_list()])[column.codes[rows]]
        matrix = np.zeros((len(rows), len(self.frequent)), np.float32)
        frequent = np.flatnonzero(places >= 0)
        matrix[frequent, places[frequent]] = 1
        return matrix


@dataclass(frozen=True)
class Features:
    """How to read the columns of a table for a model."""

    of_column: dict[str, Amounts | Categories]

    @classmethod
    def learned(cls, data: Dataset, columns: Sequence[str], rows: Rows, tables: Tables) -> "Features":
        """Learn from ``rows`` which values are frequent."""
        return cls({name: _feature(data[name], rows, tables) for name in columns})

    def matrix(self, data: Dataset, rows: Rows) -> Matrix:
        """A line for each of ``rows``."""
        return np.concatenate([feature.of(data[name], rows) for name, feature in self.of_column.items()], axis=1)


def _feature(column: Column, rows: Rows, tables: Tables) -> Amounts | Categories:
    apart = tables.apart(column.name)
    for ordered, reading in ((tables.numeric, numbers_of), (tables.dated, days_of)):
        if column.name in ordered and reads_as_numbers(column, apart, reading):
            return Amounts(apart, reading)
    return Categories.learned(column, rows)


@dataclass(frozen=True, eq=False)
class Classes:
    """The values of the target, numbered alike in all tables; a missing one is a value of its own."""

    target: str
    number_of: dict[str | None, int]

    @classmethod
    def of(cls, tables: Tables, target: str) -> "Classes":
        """Number the values that occur in either table."""
        number_of: dict[str | None, int] = {}
        for data in (tables.whole.original, tables.whole.recoded, tables.whole.release):
            values = written(data[target].values).to_list()
            if len(values) > MOST:
                raise ColumnError("utility.classes", column=target, values=len(values), most=MOST)
            for value in values:
                number_of.setdefault(value, len(number_of))
        return cls(target, number_of)

    def labels(self, data: Dataset, rows: NDArray[np.intp] | None = None) -> Labels:
        """The number of each row's value; −1 for a value that occurred nowhere before."""
        column = data[self.target]
        numbers = np.array([self.number_of.get(value, -1) for value in written(column.values).to_list()], np.intp)
        return numbers[column.codes if rows is None else column.codes[rows]]
