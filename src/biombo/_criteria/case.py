"""The groups of a table, held against what is asked of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo import _kernel
from biombo._cells import CodedColumn, Codes, GroupValues, TargetColumn, judge_groups
from biombo._criteria.asking import Ask
from biombo._criteria.criterion import SensitiveCriterion
from biombo._criteria.k_anonymity import KAnonymity
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
        value, meets = self._held_against(found)
        here = found.codes[:, 0] == _Released.CODE
        return JudgedGroups(found.codes[here, 1:], found.size[here], found.top[here], value[here], meets[here])

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
        found: NDArray[np.bool_] = marked[numbers.ravel()[:rows]]
        if self.keep is not None:
            found &= self.keep
        if self.suppressed is not None:
            found &= ~self.suppressed
        return found

    def _held_against(self, found: GroupValues) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Per group and ask: the value in the unit of the criterion, and whether it will do."""
        value = np.empty((len(found.size), len(self.asks)))
        meets = np.empty(value.shape, bool)
        rule = 0
        for place, ask in enumerate(self.asks):
            if isinstance(ask.criterion, KAnonymity) and ask.rule is None:
                value[:, place], meets[:, place] = found.size, found.size >= ask.criterion.k
                continue
            value[:, place], meets[:, place] = found.values[:, rule], found.holds[:, rule]
            if isinstance(ask.criterion, SensitiveCriterion):
                value[:, place] = ask.criterion.measured(value[:, place], ask.prior)
            rule += 1
        return value, meets


class _Released:
    """A column that parts the rows that are released from those that are suppressed."""

    CODE = 1
    name = "released"
    cardinality = 2

    def __init__(self, rows: int, suppressed: NDArray[np.bool_] | None) -> None:
        self.codes = np.full(rows, self.CODE, np.uint8) if suppressed is None else (~suppressed).astype(np.uint8)
