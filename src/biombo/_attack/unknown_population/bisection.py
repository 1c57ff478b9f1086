"""A root between two bounds, found by halving: slow, and never wrong."""

from collections.abc import Callable


def falling_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where ``function``, positive just above ``low`` and not positive just below ``high``, changes its sign.

    Neither bound is evaluated. Ends when no number lies between the bounds any more, or they agree to 14 digits.

    >>> round(falling_root(lambda x: 2 - x * x, 0.0, 2.0), 12)
    1.414213562373
    """
    while True:
        middle = (low + high) / 2
        if middle in (low, high) or high - low <= 1e-14 * abs(middle):
            return middle
        if function(middle) > 0:
            low = middle
        else:
            high = middle
