"""Microaggregation: numbers of several columns are replaced by the means of groups of near records."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np
import polars as pl

from biombo._criteria import Criterion
from biombo._data import Column, Role, Schema, written
from biombo._documents import COLUMNS, is_within_limit, limited
from biombo._engine import Batch, Dealing, Floats, MarkedChange, MarkedStep, Marks, Numbers, numbered
from biombo._errors import UsageError
from biombo._i18n import text
from biombo._plan.microaggregation import Points, Shares, best_cuts, mdav, standardised
from biombo._plan.operations.operation import CountingOperation, Seen
from biombo._plan.operations.several_columns import SeveralNumbers
from biombo._plan.treatment import Treatment
from biombo._plan.values.numbers import numbers_in
from biombo._plan.values.shift import MOST_DECIMALS, Mover
from biombo._watch import warn


@dataclass(frozen=True)
class Microaggregate(SeveralNumbers, CountingOperation):
    """Put records that are near in ``columns`` into groups of at least ``k``, and give each the means of its group.

    So every combination of values that is released in these columns is shared by ``k`` records, or ``k`` people where
    the plan or the schema names the person, of those that come out by then. Several columns are standardised and
    grouped together by MDAV; of one, the groups are the best that there are. Means are rounded to ``decimals``; dates
    become whole days. Which of several equal records is in which group is drawn.

    Missing values, and those in ``apart``, stay: records are grouped with those that have them in the same columns.
    Where these are fewer than ``k`` people, they lose their values in all ``columns``, and so does the smallest group
    where fewer than ``k`` would have none then. ``decimal`` and ``thousands`` are the marks in numbers that are text.

    >>> Microaggregate(["income", "rent"], k=3).to_tree()
    {'microaggregate': {'columns': ['income', 'rent'], 'k': 3}}
    """

    name: ClassVar[str] = "microaggregate"
    roles: ClassVar[tuple[Role, ...]] = ("quasi", "sensitive", "other")
    truthful: ClassVar[bool] = False
    reversible: ClassVar[bool] = False
    leaks: ClassVar[str] = "plan.leaks.microaggregate"

    columns_: tuple[str, ...] = field(metadata=COLUMNS)
    k: int = field(metadata=limited(2))
    decimals: int = field(default=0, metadata=limited(0, MOST_DECIMALS))
    apart: tuple[str, ...] = ()
    decimal: str = "."
    thousands: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_numbers()
        if not is_within_limit(self, "k"):
            raise UsageError("plan.aggregated-k", columns=", ".join(self.columns_), value=self.k)

    @property
    def draws(self) -> bool:
        """Yes: which of several equal records is in which group."""
        return True

    def sees(self, criteria: Sequence[Criterion], schema: Schema) -> tuple[str, ...]:  # noqa: ARG002
        """Its columns, and who a record is about."""
        return self.columns_ if schema.person is None else (*self.columns_, schema.person)

    def decide(self, seen: Seen) -> Treatment:
        """Form the groups, and say how many records of which kind are in each."""
        kinds = _Kinds(self, seen)
        grouped, cleared = kinds.strata()
        hands, means = _together([kinds.shares(rows) for rows in grouped], kinds.numbers)
        if len(cleared):
            warn(text("plan.warnings.aggregated-cleared", columns=", ".join(self.columns_), k=self.k))
            hands = kinds.with_cleared(hands, cleared, mark=len(means))
        to, mark, count = hands[:, np.argsort(hands[0], kind="stable")]
        dealing = Dealing(kinds.pile, to, mark, count, is_alike=len(np.unique(to)) == len(to))
        return Treatment(dealing, Aggregated(self, dict(zip(self.columns_, means.T, strict=True))))


@dataclass(frozen=True, eq=False)
class Aggregated(MarkedChange):
    """Records get the means of the group that is their mark; with one mark more, nothing."""

    operation: Microaggregate
    means: Mapping[str, Floats]
    """By column and group; not a number where values stay."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Those whose values it replaces."""
        return tuple(self.means)

    def start(self) -> MarkedStep:
        """Put the means in, batch by batch."""
        return _Aggregating(self)


class _Aggregating(MarkedStep):
    def __init__(self, change: Aggregated) -> None:
        of = change.operation
        self._means = {name: np.append(means, [np.nan, np.nan]) for name, means in change.means.items()}
        self._movers = {name: Mover(name, of.decimals, of.numerals, of.apart) for name in change.means}

    def __call__(self, batch: Batch, marks: Marks) -> Batch:
        for name, means in self._means.items():
            put = self._movers[name].put(batch.table.column(name), means[marks])
            cleared = marks == len(means) - 2
            if cleared.any():
                put = put.set(pl.Series(cleared), None)
            batch = batch.with_column(name, put.to_arrow())
        return batch


class _Kinds:
    """The records that come out, those that are alike in the columns, and are one person's, as one kind."""

    def __init__(self, operation: Microaggregate, seen: Seen) -> None:
        self._k = operation.k
        self._columns = operation.columns_
        there = np.flatnonzero(~seen.out)
        columns = [seen.data[name] for name in operation.columns_]
        every = [_numbers(each, operation)[there] for each in columns]
        stays = [_staying(each, there, numbers) for each, numbers in zip(columns, every, strict=True)]
        person = seen.data.schema.person
        people = np.zeros(len(there), np.int64) if person is None else seen.data[person].codes[there].astype(np.int64)
        kind = _numbered([*every, *stays, people])
        _, first = np.unique(kind, return_index=True)
        self.pile = np.full(len(seen.out), -1, np.int64)
        self.pile[there] = kind
        self.counts: Numbers = np.bincount(kind, seen.counts[there]).astype(np.int64)
        self.numbers: Floats = np.stack([each[first] for each in every], axis=1)
        self.people: Numbers | None = None if person is None else people[first]
        self._stays = [each[first] for each in stays]
        self._drawn = seen.random.order(len(first))

    def shares(self, rows: Numbers) -> tuple[Numbers, Shares]:
        """The groups of the kinds ``rows``, which have numbers in the same columns."""
        rows = rows[np.argsort(self._drawn[rows], kind="stable")] if self.people is not None else rows
        with_numbers = ~np.isnan(self.numbers[rows[0]])
        if not with_numbers.any():
            return rows, Shares(np.arange(len(rows)), np.zeros(len(rows), np.int64), self.counts[rows])
        own = self.numbers[np.ix_(rows, with_numbers)]
        order = np.lexsort(own.T[::-1])
        rows, own = rows[order], own[order]
        people = None if self.people is None else np.unique(self.people[rows], return_inverse=True)[1].ravel()
        points = Points(standardised(own, self.counts[rows]), self.counts[rows], people)
        return rows, (best_cuts if with_numbers.sum() == 1 else mdav)(points, self._k)

    def strata(self) -> tuple[list[Numbers], Numbers]:
        """The kinds by which columns have no number there, and those that must lose their values, since too few people
        are like them in that.
        """
        strata = [rows for _, rows in sorted(self._by_what_stays.items())]
        few = [rows for rows in strata if self._size(rows) < self._k]
        enough = [rows for rows in strata if self._size(rows) >= self._k]
        if few and not enough:
            raise UsageError("plan.aggregated-few", columns=", ".join(self._columns), k=self._k)
        return enough, np.concatenate([np.empty(0, np.int64), *few])

    def with_cleared(self, hands: Numbers, cleared: Numbers, mark: int) -> Numbers:
        """All shares, with ``mark`` for those that lose their values. Where too few people have none then, those of the
        smallest group lose theirs too.
        """
        nothing = [rows for rows in self._by_what_stays.values() if self._is_empty(rows)]
        if self._size(np.unique(np.concatenate([cleared, *nothing]))) < self._k:
            smallest = np.argmin(np.bincount(hands[1], hands[2]))
            kind, group, count = hands
            hands = np.stack([kind, np.where(group == smallest, mark, group), count])
        return np.concatenate([hands, np.stack([cleared, np.full(len(cleared), mark), self.counts[cleared]])], axis=1)

    @cached_property
    def _by_what_stays(self) -> dict[tuple[float, ...], Numbers]:
        of = _numbered(self._stays)
        alike = [np.flatnonzero(of == place) for place in range(int(of.max(initial=-1)) + 1)]
        return {tuple(each[rows[0]] for each in self._stays): rows for rows in alike}

    def _size(self, rows: Numbers) -> int:
        """How many people have these kinds."""
        return int(self.counts[rows].sum()) if self.people is None else len(np.unique(self.people[rows]))

    def _is_empty(self, rows: Numbers) -> bool:
        return all(each[rows[0]] == _MISSING for each in self._stays)


_NUMBER, _MISSING = 0.0, 1.0
"""What a record has in a column; from 2 on, values that stand apart, in their order."""


def _numbered(keys: Sequence[Floats | Numbers]) -> Numbers:
    """A number for each row, the same for rows with the same keys; of keys, not being a number is one."""
    if not len(keys[0]):
        return np.empty(0, np.int64)
    codes = [np.unique(np.nan_to_num(each), return_inverse=True)[1].ravel().astype(np.uint32) for each in keys]
    return numbered(codes, [int(each.max()) + 1 for each in codes])[0].astype(np.int64)


def _numbers(column: Column, operation: Microaggregate) -> Floats:
    return numbers_in(column.values, column.name, operation.numerals, operation.apart)[column.codes]


def _staying(column: Column, there: Numbers, numbers: Floats) -> Floats:
    """By record: whether there is a number, nothing, or which of the values that stand apart."""
    texts = written(column.values)
    ranks = texts.rank("dense").fill_null(0).to_numpy().astype(np.float64)
    return np.where(np.isnan(numbers), ranks[column.codes[there]] + 1, _NUMBER)


def _together(found: Sequence[tuple[Numbers, Shares]], numbers: Floats) -> tuple[Numbers, Floats]:
    """Kind, group and count of all shares, groups numbered on; and the means of each group, by column."""
    hands, means, first = [np.empty((3, 0), np.int64)], [np.empty((0, numbers.shape[1]))], 0
    for rows, shares in found:
        hands.append(np.stack([rows[shares.point], shares.group + first, shares.count]))
        means.append(np.stack([shares.means(each) for each in numbers[rows].T], axis=1))
        first += len(means[-1])
    return np.concatenate(hands, axis=1), np.concatenate(means)
