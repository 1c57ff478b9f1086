"""Tuples: the distinct combinations of codes of some columns, counted while chunks of rows arrive."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from biombo import _kernel
from biombo._cells.codes import CodeBuffer, Codes, Counts

ROWS_AT_ONCE = 1 << 20
"""How many rows are gathered before they are counted, at least."""
COLUMNS_AT_MOST = 64
"""Rows of more columns are not counted: hardly two would be equal."""
_BYTES_PACKED = 8


@dataclass(frozen=True, eq=False)
class Tuples:
    """Codes, column by column, and how many rows each place stands for."""

    codes: tuple[Codes, ...]
    counts: Counts | None
    """None: one each, and some may be equal. That is so where there are many rows and counting would save no memory."""

    @property
    def rows(self) -> int:
        """How many places there are."""
        return len(self.codes[0])


class TupleCounter:
    """Counts rows chunk by chunk. Codes may become larger and wider as chunks arrive.

    Memory follows the tuples, not the rows: what has been gathered is counted into what there is whenever it is half of
    that, and at least ``rows_at_once``. Where the tuples with their counts would take more memory than the rows as they
    are, these are left uncounted; a sample of them tells, so that tables in which nearly all rows differ are hardly
    read any slower.

    >>> counter = TupleCounter(2)
    >>> counter.add([np.array([0, 1, 0], np.uint8), np.array([5, 6, 5], np.uint8)])
    >>> counter.add([np.array([0, 1], np.uint8), np.array([5, 7], np.uint8)])
    >>> tuples = counter.finish()
    >>> [codes.tolist() for codes in tuples.codes], tuples.counts.tolist()
    ([[0, 1, 1], [5, 6, 7]], [3, 1, 1])
    """

    def __init__(self, columns: int, rows_at_once: int = ROWS_AT_ONCE) -> None:
        self._gathered = [CodeBuffer() for _ in range(columns)]
        self._cardinality = [0] * columns
        self._counted: _kernel.PackedTuples | None = None
        """What was gathered before; none where nothing was counted so far."""
        self._rows_at_once = rows_at_once
        self._limit = rows_at_once if columns <= COLUMNS_AT_MOST else None

    def add(self, codes: Sequence[Codes]) -> None:
        """The next rows: for each column, a code for each row."""
        if len(codes[0]) == 0:
            return
        for column, chunk in enumerate(codes):
            self._gathered[column].append(chunk)
            self._cardinality[column] = max(self._cardinality[column], int(chunk.max()) + 1)
        if self._limit is not None and self._rows >= self._limit:
            self._count()

    def finish(self) -> Tuples:
        """All rows, counted; the counter is spent."""
        few = self._rows <= self._rows_at_once
        if self._limit is not None and self._rows > 0 and (few or self._counted is not None):
            self._count(anyway=few)
        if self._counted is None:
            return Tuples(tuple(buffer.take() for buffer in self._gathered), None)
        self._gathered = []  # whose room is needed now
        codes, counts = self._counted.take()
        return Tuples(tuple(column.ravel() for column in codes), counts.ravel().view(np.int64))

    @property
    def _rows(self) -> int:
        """How many are gathered and not counted."""
        return len(self._gathered[0])

    def _count(self, *, anyway: bool = False) -> None:
        rows = [buffer.codes for buffer in self._gathered]
        if self._counted is None:
            if not anyway and not self._is_worth_it(rows):
                self._limit = 4 * self._rows
                return
            self._counted = _kernel.PackedTuples()
        self._counted.add(rows, self._cardinality, self._rows)
        self._limit = max(self._rows_at_once, len(self._counted) // 2)
        for buffer in self._gathered:
            buffer.clear()

    def _is_worth_it(self, rows: Sequence[Codes]) -> bool:
        """Will tuples and their counts take no more memory than the rows, and the words into which whoever reads them
        packs them?
        """
        packed = sum(column.itemsize for column in rows) + _BYTES_PACKED
        tuples = _kernel.estimate_tuples(rows, self._cardinality, self._rows)
        return tuples * (packed + _BYTES_PACKED) <= self._rows * packed
