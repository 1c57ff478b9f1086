"""What many nodes of a lattice cost at once."""

from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Counts, LevelledColumn, tallied
from biombo._measures.marginals import Floats, Marginals
from biombo._measures.release_costs import Integers, ReleaseCosts, mean_over_columns
from biombo._measures.suppression_factor import EVEN, SuppressionFactor

_NOT_BY_NODE = ("marginals", "weights", "factor")


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
    factor: SuppressionFactor = EVEN
    volume: Floats | None = None
    """Σ size · volume over kept groups, where it is known; a volume is the share of all combinations of values that
    a group might be."""
    density: Floats | None = None
    """Σ size · log₂(size / volume) over kept groups, where it is known."""
    guessed: Integers | None = None
    """Σ over kept groups of the records with the most frequent value of what is to be predicted, where it is known."""

    @classmethod
    def at_least(cls, marginals: Marginals, nodes: Integers, weights: Floats) -> "Costs":
        """What nodes cost if nothing had to be suppressed and no two combinations of values were missing."""
        none = np.zeros(nodes.shape)
        groups = marginals.combinations(nodes)
        nothing = np.zeros(len(nodes), np.int64)
        log_share, records = marginals.log_share(nodes), marginals.records
        return cls(
            marginals,
            nodes,
            nothing,
            groups,
            float(records) ** 2 / groups,
            none,
            none,
            weights,
            volume=records * np.exp2(log_share / max(1, records)),  # a mean is never below the geometric one
            density=marginals.log_sizes(nodes) - log_share,
            guessed=None if marginals.guessed is None else np.full(len(nodes), marginals.guessed),
        )

    def only(self, place: int) -> "Costs":
        """The costs of one of the nodes."""
        by_node = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in _NOT_BY_NODE}
        one = {name: values[place : place + 1] for name, values in by_node.items() if values is not None}
        return replace(self, **one)

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
        generalised = self.factor.generalised * self.marginals.entropy(self.nodes)
        return generalised + self.factor.suppressed * self.suppressed_entropy

    @property
    def normalised_entropy(self) -> Floats:
        """The mean over columns of the share of their entropy that is lost."""
        whole = np.array([column.bits for column in self.marginals.columns])
        return mean_over_columns(self.column_entropy / np.where(whole > 0, whole, 1), self.weights)

    @property
    def ambiguity(self) -> Floats:
        """Σ over records of how many combinations of values they might have had (Goldberger and Tassa 2010), a
        suppressed one all.
        """
        assert self.volume is not None
        return np.asarray((self.volume + self.suppressed) * np.prod(self.domains))

    @property
    def divergence(self) -> Floats:
        """How far what a release lets believe is from the original: KL(p‖q) in bits (Machanavajjhala et al. 2007).

        p is how the records are spread over combinations of values. q spreads each group evenly over those that it
        might be, and what is suppressed over all.
        """
        log_tuples, gone = self.marginals.log_tuples, self.suppressed
        assert self.density is not None
        assert log_tuples is not None
        density = self.density + gone * np.log2(np.maximum(gone, 1))
        return _of_differences((log_tuples - density) / max(1, self.records) + np.log2(self.domains).sum())

    @property
    def misclassified(self) -> Floats:
        """The share of records that are not of the most frequent value of their group, or suppressed: the
        classification metric of Iyengar (2002) for what is to be predicted.
        """
        assert self.guessed is not None
        return 1 - self.guessed / max(1, self.records)

    @property
    def untold(self) -> Floats:
        """The share that is lost of what the columns, one by one, tell about what is to be predicted.

        That is mutual information, in all columns together; suppressed records tell nothing. Where no column tells
        anything, it is the share of suppressed records.
        """
        whole = self.marginals.told(np.zeros_like(self.nodes)) @ self.weights
        left = self.marginals.told(self.nodes) @ self.weights
        return _of_differences(1 - self.completeness * np.where(whole > 0, left / np.where(whole > 0, whole, 1), 1))

    @property
    def prediction_loss(self) -> Floats:
        """What is lost for predicting a column: the records that groups would guess wrong, and what columns no longer
        tell.
        """
        return self.misclassified + self.untold

    @property
    def absolute_distance(self) -> Floats:
        """Σ levels (Samarati and Sweeney 1998)."""
        return np.asarray(self.nodes @ self.weights)

    @property
    def relative_distance(self) -> Floats:
        """Σ level/height (Samarati and Sweeney 1998)."""
        return np.asarray(self.relative_levels @ self.weights)


def _of_differences(values: Floats) -> Floats:
    """Values that come of differences, without what floating point leaves of a zero."""
    return np.asarray(np.round(values, 12) + 0.0)


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
