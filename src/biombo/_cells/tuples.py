"""Tuples: the distinct combinations of codes of some columns, counted while chunks of rows arrive."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from biombo import _kernel
from biombo._cells.codes import Codes, Counts, counts_for_kernel

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

    Memory follows the tuples, not the rows: what has been gathered is counted whenever it is twice what counting last
    left (four times, where counting did not halve it), and at least ``rows_at_once``. Where the tuples with their
    counts would take more memory than the rows as they are, these are left uncounted; a sample of them tells, so that
    tables in which nearly all rows differ are hardly read any slower.

    >>> counter = TupleCounter(2)
    >>> counter.add([np.array([0, 1, 0], np.uint8), np.array([5, 6, 5], np.uint8)])
    >>> counter.add([np.array([0, 1], np.uint8), np.array([5, 7], np.uint8)])
    >>> tuples = counter.finish()
    >>> [codes.tolist() for codes in tuples.codes], tuples.counts.tolist()
    ([[0, 1, 1], [5, 6, 7]], [3, 1, 1])
    """

    def __init__(self, columns: int, rows_at_once: int = ROWS_AT_ONCE) -> None:
        self._chunks: list[list[Codes]] = [[] for _ in range(columns)]
        self._cardinality = [0] * columns
        self._counts: Counts | None = None
        """Of the first rows gathered; all others count one."""
        self._rows = 0
        self._rows_at_once = rows_at_once
        self._limit = rows_at_once if columns <= COLUMNS_AT_MOST else None

    def add(self, codes: Sequence[Codes]) -> None:
        """The next rows: for each column, a code for each row."""
        rows = len(codes[0])
        if rows == 0:
            return
        for column, chunk in enumerate(codes):
            self._chunks[column].append(chunk)
            self._cardinality[column] = max(self._cardinality[column], int(chunk.max()) + 1)
        self._rows += rows
        if self._limit is not None and self._rows >= self._limit:
            self._count()

    def finish(self) -> Tuples:
        """All rows, counted; the counter is spent."""
        few = 0 < self._rows <= self._rows_at_once
        uncounted = self._counts is None or len(self._counts) < self._rows
        if self._limit is not None and uncounted and (few or self._counts is not None):
            self._count(anyway=few)
        return Tuples(tuple(self._gathered()), self._counts)

    def _gathered(self) -> list[Codes]:
        """Each column in one piece; column by column, so that no more than one is there twice."""
        for column, chunks in enumerate(self._chunks):
            if len(chunks) != 1:
                joined: Codes = np.concatenate(chunks) if chunks else np.empty(0, np.uint8)  # type: ignore[assignment]
                self._chunks[column] = [joined]
        return [chunks[0] for chunks in self._chunks]

    def _count(self, *, anyway: bool = False) -> None:
        rows = self._gathered()
        if not anyway and self._counts is None and not self._is_worth_it(rows):
            self._limit = 4 * self._rows
            return
        codes, counts = _kernel.count_tuples(rows, self._cardinality, self._rows, counts_for_kernel(self._counts))
        halved = 2 * len(counts) <= self._rows
        self._chunks = [[column.ravel()] for column in codes]
        self._counts = counts.ravel().view(np.int64)
        self._rows = len(self._counts)
        self._limit = max(self._rows_at_once, (2 if halved else 4) * self._rows)

    def _is_worth_it(self, rows: Sequence[Codes]) -> bool:
        """Will tuples and their counts take no more memory than the rows, and the words into which whoever reads them
        packs them?
        """
        packed = sum(column.itemsize for column in rows) + _BYTES_PACKED
        tuples = _kernel.estimate_tuples(rows, self._cardinality, self._rows)
        return tuples * (packed + _BYTES_PACKED) <= self._rows * packed
