"""Tables of the same source as sums of the same unknown numbers, also where the source has grown from one to the next.

When a record came is one more column, which no table shows: a table of the third state of a source counts those that
came in the first, the second or the third. So what is known of several states is no more than what is known of several
tables: nobody ever leaves, or a base cell would have fewer than none.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from biombo._errors import UsageError
from biombo._tabulate.atoms import Atoms, Value
from biombo._tabulate.bounds import System
from biombo._tabulate.classification import Classification, Places
from biombo._tabulate.cube import MOST_CELLS, Numbers
from biombo._tabulate.rules import RECORDS, Marks

MOST_LINKED = 20_000
"""So many base cells may have somebody; where there are more, tables are not linked."""

_ARRIVED = "\0arrived"
"""The column of when a record came; no column of a file is called so."""
_FAR = 100


@dataclass(frozen=True, eq=False)
class LinkedTable:
    """A table, and which values each of its categories holds."""

    state: int
    """Of which state of the source it is, the first being 0."""
    trees: tuple[Classification, ...]
    leaves: tuple[tuple[frozenset[Value], ...], ...]
    """By column: the values of each category without parts. There were no others in that state."""
    values: Mapping[str, Numbers]
    """By measure, records first; sums, and what is left of them, in tables of another state where the new one has them
    as well.
    """
    hidden: Marks
    zeros_shown: bool
    floor: Numbers
    """The records that each cell has at least, as everybody knows, where it is left out."""

    @property
    def shape(self) -> tuple[int, ...]:
        """How many categories each column has."""
        return tuple(map(len, self.trees))

    @property
    def without_parts(self) -> Marks:
        """The cells that have no parts."""
        found = np.ones(self.shape, bool)
        for axis, tree in enumerate(self.trees):
            found &= np.expand_dims(tree.levels == 0, [n for n in range(len(self.trees)) if n != axis])
        return found

    @property
    def implied(self) -> Marks:
        """The cells that are the sum of others which are all shown."""
        found = np.zeros(self.shape, bool)
        for axis, tree in enumerate(self.trees):
            has_parts = np.expand_dims(tree.levels > 0, [n for n in range(len(self.trees)) if n != axis])
            found |= has_parts & (tree.added_up(self.hidden.astype(np.int64), axis) == 0)
        return found


class LinkedTables:
    """Tables, of which the last is the one that is to be published, and the base cells that all of them consist of."""

    def __init__(self, tables: Sequence[LinkedTable], values: Mapping[str, Iterable[Value]], k: int) -> None:
        self.tables = tuple(tables)
        self._k = k
        self.states = 1 + max(table.state for table in tables)
        groups = [
            {tree.column: leaf}
            for table in tables
            for tree, leaves in zip(table.trees, table.leaves, strict=True)
            for leaf in leaves
        ]
        when = [str(state) for state in range(self.states)]
        self.atoms = Atoms.of([*groups, *({_ARRIVED: frozenset([each])} for each in when)], {_ARRIVED: when, **values})
        if len(self.atoms) > MOST_CELLS:
            raise UsageError("tabulate.too-many-groups", cells=len(self.atoms), most=MOST_LINKED)
        self._number = self._numbered()

    def __len__(self) -> int:
        """How many base cells may have somebody."""
        return int(self._number.max(initial=-1)) + 1

    @property
    def new(self) -> LinkedTable:
        """The table that is to be published."""
        return self.tables[-1]

    @property
    def groups(self) -> int:
        """How many base cells there are of records that came at one time."""
        return len(self.atoms) // self.states

    @cached_property
    def cells(self) -> list[list[Places]]:
        """By table and cell: the base cells that it has."""
        return [[*self._places(table, range(table.state + 1))] for table in self.tables]

    def grown(self, table: LinkedTable, before: int, after: int) -> Iterator[Places]:
        """By cell of a table: the base cells of those that came after one state and up to another."""
        yield from self._places(table, range(before + 1, after + 1))

    def of_group(self, group: int, state: int, since: int = 0) -> Places:
        """The base cells of one combination of values in a state, or of those of them that came with an earlier one or
        after it.
        """
        found = self._number[group + self.groups * np.arange(since, state + 1)]
        return found[found >= 0]

    def system(self, measure: str, hidden: Marks | None) -> System:
        """What everybody knows by the tables, where cells of the new one are ``hidden``, or without that one. Base
        cells end far beyond what all have together, so that every end is somewhere.
        """
        known = [*self._equal(measure, hidden), *self._floors(measure, hidden)]
        sums = [places for places, _, _ in known]
        low, high = (np.array([each[end] for each in known], np.float64) for end in (1, 2))
        most = [np.nanmax(each, initial=0.0) for _, _, each, _ in self._measured(measure, self.new.hidden)]
        ceiling = np.full(len(self), _FAR * (self._k + max(most, default=0.0)))
        if hidden is not None:
            ceiling[self._empty] = 0.0
        return System.of_sums(sums, low, high, np.zeros(len(self)), ceiling)

    @cached_property
    def _empty(self) -> Places:
        """The base cells in which nobody is by the new table: those of cells that it shows to be empty, and those of
        categories that it does not have.
        """
        empty = np.flatnonzero((self.new.values[RECORDS] == 0) & self.new.zeros_shown)
        without = self._number[np.concatenate([np.zeros(0, np.int64), *self._without_category(self.new)])]
        return np.concatenate([without[without >= 0], *(self.cells[-1][cell] for cell in empty)])

    def _without_category(self, table: LinkedTable) -> Iterator[Places]:
        """By column: the base cells whose values have no category in a table, so that nobody had them by its state."""
        came = frozenset(map(str, range(table.state + 1)))
        for tree, leaves in zip(table.trees, table.leaves, strict=True):
            outside = frozenset(self.atoms.columns[tree.column]).difference(*leaves)
            yield self.atoms.base_cells({tree.column: outside, _ARRIVED: came})

    def _measured(
        self, measure: str, hidden: Marks | None
    ) -> Iterator[tuple[LinkedTable, list[Places], Numbers, Marks]]:
        """The tables that show a measure, with which of their cells are left out."""
        for table, places in zip(self.tables, self.cells, strict=True):
            out = hidden if table is self.new else table.hidden
            if measure in table.values and out is not None:
                yield table, places, table.values[measure], out

    def _equal(self, measure: str, hidden: Marks | None) -> Iterator[tuple[Places, float, float]]:
        """Cells that are shown, and are not the sum of others that are."""
        for table, places, values, out in self._measured(measure, hidden):
            for cell in np.flatnonzero(~out & ~replace(table, hidden=out).implied):
                yield places[cell], float(values.flat[cell]), float(values.flat[cell])

    def _floors(self, measure: str, hidden: Marks | None) -> Iterator[tuple[Places, float, float]]:
        """Cells left out of which everybody knows that somebody is there, or k people are."""
        for table, places, _, out in self._measured(measure, hidden) if measure == RECORDS else ():
            told = (table.floor > 1) | (table.without_parts & (table.floor > 0))
            for cell in np.flatnonzero(out & told):
                yield places[cell], float(table.floor.flat[cell]), np.inf

    def _numbered(self) -> Places:
        """By base cell of the whole product: its number among those that may have somebody by the earlier tables, else
        -1.
        """
        possible = np.ones(len(self.atoms), bool)
        number = np.arange(len(self.atoms))
        for table in self.tables[:-1]:
            empty = np.flatnonzero(~table.hidden & (table.values[RECORDS] == 0))
            shown = self._places(table, range(table.state + 1), number, empty)
            for places in (*self._without_category(table), *shown):
                possible[places] = False
        if (cells := int(possible.sum())) > MOST_LINKED:
            raise UsageError("tabulate.too-many-groups", cells=cells, most=MOST_LINKED)
        return np.where(possible, np.cumsum(possible) - 1, -1)

    def _places(
        self, table: LinkedTable, came: Iterable[int], number: Places | None = None, cells: Places | None = None
    ) -> Iterator[Places]:
        """By cell of a table: the numbers of the base cells that it has of those who came at these times."""
        number = self._number if number is None else number
        sides = self._sides(table)
        when = np.array([*came], np.int64)
        whole = [np.arange(size) for size in self.atoms.shape]
        names = [*self.atoms.columns]
        cells = np.arange(int(np.prod(table.shape))) if cells is None else cells
        for cell in cells:
            at = np.unravel_index(cell, table.shape)
            each = [when, *whole[1:]]
            for tree, side, category in zip(table.trees, sides, at, strict=True):
                each[names.index(tree.column)] = side[category]
            found = number[np.ravel_multi_index(np.ix_(*each), self.atoms.shape).ravel()]
            yield found[found >= 0]

    def _sides(self, table: LinkedTable) -> list[list[Places]]:
        """By column and category: its atoms."""
        found = []
        for tree, leaves in zip(table.trees, table.leaves, strict=True):
            of = self.atoms.columns[tree.column]
            atoms = [np.array(sorted({of[value] for value in leaf}), np.int64) for leaf in leaves]
            found.append([np.concatenate([atoms[leaf] for leaf in tree.leaves_under(n)]) for n in range(len(tree))])
        return found
