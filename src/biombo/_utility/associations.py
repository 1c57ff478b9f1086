"""Which columns went together before, and still do: the idea of the UPD-Matrix (Wang et al. 2018).

A measure is 0 where two columns do not go together at all, and 1 (or −1) where they do as one. A column with a single
value goes together with nothing, so every measure is 0 there.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Counts, records_of, tallied
from biombo._data import Column, Dataset
from biombo._utility.column_view import ColumnView, Floats, column_view, reads_as_numbers
from biombo._utility.tables import Tables

Measure = Literal["cramers-v", "correlation-ratio", "pearson"]
Numbered = NDArray[np.integer]
"""A number from 0 for each record, the same for the same value."""

_DIGITS = 12
"""Sums differ behind these digits with the order of the records; what is equal must look equal."""
_DENSE = 1 << 22
"""Cells of a table of two columns that are counted in place; larger tables are sorted."""


@dataclass(frozen=True)
class Association:
    """How strongly two columns go together in the original and in the release, by the same measure."""

    first: str
    second: str
    measure: Measure
    """Cramér's V between categories, Pearson's correlation between amounts, the correlation ratio between both."""
    original: float
    release: float
    ranks: tuple[float, float] | None = None
    """Between amounts: Spearman's correlation in the original and in the release."""

    @property
    def difference(self) -> float:
        """Original less release: what is positive was lost, what is negative was not there before."""
        return round(self.original - self.release, _DIGITS)


@dataclass(frozen=True)
class Associations:
    """All pairs of columns that both tables have."""

    columns: tuple[str, ...]
    pairs: tuple[Association, ...]

    def matrix(self) -> list[list[float]]:
        """Original less release for each two columns, in the order of ``columns``; 0 for a column with itself."""
        place = {name: i for i, name in enumerate(self.columns)}
        matrix = [[0.0] * len(place) for _ in place]
        for pair in self.pairs:
            i, j = place[pair.first], place[pair.second]
            matrix[i][j] = matrix[j][i] = pair.difference
        return matrix

    def heat_map(self) -> list[dict[str, Any]]:
        """A row for each cell of the matrix off its diagonal, for charts."""
        return [
            {
                "row": row,
                "column": column,
                "measure": pair.measure,
                "original": pair.original,
                "release": pair.release,
                "difference": pair.difference,
            }
            for pair in self.pairs
            for row, column in ((pair.first, pair.second), (pair.second, pair.first))
        ]


def associations(tables: Tables) -> Associations:
    """Measure every pair at the level of detail that each table has: what generalising hides is lost as well.

    A column counts as amounts where it does so in the original and all that the release tells are numbers or intervals
    with a middle. Records in which a column is masked are left out, pair by pair.
    """
    views = _Views(tables)
    return Associations(tables.columns, tuple(_association(views, *pair) for pair in combinations(tables.columns, 2)))


@dataclass(frozen=True, eq=False)
class _Two:
    """Two columns of one table, and how many records each of their places stands for."""

    first: ColumnView
    second: ColumnView
    counts: Counts | None

    @property
    def measure(self) -> Measure:
        amounts = (self.first.numbers is not None) + (self.second.numbers is not None)
        measures: tuple[Measure, ...] = ("cramers-v", "correlation-ratio", "pearson")
        return measures[amounts]

    def strength(self, measure: Measure) -> float:
        first, second, both = self.first, self.second, self._both
        if first.numbers is not None and second.numbers is not None:
            return pearson(first.numbers[both], second.numbers[both], self._weights)
        if measure == "cramers-v":
            return cramers_v(first.codes[both], second.codes[both], self._weights)
        groups, amounts = (first, second) if first.numbers is None else (second, first)
        assert amounts.numbers is not None
        return correlation_ratio(groups.codes[both], amounts.numbers[both], self._weights)

    def of_ranks(self) -> float:
        assert self.first.numbers is not None
        assert self.second.numbers is not None
        return spearman(self.first.numbers[self._both], self.second.numbers[self._both], self._weights)

    @cached_property
    def _both(self) -> NDArray[np.bool_] | slice:
        """Where both columns tell something; everywhere, without a copy, where that is so."""
        everywhere = self.first.everywhere and self.second.everywhere
        return slice(None) if everywhere else self.first.rows & self.second.rows

    @property
    def _weights(self) -> Counts | None:
        return None if self.counts is None else self.counts[self._both]


class _Views:
    """Columns of both tables as statistics see them; rows that are at hand are looked at once for all pairs."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._numeric = {name for name in tables.numeric if self._reads_as_numbers(name)}
        self._held: dict[tuple[bool, str], ColumnView] = {}

    def two(self, first: str, second: str) -> tuple[_Two, _Two]:
        """Both columns in the original, and in the release."""
        compared = self._tables.asked(first, second)
        return self._two(compared.original, first, second, False), self._two(compared.release, first, second, True)

    def _two(self, data: Dataset, first: str, second: str, is_release: bool) -> _Two:
        return _Two(self._view(data[first], is_release), self._view(data[second], is_release), data.counts)

    def _reads_as_numbers(self, name: str) -> bool:
        return reads_as_numbers(self._tables.asked(name).release[name], self._tables.apart(name))

    def _view(self, column: Column, is_release: bool) -> ColumnView:
        key = is_release, column.name
        if key not in self._held or self._held[key].codes is not column.codes:
            is_numeric = column.name in self._numeric
            marks = self._tables.marks if is_release else frozenset[str]()
            apart = self._tables.apart(column.name) if is_numeric else marks
            self._held[key] = column_view(column, apart, numeric=is_numeric)
        return self._held[key]


def _association(views: _Views, first: str, second: str) -> Association:
    before, after = views.two(first, second)
    measure = before.measure
    ranks = (before.of_ranks(), after.of_ranks()) if measure == "pearson" else None
    return Association(first, second, measure, before.strength(measure), after.strength(measure), ranks)


def cramers_v(first: Numbered, second: Numbered, counts: Counts | None = None) -> float:
    """Cramér's V with the bias corrected (Bergsma 2013).

    φ² = χ²/n, r and k values: φ̃² = max(0, φ² − (r−1)(k−1)/(n−1)), r̃ = r − (r−1)²/(n−1), k̃ likewise,
    V = √(φ̃² / min(r̃−1, k̃−1)).

    >>> sex, city = np.array([0, 0, 1, 1] * 10), np.array([0, 0, 1, 1] * 10)
    >>> round(cramers_v(sex, city), 6), cramers_v(sex, np.array([0, 1, 0, 1] * 10))
    (1.0, 0.0)
    """
    n = records_of(len(first), counts)
    if n < 2:
        return 0.0
    in_row, in_column = (tallied(each, int(each.max()) + 1, counts).astype(float) for each in (first, second))
    rows, columns = int((in_row > 0).sum()), int((in_column > 0).sum())
    row, column, cell = _cells(first, second, len(in_column), counts)
    phi2 = float((cell**2 / (in_row[row] * in_column[column])).sum()) - 1
    corrected = max(0.0, phi2 - (rows - 1) * (columns - 1) / (n - 1))
    narrowest = min(each - (each - 1) ** 2 / (n - 1) for each in (rows, columns)) - 1
    # With as many values as records nothing is left after the correction but noise of floating point.
    return min(1.0, float(np.sqrt(corrected / narrowest))) if narrowest > 1e-9 else 0.0


def correlation_ratio(groups: Numbered, numbers: Floats, counts: Counts | None = None) -> float:
    """η: the root of the share of the variance that lies between groups.

    η² = Σ n_g (mean_g − mean)² / Σ (x − mean)².

    >>> correlation_ratio(np.array([0, 0, 1, 1]), np.array([1.0, 1.0, 5.0, 5.0]))
    1.0
    """
    if not len(numbers):
        return 0.0
    numbers = _moderate(numbers)
    centred = numbers - np.average(numbers, weights=counts)
    total = _dot(centred, centred, counts)
    size = tallied(groups, int(groups.max()) + 1, counts)
    sums = np.bincount(groups, weights=centred if counts is None else centred * counts)
    between = float((sums[size > 0] ** 2 / size[size > 0]).sum())
    return min(1.0, float(np.sqrt(between / total))) if _varies(numbers, total, counts) else 0.0


def pearson(first: Floats, second: Floats, counts: Counts | None = None) -> float:
    """The correlation of Pearson: Σ (x − x̄)(y − ȳ) / √(Σ (x − x̄)² Σ (y − ȳ)²).

    >>> round(pearson(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0])), 6)
    1.0
    """
    if not len(first):
        return 0.0
    first, second = _moderate(first), _moderate(second)
    x, y = (numbers - np.average(numbers, weights=counts) for numbers in (first, second))
    xx, yy = _dot(x, x, counts), _dot(y, y, counts)
    if not (_varies(first, xx, counts) and _varies(second, yy, counts)):
        return 0.0
    return float(np.clip(_dot(x, y, counts) / (np.sqrt(xx) * np.sqrt(yy)), -1, 1))


def spearman(first: Floats, second: Floats, counts: Counts | None = None) -> float:
    """The correlation of ranks; equal numbers share the mean of their ranks.

    >>> round(spearman(np.array([1.0, 2.0, 9.0]), np.array([0.0, 5.0, 6.0])), 6)
    1.0
    """
    return pearson(_ranks(first, counts), _ranks(second, counts), counts)


def _dot(first: Floats, second: Floats, counts: Counts | None) -> float:
    """Σ x·y, without the threads of a linear algebra library, which wait for each other on busy machines."""
    products = first * second
    return float((products if counts is None else products * counts).sum())


def _ranks(numbers: Floats, counts: Counts | None) -> Floats:
    values, place = np.unique(numbers, return_inverse=True)
    count = tallied(place, len(values), counts)
    last = np.cumsum(count)
    return np.asarray((last - (count - 1) / 2)[place], np.float64)


def _varies(numbers: Floats, squares: float, counts: Counts | None) -> bool:
    """Is ``squares``, the sum of squared distances from the mean, more than the noise of floating point?"""
    largest = float(np.abs(numbers).max(initial=0))
    return squares > records_of(len(numbers), counts) * (1e-12 * largest) ** 2


def _moderate(numbers: Floats) -> Floats:
    """Numbers whose squares fit into floating point, by a power of two for all, which changes no digit."""
    largest = np.abs(numbers).max(initial=0)
    return np.ldexp(numbers, -int(np.frexp(largest)[1])) if 1e100 < largest < np.inf else numbers


def _cells(first: Numbered, second: Numbered, width: int, counts: Counts | None) -> tuple[Numbered, Numbered, Floats]:
    """The combinations that occur, and how often."""
    combined = first.astype(np.int64) * width + second
    size = (int(first.max()) + 1) * width
    if size <= _DENSE:
        count = tallied(combined, size, counts)
        occurring = np.flatnonzero(count)
        count = count[occurring]
    else:
        occurring, place = np.unique(combined, return_inverse=True)
        count = tallied(place, len(occurring), counts)
    return occurring // width, occurring % width, count.astype(np.float64)
