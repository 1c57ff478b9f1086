"""The categories of one column that everybody may know of; they are settled before anything is asked of the column."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from biombo._data import ColumnSchema
from biombo._errors import ColumnError
from biombo._hierarchy import Hierarchy
from biombo._i18n import text
from biombo._plan import SelectRecords
from biombo._tabulate import Places, refuse_words

Leaves = frozenset[str | None]
"""Categories that are told apart no further, by their numbers."""


@dataclass(frozen=True)
class Leaf:
    """A category that is told apart no further."""

    labels: tuple[str | None, ...]
    """What it is at each level from ``unlisted`` up; nothing where the value is missing."""
    unlisted: int = 0
    """So many of the lowest levels do not list it: it is all that has no category of its own there."""

    def at(self, level: int) -> tuple[bool, tuple[str | None, ...]]:
        """What it is at a level: the same for those that are not told apart there."""
        return self.unlisted > level, self.labels[max(0, level - self.unlisted) :]

    def label(self, level: int) -> str:
        """What people call it at a level."""
        is_other, labels = self.at(level)
        named = [text("tabulate.missing") if each is None else each for each in labels[:1]]
        return " · ".join([text("tabulate.other"), *named]) if is_other else named[0]


@dataclass(frozen=True)
class Categories:
    """All leaves of a column. Those of every value that is missing, and of whatever is not listed, are always there,
    unless somebody says that there is nothing but what is listed.
    """

    column: str
    levels: int
    """How many levels there are, the column as it is among them."""
    leaves: tuple[Leaf, ...]
    is_declared: bool
    """Does somebody list the values? Then a list tells nothing of the data; else each category listed has k people."""
    document: Any = None
    """The hierarchy, as it was when the categories were settled."""

    @classmethod
    def complete(cls, column: str, values: Sequence[str], hierarchy: Hierarchy | None) -> "Categories":
        """What is listed is there, whether anybody has it or not, and nothing else is; an empty text is missing."""
        leaves = [Leaf(_chain(value or None, hierarchy)) for value in values]
        known = [leaf for leaf in leaves if leaf.labels and leaf.labels[0] is not None]
        found = cls._of(column, known, hierarchy, is_declared=True)
        return replace(found, leaves=tuple(leaf for leaf in found.leaves if leaf in leaves))

    @classmethod
    def declared(cls, column: str, values: Sequence[str], hierarchy: Hierarchy | None) -> "Categories":
        """What is listed is there, whether anybody has it or not."""
        leaves = [Leaf(_chain(value, hierarchy)) for value in values]
        return cls._of(column, leaves, hierarchy, is_declared=True)

    @classmethod
    def found(
        cls,
        column: str,
        values: Sequence[str | None],
        hierarchy: Hierarchy | None,
        k: int,
        people: Callable[[Places], Places],
    ) -> "Categories":
        """What ``k`` people have is there, and in it room for what fewer have, whether there is any or not. How many
        ``people`` some values have together is asked by group.
        """
        chains = [_chain(value, hierarchy) for value in values]
        leaves: list[Leaf] = []
        for level in range(len(_chain(None, hierarchy))):
            numbers: dict[tuple[str | None, ...], int] = {}
            group = np.array([numbers.setdefault(chain[level:], len(numbers)) for chain in chains], np.int64)
            many = people(group) >= k if len(group) else np.zeros(0, bool)
            listed = [labels for labels, number in numbers.items() if many[number] and labels and labels[0] is not None]
            leaves += [Leaf(labels, level) for labels in listed]
        return cls._of(column, leaves, hierarchy, is_declared=False)

    @classmethod
    def _of(
        cls, column: str, listed: Sequence[Leaf], hierarchy: Hierarchy | None, *, is_declared: bool
    ) -> "Categories":
        refuse_words(column, [tuple(label for label in leaf.labels if label is not None) for leaf in listed])
        missing = _chain(None, hierarchy)
        always = Leaf(missing), Leaf((), len(missing))
        document = None if hierarchy is None else hierarchy.to_tree()
        leaves = (*sorted(dict.fromkeys(listed), key=_order), *always)
        return cls(column, len(missing), leaves, is_declared, document)

    @cached_property
    def hierarchy(self) -> Hierarchy | None:
        """The hierarchy by which values are in categories."""
        return None if self.document is None else Hierarchy.load(self.document)

    def refuse_other(self, hierarchy: Hierarchy | None) -> None:
        """Raise where the column has another hierarchy by now."""
        hashes = [None if each is None else each.content_hash() for each in (self.hierarchy, hierarchy)]
        if hashes[0] != hashes[1]:
            raise ColumnError("query.other-hierarchy", column=self.column)

    @cached_property
    def _places(self) -> dict[Leaf, str]:
        return {leaf: str(place) for place, leaf in enumerate(self.leaves)}

    @property
    def names(self) -> list[str]:
        """The number of each leaf, as groups name it."""
        return [*self._places.values()]

    def of(self, value: str | None) -> str:
        """The leaf that a value of the table is in."""
        chain = _chain(value, self.hierarchy)
        leaves = [*(Leaf(chain[unlisted:], unlisted) for unlisted in range(len(chain))), Leaf((), self.levels)]
        place = next((self._places[leaf] for leaf in leaves if leaf in self._places), None)
        if place is None:
            raise ColumnError("query.not-complete", column=self.column)
        return place

    def at(self, level: int, within: Leaves | None = None) -> list[tuple[str, Leaves]]:
        """The categories at a level, as people call them; of those ``within`` some leaves, what is in these."""
        return [(leaf.label(level), leaves) for leaf, leaves in self.groups(level, within)]

    def groups(self, level: int, within: Leaves | None = None) -> list[tuple[Leaf, Leaves]]:
        """The same, each by a leaf of it: what it is called is a matter of language."""
        groups: dict[Any, list[Leaf]] = {}
        for leaf, place in self._places.items():
            if within is None or place in within:
                groups.setdefault(leaf.at(level), []).append(leaf)
        return [(some[0], frozenset(map(self._places.__getitem__, some))) for some in groups.values()]

    def selected(self, condition: Any) -> Leaves:
        """The leaves whose values meet a condition. Raises where it names what is not listed, or where what is not
        listed could meet it: those who have that would be left out.
        """
        (asked,) = SelectRecords({self.column: condition}).where.values()
        found = [self._meeting(each) for each in (asked if isinstance(asked, tuple) else [asked])]
        if not all(found):
            raise ColumnError("query.none-meant", column=self.column)
        return frozenset(place for each in found for place in each)

    def _meeting(self, condition: Any) -> Leaves:
        values = {place: leaf.labels[0] for leaf, place in self._places.items() if not leaf.unlisted}
        batch = pa.RecordBatch.from_pydict({self.column: pa.array([*values.values()], pa.string())})
        meets = SelectRecords({self.column: condition}).meeting()(batch)
        found = frozenset(place for place, is_meant in zip(values, meets, strict=True) if is_meant)
        others = frozenset(self.names) - values.keys()
        if not others or isinstance(condition, str) or condition == {"missing": True}:
            return found
        if condition == {"missing": False}:
            return found | others
        raise ColumnError("query.unlisted-meant", column=self.column)

    def _listed(self) -> list[tuple[int, Leaves]]:
        """The categories that are listed because k people have them, with their levels."""
        keys = [(level, leaf.at(level)) for level in range(self.levels) for leaf in self.leaves]
        listed = [(level, key) for level, key in dict.fromkeys(keys) if not key[0] and key[1][0] is not None]
        return [
            (level, frozenset(place for leaf, place in self._places.items() if leaf.at(level) == key))
            for level, key in listed
            if not self.is_declared
        ]

    def crossing(self, sets: Sequence[Leaves]) -> list[Leaves]:
        """The listed categories that have a part of one of some sets that lie side by side, and of another one too."""
        return [
            category
            for _, category in self._listed()
            if any(category & each and category - each and each - category for each in sets)
        ]

    def least(self, some: Leaves, k: int) -> int:
        """How many people leaves that nobody tells apart have at least, as everybody knows since categories are listed:
        what is listed has k, and what it has in it if that is more.
        """
        needed = dict.fromkeys(some, 0)
        for _, category in sorted(self._listed(), key=lambda each: each[0]):
            if category <= some:
                short = k - sum(needed[leaf] for leaf in category)
                needed[next(iter(sorted(category)))] += max(0, short)  # type: ignore[type-var]
        return sum(needed.values())

    def to_tree(self) -> dict[str, Any]:
        """As plain values."""
        leaves = [[leaf.unlisted, *leaf.labels] for leaf in self.leaves]
        tree = {"column": self.column, "levels": self.levels, "declared": self.is_declared, "leaves": leaves}
        return tree | {"hierarchy": self.document}

    @classmethod
    def from_tree(cls, tree: Mapping[str, Any]) -> "Categories":
        """What was written down."""
        leaves = tuple(Leaf(tuple(labels), int(unlisted)) for unlisted, *labels in tree["leaves"])
        return cls(str(tree["column"]), int(tree["levels"]), leaves, bool(tree["declared"]), tree["hierarchy"])


def public_categories(column: ColumnSchema, name: str, hierarchy: Hierarchy | None) -> Categories | None:
    """The categories of a column that somebody vouches for or lists; none where only the data tell what there is."""
    if column.domain is not None:
        return Categories.complete(name, column.domain, hierarchy)
    listed = _listed_values(column, hierarchy)
    return None if listed is None else Categories.declared(name, listed, hierarchy)


def _listed_values(column: ColumnSchema, hierarchy: Hierarchy | None) -> Sequence[str] | None:
    """Values that a column can have, where some are known without looking at any data."""
    if hierarchy is not None:
        return None if hierarchy.values is None else sorted(hierarchy.values)
    return sorted(column.values) or None


def _chain(value: str | None, hierarchy: Hierarchy | None) -> tuple[str | None, ...]:
    """What a value is at each level below the one at which all are one: missing at all where it is, and nothing where
    the hierarchy has no place for it.
    """
    if hierarchy is None:
        return (value,)
    levels = range(hierarchy.height + (0 if hierarchy.has_top else 1))
    if value is None:
        return (None,) * len(levels)
    if not hierarchy.knows(value):
        return ()
    return tuple(hierarchy.generalised(value, level) for level in levels)


def _order(leaf: Leaf) -> Any:
    """Categories stand by what they are part of, others last, and numbers in them by their size."""
    labels = [label or "" for label in reversed(leaf.labels)]
    inside = [(0, len(label) if label.isdecimal() else 0, label) for label in labels]
    return [*inside, *[(1,)] * bool(leaf.unlisted)]
