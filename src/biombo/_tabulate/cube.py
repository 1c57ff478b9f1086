"""All cells of a table of counts: how many records and people each has, and what they have together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from biombo._errors import UsageError
from biombo._tabulate.classification import Classification, Places
from biombo._tabulate.decimals import as_by_hand
from biombo._tabulate.likeness import Likeness

Numbers = NDArray[np.float64]

MOST_CELLS = 20_000_000


@dataclass(frozen=True)
class Range:
    """What a record has in one column, in the whole table."""

    least: float
    most: float
    smallest: float
    """The least that is more than nothing."""

    @classmethod
    def of(cls, amounts: Numbers) -> "Range":
        """Of the amounts of all records."""
        least, most = (float(end) for end in (amounts.min(initial=np.inf), amounts.max(initial=0.0)))
        return cls(min(least, most), most, float(amounts[amounts > 0].min(initial=np.inf)) if most else 1.0)


@dataclass(frozen=True, eq=False)
class Sums:
    """What the records of each cell have together in one column."""

    totals: Numbers
    largest: Numbers
    """By cell and number: what the first, the first two, the first three … that have most have together."""
    likeness: Likeness
    each: Range


@dataclass(frozen=True, eq=False)
class Cube:
    """The cells of a table: one for each combination of categories, totals among them."""

    classifications: tuple[Classification, ...]
    records: Places
    people: Places
    """How many different people have these records; the records themselves where nobody told people apart."""
    most_of_one: Places
    """How many of the records are of whoever has most of them."""
    sums: Mapping[str, Sums]

    @property
    def shape(self) -> tuple[int, ...]:
        """How many categories each column has."""
        return self.records.shape


@dataclass(frozen=True, eq=False)
class Contributions:
    """The records that are counted: tuples of leaves, each for some records of one person."""

    leaves: Sequence[Places]
    """By classification: the leaf of each tuple."""
    records: Places
    person: Places | None
    amounts: Mapping[str, Numbers]
    """By column: what each record of the tuple has; zero where nothing is told."""


def counted(classifications: Sequence[Classification], given: Contributions, largest: int) -> Cube:
    """All cells. Of those that have most of a sum the ``largest`` so many are noted."""
    shape = tuple(len(each) for each in classifications)
    if (cells := prod(shape)) > MOST_CELLS:
        raise UsageError("tabulate.too-many-cells", cells=cells, most=MOST_CELLS)
    records, people, most = (np.zeros(cells, np.int64) for _ in range(3))
    sums = {
        name: Sums(np.zeros(cells), np.zeros((cells, largest)), Likeness.none(cells), Range.of(amounts))
        for name, amounts in given.amounts.items()
    }
    for places in margins(classifications, given.leaves):
        np.add.at(records, places, given.records)
        whose = None if given.person is None else _Whose.of(places, given.person)
        if whose is not None:
            people += np.bincount(whose.cells, minlength=cells)
            np.maximum.at(most, whose.cells, whose.added_up(given.records).astype(np.int64))
        for name, amounts in given.amounts.items():
            _add(sums[name], places, given, amounts, whose)
    if given.person is None:
        people, most = records, np.minimum(records, 1)
    shaped = {
        name: Sums(
            as_by_hand(each.totals, given.amounts[name]).reshape(shape),
            as_by_hand(each.largest.cumsum(axis=1), given.amounts[name]).reshape(*shape, largest),
            each.likeness.shaped(shape),
            each.each,
        )
        for name, each in sums.items()
    }
    return Cube(tuple(classifications), records.reshape(shape), people.reshape(shape), most.reshape(shape), shaped)


def margins(classifications: Sequence[Classification], leaves: Sequence[Places]) -> Iterator[Places]:
    """For each combination of levels, the cell that each tuple is in. No cell is in two of them."""
    shape = tuple(len(each) for each in classifications)
    for levels in product(*(range(each.height + 1) for each in classifications)):
        nodes = [each.ancestors[at, level] for each, at, level in zip(classifications, leaves, levels, strict=True)]
        yield np.ravel_multi_index(nodes, shape).astype(np.int64)


@dataclass(frozen=True, eq=False)
class _Whose:
    """Each person in each cell, found once for all that is added up."""

    cells: Places
    """By person and cell: the cell."""
    of_tuple: Places
    """By tuple: which of these it is of."""

    @classmethod
    def of(cls, places: Places, person: Places) -> "_Whose":
        people = int(person.max(initial=0)) + 1
        pairs, inverse = np.unique(places * people + person, return_inverse=True)
        return cls(pairs // people, inverse.astype(np.int64))

    def added_up(self, amounts: NDArray[Any]) -> Numbers:
        """What each person has in each cell."""
        return np.asarray(np.bincount(self.of_tuple, amounts, len(self.cells)), np.float64)


def _add(sums: Sums, places: Places, given: Contributions, amounts: Numbers, whose: _Whose | None) -> None:
    """Note what cells have together, what those have that have most of it, and what most have."""
    np.add.at(sums.totals, places, amounts * given.records)
    if whose is None:
        where, each, people = places, amounts, given.records
    else:
        where, each = whose.cells, whose.added_up(amounts * given.records)
        people = np.ones(len(where), np.int64)
    order = np.lexsort((-each, where))
    where, each, people = where[order], each[order], people[order]
    sums.likeness.note(where, each, people)
    most = sums.largest.shape[1]
    times = np.minimum(people, most)
    where, each = np.repeat(where, times), np.repeat(each, times)
    turn = np.arange(len(where)) - np.searchsorted(where, where)
    first = turn < most
    sums.largest[where[first], turn[first]] = each[first]
