"""Codes: small unsigned integers that stand for a column's values."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint8] | NDArray[np.uint16] | NDArray[np.uint32]


def narrowest(cardinality: int) -> type[np.uint8] | type[np.uint16] | type[np.uint32]:
    """The smallest code type that tells ``cardinality`` values apart.

    >>> narrowest(256).__name__, narrowest(257).__name__
    ('uint8', 'uint16')
    """
    if cardinality <= 1 << 8:
        return np.uint8
    if cardinality <= 1 << 16:
        return np.uint16
    return np.uint32


def recoded(codes: NDArray[Any], code_at: list[int], cardinality: int) -> Codes:
    """Codes with each ``c`` replaced by ``code_at[c]``, in the smallest type for ``cardinality`` values."""
    return cast(Codes, np.array(code_at, narrowest(cardinality))[codes])
