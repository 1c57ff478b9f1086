"""Whether one column tells what was done away with in another: which value a person has behind what is released.

Three signs are looked for, over the records whose value the release does not show:

- *copy*: both say the same;
- *order*: numbers or dates that rise and fall together where the release shows the same;
- *pinning*: whoever has a value of the one has, nearly always, one finer value of the other, or values within a narrow
  range, though among all whom the release shows alike few do.

Much goes together in a table without the one telling the other: more people of some age have some disease. So pinning
counts where it holds for the column as a whole (a town tells its state), or where most people with the finer value
have the same telling value ("people of 70 to 74 years") and these are more than a few, and only where chance would
hardly bring that about.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import lgamma, log

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._data import Column, written

Amounts = NDArray[np.float64]

_MOST = 0.9
"""The share of values that must be read alike: files have typing errors."""
_DATES = ("%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%Y%m%d", "%d%m%Y")
_FIRST_DAY, _LAST_DAY = -43_800, 65_700
"""Days from 1970 to 1850 and to 2150: what is read as a day beyond them is none."""

Codes = NDArray[np.int64]
Rows = NDArray[np.bool_]

_ALWAYS = 0.95
"""Nearly always: files have typing errors."""
_OFTEN = 0.8
"""What so many have anyway is hardly news."""
_MOSTLY = 0.6
"""Clearly more people with a finer value than not have the telling value."""
_AS_A_WHOLE = 0.7
"""A column tells another as a whole when it pins so many of those of whom it can be known; some are "unknown"."""
_FEW = 0.05
"""The share of those whom the release shows alike up to which single values may tell more."""
_CHANCE = 0.01
"""How likely chance may be, over all values that are looked at."""
_FEWEST = 10
"""Records, and different amounts, by which an order shows."""


@dataclass(frozen=True, eq=False)
class Hidden:
    """A column whose values the release does not show, or shows less finely."""

    name: str
    original: Column
    """Of the released records."""
    shown: Column | None
    """What is released of it; nothing where it is left out, or where what is released need not be true."""
    finer: tuple[Codes, ...] = ()
    """By level below what is released: a number for each record, -1 where it has none; the original values apart."""

    @cached_property
    def at_stake(self) -> Rows:
        """The records that have a value which the release does not show."""
        there = _present(self.original)
        if self.shown is None:
            return there
        hidden: Rows = there & (_codes_in(self.shown, self.original) != self.shown.codes)
        return hidden

    @cached_property
    def groups(self) -> Codes:
        """By record: what the release shows of it."""
        if self.shown is None:
            return np.zeros(len(self.original.codes), np.int64)
        return self.shown.codes.astype(np.int64)

    @cached_property
    def amounts(self) -> Amounts | None:
        """By record, where the values have an order."""
        return _amounts(self.original)


def says_the_same(column: Column, other: Column) -> bool:
    """Do both, of the same records, say the same of each?"""
    return bool((_codes_in(other, column) == other.codes).all())


def is_told_by(hidden: Hidden, column: Column) -> bool:
    """Does ``column``, of the same records, tell the ``hidden`` values more finely than the release does?"""
    stake = hidden.at_stake & _present(column)
    if stake.sum() < 2 or len(np.unique(hidden.original.codes[stake])) < 2:
        return False
    return _copies(hidden, column, stake) or _follows(hidden, column, stake) or _pins(hidden, column, stake)


def _copies(hidden: Hidden, column: Column, stake: Rows) -> bool:
    same = _codes_in(hidden.original, column) == hidden.original.codes
    return bool(same[stake].mean() >= _ALWAYS)


def _follows(hidden: Hidden, column: Column, stake: Rows) -> bool:
    """Spearman's rank correlation within what the release shows alike."""
    told, telling = hidden.amounts, _amounts(column)
    if told is None or telling is None:
        return False
    rows = stake & np.isfinite(told) & np.isfinite(telling)
    groups, first, second = hidden.groups[rows], told[rows], telling[rows]
    if len(groups) < _FEWEST or min(len(np.unique(first)), len(np.unique(second))) < _FEWEST:
        return False
    ranks = [_centred_ranks(amounts, groups) for amounts in (first, second)]
    spread = float(np.sqrt((ranks[0] ** 2).sum() * (ranks[1] ** 2).sum()))
    return spread > 0 and abs(float((ranks[0] * ranks[1]).sum())) / spread >= _ALWAYS


def _centred_ranks(amounts: Amounts, groups: Codes) -> Amounts:
    """The rank of each amount in its group, equal ones alike, less the group's mean rank."""
    order = np.lexsort((amounts, groups))
    starts = np.flatnonzero(np.r_[True, np.diff(groups[order]) != 0])
    ties = np.flatnonzero(np.r_[True, (np.diff(groups[order]) != 0) | (np.diff(amounts[order]) != 0)])
    mean_place = _mean_by(np.arange(len(order), dtype=float), ties)
    centre = _mean_by(np.arange(len(order), dtype=float), starts)
    ranks = np.empty(len(order))
    ranks[order] = mean_place - centre
    return ranks


def _mean_by(numbers: Amounts, starts: NDArray[np.intp]) -> Amounts:
    """For each place, the mean over the run that it is in."""
    sizes = np.diff(np.r_[starts, len(numbers)])
    return np.repeat(np.add.reduceat(numbers, starts) / sizes, sizes)


@dataclass(frozen=True, eq=False)
class _Cells:
    """The records that the release shows alike and that have the same telling value."""

    size: NDArray[np.int64]
    hits: NDArray[np.int64]
    """Of these, the ones with the finer value, or in the range, that most of them have."""
    reach: NDArray[np.int64]
    """How many have that among all whom the release shows alike."""
    shown: NDArray[np.int64]
    """What the release shows of them, by number."""
    group: NDArray[np.int64]
    """How many it shows alike."""
    choices: NDArray[np.int64]
    """Among how many values or ranges that is the best."""
    ranges: bool
    """Are ranges told? Every cell has one; so it counts only where most people in it have the telling value."""

    @cached_property
    def mutual(self) -> Rows:
        """Cells whose telling value most people have who have what it pins."""
        most: Rows = self.hits >= _MOSTLY * self.reach
        return most

    @cached_property
    def pinned(self) -> Rows:
        """Cells that tell something finer."""
        found: Rows = (self.size >= 2) & (self.hits >= _ALWAYS * self.size) & (self.reach <= _OFTEN * self.group)
        return found & self.mutual if self.ranges else found

    @cached_property
    def surprise(self) -> Amounts:
        """−ln of how likely chance pins so many: Fisher's exact test, for the best of all choices.

        Of N people whom the release shows alike m have what is pinned; of n with the telling value at least h do.
        """
        log_of = np.r_[0.0, np.cumsum(np.log(np.arange(1, int(self.group.max()) + 1)))]

        def log_ways(among: NDArray[np.int64], chosen: NDArray[np.int64]) -> Amounts:
            ways: Amounts = log_of[among] - log_of[chosen] - log_of[among - chosen]
            return ways

        hits, missed = self.hits, self.size - self.hits
        others = np.maximum(self.group - self.reach, missed)  # no more miss it than there are who have it not
        chance = log_ways(self.reach, hits) + log_ways(others, missed) - log_ways(self.group, self.size)
        found: Amounts = np.maximum(-chance - np.log((missed + 1) * self.choices), 0)
        return np.where(self.pinned, found, 0)

    @property
    def _tests(self) -> Rows:
        """Cells of which something could have been told."""
        tests: Rows = (self.size >= 2) & (self.size < self.group)
        return tests

    @property
    def tells_most(self) -> bool:
        """Is the hidden column pinned for nearly all of whom it can be known, beyond chance?"""
        known = self._tests
        if not known.any() or self.size[self.pinned & known].sum() < _AS_A_WHOLE * self.size[known].sum():
            return False
        return log_chance(float(self.surprise[known].sum()), int(known.sum())) < log(_CHANCE)

    @property
    def tells_some(self) -> bool:
        """Are there values that pin, and that most people have who have what these pin? A few people in a hundred of
        whom the release shows alike are no matter: that much goes together in every table.
        """
        tests = max(1, int(self._tests.sum()))
        telling = self.pinned & self.mutual & (self.surprise > log(tests / _CHANCE))
        told = np.bincount(self.shown, np.where(telling, self.size, 0))
        return bool((told[self.shown] > _FEW * self.group).any())


def _pins(hidden: Hidden, column: Column, stake: Rows) -> bool:
    groups, telling = hidden.groups[stake], column.codes[stake].astype(np.int64)
    cell = np.unique(groups * (int(telling.max()) + 1) + telling, return_inverse=True)[1].ravel()
    return any(cells.tells_most or cells.tells_some for cells in _all_cells(hidden, stake, cell, groups))


def _all_cells(hidden: Hidden, stake: Rows, cell: Codes, groups: Codes) -> Iterator[_Cells]:
    """By original value, by each finer level, and by ranges."""
    for finer in (hidden.original.codes.astype(np.int64), *hidden.finer):
        yield _by_value(cell, groups, finer[stake])
    if hidden.amounts is not None:
        amounts = hidden.amounts[stake]
        known = np.isfinite(amounts)  # most are: others have no place in an order
        yield _by_range(np.unique(cell[known], return_inverse=True)[1].ravel(), groups[known], amounts[known])


def _by_value(cell: Codes, groups: Codes, finer: Codes) -> _Cells:
    finer, width = finer + 1, int(finer.max()) + 2
    pair, hits = np.unique(cell * width + finer, return_counts=True)
    best = np.lexsort((hits, pair // width))
    last = np.flatnonzero(np.r_[np.diff(pair[best] // width) != 0, True])
    top = best[last]
    size = np.bincount(cell)
    group_of = np.zeros(len(size), np.int64)
    group_of[cell] = groups
    reached, reach = np.unique(groups * width + finer, return_counts=True)
    wanted = group_of * width + pair[top] % width
    choices = np.bincount(reached // width, minlength=int(groups.max()) + 1)
    return _Cells(
        size=size,
        hits=hits[top],
        reach=reach[np.searchsorted(reached, wanted)],
        shown=group_of,
        group=np.bincount(groups)[group_of],
        choices=choices[group_of],
        ranges=False,
    )


def _by_range(cell: Codes, groups: Codes, amounts: Amounts) -> _Cells:
    """The range of each cell without a twentieth of its records at the ends, if it has so many."""
    order = np.lexsort((amounts, cell))
    size = np.bincount(cell)
    starts = np.cumsum(size) - size
    cut = np.floor((1 - _ALWAYS) / 2 * size).astype(np.int64)
    low, high = amounts[order][starts + cut], amounts[order][starts + size - 1 - cut]
    group_of = np.zeros(len(size), np.int64)
    group_of[cell] = groups
    rank = np.unique(amounts, return_inverse=True)[1].ravel()
    values = np.unique(amounts)
    width = len(values) + 1
    in_groups = np.sort(groups * width + rank)
    first = np.searchsorted(in_groups, group_of * width + np.searchsorted(values, low), "left")
    after = np.searchsorted(in_groups, group_of * width + np.searchsorted(values, high), "right")
    distinct = np.bincount(np.unique(in_groups) // width, minlength=int(groups.max()) + 1)[group_of]
    return _Cells(
        size=size,
        hits=size - 2 * cut,
        reach=after - first,
        shown=group_of,
        group=np.bincount(groups)[group_of],
        choices=distinct,
        ranges=True,
    )


def log_chance(surprise: float, tests: int) -> float:
    """ln of how likely so many independent ``tests`` are so surprising together (Fisher 1925).

    The sum of −ln p exceeds x with probability e^−x Σ x^j / j! for j below the number of tests.

    >>> round(log_chance(3.0, 1), 6)
    -3.0
    """
    if surprise <= 0:
        return 0.0
    terms = np.array([j * log(surprise) - lgamma(j + 1) for j in range(tests)])
    largest = float(terms.max())
    return min(0.0, largest + log(float(np.exp(terms - largest).sum())) - surprise)


def _present(column: Column) -> Rows:
    there: Rows = ~column.values.is_null().to_numpy()[column.codes]
    return there


def _codes_in(other: Column, column: Column) -> Codes:
    """The code that ``other`` has for what ``column`` says in each record; -1 where it has none."""
    place = {value: code for code, value in enumerate(written(other.values).to_list())}
    found: Codes = np.array([place.get(value, -1) for value in written(column.values).to_list()])[column.codes]
    return found


def _amounts(column: Column) -> Amounts | None:
    found = amounts_of(column.values)
    return None if found is None else found[column.codes]


def amounts_of(values: pl.Series) -> Amounts | None:
    """A number for each of ``values`` by which they are in order, not a number where there is none; nothing where most
    of them are neither numbers nor dates.

    >>> amounts_of(pl.Series(["02011970", "01021970"])).tolist(), amounts_of(pl.Series(["F", "M"]))
    ([1.0, 31.0], None)
    """
    if values.dtype == pl.String:
        return _of_text(values.str.strip_chars())
    if values.dtype.is_temporal():
        values = values.to_physical()
    return values.cast(pl.Float64).to_numpy() if values.dtype.is_numeric() else None


def _of_text(values: pl.Series) -> Amounts | None:
    for format in _DATES:
        days = values.str.slice(0, 10).str.to_date(format, strict=False).to_physical()
        days = days.set(~days.is_between(_FIRST_DAY, _LAST_DAY), None)
        if _are_most(days, values):
            return days.cast(pl.Float64).to_numpy()
    numbers = values.str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)
    return numbers.to_numpy() if _are_most(numbers, values) else None


def _are_most(read: pl.Series, values: pl.Series) -> bool:
    there = len(values) - values.null_count()
    return there > 0 and len(read) - read.null_count() >= _MOST * there
