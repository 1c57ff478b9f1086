"""Rows by the combination of codes that they have."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from biombo import _kernel
from biombo._cells import Codes

_AT_ONCE = 64
"""Columns that the kernel looks at together; of more, the combinations of the first are one column."""


def numbered(columns: Sequence[Codes], cardinality: Sequence[int]) -> tuple[NDArray[np.uint32], int]:
    """A number for each row, the same for rows that agree in all columns, and how many numbers there are.

    >>> sex, age = np.array([0, 1, 0, 1], np.uint8), np.array([2, 0, 2, 1], np.uint8)
    >>> numbers, count = numbered([sex, age], [2, 3])
    >>> bool(numbers[0] == numbers[2]), count
    (True, 3)
    """
    columns, cardinality = list(columns), list(cardinality)
    numbers, groups = _kernel.row_groups(columns[:_AT_ONCE], cardinality[:_AT_ONCE], len(columns[0]))
    if len(columns) <= _AT_ONCE:
        return numbers.ravel(), groups
    return numbered([numbers.ravel(), *columns[_AT_ONCE:]], [groups, *cardinality[_AT_ONCE:]])
