"""Noise on the records of groups that fail, and on no others: what operations of this kind have in common."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from biombo._criteria import Count, Criterion, judge
from biombo._data import Column, Dataset, Schema, written
from biombo._engine import Batch, Counted, Dealing, MarkedChange, MarkedStep, Marks, Rows
from biombo._errors import ColumnError
from biombo._plan.operations.mechanism import PrivateOperation
from biombo._plan.operations.operation import CountingOperation, Noised, Operation, Seen
from biombo._plan.treatment import Treatment
from biombo._plan.values.distinct_values import column_values, relabelled, reworded

_PILE, _MARK, _COUNT = "pile", "mark", "count"


@dataclass(frozen=True)
class GroupNoise(CountingOperation):
    """Draws values anew for the records of groups that fail; those of all others stay as they are.

    Which records these are depends on the data, so that no ε holds for anybody. All values are drawn once, before the
    rows pass by. The columns become text, which does not tell who was chosen: what stays is written as what is drawn.
    """

    truthful: ClassVar[bool] = False
    reversible: ClassVar[bool] = False
    noisy: ClassVar[bool] = True
    understands: ClassVar[bool] = True

    @property
    @abstractmethod
    def mechanisms(self) -> tuple[PrivateOperation, ...]:
        """What draws, one for each column."""

    @property
    @abstractmethod
    def asked(self) -> Criterion:
        """What groups must be so that their records stay as they are."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Those of the mechanisms."""
        return tuple(each.column for each in self.mechanisms)

    @property
    def draws(self) -> bool:
        """Yes, once."""
        return True

    def drawing(self, column: str) -> Operation:
        """The mechanism of the column."""
        return next(each for each in self.mechanisms if each.column == column)

    def sees(self, criteria: Sequence[Criterion], schema: Schema) -> tuple[str, ...]:  # noqa: ARG002
        """The quasi columns, by which the groups are, its own, and who a record is about."""
        people = () if schema.person is None else (schema.person,)
        return tuple(dict.fromkeys([*schema.quasi, *self.columns, *people]))

    def failing(self, data: Dataset, out: Rows | None = None) -> Rows:
        """The tuples whose records are chosen, of those that are not ``out``."""
        asked = self.asked
        return judge(data, asked, sensitive=asked.about(()), suppressed=out).failing_rows()

    def decide(self, seen: Seen) -> Treatment:
        """Draw for each record of the groups that fail."""
        data, there = seen.data, ~seen.out
        labels = {each.column: _labels(each, data[each.column], there) for each in self.mechanisms}
        chosen = np.flatnonzero(self.failing(data, seen.out))
        rows = np.repeat(chosen, seen.counts[chosen])
        drawn = [_drawn(each, data[each.column], rows) for each in self.mechanisms]
        hands, words = _hands(np.repeat(np.arange(len(chosen)), seen.counts[chosen]), drawn)
        pile = np.full(data.rows, -1, np.int64)
        pile[chosen] = np.arange(len(chosen))
        to, mark, count = (hands[name].to_numpy() for name in (_PILE, _MARK, _COUNT))
        dealing = Dealing(pile, to, mark, count)
        return Treatment(dealing, Redraw(dict(zip(self.columns, words, strict=True)), labels))

    def noted(self, counted: Counted, dealing: Dealing) -> Noised:
        """How many records were chosen, and how many people these are about."""
        chosen = dealing.pile >= 0
        records, person = int(counted.counts[chosen].sum()), counted.data.schema.person
        people = records if person is None else len(np.unique(counted.data[person].codes[chosen]))
        return Noised(self.name, self.columns, Count(records, people))


@dataclass(frozen=True, eq=False)
class Redraw(MarkedChange):
    """Records get the values that were drawn for them: a mark is the place of these, in each column."""

    words: Mapping[str, Sequence[str | None]]
    labels: Mapping[str, Mapping[str | None, str]]
    """By column: how values are written that stay, where that is not as they were."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Those whose values it replaces."""
        return tuple(self.words)

    def start(self) -> MarkedStep:
        """Put the values in, batch by batch."""
        return _Redrawing(self)


class _Redrawing(MarkedStep):
    def __init__(self, change: Redraw) -> None:
        self._change = change

    def __call__(self, batch: Batch, marks: Marks) -> Batch:
        for name, words in self._change.words.items():
            chunk = _labelled(batch.table.column(name), name, self._change.labels[name])
            batch = batch.with_column(name, reworded(chunk, name, marks, words))
        return batch


def _labelled(chunk: pa.Array, column: str, labels: Mapping[str | None, str]) -> pa.Array:
    """``chunk`` with values written as ``labels`` say."""
    return relabelled(chunk, column, lambda values, _: [labels.get(v, v) for v in values]) if labels else chunk


def _labels(mechanism: PrivateOperation, column: Column, there: Rows) -> dict[str | None, str]:
    """How values are written that stay, where that is another way. Raises where some could not be drawn: they would
    tell that their records were not chosen. It quotes none, since they may be one person's.
    """
    values = column.values.gather(np.unique(column.codes[there]))
    labels, strange = mechanism.as_drawn(values)
    if strange.any():
        raise ColumnError("plan.noise-strangers", column=column.name, values=int(strange.sum()), name=mechanism.name)
    both = zip(written(values).to_list(), labels.to_list(), strict=True)
    return {value: label for value, label in both if value is not None and value != label}


def _drawn(mechanism: PrivateOperation, column: Column, rows: NDArray[np.intp]) -> pl.Series:
    """A value for each of the records, as text."""
    if not len(rows):
        return pl.Series([], dtype=pl.String)
    return written(column_values(mechanism.drawn(column.values.gather(column.codes[rows]).to_arrow())))


def _hands(pile: NDArray[np.intp], drawn: Sequence[pl.Series]) -> tuple[pl.DataFrame, list[list[str | None]]]:
    """How many records of each pile get which values, and by column the values that go with each mark."""
    names = [str(place) for place in range(len(drawn))]
    values = {name: each.cast(pl.String) for name, each in zip(names, drawn, strict=True)}
    dealt = pl.DataFrame({_PILE: pile.astype(np.int64), **values}).group_by(_PILE, *names).len(_COUNT)
    marks = dealt.select(names).unique(maintain_order=True).with_row_index(_MARK)
    hands = dealt.join(marks, on=names, nulls_equal=True).sort(_PILE, _MARK)
    return hands.with_columns(pl.col(_MARK, _COUNT).cast(pl.Int64)), [marks[name].to_list() for name in names]
