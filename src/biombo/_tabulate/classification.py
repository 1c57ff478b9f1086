"""The categories of one column of a table of counts: what is counted apart, what adds up to what, and the total."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from re import compile as pattern
from typing import Any

import numpy as np
from numpy.typing import NDArray

from biombo._data import Column, written
from biombo._errors import ColumnError, UsageError, shortened
from biombo._hierarchy import Hierarchy
from biombo._i18n import text
from biombo._tabulate.public_lists import PublicList, row_of

Places = NDArray[np.int64]

_DIGITS = pattern(r"(\d+)")


@dataclass(frozen=True, eq=False)
class Classification:
    """A tree of categories. All leaves are on the first level, the total is alone on the last."""

    column: str
    labels: tuple[str, ...]
    """What each category is called, level by level."""
    levels: Places
    """The level that each category is on, 0 being the finest."""
    parents: Places
    """The category of the next level that each is part of; -1 for the total."""
    frequent: tuple[int, ...] = ()
    """The categories that are in no public list: as everybody knows, they are there because k people have them."""

    @classmethod
    def of_levels(cls, column: str, lists: Sequence[Sequence[str]], above: Sequence[Sequence[int]]) -> "Classification":
        """The tree of categories that are listed level by level, the finest first, with the place in the next list of
        what each is part of. The total is put on top.

        >>> Classification.of_levels("city", [["Rio", "Niterói", "Santos"], ["RJ", "SP"]], [[0, 0, 1]]).labels
        ('Rio', 'Niterói', 'Santos', 'RJ', 'SP', 'Total')
        """
        lists = [*lists, [text("tabulate.total")]]
        above = [*above, [0] * len(lists[-2])]
        starts = np.cumsum([0, *map(len, lists)])
        parents = [start + np.asarray(places, np.int64) for start, places in zip(starts[1:], above, strict=False)]
        return cls(
            column,
            tuple(label for labels in lists for label in labels),
            np.repeat(np.arange(len(lists)), [len(labels) for labels in lists]),
            np.concatenate([*parents, [-1]]).astype(np.int64),
        )

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def leaves(self) -> int:
        """How many categories there are that have no parts."""
        return int(np.count_nonzero(self.levels == 0))

    @property
    def root(self) -> int:
        """The total."""
        return len(self) - 1

    @property
    def height(self) -> int:
        """The level of the total."""
        return int(self.levels[-1])

    @cached_property
    def ancestors(self) -> Places:
        """By leaf and level: the category on that level that the leaf is part of."""
        found = [np.arange(self.leaves)]
        for _ in range(self.height):
            found.append(self.parents[found[-1]])
        return np.stack(found, axis=1)

    def path(self, leaf: int, level: int) -> Places:
        """The categories that a leaf is part of, itself first, below a level."""
        return self.ancestors[leaf, :level]

    def leaves_under(self, category: int) -> Places:
        """The leaves that a category consists of."""
        return np.flatnonzero(self.ancestors[:, self.levels[category]] == category)

    def added_up(self, values: NDArray[Any], axis: int) -> NDArray[Any]:
        """For each category, along an axis of ``values``, what its parts have together; nothing for a leaf."""
        moved = np.moveaxis(values, axis, 0)
        sums = np.zeros_like(moved)
        np.add.at(sums, self.parents[:-1], moved[:-1])
        return np.moveaxis(sums, 0, axis)


def classified(
    column: Column,
    levels: Sequence[int],
    hierarchy: Hierarchy | None,
    k: int,
    people: Callable[[Places], Places],
    public: PublicList | None = None,
) -> tuple[Classification, Places]:
    """The categories of a column at some ``levels`` of its hierarchy, and the leaf of each of its codes.

    Categories that fewer than ``k`` people have in all are counted together, unless it is ``public`` that there are
    such: that they are there at all depends on these people. How many ``people`` some codes have together is asked by
    group.
    """
    values = written(column.values).to_list()
    if hierarchy is None and list(levels) != [0]:
        raise UsageError("tabulate.no-hierarchy", column=column.name)
    others = [text("tabulate.other")] * len(levels)
    is_closed = public is not None and public.is_closed
    if hierarchy is not None and not is_closed:
        _refuse_unknown(values, column.name, hierarchy)
    told = {value: row_of(value, levels, hierarchy) for value in values}
    rows = [row for value, row in told.items() if value is not None and row is not None]
    refuse_words(column.name, [*(row for row in rows if not is_closed or _is_listed(public, row)), *_named(public)])
    named = [list(told[value] or others) for value in values]
    if public is not None and is_closed:
        named = [row if public.has(row) else others for row in named]
    else:
        _gather(named, k, people, public)
    shown = {*map(tuple, named), *(public.rows if public else ()), *([tuple(others)] if is_closed else [])}
    lists = [sorted({row[place:] for row in shown}, key=_order) for place in range(len(levels))]
    places = [{row: place for place, row in enumerate(each)} for each in lists]
    above = [[places[level + 1][row[1:]] for row in each] for level, each in enumerate(lists[:-1])]
    tree = Classification.of_levels(column.name, [[row[0] for row in each] for each in lists], above)
    tails = [tail for each in lists for tail in each]
    frequent = [place for place, tail in enumerate(tails) if tail[0] != others[0] and not _is_listed(public, tail)]
    return replace(tree, frequent=tuple(frequent)), np.array([places[0][tuple(row)] for row in named], np.int64)


def _gather(rows: list[list[str]], k: int, people: Callable[[Places], Places], public: PublicList | None) -> None:
    """Put what too few people have under one name, from the highest level down; what is ``public`` stays."""
    other = text("tabulate.other")
    for level in reversed(range(len(rows[0]) if rows else 0)):
        numbers: dict[tuple[str, ...], int] = {}
        group = np.array([numbers.setdefault(tuple(row[level:]), len(numbers)) for row in rows], np.int64)
        few = people(group) < k
        for row, number in zip(rows, group, strict=True):
            if few[number] and not _is_listed(public, row[level:]):
                row[: level + 1] = [other] * (level + 1)


def _is_listed(public: PublicList | None, row: Sequence[str]) -> bool:
    return public is not None and public.has(row)


def _named(public: PublicList | None) -> list[tuple[str, ...]]:
    """The rows of a list but that of a missing value."""
    missing = text("tabulate.missing")
    return [] if public is None else [row for row in public.rows if set(row) != {missing}]


def refuse_words(column: str, rows: Sequence[tuple[str, ...]]) -> None:
    """Raise where a category is called like something that the table itself says."""
    words = {text(f"tabulate.{word}") for word in ("total", "missing", "other")}
    for label in sorted(words.intersection(label for row in rows for label in row)):
        raise ColumnError("tabulate.word-as-value", column=column, value=label)


def _refuse_unknown(values: list[str | None], column: str, hierarchy: Hierarchy) -> None:
    """Raise where the hierarchy has no place for a value."""
    unknown = [value for value in values if value is not None and not hierarchy.knows(value)]
    if unknown:
        raise ColumnError("attack.not-in-hierarchy", column=column, count=len(unknown), values=shortened(unknown, 5))


def _order(row: tuple[str, ...]) -> list[list[tuple[int, str]]]:
    """Categories stand by what they are part of, and numbers in them by their size."""
    return [
        [(len(part), part) if part.isdecimal() else (0, part) for part in _DIGITS.split(label)]
        for label in reversed(row)
    ]
