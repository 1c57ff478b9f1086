"""A question about a table that stays inside: which records are counted, and by what."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from math import prod
from typing import Any

from biombo._errors import UsageError
from biombo._query.categories import Categories, Leaf, Leaves
from biombo._tabulate import Group

MOST_CELLS = 1000
"""Cells of one question."""


@dataclass(frozen=True)
class Question:
    """How many people are in each category of some columns, and what they have on average.

    >>> Question({"sex": 0}, where={"city": "A"}).columns
    ['sex', 'city']
    """

    by: Mapping[str, int] = field(default_factory=dict)
    """By column: the level of its hierarchy."""
    mean: str | None = None
    """The column whose mean is asked for."""
    where: Mapping[str, Any] | None = None
    """The only records that are asked about."""
    totals: bool = False
    """Are the totals over each column asked for as well?"""

    @property
    def columns(self) -> list[str]:
        """The columns that it takes to tell cells apart."""
        return [*dict.fromkeys([*self.by, *(self.where or {})])]

    def cells(self, categories: Mapping[str, Categories]) -> list["Cell"]:
        """Its cells, in the order in which they are answered: totals before what they are totals of."""
        within = {column: categories[column].selected(each) for column, each in (self.where or {}).items()}
        listed = {column: categories[column].groups(level, within.get(column)) for column, level in self.by.items()}
        shown = self._sets()
        if (number := sum(prod(len(listed[column]) for column in columns) for columns in shown)) > MOST_CELLS:
            raise UsageError("query.too-many-cells", cells=number, most=MOST_CELLS)
        return [
            Cell(self._leaves(columns, chosen), within | _groups(columns, chosen))
            for columns in shown
            for chosen in product(*(listed[column] for column in columns))
        ]

    def _leaves(self, columns: Sequence[str], chosen: Sequence[tuple[Leaf, Leaves]]) -> dict[str, tuple[Leaf, int]]:
        return {column: (leaf, self.by[column]) for column, (leaf, _) in zip(columns, chosen, strict=True)}

    def _sets(self) -> list[tuple[str, ...]]:
        """The sets of columns that are told apart together."""
        sizes = range(len(self.by) + 1) if self.totals else [len(self.by)]
        return [columns for size in sizes for columns in combinations(self.by, size)]

    def to_tree(self) -> dict[str, Any]:
        """As plain values."""
        where = None if self.where is None else {column: _plain(each) for column, each in self.where.items()}
        return {"by": dict(self.by), "mean": self.mean, "where": where, "totals": self.totals}

    @classmethod
    def from_tree(cls, tree: Mapping[str, Any]) -> "Question":
        """What was written down."""
        return cls(tree["by"], tree["mean"], tree["where"], tree["totals"])


@dataclass(frozen=True)
class Cell:
    """The records of one category of each column."""

    leaves: Mapping[str, tuple[Leaf, int]]
    """By column: the category, by a leaf of it and the level; a column of which all are meant is not named."""
    group: Group

    @property
    def labels(self) -> dict[str, str]:
        """By column: what the category is called, in the language in use."""
        return {column: leaf.label(level) for column, (leaf, level) in self.leaves.items()}


def _groups(columns: Sequence[str], chosen: Sequence[tuple[Leaf, Leaves]]) -> dict[str, Leaves]:
    return {column: group for column, (_, group) in zip(columns, chosen, strict=True)}


def _plain(condition: Any) -> Any:
    """A condition as JSON has it."""
    if isinstance(condition, Mapping):
        return {name: _plain(each) for name, each in condition.items()}
    return [*condition] if isinstance(condition, tuple | list | set | frozenset) else condition
