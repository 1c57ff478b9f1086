"""The measures of Samarati and Sweeney (1998) and of the field, for many nodes of a lattice at once."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Counts, LevelledColumn, tallied
from biombo._measures.marginals import Floats, Marginals

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Costs:
    """What nodes cost; every number is by node.

    Without ``suppressed_share`` and ``suppressed_entropy`` it is as if suppressed records lost nothing more than the
    others, which is never more than they lose: so ``Costs`` with nothing suppressed bounds from below.
    """

    marginals: Marginals
    nodes: Integers
    """Per node and column: the level."""
    suppressed: Integers
    groups: Integers | Floats
    """Groups kept."""
    squares: Floats
    """Σ size² over kept groups."""
    suppressed_share: Floats
    """Per node and column: Σ over suppressed records of the share of the domain under their value."""
    suppressed_entropy: Floats
    """Per node and column: −Σ c(y) log₂(c(y)/suppressed) over the values y of suppressed records."""
    weights: Floats
    """Per column: how much it counts; what matters is their proportion."""

    @classmethod
    def at_least(cls, marginals: Marginals, nodes: Integers, weights: Floats) -> "Costs":
        """What nodes cost if nothing had to be suppressed and no two combinations of values were missing."""
        none = np.zeros(nodes.shape)
        groups = marginals.combinations(nodes)
        nothing = np.zeros(len(nodes), np.int64)
        return cls(marginals, nodes, nothing, groups, float(marginals.records) ** 2 / groups, none, none, weights)

    def only(self, place: int) -> "Costs":
        """The costs of one of the nodes."""
        one = slice(place, place + 1)
        return Costs(
            self.marginals,
            self.nodes[one],
            self.suppressed[one],
            self.groups[one],
            self.squares[one],
            self.suppressed_share[one],
            self.suppressed_entropy[one],
            self.weights,
        )

    @property
    def _relative_levels(self) -> Floats:
        return self.nodes / np.maximum(self.marginals.heights, 1)

    @property
    def completeness(self) -> Floats:
        """The share of records that stay (Samarati and Sweeney 1998)."""
        return 1 - self.suppressed / max(1, self.marginals.records)

    @property
    def imprecision(self) -> Floats:
        """The mean of level/height over columns and records, a suppressed record counting 1."""
        kept = self.completeness[:, None]
        return _mean(kept * self._relative_levels + (1 - kept), self.weights)

    @cached_property
    def column_loss(self) -> Floats:
        """Per column: the mean share of the domain that a value stands for, from 0 (itself) to 1 (anything).

        A domain of one value is lost with suppressed records alone: no level tells less than another.
        """
        records = self.marginals.records
        alone = records / np.array([column.domain for column in self.marginals.columns])
        suppressed = np.broadcast_to(self.suppressed[:, None], self.nodes.shape)
        lost = self.marginals.share(self.nodes) - self.suppressed_share + suppressed - alone
        by_share = lost / np.where(alone < records, records - alone, 1)
        return np.clip(np.where(alone < records, by_share, suppressed / max(1, records)), 0, 1)

    @property
    def loss(self) -> Floats:
        """The columns' losses as a geometric mean: Π (1 + L)^(1/m) − 1."""
        return np.asarray(np.exp(_mean(np.log1p(self.column_loss), self.weights)) - 1)

    @property
    def granularity(self) -> Floats:
        """1 less the arithmetic mean of the columns' losses."""
        return 1 - _mean(self.column_loss, self.weights)

    @property
    def entropy(self) -> Floats:
        """Non-uniform entropy in bits, summed over columns; suppressed records lose their generalised value as well."""
        return np.asarray((self.marginals.entropy(self.nodes) + self.suppressed_entropy) @ self.weights)

    @property
    def discernibility(self) -> Floats:
        """Σ size² over groups, a suppressed record counting as many as there are records."""
        return self.squares + float(self.marginals.records) * self.suppressed

    @property
    def class_size(self) -> Floats:
        """Records per group, all suppressed ones being one group."""
        return self.marginals.records / np.maximum(self.groups + (self.suppressed > 0), 1)

    @property
    def absolute_distance(self) -> Floats:
        """Σ levels (Samarati and Sweeney 1998)."""
        return np.asarray(self.nodes @ self.weights)

    @property
    def relative_distance(self) -> Floats:
        """Σ level/height (Samarati and Sweeney 1998)."""
        return np.asarray(self._relative_levels @ self.weights)


def _mean(per_column: Floats, weights: Floats) -> Floats:
    return np.asarray(per_column @ weights / weights.sum())


def lost_with(
    column: LevelledColumn, level: int, suppressed: NDArray[np.bool_], counts: Counts | None = None
) -> tuple[float, float]:
    """What the ``suppressed`` rows would have told of a column at ``level``, as :class:`Costs` counts it.

    Σ of the share of the domain under their value, and −Σ c(y) log₂(c(y)/suppressed) over their values y.
    """
    of_code = tallied(column.codes, column.levels.shape[1], counts, suppressed)
    share = float(of_code.astype(float) @ column.leaves[level]) / column.domain
    _, value = np.unique(column.levels[level], return_inverse=True)
    of_value = np.bincount(value, weights=of_code)
    occurring = of_value[of_value > 0]
    return share, float(-(occurring * np.log2(occurring / max(1, of_code.sum()))).sum()) + 0.0
