"""The groups of a table, held against what is asked of them, and how they stand to each criterion."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo import _kernel
from biombo._cells import CodedColumn, Codes, Counts, GroupValues, TargetColumn, judge_groups
from biombo._criteria.base import Criterion
from biombo._criteria.targets import Ask
from biombo._criteria.whole_table import KeptGroups
from biombo._data import Dataset


@dataclass(frozen=True, eq=False)
class JudgedGroups:
    """The groups of some quasi columns and how they stand to everything asked. Small ones are personal data."""

    codes: NDArray[np.uint32]
    """Per group and quasi column."""
    size: NDArray[np.int64]
    """Records."""
    top: NDArray[np.int64]
    """Per group and target: records with its most frequent value."""
    value: NDArray[np.float64]
    """Per group and ask, in the unit of the criterion."""
    meets: NDArray[np.bool_]
    """Per group and ask."""
    members: NDArray[np.int64]
    """People where some ask counts these, else records."""


@dataclass(frozen=True, eq=False)
class Case:
    """What is asked of the groups of one set of quasi columns."""

    data: Dataset
    quasi: tuple[str, ...]
    asks: tuple[Ask, ...]
    targets: tuple[TargetColumn, ...]
    keep: NDArray[np.bool_] | None
    """The rows that count at all; all where it is missing."""
    suppressed: NDArray[np.bool_] | None
    """Rows that count for what is known beforehand, but are in no group."""

    def groups(self, quasi: Sequence[str]) -> JudgedGroups:
        """The groups of ``quasi``, one group where there are no columns."""
        released = _Released(self.data.rows, self.suppressed)
        columns: list[CodedColumn] = [released, *(self.data[name] for name in quasi)]
        rules = [ask.rule for ask in self.asks if ask.rule is not None]
        found = judge_groups(columns, self.targets, self.data.rows, rules, self.keep, self.data.counts)
        value, meets, members = self._held_against(found)
        here = found.codes[:, 0] == _Released.CODE
        return JudgedGroups(
            found.codes[here, 1:], found.size[here], found.top[here], value[here], meets[here], members[here]
        )

    @property
    def there(self) -> NDArray[np.bool_]:
        """Which rows are in groups: those that count and are not suppressed."""
        there: NDArray[np.bool_] = np.ones(self.data.rows, bool) if self.keep is None else self.keep
        return there if self.suppressed is None else there & ~self.suppressed

    def rows_of(self, codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """Which rows lie in the groups of ``quasi`` with these codes, of those that count and are not suppressed."""
        columns = [self.data[name] for name in self.quasi]
        with_groups: list[Codes] = [
            np.concatenate([column.codes, codes[:, place].astype(column.codes.dtype)])
            for place, column in enumerate(columns)
        ]
        rows = self.data.rows
        numbers, groups = _kernel.row_groups(with_groups, [c.cardinality for c in columns], rows + len(codes))
        marked = np.zeros(groups, bool)
        marked[numbers.ravel()[rows:]] = True
        found: NDArray[np.bool_] = marked[numbers.ravel()[:rows]] & self.there
        return found

    def _held_against(self, found: GroupValues) -> tuple[NDArray[np.float64], NDArray[np.bool_], Counts]:
        """Per group and ask: the value in the unit of the criterion, and whether it will do. Per group: its members."""
        value = np.empty((len(found.size), len(self.asks)))
        meets = np.empty(value.shape, bool)
        members, rule = found.size, 0
        for place, ask in enumerate(self.asks):
            if ask.rule is None:
                value[:, place] = ask.criterion.of_members(found.size, ask.prior)
                meets[:, place] = found.size >= ask.least
                continue
            values, meets[:, place] = found.values[:, rule], found.holds[:, rule]
            if ask.people is None:
                value[:, place] = ask.criterion.measured(values, ask.prior)
            else:
                members = values.astype(np.int64)
                value[:, place] = ask.criterion.of_members(members, ask.prior)
            rule += 1
        return value, meets, members


class _Released:
    """A column that parts the rows that are released from those that are suppressed."""

    CODE = 1
    name = "released"
    cardinality = 2

    def __init__(self, rows: int, suppressed: NDArray[np.bool_] | None) -> None:
        self.codes = np.full(rows, self.CODE, np.uint8) if suppressed is None else (~suppressed).astype(np.uint8)


@dataclass(frozen=True, eq=False)
class Standing:
    """How the groups of some quasi columns stand to one criterion."""

    value: NDArray[np.float64]
    """Per group: its value, the worst one where several sensitive columns count."""
    ask: NDArray[np.intp]
    """Per group: the place of the ask that it is from."""
    fails: NDArray[np.bool_]
    """Per group; never with a table-level criterion, which no single group breaks."""
    achieved: float | None
    """The worst value of any group, or the table's; none where there is no group."""
    holds: bool
    records: int
    """Records in the groups that fail."""


def standing_of(criterion: Criterion, asks: Sequence[Ask], found: JudgedGroups) -> Standing:
    """What was ``found``, as far as it concerns one criterion of those whose ``asks`` these are."""
    places = np.array([place for place, ask in enumerate(asks) if ask.criterion is criterion])
    values = found.value[:, places]
    worst = values.argmin(axis=1) if criterion.lowest_is_worst else values.argmax(axis=1)
    value = np.take_along_axis(values, worst[:, None], axis=1)[:, 0]
    fails: NDArray[np.bool_] = np.any(~found.meets[:, places], axis=1)
    if criterion.scope == "table":
        fails = np.zeros_like(fails)
        achieved, holds = _of_table([asks[place] for place in places], found)
    else:
        achieved, holds = _worst(criterion, value), not fails.any()
    return Standing(value, places[worst], fails, achieved, holds, int(found.size[fails].sum()))


def _worst(criterion: Criterion, values: NDArray[np.float64]) -> float | None:
    if not len(values):
        return None
    return float(values.min() if criterion.lowest_is_worst else values.max())


def _of_table(asks: Sequence[Ask], found: JudgedGroups) -> tuple[float | None, bool]:
    """The highest of what is asked of the table as a whole, and whether all of it will do."""
    if not len(found.size):
        return None, True
    kept = _added_up(found)
    values, holds = [], True
    for ask in asks:
        assert ask.bound is not None
        value = ask.bound.value(kept)
        values.append(ask.criterion.measured(value, ask.prior)[0])
        holds &= bool(ask.bound.holds(kept)[0])
    return float(max(values)), holds


def _added_up(found: JudgedGroups) -> KeptGroups:
    size, members = found.size, found.members
    return KeptGroups(
        records=np.array([size.sum()]),
        unique=np.array([size[members == 1].sum()]),
        picked=np.array([(size / members).sum()]),
        tops=found.top.sum(axis=0, keepdims=True),
        sizes=[np.unique(members, return_counts=True)],
    )
