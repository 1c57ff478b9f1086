"""What a column tells about another, level by level."""

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Codes, Counts, LevelledColumn, tallied
from biombo._measures.marginals import Floats


def told_information(column: LevelledColumn, target: Codes, cardinality: int, counts: Counts | None = None) -> Floats:
    """By level: the mutual information of a column and a target, in bits.

    I(Q; T) = H(Q) + H(T) − H(Q, T). It never rises with the level: what is made of Q tells no more than Q.
    """
    width = column.levels.shape[1]
    pairs = column.codes.astype(np.int64) * cardinality + target
    together = tallied(pairs, width * cardinality, counts).reshape(width, cardinality)
    return np.array([_mutual_information(_merged(together, level)) for level in column.levels])


def _merged(together: Counts, level: NDArray[np.int64]) -> Counts:
    group = np.unique(level, return_inverse=True)[1]
    merged = np.zeros((int(group.max(initial=0)) + 1, together.shape[1]), np.int64)
    np.add.at(merged, group, together)
    return merged


def _mutual_information(together: Counts) -> float:
    bits = _entropy(together.sum(axis=1)) + _entropy(together.sum(axis=0)) - _entropy(together.ravel())
    return max(0.0, bits)


def _entropy(counts: Counts) -> float:
    held = counts[counts > 0]
    share = held / held.sum()
    return float(-(share * np.log2(share)).sum())
