"""What many nodes of a lattice cost at once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Counts, LevelledColumn, tallied
from biombo._measures.marginals import Floats, Marginals
from biombo._measures.release_costs import Integers, ReleaseCosts


@dataclass(frozen=True, eq=False)
class Costs(ReleaseCosts):
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
    def records(self) -> int:
        """How many records there were."""
        return self.marginals.records

    @property
    def domains(self) -> Floats:
        """Per column: how many values its loss is told over."""
        return np.array([column.domain for column in self.marginals.columns], float)

    @property
    def relative_levels(self) -> Floats:
        """Per column: level/height."""
        return self.nodes / np.maximum(self.marginals.heights, 1)

    @property
    def kept_share(self) -> Floats:
        """Per column: Σ over kept records of the share of the domain under their value."""
        return self.marginals.share(self.nodes) - self.suppressed_share

    @property
    def column_entropy(self) -> Floats:
        """Per column: the non-uniform entropy that is lost, in bits."""
        return self.marginals.entropy(self.nodes) + self.suppressed_entropy

    @property
    def absolute_distance(self) -> Floats:
        """Σ levels (Samarati and Sweeney 1998)."""
        return np.asarray(self.nodes @ self.weights)

    @property
    def relative_distance(self) -> Floats:
        """Σ level/height (Samarati and Sweeney 1998)."""
        return np.asarray(self.relative_levels @ self.weights)


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
