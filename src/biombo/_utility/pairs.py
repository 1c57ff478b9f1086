"""Which columns went together before, and still do: the idea of the UPD-Matrix (Wang et al. 2018)."""

from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from biombo._data import Dataset
from biombo._utility.association import correlation_ratio, cramers_v, pearson, spearman
from biombo._utility.column_view import Told, reads_as_numbers, told
from biombo._utility.tables import Tables

Measure = Literal["cramers-v", "correlation-ratio", "pearson"]


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


def _sides(data: Dataset, tables: Tables, numeric: set[str]) -> dict[str, Told]:
    marks = tables.marks if data is tables.release else frozenset[str]()
    return {
        name: told(data[name], tables.apart(name) if name in numeric else marks, numeric=name in numeric)
        for name in tables.columns
    }


def _association(first: str, second: str, before: dict[str, Told], after: dict[str, Told]) -> Association:
    measure = _measure(before[first], before[second])
    original, release = (_strength(measure, side[first], side[second]) for side in (before, after))
    ranks = None
    if measure == "pearson":
        ranks = _of_ranks(before[first], before[second]), _of_ranks(after[first], after[second])
    return Association(first, second, measure, original, release, ranks)


def _measure(first: Told, second: Told) -> Measure:
    amounts = (first.numbers is not None) + (second.numbers is not None)
    measures: tuple[Measure, ...] = ("cramers-v", "correlation-ratio", "pearson")
    return measures[amounts]


def _strength(measure: Measure, first: Told, second: Told) -> float:
    both = _both(first, second)
    if first.numbers is not None and second.numbers is not None:
        return pearson(first.numbers[both], second.numbers[both])
    if measure == "cramers-v":
        return cramers_v(first.codes[both], second.codes[both])
    groups, amounts = (first, second) if first.numbers is None else (second, first)
    assert amounts.numbers is not None
    return correlation_ratio(groups.codes[both], amounts.numbers[both])


def _of_ranks(first: Told, second: Told) -> float:
    assert first.numbers is not None
    assert second.numbers is not None
    both = _both(first, second)
    return spearman(first.numbers[both], second.numbers[both])


def _both(first: Told, second: Told) -> NDArray[np.bool_] | slice:
    """The rows in which both columns tell something; all of them, without a copy, where that is so."""
    return slice(None) if first.everywhere and second.everywhere else first.rows & second.rows
