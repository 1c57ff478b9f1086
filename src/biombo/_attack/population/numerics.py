"""What the estimators reckon with: roots, ratios of gamma functions, sums of reciprocals, the expected value of 1/F."""

import math
from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

_AGREEING = 1e-14
"""Bounds of a root that differ by so much of it, or less, agree."""


_HALVED = 6
"""Every so many steps the bounds are halved, whatever the function: so it always ends."""


def falling_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where ``function``, positive just above ``low`` and not positive just below ``high``, changes its sign.

    Neither bound is evaluated. Ends when no number lies between the bounds any more, or they agree to 14 digits. The
    next number is where a parabola through the last three would be 0, for a smooth function about ten in all, or half
    way where that is not safely within the bounds.

    Source: Chandrupatla, *A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function
    without using derivatives*, Advances in Engineering Software 28 (1997).

    >>> round(falling_root(lambda x: 2 - x * x, 0.0, 2.0), 12)
    1.414213562373
    """
    above, below = math.nan, math.nan  # the function at the bounds, where it was evaluated
    part = 0.5
    for step in count():
        middle = low + part * (high - low)
        if step % _HALVED == 0 or not low < middle < high:
            middle = (low + high) / 2
        if middle in (low, high) or high - low <= _AGREEING * abs(middle):
            return middle
        found = function(middle)
        if found > 0:
            part = _next_part(middle, found, high, below, low, above)
            low, above = middle, found
        else:
            part = 1 - _next_part(middle, found, low, above, high, below)
            high, below = middle, found
    raise AssertionError


def _next_part(new: float, at_new: float, other: float, at_other: float, last: float, at_last: float) -> float:
    """How far from the bound ``new`` to the ``other`` one to go next, by what the function is at both and at the
    ``last`` bound on the side of the new one; not nearer to a bound than counts.
    """
    ratio = (at_new - at_other) / (at_last - at_other) if at_last != at_other else math.nan
    width = (new - other) / (last - other)
    if not (ratio * ratio < width and (1 - ratio) ** 2 < 1 - width):  # nor where a bound was never evaluated
        return 0.5
    part = at_new / (at_other - at_new) * at_last / (at_other - at_last) + (last - new) / (other - new) * at_new / (
        at_last - at_new
    ) * at_other / (at_last - at_other)
    least = _AGREEING * abs(new) / abs(other - new) / 2
    return min(max(part, least), 1 - least) if least < 0.5 else 0.5


_LARGE = 12.0
"""From here on four terms of Stirling's series give all digits."""


def log_gamma_ratio(x: float, step: float) -> float:
    """log Γ(x + step)/Γ(x), for x and x + step above 0.

    The difference of two logarithms would lose all digits where x is that of a nation: log Γ(10¹⁴) has no digits left
    behind the point. Stirling's series is subtracted term by term instead.

    >>> round(math.exp(log_gamma_ratio(3.0, 2.0)), 9)  # 4!/2!
    12.0
    """
    if min(x, x + step) < _LARGE:
        return math.lgamma(x + step) - math.lgamma(x)
    leading = (x - 0.5) * math.log1p(step / x) - step + step * math.log(x + step)
    return leading + _beyond_stirling(x + step) - _beyond_stirling(x)


def _beyond_stirling(x: float) -> float:
    """log Γ(x) − (x − ½) log x + x − ½ log 2π."""
    y = 1 / (x * x)
    return (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y / 1680))) / x


_SMOOTH = 12.0
"""From here on five terms of the asymptotic series of the digamma function give all digits."""


def harmonic(start: float, terms: int) -> float:
    """Σ_{i=1}^{terms} 1/(start + i), for start > −1, in a time that does not depend on ``terms``.

    It is ψ(start + terms + 1) − ψ(start + 1), but without the loss of digits of a difference where start ≫ terms: the
    logarithms of the asymptotic series ψ(x) = ln x − 1/2x − 1/12x² + 1/120x⁴ − … are subtracted as one.

    >>> harmonic(0, 3) == 1 + 1 / 2 + 1 / 3
    True
    """
    direct = min(terms, max(0, math.ceil(_SMOOTH - start)))
    total = sum(1 / (start + i) for i in range(1, direct + 1))
    if direct == terms:
        return total
    low = start + direct + 1
    return float(total + math.log1p((terms - direct) / low) + _below_log(low) - _below_log(start + terms + 1))


def harmonics(start: float, terms: NDArray[np.int64]) -> NDArray[np.float64]:
    """:func:`harmonic` of several numbers of ``terms`` at once.

    >>> bool(np.allclose(harmonics(-0.5, np.array([0, 1, 30])), [harmonic(-0.5, each) for each in (0, 1, 30)], 1e-15))
    True
    """
    reach = max(0, math.ceil(_SMOOTH - start))
    first = np.concatenate([[0.0], np.cumsum(1 / (start + np.arange(1, reach + 1)))])
    total = first[np.minimum(terms, reach)]
    further, low = terms[terms > reach], start + reach + 1
    total[terms > reach] += np.log1p((further - reach) / low) + _below_log(low) - _below_log(start + further + 1)
    return total


def _below_log(x: Any) -> Any:
    """ln x − ψ(x), of a number or of several."""
    y = 1 / (x * x)
    return 1 / (2 * x) + y * (1 / 12 - y * (1 / 120 - y * (1 / 252 - y * (1 / 240 - y / 132))))


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
