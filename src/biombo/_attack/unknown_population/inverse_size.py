"""The expected value of 1/F, the chance that the right one of F people is picked, given f of them."""

import numpy as np
from numpy.typing import NDArray

_SERIES_TERMS = 64
_SERIES_FROM = 32
"""Groups of this size and more need no more terms than that, however small p is."""


def expected_inverse_size(
    sizes: NDArray[np.int64], share: NDArray[np.float64], alpha: float = 0.0
) -> NDArray[np.float64]:
    """E(1/F | f) where F − f is negative binomial with f − α successes of probability p = ``share``, 0 ≤ α < 1.

        r_f = (p/f) ₂F₁(1, 1+α; f+1; q) = p ∫₀¹ y^(f−1) (p + qy)^(−1−α) dy,   q = 1 − p

    The series of ₂F₁ is used where it converges fast, for q ≤ ½ or f ≥ 32. Elsewhere integration by parts leads up from

        r_1 = (p/q)(p^(−α) − 1)/α   [α → 0: (p/q) log(1/p)],    r_(f+1) = (p/q)(1 − f r_f)/(f − α),

    whose errors shrink by p/q < 1 with each step. Limits: p → 0 gives 0, p = 1 gives exactly 1/f. (α = 1 goes
    with f = 1 only, and gives 1.)
    """
    result = np.zeros(len(sizes))
    by_series = (share >= 0.5) | (sizes >= _SERIES_FROM)
    by_steps = ~by_series & (share > 0)
    result[by_series] = _series(sizes[by_series], share[by_series], alpha)
    result[by_steps] = _steps(sizes[by_steps], share[by_steps], alpha)
    return result


def _series(sizes: NDArray[np.int64], share: NDArray[np.float64], alpha: float) -> NDArray[np.float64]:
    """(p/f) Σ_k (1+α)_k / (f+1)_k · q^k."""
    rest = 1 - share
    term = np.ones(len(sizes))
    total = np.ones(len(sizes))
    for k in range(_SERIES_TERMS):
        term = term * rest * (1 + alpha + k) / (sizes + 1 + k)
        total += term
    return share / sizes * total


def _steps(sizes: NDArray[np.int64], share: NDArray[np.float64], alpha: float) -> NDArray[np.float64]:
    odds = share / (1 - share)
    risk = odds * (np.expm1(-alpha * np.log(share)) / alpha if alpha > 0 else -np.log(share))
    result = risk.copy()
    for size in range(1, int(sizes.max(initial=1))):
        risk = odds * (1 - size * risk) / (size - alpha)
        result[sizes == size + 1] = risk[sizes == size + 1]
    return result
