"""Sums of decimal fractions, as they would be added up by hand."""

import numpy as np
from numpy.typing import NDArray

_MOST_DIGITS = 9
_EXACT = 2.0**53


def as_by_hand(totals: NDArray[np.float64], amounts: NDArray[np.float64]) -> NDArray[np.float64]:
    """The totals with no more digits behind the point than the amounts that were added: binary fractions leave others
    there. Where amounts have more than nine, or totals are too large for them, these are as they are.

    >>> as_by_hand(np.array([0.1 + 0.2]), np.array([0.1, 0.2])).tolist()
    [0.3]
    """
    digits = next((each for each in range(_MOST_DIGITS + 1) if (np.round(amounts, each) == amounts).all()), None)
    if digits is None or np.abs(totals).max(initial=0.0) * 10.0**digits >= _EXACT:
        return totals
    return np.round(totals, digits)
