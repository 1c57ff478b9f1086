"""Codes: small unsigned integers that stand for a column's values."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint8] | NDArray[np.uint16] | NDArray[np.uint32]
Counts = NDArray[np.int64]
RECORDS_AT_MOST = (1 << 63) - 1
"""What counts may add up to."""


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


def tallied(
    codes: NDArray[Any], cardinality: int, counts: Counts | None = None, keep: NDArray[np.bool_] | None = None
) -> Counts:
    """How many records hold each code, where each place in ``codes`` stands for one or for as many as ``counts`` says.

    With ``keep``, only the places that it marks.

    >>> tallied(np.array([0, 2, 0], np.uint8), 3), tallied(np.array([0, 2, 0], np.uint8), 3, np.array([5, 1, 2]))
    (array([2, 0, 1]), array([7, 0, 1]))
    """
    if keep is not None:
        codes, counts = codes[keep], None if counts is None else counts[keep]
    if counts is None:
        return np.bincount(codes, minlength=cardinality)
    sums = np.zeros(cardinality, np.int64)
    np.add.at(sums, codes, counts)
    return sums


def distinct(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Each number once, in their order; ``np.unique`` takes several times as long where most are different.

    >>> distinct(np.array([3, 1, 3]))
    array([1, 3])
    """
    ordered = np.sort(numbers)
    return ordered[np.flatnonzero(np.diff(ordered, prepend=ordered[:1] - 1))]


def records_of(rows: int, counts: Counts | None = None, keep: NDArray[np.bool_] | None = None) -> int:
    """How many records ``rows`` places stand for, or those of them that ``keep`` marks."""
    if counts is None:
        return rows if keep is None else int(keep.sum())
    return int(counts.sum() if keep is None else counts[keep].sum())


def counts_for_kernel(counts: Counts | None) -> NDArray[np.uint64] | None:
    """Counts as the kernel takes them."""
    return None if counts is None else np.ascontiguousarray(counts, np.int64).view(np.uint64)


class CodeBuffer:
    """One block of memory, which doubles when it is full and widens when a wider code comes.

    Chunks kept apart until the end would take the memory of the codes twice.
    """

    def __init__(self) -> None:
        self._codes: Codes = np.empty(0, np.uint8)
        self._rows = 0

    def append(self, chunk: Codes) -> None:
        """Put ``chunk`` after what is there."""
        rows = self._rows + len(chunk)
        wider = chunk.dtype.itemsize > self._codes.dtype.itemsize
        if wider or rows > len(self._codes):
            room = len(self._codes) if rows <= len(self._codes) else max(rows, 2 * len(self._codes))
            moved: Codes = np.empty(room, chunk.dtype if wider else self._codes.dtype)
            moved[: self._rows] = self._codes[: self._rows]
            self._codes = moved
        self._codes[self._rows : rows] = chunk
        self._rows = rows

    def __len__(self) -> int:
        return self._rows

    @property
    def codes(self) -> Codes:
        """All codes, until more come."""
        return self._codes[: self._rows]

    def clear(self) -> None:
        """Forget the codes, but not the room that they took."""
        self._rows = 0

    def take(self) -> Codes:
        """All codes, in an array of their own; none are left here."""
        codes = self.codes.copy()
        self._codes, self._rows = np.empty(0, np.uint8), 0
        return codes
