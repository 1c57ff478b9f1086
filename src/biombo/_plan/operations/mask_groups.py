"""Mask the quasi values of the records of groups that fail the criteria."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
import polars as pl

from biombo._cells import Codes, narrowest
from biombo._criteria import judge, rows_to_suppress
from biombo._data import Column, Dataset, written
from biombo._engine import Dealing, Fate, Rows
from biombo._hierarchy import TOP
from biombo._plan.decision import Decision, NewFates, alike
from biombo._plan.errors import SuppressionError
from biombo._plan.operations.operation import GroupOperation, Operation, Seen
from biombo._plan.ranked_groups import RankedGroups


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

    def decide(self, seen: Seen) -> Decision:
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
        return Decision(dealing, NewFates(data.schema.quasi, self.with_))


def _all_failing(failing_with: Callable[[Rows], Rows], rows: int) -> tuple[Rows, bool]:
    """The rows of groups that fail, and whether they are hidden once all of them are masked.

    Where criteria are about different sets of quasi columns, a record that is masked for the one leaves a group of the
    other smaller; so this is repeated until no further group fails.
    """
    masked = np.zeros(rows, bool)
    while ((failing := failing_with(masked)) & ~masked).any():
        masked |= failing
    return masked, not failing.any()


def _enough(ranked: RankedGroups, failing_with: Callable[[Rows], Rows]) -> Rows:
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
