"""Marks dealt to the rows of tuples."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from biombo._data import Column, written
from biombo._engine.engine import Dealing
from biombo._engine.fates import Numbers
from biombo._engine.local.groups import numbered
from biombo._engine.randomness import Randomness
from biombo._engine.step import Batch, ByMarks, MarkedStep, Marks, Step


@dataclass(frozen=True, eq=False)
class Dealt(ByMarks):
    """A change by marks, with the marks of all rows in their order."""

    marks: NDArray[np.signedinteger]

    def start(self, context: Any) -> Step:  # noqa: ARG002
        """Take the marks of the rows that are in the batch at hand."""
        return _Marking(self.change.start(), self.marks)


class _Marking(Step):
    def __init__(self, step: MarkedStep, marks: NDArray[np.signedinteger]) -> None:
        self._step = step
        self._marks = marks
        self._seen = 0

    def __call__(self, batch: Batch) -> Batch:
        start, self._seen = self._seen, self._seen + batch.table.num_rows
        return self._step(batch, self._marks[start : self._seen].astype(np.int32))


def marks_of_tuples(dealing: Dealing) -> Numbers:
    """By tuple: the mark that all its records get, where :attr:`Dealing.is_alike`."""
    of_pile = np.full(int(dealing.pile.max(initial=-1)) + 2, -1, np.int64)  # the last one is for no pile
    of_pile[dealing.to] = dealing.mark
    return of_pile[dealing.pile]


def dealt_marks(dealing: Dealing, pile: Numbers, order: NDArray[np.intp]) -> Marks:
    """The marks of records in these piles, dealt to them in this order."""
    in_order = order[np.argsort(pile[order], kind="stable")]
    piles = pile[in_order]
    first = np.searchsorted(piles, piles, side="left")
    marks = np.full(len(pile), -1, np.int32)
    marks[in_order] = hand_marks(dealing, piles, np.arange(len(piles)) - first)
    return marks


def hand_marks(dealing: Dealing, pile: Numbers, turn: Numbers) -> Marks:
    """The mark of each record that is in this pile and has this turn there; -1 where none is left for it."""
    ends = _ends_in_pile(dealing)
    marks = np.full(len(pile), -1, np.int32)
    if not len(ends):
        return marks
    # Hands are sorted by pile and by where they end in it, so one search finds the hand of each record.
    width = int(max(ends.max(), turn.max(initial=0))) + 2
    hand = np.searchsorted(dealing.to * width + ends, pile * width + turn, side="right")
    given = (hand < len(ends)) & (dealing.to[np.minimum(hand, len(ends) - 1)] == pile)
    marks[given] = dealing.mark[hand[given]]
    return marks


def _ends_in_pile(dealing: Dealing) -> Numbers:
    """By hand: how many records of its pile have been dealt to after it."""
    ends = np.cumsum(dealing.count)
    starts = np.searchsorted(dealing.to, dealing.to, side="left")
    before = np.where(starts > 0, ends[starts - 1], 0)
    return np.asarray(ends - before, np.int64)


def random_order(records: int, random: Randomness) -> NDArray[np.intp]:
    """Each order with the same chance."""
    return random.order(records)


def order_of_values(columns: Sequence[Column], rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """An order of ``rows`` that depends on their values alone, and prefers none: by a digest of what is written."""
    return np.argsort(digests(columns, rows), kind="stable")


def digests(columns: Sequence[Column], rows: NDArray[np.intp]) -> NDArray[np.uint64]:
    """The digest of each of ``rows``, which is the same wherever it is and whatever is beside it."""
    texts = [written(column.values).to_list() for column in columns]
    codes = [column.codes[rows] for column in columns]
    number, tuples = numbered(codes, [column.cardinality for column in columns])
    some = np.empty(tuples, np.intp)
    some[number] = np.arange(len(rows))
    written_out = zip(*([text[code] for code in of[some]] for text, of in zip(texts, codes, strict=True)), strict=True)
    return np.array([digest(values) for values in written_out], np.uint64)[number]


def digest(values: Sequence[str | None]) -> int:
    """A number for a record: the same for the same values as they are written, wherever it is computed.

    >>> digest(["a", None]) == digest(["a", None]), digest(["a", ""]) == digest(["a", None])
    (True, True)
    """
    row = b"".join(b"-" if not value else b"%d:%s" % (len(value.encode()), value.encode()) for value in values)
    return int.from_bytes(blake2b(row, digest_size=8).digest(), "big")
