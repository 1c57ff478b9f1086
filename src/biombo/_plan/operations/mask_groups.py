"""Mask the quasi values of the records of groups that fail the criteria."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._cells import Codes, narrowest
from biombo._criteria import judge, rows_to_suppress
from biombo._data import Column, Dataset, written
from biombo._engine import Dealing, Fate, Numbers, Rows, numbered
from biombo._hierarchy import TOP
from biombo._plan.limits import SuppressionError
from biombo._plan.operations.operation import GroupOperation, Operation, Seen
from biombo._plan.treatment import NewFates, Treatment, alike


@dataclass(frozen=True)
class MaskGroups(GroupOperation):
    """Keep the records of groups that fail a group-level criterion, with the mark ``with`` for their quasi values.

    Whoever misses a person's group knows that the person is among the masked. So the masked records, which form one
    group, must meet the criteria too; where they do not, the next smallest groups are masked as well until they do
    (``if-failing: mask-more``), or they are dropped (``if-failing: drop``). Masked columns become text.

    >>> MaskGroups(with_="#").to_tree()
    {'mask-groups': {'with': '#'}}
    """

    name: ClassVar[str] = "mask-groups"
    truthful: ClassVar[bool] = True
    reversible: ClassVar[bool] = False
    leaks: ClassVar[str] = "plan.leaks.mask-groups"

    with_: str = TOP
    if_failing: Literal["mask-more", "drop"] = "mask-more"

    def decide(self, seen: Seen) -> Treatment:
        """Mask the records of failing groups, and as many more as it takes to hide them."""
        data, criteria, out = seen.data, seen.criteria, seen.out

        def failing_with(masked: Rows) -> Rows:
            """What fails when these records are masked, and form one group."""
            columns = {name: masked_in(data[name], masked, self.with_) for name in data.schema.quasi}
            result = replace(data, columns={**data.columns, **columns})
            return judge(result, criteria, keep=seen.valid, suppressed=out).failing_rows()

        failing, hidden = _all_failing(failing_with, data.rows)
        if not hidden and self.if_failing == "drop":
            dropped = rows_to_suppress(data, criteria, keep=seen.valid, suppressed=out)
            return alike(dropped, Fate.UNHIDDEN, seen.counts, NewFates(data.schema.quasi))
        masked = failing if hidden else _enough(RankedGroups.of(data, seen.counts, failing, out), failing_with)
        fate = np.where(failing, int(Fate.MASKED), int(Fate.MASKED_FURTHER))
        dealing = Dealing.alike(np.where(masked, fate, -1), seen.counts)
        return Treatment(dealing, NewFates(data.schema.quasi, self.with_))


def _all_failing(failing_with: Callable[[Rows], Rows], rows: int) -> tuple[Rows, bool]:
    """The rows of groups that fail, and whether they are hidden once all of them are masked.

    Where criteria are about different sets of quasi columns, a record that is masked for the one leaves a group of the
    other smaller; so this is repeated until no further group fails.
    """
    masked = np.zeros(rows, bool)
    while ((failing := failing_with(masked)) & ~masked).any():
        masked |= failing
    return masked, not failing.any()


def _enough(ranked: "RankedGroups", failing_with: Callable[[Rows], Rows]) -> Rows:
    """The failing rows and those of as few further groups, the smallest first, as it takes to hide them."""

    def are_hidden(masked: Rows) -> bool:
        return not failing_with(masked).any()

    too_few, enough = 0, 1
    while not are_hidden(ranked.up_to(enough)):
        if enough >= ranked.groups:
            raise SuppressionError("plan.mask-hopeless")
        too_few, enough = enough, min(2 * enough, ranked.groups)
    while enough - too_few > 1:
        middle = (enough + too_few) // 2
        if are_hidden(ranked.up_to(middle)):
            enough = middle
        else:
            too_few = middle
    return ranked.up_to(enough)


def masked_in(column: Column, rows: Rows, mark: str) -> Column:
    """The column as text, with ``mark`` in ``rows``."""
    values: list[str | None] = written(column.values).to_list()
    masked = mark or None  # an empty text is a missing value
    if masked not in values:
        values.append(masked)
    codes: Codes = column.codes.astype(narrowest(len(values)))  # type: ignore[assignment]
    codes[rows] = values.index(masked)
    return Column(column.name, codes, pl.Series(column.name, values, pl.String))


def masked_records(released: Dataset, operations: Iterable[Operation], quasi: Iterable[str]) -> dict[str, Rows]:
    """By the mark of each operation that masks groups: the released records with nothing else in any quasi column."""
    marks = {operation.with_ for operation in operations if isinstance(operation, MaskGroups)}
    columns = [released[name] for name in quasi if name in released.columns]
    return {mark: np.logical_and.reduce([_marked(column, mark) for column in columns]) for mark in marks if columns}


def _marked(column: Column, mark: str) -> Rows:
    is_mark: Rows = (written(column.values) == mark).fill_null(False).to_numpy()
    return is_mark[column.codes]


@dataclass(frozen=True, eq=False)
class RankedGroups:
    """Tuples that fail, then the others by the size of their group over the quasi columns, the smallest first.

    Groups of the same size are in the order of their values, so that the order of the records does not matter.
    """

    groups: int
    """Groups that do not fail."""
    _rank: Numbers

    @classmethod
    def of(cls, data: Dataset, counts: Numbers, failing: Rows, out: Rows) -> "RankedGroups":
        """Rank the tuples that are not out; those of one group fail together."""
        group, size = _groups(data, counts, ~out)
        size[group[failing[~out]]] = 0
        others = int(np.count_nonzero(size))
        place = np.empty(len(size), np.int64)
        place[_in_order(data, group, size, ~out)] = np.arange(1, len(size) + 1) - (len(size) - others)
        rank = np.full(data.rows, others + 1)
        rank[~out] = place[group]
        return cls(others, rank)

    def up_to(self, groups: int) -> Rows:
        """The failing tuples and those of the first ``groups`` others."""
        return self._rank <= groups


def _in_order(data: Dataset, group: NDArray[np.uint32], size: Numbers, there: Rows) -> NDArray[np.intp]:
    """Groups by size, and by their values as they are written."""
    some = np.empty(len(size), np.intp)
    some[group] = np.flatnonzero(there)
    ranks = [_ranks(data, name)[data[name].codes[some]] for name in reversed(data.schema.quasi)]
    return np.lexsort([*ranks, size])


def _ranks(data: Dataset, name: str) -> Numbers:
    """By code: its place in the order of the values; a missing one comes first."""
    order = written(data[name].values).arg_sort().to_numpy()
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order))
    return ranks


def _groups(data: Dataset, counts: Numbers, there: Rows) -> tuple[NDArray[np.uint32], Numbers]:
    """The group of each tuple that is there, and each group's size: people where they are named, else records."""
    quasi = [data[name] for name in data.schema.quasi]
    group, groups = numbered([column.codes[there] for column in quasi], [column.cardinality for column in quasi])
    if data.schema.person is None:
        size = np.zeros(groups, np.int64)
        np.add.at(size, group, counts[there])
        return group, size
    person = data[data.schema.person]
    pair, pairs = numbered([group, person.codes[there]], [groups, person.cardinality])
    group_of = np.empty(pairs, np.int64)
    group_of[pair] = group
    return group, np.bincount(group_of, minlength=groups)
