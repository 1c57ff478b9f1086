"""``judge``: whether a table meets criteria, and where it does not."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._criteria.asking import asks_of
from biombo._criteria.case import Case
from biombo._criteria.criterion import Criterion
from biombo._criteria.in_use import by_quasi, check_quasi_columns, criteria_list, refuse_both_roles
from biombo._criteria.verdict import Verdict
from biombo._data import Dataset
from biombo._errors import UsageError

Rows = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Judgement:
    """Whether a table meets each of several criteria. Made by :func:`biombo.judge`."""

    rows: int
    """Records that were judged."""
    verdicts: tuple[Verdict, ...]
    """One for each criterion, in the order in which they were given."""
    _all_rows: int

    @property
    def holds(self) -> bool:
        """Are all criteria met?"""
        return all(verdict.holds for verdict in self.verdicts)

    def failing_rows(self) -> Rows:
        """Which rows of the table (tuples, where it was read counted) lie in a group that fails a criterion.

        Rows that were left out of the judgement never do, and table-level criteria have no failing groups.
        """
        failing = np.zeros(self._all_rows, bool)
        for verdict in self.verdicts:
            if verdict.groups:
                failing |= verdict.failing_rows()
        return failing

    def __str__(self) -> str:
        """One sentence for each criterion, in the language in use."""
        return "\n".join(str(verdict) for verdict in self.verdicts)


def judge(
    data: Dataset,
    criteria: Criterion | Sequence[Criterion],
    *,
    quasi: Sequence[str] | None = None,
    sensitive: Sequence[str] | str | None = None,
    keep: Rows | None = None,
    suppressed: Rows | None = None,
) -> Judgement:
    """Does the table meet the criteria, as it is?

    Values count as they are: continuous columns are not binned, and missing and invalid values are values like others.
    Where the schema names the person and that column was read, k-anonymity counts people.

    Args:
        data: The table.
        criteria: One or several. Those that name quasi columns of their own are judged on the groups of these.
        quasi: What an adversary may know; by default the quasi columns of the schema.
        sensitive: What it wants; by default the sensitive columns of the schema.
        keep: Which rows are there at all; by default all. Where the table was read counted, its rows are tuples.
        suppressed: Rows that are not released. They are in no group, but count for the prior and for the distribution
            that t-closeness compares with: those are what was known of all records that went in.

    >>> from biombo._criteria import KAnonymity, LDiversity
    >>> from biombo._data import read
    >>> from biombo._samples import clinic
    >>> judged = judge(read(clinic()), [KAnonymity(2), LDiversity(2)], quasi=["age", "city"], sensitive="disease")
    >>> judged.holds, [verdict.achieved for verdict in judged.verdicts]
    (False, [2.0, 1.0])
    >>> print(judged.verdicts[1])
    distinct l-diversity with l = 2: not met (least diversity 1; groups that fail: 1, with 2 records).
    """
    if not isinstance(data, Dataset):
        raise UsageError("criteria.not-read", type=type(data).__name__)
    if isinstance(quasi, str):
        raise UsageError("usage.string-for-list", argument="quasi", value=quasi)
    listed = criteria_list(criteria)
    used = tuple(data.schema.quasi if quasi is None else quasi)
    keep, suppressed = _checked_rows(data, "keep", keep), _checked_rows(data, "suppressed", suppressed)
    if keep is not None and not keep.any():
        raise UsageError("criteria.nothing")
    verdicts: dict[int, Verdict] = {}
    for columns, asked in by_quasi(listed, used).items():
        check_quasi_columns(data, columns)
        asks, targets = asks_of(data, asked, sensitive, keep)
        refuse_both_roles(columns, [ask.column for ask in asks if ask.column is not None])
        case = Case(data, columns, asks, targets, keep, suppressed)
        found = case.groups(columns)
        verdicts |= {id(criterion): Verdict.of(criterion, case, found) for criterion in asked}
    judged = _rows_judged(data, keep, suppressed)
    return Judgement(judged, tuple(verdicts[id(criterion)] for criterion in listed), data.rows)


def _checked_rows(data: Dataset, argument: str, rows: Rows | None) -> Rows | None:
    """One truth value for each row, if any are given."""
    if rows is None:
        return None
    marked = np.asarray(rows)
    if marked.dtype != np.bool_ or marked.shape != (data.rows,):
        raise UsageError("criteria.rows", argument=argument, rows=data.rows)
    return marked


def _rows_judged(data: Dataset, keep: Rows | None, suppressed: Rows | None) -> int:
    if suppressed is None:
        return data.records_in(keep)
    return data.records_in(~suppressed if keep is None else keep & ~suppressed)
