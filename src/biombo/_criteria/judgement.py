"""``judge``: whether a table meets criteria, and where it does not."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._criteria.base import Criterion
from biombo._criteria.columns import by_quasi, check_quasi_columns, criteria_list, refuse_both_roles
from biombo._criteria.groups import Case
from biombo._criteria.kernel_rules import asks_of
from biombo._criteria.population_table import beside_population
from biombo._criteria.verdict import Verdict
from biombo._criteria.waived_verdict import WaivedVerdict
from biombo._criteria.waiver import Waiver, refuse_contradictions, waiver_list
from biombo._data import Dataset, as_dataset
from biombo._errors import UsageError
from biombo._frames import Frame, Framed, FrameKind
from biombo._glance import Glance, Result
from biombo._i18n import text

Rows = NDArray[np.bool_]


@dataclass(frozen=True, eq=False, repr=False)
class Judgement(Result, Framed):
    """Whether a table meets each of several criteria. Made by :func:`biombo.judge`."""

    rows: int
    """Records that were judged."""
    verdicts: tuple[Verdict, ...]
    """One for each criterion that is asked for, in the order in which they were given."""
    _all_rows: int
    waived: tuple[WaivedVerdict, ...] = field(default=(), kw_only=True)
    """One for each criterion that was waived; none of them decides anything."""
    kind: FrameKind = field(default="polars", kw_only=True)
    """The kind of frame that the table came as."""

    @property
    def holds(self) -> bool:
        """Are all criteria met that are asked for?"""
        return all(verdict.holds for verdict in self.verdicts)

    def failing_rows(self) -> Rows:
        """Which rows of the table (tuples, where it was read counted) lie in a group that fails a criterion.

        Rows that were left out of the judgement never do, and table-level criteria have no failing groups. What fails
        only what was waived is not among them.
        """
        failing = np.zeros(self._all_rows, bool)
        for verdict in self.verdicts:
            if verdict.groups:
                failing |= verdict.failing_rows()
        return failing

    def __str__(self) -> str:
        """One sentence for each criterion, in the language in use; who accepted what was waived stands there too."""
        return "\n".join(map(str, (*self.verdicts, *self.waived)))

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values; nothing about what is in small groups."""
        return as_json(self)

    def _table(self) -> pl.DataFrame:
        return pl.DataFrame([_row(verdict) for verdict in self.verdicts], infer_schema_length=None)

    @property
    def _kind(self) -> FrameKind:
        return self.kind

    def _glance(self) -> Glance:
        failing = sum(not verdict.holds for verdict in self.verdicts)
        told = {"records": self.rows, "failing": failing, "criteria": len(self.verdicts)}
        came = "fails" if failing else "holds" if self.verdicts else "nothing-asked"
        shown = [(str(verdict),) for verdict in (*self.verdicts, *self.waived)]
        return Glance(text(f"glance.judgement.{came}", **told), [text("glance.column.criterion")], shown)


def judge(
    data: Dataset | Frame,
    criteria: Criterion | Sequence[Criterion],
    *,
    quasi: Sequence[str] | None = None,
    sensitive: Sequence[str] | str | None = None,
    keep: Rows | None = None,
    suppressed: Rows | None = None,
    waived: Waiver | Sequence[Waiver] = (),
    population: Any = None,
) -> Judgement:
    """Does the table meet the criteria, as it is?

    Values count as they are: continuous columns are not binned, and missing and invalid values are values like others.
    Where the schema names the person and that column was read, k-anonymity counts people.

    Args:
        data: The table: what :func:`biombo.read` gave, or a pandas, Polars or Arrow one.
        criteria: One or several. Those that name quasi columns of their own are judged on the groups of these.
        quasi: What an adversary may know; by default the quasi columns of the schema.
        sensitive: What it wants; by default the sensitive columns of the schema.
        keep: Which rows are there at all; by default all. Where the table was read counted, its rows are tuples.
        suppressed: Rows that are not released. They are in no group, but count for the prior and for the distribution
            that t-closeness compares with: those are what was known of all records that went in.
        waived: Criteria that need not be met. They are judged apart and decide nothing; where there are some,
            ``criteria`` may be empty.
        population: A table of everybody of whom the people of the table are some, for criteria that are counted in it:
            whatever :func:`biombo.read` takes, or what it gave. It writes the values as the table does, as it is.

    >>> from biombo._criteria import KAnonymity, LDiversity
    >>> from biombo._data import read
    >>> from biombo._samples import clinic
    >>> judged = judge(read(clinic()), [KAnonymity(2), LDiversity(2)], quasi=["age", "city"], sensitive="disease")
    >>> judged.holds, [verdict.achieved for verdict in judged.verdicts]
    (False, [2.0, 1.0])
    >>> print(judged.verdicts[1])
    distinct l-diversity with l = 2: not met (least diversity 1; groups that fail: 1, with 2 records).
    """
    data = as_dataset(data)
    if not isinstance(data, Dataset):
        raise UsageError("criteria.not-read", type=type(data).__name__)
    if isinstance(quasi, str):
        raise UsageError("usage.string-for-list", argument="quasi", value=quasi)
    waivers = waiver_list(waived)
    listed = criteria_list(criteria) if criteria or not waivers else ()
    used = tuple(data.schema.quasi if quasi is None else quasi)
    keep, suppressed = _checked_rows(data, "keep", keep), _checked_rows(data, "suppressed", suppressed)
    if keep is not None and not keep.any():
        raise UsageError("criteria.nothing")
    refuse_contradictions(listed, waivers, used)
    data = beside_population(data, population, [*listed, *(each.criterion for each in waivers)], used)
    verdicts: dict[int, Verdict] = {}
    for columns, asked in by_quasi([*listed, *(each.criterion for each in waivers)], used).items():
        check_quasi_columns(data, columns)
        asks, targets = asks_of(data, asked, sensitive, keep)
        refuse_both_roles(columns, [ask.column for ask in asks if ask.column is not None])
        case = Case(data, columns, asks, targets, keep, suppressed)
        found = case.groups(columns)
        verdicts |= {id(criterion): Verdict.of(criterion, case, found) for criterion in asked}
    judged = _rows_judged(data, keep, suppressed)
    return Judgement(
        judged,
        tuple(verdicts[id(criterion)] for criterion in listed),
        data.rows,
        waived=tuple(WaivedVerdict(each, verdicts[id(each.criterion)]) for each in waivers),
        kind=data.kind,
    )


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


def as_json(judgement: Judgement) -> dict[str, Any]:
    """A judgement as plain values, numbers at full precision, an infinite one as null. It says nothing about what is in
    small groups."""
    return {
        "holds": judgement.holds,
        "records": judgement.rows,
        "criteria": [verdict.as_json() for verdict in judgement.verdicts],
        "waived": [verdict.as_json() for verdict in judgement.waived],
    }


def _row(verdict: Verdict) -> dict[str, Any]:
    """A verdict in cells."""
    found = verdict.as_json()
    failing = {f"failing_{name}": count for name, count in found.pop("failing").items()}
    return found | {"criterion": str(verdict.criterion), "quasi": "+".join(verdict.quasi)} | failing
