"""The individual risk of Benedetti and Franconi."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from biombo._attack.unknown_population.inverse_size import expected_inverse_size
from biombo._errors import UsageError

_ROUNDING = 1e-9


def individual_risk(frequency: ArrayLike, weight_sum: ArrayLike) -> NDArray[np.float64]:
    """E(1/F | f) for groups of ``frequency`` f records in the sample, whose weights add up to ``weight_sum``.

    With the prior P(F) ∝ 1/F, F given f is negative binomial with p̂ = f/Σw, so that the risk is

        f = 1:  (p/q) log(1/p)
        f = 2:  (p/q²)(q + p log p)
        f = 3:  (p/2q³)(q(3q − 2) − 2p² log p)
        f:      (p/f) ₂F₁(1, 1; f+1; q),   q = 1 − p.

    Source: Benedetti and Franconi, *Statistical and technological solutions for controlled data dissemination* (1998);
    Franconi and Polettini, *Individual risk estimation in μ-Argus: a review*, Privacy in Statistical Databases (2004).
    Valid for weights that are inverse inclusion probabilities. Its prior expects few small groups: where the population
    has many it is far too low for sample uniques. Limits: Σw → ∞ (p → 0) gives 0, Σw = f (p = 1, the whole group is in
    the sample) gives 1/f. Weights that add up to less than f contradict the premises and are refused.

    >>> individual_risk([1, 1, 4], [1, 10, 40]).round(4).tolist()
    [1.0, 0.2558, 0.0319]
    """
    sizes, sums = np.broadcast_arrays(np.asarray(frequency), np.asarray(weight_sum, np.float64))
    if not np.issubdtype(sizes.dtype, np.integer) or (sizes < 1).any():
        raise UsageError("population.sizes")
    wrong = np.flatnonzero(below_size(sizes, sums))
    if len(wrong):
        where = wrong[0]
        raise UsageError("population.weights-below-size", total=sums.flat[where], size=int(sizes.flat[where]))
    share = np.minimum(sizes / sums, 1.0)
    return expected_inverse_size(sizes.ravel().astype(np.int64), share.ravel()).reshape(sizes.shape)


def below_size(sizes: NDArray[Any], weight_sums: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Where the weights of a group stand for fewer people than are in it, beyond rounding, or are no numbers."""
    return ~(weight_sums >= sizes * (1 - _ROUNDING))
