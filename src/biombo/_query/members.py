"""Groups of people side by side: which people no group tells apart, and which of these each group has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from biombo._tabulate import Atoms, Group, Marks, Places

MOST_BASE_CELLS = 200_000
"""Combinations of what is told apart, over all columns that were ever asked for."""


@dataclass(frozen=True, eq=False)
class Members:
    """By group and kind of people: does the group have them? No group tells two people of one kind apart."""

    marks: Marks
    atoms: Atoms
    kind_of: Places
    """By base cell."""
    groups: tuple[Group, ...] = ()

    @classmethod
    def of(cls, groups: Sequence[Group], values: Mapping[str, Sequence[str | None]]) -> "Members | None":
        """None where groups tell more apart than can be looked at."""
        atoms = Atoms.of(groups, values)
        if prod(atoms.shape) > MOST_BASE_CELLS:
            return None
        bits = np.zeros((len(atoms), (len(groups) + 7) // 8), np.uint8)
        for place, group in enumerate(groups):
            bits[atoms.base_cells(group), place // 8] |= np.uint8(1 << place % 8)
        kinds, kind_of = np.unique(bits, axis=0, return_inverse=True)
        marks = np.unpackbits(kinds, axis=1, bitorder="little")[:, : len(groups)]
        return cls(marks.T.astype(bool), atoms, kind_of.ravel().astype(np.int64), tuple(groups))

    def named(self, group: Group) -> Marks:
        """The kinds of people with some values, of whom they have all or none."""
        found = np.zeros(self.marks.shape[1], bool)
        found[self.kind_of[self.atoms.base_cells(group)]] = True
        return found

    def kinds(self, values: Mapping[str, Sequence[str | None]], people: int) -> Places:
        """By person, of so many: of which kind they are."""
        places = self.atoms.base_cell_of(values) if self.atoms.columns else np.zeros(people, np.int64)
        return np.asarray(self.kind_of[places], np.int64)


def side_by_side(column: str, values: Sequence[str | None], groups: Sequence[Group]) -> list[frozenset[str | None]]:
    """The values of a column that no group tells apart, together."""
    atoms = Atoms.of([{column: group[column]} for group in groups if column in group], {column: values})
    found: dict[int, set[str | None]] = {}
    for value, atom in atoms.columns[column].items():
        found.setdefault(atom, set()).add(value)
    return [frozenset(each) for each in found.values()]
