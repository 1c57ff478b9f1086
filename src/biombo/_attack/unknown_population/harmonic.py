"""Sums of reciprocals, at once."""

import math

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
    return total + math.log1p((terms - direct) / low) + _below_log(low) - _below_log(start + terms + 1)


def _below_log(x: float) -> float:
    """ln x − ψ(x)."""
    y = 1 / (x * x)
    return 1 / (2 * x) + y * (1 / 12 - y * (1 / 120 - y * (1 / 252 - y * (1 / 240 - y / 132))))
