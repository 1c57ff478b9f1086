"""What Samarati and Sweeney (1998) measure against k: the loss of each column alone, and what is left of the table by
each minimal generalisation.

    loss by generalisation = level / height          loss by suppression = suppressed / records
    precision = 1 − mean over columns of level/height          completeness = 1 − suppressed / records
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._cells import tallied
from biombo._search.exploration import Explored
from biombo._search.quasi_column import QuasiColumn
from biombo._search.question import Question


@dataclass(frozen=True)
class AloneLoss:
    """What one column loses when it alone may be known: at the lowest level that needs no more suppression than the
    limit, which is preferred to generalising.
    """

    column: str
    k: int
    level: int
    generalisation: float
    """The level over the height of the hierarchy."""
    suppression: float
    """The share of the records that are suppressed at that level."""


@dataclass(frozen=True)
class Spread:
    """The lowest, the mean and the highest of a number."""

    lowest: float
    mean: float
    highest: float

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> "Spread":
        """Of these numbers."""
        return cls(float(values.min()), float(values.mean()), float(values.max()))


@dataclass(frozen=True)
class MinimalSpread:
    """What all minimal generalisations for one k leave of the table."""

    k: int
    generalisations: int
    precision: Spread
    completeness: Spread


def losses_alone(question: Question, ks: Sequence[int], limit: int) -> list[AloneLoss]:
    """For each column and each k that it can meet alone within its bounds: what it loses. Groups are of records."""
    found = (_alone(column, k, limit) for column in question.columns for k in ks)
    return [each for each in found if each is not None]


def _alone(column: QuasiColumn, k: int, limit: int) -> AloneLoss | None:
    records = int(column.held.sum())
    for level in range(column.lowest, column.highest + 1):
        sizes = tallied(column.at_levels.codes[level], len(column.at_levels.labels[level]), column.held)
        suppressed = int(sizes[sizes < k].sum())
        if suppressed <= limit:
            return AloneLoss(column.name, k, level, level / max(column.height, 1), suppressed / records)
    return None


def spread_of_minimal(explored: Explored, limit: int) -> list[MinimalSpread]:
    """For each k that can be met: precision and completeness over all minimal generalisations that are known."""
    found = []
    for place, k in enumerate(explored.ks):
        nodes = np.flatnonzero(explored.minimal(limit, place))
        if len(nodes):
            costs = explored.costs(nodes, place)
            precision = 1 - costs.nodes @ (1 / np.maximum(costs.marginals.heights, 1)) / costs.nodes.shape[1]
            found.append(MinimalSpread(k, len(nodes), Spread.of(precision), Spread.of(costs.completeness)))
    return found
