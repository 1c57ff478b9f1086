"""Ratios of gamma functions."""

import math

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
