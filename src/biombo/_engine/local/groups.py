"""Rows by the combination of codes that they have."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from biombo import _kernel
from biombo._cells import Codes, Counts


def numbered(columns: Sequence[Codes], cardinality: Sequence[int]) -> tuple[NDArray[np.uint32], int]:
    """A number for each row, the same for rows that agree in all columns, and how many numbers there are.

    >>> sex, age = np.array([0, 1, 0, 1], np.uint8), np.array([2, 0, 2, 1], np.uint8)
    >>> numbers, count = numbered([sex, age], [2, 3])
    >>> bool(numbers[0] == numbers[2]), count
    (True, 3)
    """
    numbers, groups = _kernel.row_groups(list(columns), list(cardinality), len(columns[0]))
    return numbers.ravel(), groups


def distinct(
    columns: Sequence[Codes], cardinality: Sequence[int], counts: Counts | None = None
) -> tuple[list[Codes], Counts]:
    """The combinations that occur, and how many records each stands for, where rows stand for so many.

    >>> codes, counts = distinct([np.array([0, 1, 0], np.uint8)], [2], np.array([5, 1, 2]))
    >>> codes[0].tolist(), counts.tolist()
    ([0, 1], [7, 1])
    """
    rows = len(columns[0])
    weights = None if counts is None else np.ascontiguousarray(counts, np.int64).view(np.uint64)
    found, records = _kernel.count_tuples(list(columns), list(cardinality), rows, weights)
    return [codes.ravel() for codes in found], records.ravel().view(np.int64)
