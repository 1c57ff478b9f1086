"""Swap the values of columns between records (PDPC 2018, section 11)."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from biombo._data import Dataset, Role
from biombo._documents import is_within_limit, limited
from biombo._engine import Flow, Gathered, Places, Randomness, Rows, are_out, numbered
from biombo._errors import UsageError
from biombo._i18n import text
from biombo._plan.operations.operation import Context, TableOperation
from biombo._plan.operations.several_columns import SeveralColumns

Strata = NDArray[np.uint32]


@dataclass(frozen=True)
class Swap(SeveralColumns, TableOperation):
    """Give each record the values that another one, drawn at random, has in ``columns``.

    Several columns move together, so what they say about each other stays true; name them in operations of their own
    to part them. With ``within``, values only change places between records that agree in those columns. Only records
    that are released take part. Every order has the same chance, so a few records may keep their values.

    >>> Swap(["title", "born"], within=["sex"]).to_tree()
    {'swap': {'columns': ['title', 'born'], 'within': ['sex']}}
    """

    name: ClassVar[str] = "swap"
    roles: ClassVar[tuple[Role, ...]] = ("quasi", "sensitive", "other")
    truthful: ClassVar[bool] = False
    reversible: ClassVar[bool] = False
    leaks: ClassVar[str] = "plan.leaks.swap"

    columns_: tuple[str, ...] = field(metadata=limited(members=1))
    within: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if not is_within_limit(self, "columns_"):
            raise UsageError("plan.no-column-named", name=self.name)
        if both := set(self.columns_) & set(self.within):
            raise UsageError("plan.swap-within-itself", column=min(both))

    @property
    def reads(self) -> tuple[str, ...]:
        """These, and those that records must agree in."""
        return (*self.columns_, *self.within)

    def exchanged(self, gathered: Gathered, context: Context) -> Flow:
        """Draw whose values each record takes."""
        rows = ~are_out(gathered.fates)
        strata = _strata(gathered.data, self.within, rows)
        alone = int((np.bincount(strata)[strata] == 1).sum())
        if alone:
            context.warn(text("errors.plan.swap-alone", columns=", ".join(self.columns_), records=alone))
        return gathered.exchanged(self.columns_, rows, shuffled_within(strata, context.random))


def _strata(data: Dataset, columns: tuple[str, ...], rows: Rows) -> Strata:
    if not columns:
        return np.zeros(int(rows.sum()), np.uint32)
    within = [data[name] for name in columns]
    strata, _ = numbered([each.codes[rows] for each in within], [each.cardinality for each in within])
    return strata


def shuffled_within(strata: Strata, random: Randomness) -> Places:
    """For each record the place of one of its stratum, each of them taken once; every such order is equally likely."""
    drawn = random.order(len(strata))
    taken_from = np.empty_like(drawn)
    taken_from[np.argsort(strata, kind="stable")] = drawn[np.argsort(strata[drawn], kind="stable")]
    return taken_from
