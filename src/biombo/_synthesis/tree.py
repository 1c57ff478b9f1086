"""A tree of columns, each drawn by the value of one other: the model of Chow and Liu (1968), from counted pairs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Counts
from biombo._engine import Randomness
from biombo._synthesis.scale import Fitted, Places, holders_of

Floats = NDArray[np.float64]
Edge = tuple[str, str | None]
"""A column, and what it is drawn by, if anything: another column, or several, with commas between them."""


@dataclass(frozen=True, eq=False)
class Link:
    """How a column is drawn."""

    column: str
    parents: Mapping[str, int]
    """The columns that it is drawn by, each with how many places it has."""
    chances: Floats
    """A row for each combination of the parents' places, in their order, and a last one for records without a place in
    one of them; a column for each place."""

    @property
    def edge(self) -> Edge:
        """The column, and what it is drawn by."""
        return self.column, ", ".join(self.parents) or None

    def rows(self, records: int, found: Mapping[str, Places]) -> Places:
        """Which row of chances each record has; −1 is the last one."""
        rows, known = np.zeros(records, np.int64), np.full(records, bool(self.parents))
        for name, size in self.parents.items():
            known &= found[name] >= 0
            rows = rows * size + found[name]
        return np.where(known, rows, -1)


@dataclass(frozen=True, eq=False)
class TreeModel:
    """Columns in the order in which they are drawn."""

    links: tuple[Link, ...]

    def drawn(self, records: int, random: Randomness, kept: Mapping[str, Places]) -> dict[str, Places]:
        """Places of so many records, beside those of columns that are ``kept``."""
        found = dict(kept)
        for link in self.links:
            found[link.column] = _drawn(link.chances, link.rows(records, found), random)
        return {link.column: found[link.column] for link in self.links}


def _drawn(chances: Floats, rows: Places, random: Randomness) -> Places:
    """A column for each of the ``rows``, by its chances there; −1 is the last row."""
    found, luck = np.empty(len(rows), np.int64), random.uniform(len(rows))
    order = np.argsort(rows, kind="stable")
    there, first = np.unique(rows[order], return_index=True)
    for row, records in zip(there, np.split(order, first)[1:], strict=True):
        up_to = np.cumsum(chances[row])
        found[records] = np.searchsorted(up_to / up_to[-1], luck[records], side="right")
    return found


def mutual_information(table: Counts | Floats) -> float:
    """I = Σ p(x, y) ln(p(x, y) / p(x) p(y)), from how often two columns have which values together.

    Chance makes it (r − 1)(c − 1) / 2n too large on average, for r and c values among n records (Miller 1955), which is
    taken off, or columns of many values would seem to go together with everything.

    >>> round(mutual_information(np.array([[500, 0], [0, 500]])), 3), mutual_information(np.array([[5, 5], [5, 5]]))
    (0.693, 0.0)
    """
    n = float(table.sum())
    if n <= 0:
        return 0.0
    joint = table / n
    rows, columns = joint.sum(axis=1), joint.sum(axis=0)
    there = joint > 0
    apart = np.outer(rows, columns)
    found = float((joint[there] * np.log(joint[there] / apart[there])).sum())
    return max(0.0, found - (int((rows > 0).sum()) - 1) * (int((columns > 0).sum()) - 1) / (2 * n))


def spanned(columns: Sequence[str], kept: Sequence[str], weight: Callable[[str, str], float]) -> list[Edge]:
    """The tree of the largest sum of weights, from the columns that are ``kept``, or from the first: each further
    column hangs on one that is there already (Prim 1957).

    >>> likes = {frozenset("ab"): 1.0, frozenset("bc"): 3.0, frozenset("ac"): 2.0}
    >>> spanned("abc", "", lambda x, y: likes[frozenset(x + y)])
    [('a', None), ('c', 'a'), ('b', 'c')]
    """
    waiting, there, edges = list(columns), list(kept), list[Edge]()
    if waiting and not there:
        there.append(waiting.pop(0))
        edges.append((there[0], None))
    best = {name: max(((weight(name, each), each) for each in there), key=lambda pair: pair[0]) for name in waiting}
    while waiting:
        name = max(waiting, key=lambda each: best[each][0])
        edges.append((name, best[name][1]))
        waiting.remove(name)
        for each in waiting:
            if (further := weight(each, name)) > best[each][0]:
                best[each] = further, name
    return edges


@dataclass(frozen=True, eq=False)
class Pairs:
    """Columns on their scales, counted two at a time."""

    columns: Mapping[str, Fitted]
    people: Counts | None
    """The person of each record, where a person may have several."""

    def counted(self, first: str, second: str) -> Counts:
        """How many records have each place of one column together with each of the other."""
        a, b = self.columns[first], self.columns[second]
        both = (a.places >= 0) & (b.places >= 0)
        cells = np.bincount(a.places[both] * b.scale.size + b.places[both], minlength=a.scale.size * b.scale.size)
        return cells.reshape(a.scale.size, b.scale.size)

    def held(self, first: str, second: str) -> Counts:
        """The same for people."""
        if self.people is None:
            return self.counted(first, second)
        a, b = self.columns[first], self.columns[second]
        both = (a.places >= 0) & (b.places >= 0)
        cells = a.places[both] * b.scale.size + b.places[both]
        size = a.scale.size * b.scale.size
        return holders_of(cells, self.people[both], size).reshape(a.scale.size, b.scale.size)

    def information(self, first: str, second: str) -> float:
        """How much one column tells of the other."""
        return mutual_information(self.counted(first, second))


def tree_of(pairs: Pairs, columns: Sequence[str], kept: Sequence[str], k: int) -> TreeModel:
    """The tree model of ``columns``, given those that are ``kept``.

    No combination of a column with the one that it is drawn by has a chance where fewer than k people have it. Where
    that leaves nothing for a value, the column is drawn as for everybody.
    """
    edges = spanned(columns, kept, pairs.information)
    sizes = {name: column.scale.size for name, column in pairs.columns.items()}
    return TreeModel(tuple(Link(name, _of(parent, sizes), _chances(pairs, name, parent, k)) for name, parent in edges))


def _of(parent: str | None, sizes: Mapping[str, int]) -> dict[str, int]:
    return {} if parent is None else {parent: sizes[parent]}


def _chances(pairs: Pairs, name: str, parent: str | None, k: int) -> Floats:
    column = pairs.columns[name]
    alone = np.bincount(column.places[column.places >= 0], minlength=column.scale.size).astype(np.float64)
    if parent is None:
        return alone[None, :]
    cells = np.where(pairs.held(parent, name) >= k, pairs.counted(parent, name), 0).astype(np.float64)
    cells[cells.sum(axis=1) == 0] = alone
    return np.vstack([cells, alone])
