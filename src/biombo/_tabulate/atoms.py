"""Sets of records across tables: what several tables, or questions, tell apart, and what their cells consist of.

Values of a column that no table tells apart are one *atom*. A combination of atoms, one of each column, is a *base
cell*. Every cell of every table is the sum of the base cells that it has, so that whatever is known of any cell is a
sum of the same unknown numbers.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from biombo._tabulate.classification import Places

Value = str | None
Group = Mapping[str, frozenset[Value]]
"""Records by their values: for each column the values that they may have. A column that is not named may have any."""


@dataclass(frozen=True, eq=False)
class Atoms:
    """By column and value: the atom that the value is in.

    >>> some = [{"age": frozenset({"17", "18"})}, {"age": frozenset({"18"}), "sex": frozenset("F")}]
    >>> atoms = Atoms.of(some, {"age": ["17", "18", "19", "20"], "sex": "FM"})
    >>> atoms.shape, len(atoms)
    ((3, 2), 6)
    >>> [atoms.base_cells(group).tolist() for group in some]
    [[0, 1, 2, 3], [2]]
    """

    columns: Mapping[str, Mapping[Value, int]]

    @classmethod
    def of(cls, groups: Iterable[Group], values: Mapping[str, Iterable[Value]]) -> "Atoms":
        """What some groups tell apart, in columns that have these values, or others besides."""
        sets: dict[str, dict[frozenset[Value], None]] = {column: {} for column in values}
        for group in groups:
            for column, some in group.items():
                sets.setdefault(column, {})[some] = None
        return cls({column: _atoms(values.get(column, ()), [*some]) for column, some in sets.items()})

    @property
    def shape(self) -> tuple[int, ...]:
        """How many atoms each column has."""
        return tuple(max(of.values(), default=-1) + 1 for of in self.columns.values())

    def __len__(self) -> int:
        """How many base cells there are."""
        return prod(self.shape)

    def base_cells(self, group: Group) -> Places:
        """The numbers of the base cells that a group has, in their order. It has atoms wholly or not at all where it is
        among those that these atoms were made of.
        """
        sides = [
            np.array(sorted({of[value] for value in group[column] if value in of}), np.int64)
            if column in group
            else np.arange(size)
            for (column, of), size in zip(self.columns.items(), self.shape, strict=True)
        ]
        return np.ravel_multi_index(np.ix_(*sides), self.shape).ravel() if sides else np.zeros(1, np.int64)

    def base_cell_of(self, values: Mapping[str, Sequence[Value]]) -> Places:
        """By record: the base cell that it is in."""
        at = [np.array([of[value] for value in values[column]], np.int64) for column, of in self.columns.items()]
        return np.ravel_multi_index(at, self.shape).astype(np.int64)


def _atoms(values: Iterable[Value], sets: Sequence[frozenset[Value]]) -> dict[Value, int]:
    """The atom of each value, numbered in the order of the values: two are in one where no set tells them apart."""
    there: dict[Value, list[int]] = {value: [] for value in values}
    for number, some in enumerate(sets):
        for value in sorted(some, key=lambda value: (value is None, value)):
            there.setdefault(value, []).append(number)
    numbers: dict[tuple[int, ...], int] = {}
    return {value: numbers.setdefault(tuple(of), len(numbers)) for value, of in there.items()}
