"""The records that tables are counted of: tuples of values, each for some records of one person."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from biombo._data import Dataset, parse_numbers, written
from biombo._errors import ColumnError
from biombo._tabulate.atoms import Value
from biombo._tabulate.classification import Places
from biombo._tabulate.cube import Numbers


@dataclass(frozen=True, eq=False)
class Counting:
    """Tuples, how many records each stands for, and whose they are."""

    data: Dataset
    person: str | None
    records: Places = field(init=False)
    people: Places | None = field(init=False)

    def __post_init__(self) -> None:
        counts, person = self.data.counts, self.person
        records = np.ones(self.data.rows, np.int64) if counts is None else counts.astype(np.int64)
        if person is not None and self.data[person].values.is_null().any():
            raise ColumnError("tabulate.person-missing", column=person)
        object.__setattr__(self, "records", records)
        object.__setattr__(self, "people", None if person is None else self.data[person].codes.astype(np.int64))

    def people_in(self, group: Places, groups: int = 0) -> Places:
        """By group of tuples: how many people are in it."""
        if self.people is None:
            return np.bincount(group, self.records, groups).astype(np.int64)
        most = int(self.people.max(initial=0)) + 1
        return np.bincount(np.unique(group * most + self.people) // most, minlength=groups).astype(np.int64)

    def values(self, column: str) -> list[Value]:
        """The values that a column has, by code."""
        return list(written(self.data[column].values).to_list())

    def numbered(self, column: str, number: Mapping[Value, int]) -> Places:
        """By tuple: the number of its value, -1 where it has none."""
        of_code = np.array([number.get(value, -1) for value in self.values(column)], np.int64)
        return of_code[self.data[column].codes]

    def untold(self, column: str) -> int:
        """How many records have no value in a column, or one that is not a number (NaN)."""
        missing = self.data[column].values.is_null().to_numpy()
        return int(self.records[missing[self.data[column].codes]].sum())

    def amounts(self, name: str, *, is_mean: bool) -> Numbers:
        """What each record of a tuple has; nothing where nothing is told."""
        column = self.data[name]
        numbers = parse_numbers(column.values)
        told = ~column.values.is_null()
        if numbers.is_null().filter(told).any():
            raise ColumnError("tabulate.not-numbers", column=name)
        if is_mean and not told.all():
            raise ColumnError("tabulate.mean-missing", column=name)
        if (numbers.min() or 0) < 0:  # type: ignore[operator]
            raise ColumnError("tabulate.negative", column=name)
        return numbers.fill_null(0.0).to_numpy()[column.codes]
