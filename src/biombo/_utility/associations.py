"""Which columns went together before, and still do: the idea of the UPD-Matrix (Wang et al. 2018).

A measure is 0 where two columns do not go together at all, and 1 (or −1) where they do as one. A column with a single
value goes together with nothing, so every measure is 0 there.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from biombo._data import Dataset
from biombo._utility.column_view import ColumnView, Floats, column_view, reads_as_numbers
from biombo._utility.tables import Tables

Measure = Literal["cramers-v", "correlation-ratio", "pearson"]
Numbered = NDArray[np.integer]
"""A number from 0 for each record, the same for the same value."""

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
        return self.original - self.release


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
    numeric = {name for name in tables.numeric if reads_as_numbers(tables.release[name], tables.apart(name))}
    before, after = (_sides(data, tables, numeric) for data in (tables.original, tables.release))
    pairs = tuple(_association(first, second, before, after) for first, second in combinations(tables.columns, 2))
    return Associations(tables.columns, pairs)


def _sides(data: Dataset, tables: Tables, numeric: set[str]) -> dict[str, ColumnView]:
    marks = tables.marks if data is tables.release else frozenset[str]()
    return {
        name: column_view(data[name], tables.apart(name) if name in numeric else marks, numeric=name in numeric)
        for name in tables.columns
    }


def _association(first: str, second: str, before: dict[str, ColumnView], after: dict[str, ColumnView]) -> Association:
    measure = _measure(before[first], before[second])
    original, release = (_strength(measure, side[first], side[second]) for side in (before, after))
    ranks = None
    if measure == "pearson":
        ranks = _of_ranks(before[first], before[second]), _of_ranks(after[first], after[second])
    return Association(first, second, measure, original, release, ranks)


def _measure(first: ColumnView, second: ColumnView) -> Measure:
    amounts = (first.numbers is not None) + (second.numbers is not None)
    measures: tuple[Measure, ...] = ("cramers-v", "correlation-ratio", "pearson")
    return measures[amounts]


def _strength(measure: Measure, first: ColumnView, second: ColumnView) -> float:
    both = _both(first, second)
    if first.numbers is not None and second.numbers is not None:
        return pearson(first.numbers[both], second.numbers[both])
    if measure == "cramers-v":
        return cramers_v(first.codes[both], second.codes[both])
    groups, amounts = (first, second) if first.numbers is None else (second, first)
    assert amounts.numbers is not None
    return correlation_ratio(groups.codes[both], amounts.numbers[both])


def _of_ranks(first: ColumnView, second: ColumnView) -> float:
    assert first.numbers is not None
    assert second.numbers is not None
    both = _both(first, second)
    return spearman(first.numbers[both], second.numbers[both])


def _both(first: ColumnView, second: ColumnView) -> NDArray[np.bool_] | slice:
    """The rows in which both columns tell something; all of them, without a copy, where that is so."""
    return slice(None) if first.everywhere and second.everywhere else first.rows & second.rows


def cramers_v(first: Numbered, second: Numbered) -> float:
    """Cramér's V with the bias corrected (Bergsma 2013).

    φ² = χ²/n, r and k values: φ̃² = max(0, φ² − (r−1)(k−1)/(n−1)), r̃ = r − (r−1)²/(n−1), k̃ likewise,
    V = √(φ̃² / min(r̃−1, k̃−1)).

    >>> sex, city = np.array([0, 0, 1, 1] * 10), np.array([0, 0, 1, 1] * 10)
    >>> round(cramers_v(sex, city), 6), cramers_v(sex, np.array([0, 1, 0, 1] * 10))
    (1.0, 0.0)
    """
    n = len(first)
    if n < 2:
        return 0.0
    in_row, in_column = np.bincount(first).astype(float), np.bincount(second).astype(float)
    rows, columns = int((in_row > 0).sum()), int((in_column > 0).sum())
    row, column, cell = _cells(first, second, len(in_column))
    phi2 = float((cell**2 / (in_row[row] * in_column[column])).sum()) - 1
    corrected = max(0.0, phi2 - (rows - 1) * (columns - 1) / (n - 1))
    narrowest = min(each - (each - 1) ** 2 / (n - 1) for each in (rows, columns)) - 1
    # With as many values as records nothing is left after the correction but noise of floating point.
    return min(1.0, float(np.sqrt(corrected / narrowest))) if narrowest > 1e-9 else 0.0


def correlation_ratio(groups: Numbered, numbers: Floats) -> float:
    """η: the root of the share of the variance that lies between groups.

    η² = Σ n_g (mean_g − mean)² / Σ (x − mean)².

    >>> correlation_ratio(np.array([0, 0, 1, 1]), np.array([1.0, 1.0, 5.0, 5.0]))
    1.0
    """
    if not len(numbers):
        return 0.0
    centred = numbers - numbers.mean()
    total = _dot(centred, centred)
    size = np.bincount(groups)
    sums = np.bincount(groups, weights=centred)
    between = float((sums[size > 0] ** 2 / size[size > 0]).sum())
    return min(1.0, float(np.sqrt(between / total))) if _varies(numbers, total) else 0.0


def pearson(first: Floats, second: Floats) -> float:
    """The correlation of Pearson: Σ (x − x̄)(y − ȳ) / √(Σ (x − x̄)² Σ (y − ȳ)²).

    >>> round(pearson(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0])), 6)
    1.0
    """
    if not len(first):
        return 0.0
    x, y = first - first.mean(), second - second.mean()
    xx, yy = _dot(x, x), _dot(y, y)
    if not (_varies(first, xx) and _varies(second, yy)):
        return 0.0
    return float(np.clip(_dot(x, y) / (np.sqrt(xx) * np.sqrt(yy)), -1, 1))


def spearman(first: Floats, second: Floats) -> float:
    """The correlation of ranks; equal numbers share the mean of their ranks.

    >>> round(spearman(np.array([1.0, 2.0, 9.0]), np.array([0.0, 5.0, 6.0])), 6)
    1.0
    """
    return pearson(_ranks(first), _ranks(second))


def _dot(first: Floats, second: Floats) -> float:
    """Σ x·y, without the threads of a linear algebra library, which wait for each other on busy machines."""
    return float((first * second).sum())


def _ranks(numbers: Floats) -> Floats:
    place, count = np.unique(numbers, return_inverse=True, return_counts=True)[1:]
    last = np.cumsum(count)
    return np.asarray((last - (count - 1) / 2)[place], np.float64)


def _varies(numbers: Floats, squares: float) -> bool:
    """Is ``squares``, the sum of squared distances from the mean, more than the noise of floating point?"""
    largest = float(np.abs(numbers).max(initial=0))
    return squares > len(numbers) * (1e-12 * largest) ** 2


def _cells(first: Numbered, second: Numbered, width: int) -> tuple[Numbered, Numbered, Floats]:
    """The combinations that occur, and how often."""
    combined = first.astype(np.int64) * width + second
    if (int(first.max()) + 1) * width <= _DENSE:
        count = np.bincount(combined)
        occurring = np.flatnonzero(count)
        count = count[occurring]
    else:
        occurring, count = np.unique(combined, return_counts=True)
    return occurring // width, occurring % width, count.astype(np.float64)
