"""Local recoding: each group of records is released at levels of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import polars as pl

from biombo._criteria import Criterion
from biombo._data import Role, Schema
from biombo._documents import check_limit, is_within_limit, limited
from biombo._engine import Batch, Dealing, MarkedChange, MarkedStep, Marks
from biombo._errors import ColumnError, UsageError
from biombo._measures import LossDomain
from biombo._plan.columns import judged_columns
from biombo._plan.operations.operation import CountingOperation, Seen
from biombo._plan.recoding import Preference, RecodedColumn, Recoding, Regions
from biombo._plan.treatment import Treatment


@dataclass(frozen=True)
class RecodeLocally(CountingOperation):
    """Put records into groups that meet the plan's criteria, and give all records of a group the values at the lowest
    levels of the hierarchies at which they are alike.

    So a column may hold values of several levels, and little is lost where many are alike anyway. Groups are chosen so
    that ``prefer`` is lost as little as possible: the share of the domain that values stand for (``loss``, told over
    ``loss-domain``), levels (``precision``), or bits (``entropy``). The same records give the same groups; which of
    several records that are alike in all that matters is in which group is drawn. Columns that criteria are about
    besides stay as they are, and groups are formed among records that are alike in them; where these are too few to
    meet the criteria, their groups fail.

    Groups are any records (``regions: free``), or multidimensional regions that are cut from the top down, a column one
    level further at a time (LeFevre et al. 2006): in ``strict`` ones, what is released of a record follows from its
    values; ``relaxed`` ones may overlap, where too few are left of a cut.

    Groups become better step by step. ``steps`` is how many are made at most; without it, as many as are worth it. A
    search that a time limit cut short says how many it made, so that the plan forms the same groups at any time.

    >>> from biombo import Hierarchy
    >>> RecodeLocally([RecodedColumn("age", Hierarchy.by_interval(5, [2]))]).columns
    ('age',)
    """

    name: ClassVar[str] = "recode-locally"
    roles: ClassVar[tuple[Role, ...]] = ("quasi", "sensitive", "other")
    truthful: ClassVar[bool] = True
    reversible: ClassVar[bool] = False
    leaks: ClassVar[str] = "plan.leaks.recode-locally"
    deals: ClassVar[bool] = True

    columns_: tuple[RecodedColumn, ...] = field(metadata=limited(members=1))
    prefer: Preference = "loss"
    loss_domain: LossDomain = "data"
    regions: Regions = "free"
    steps: int | None = field(default=None, metadata=limited(0))

    def __post_init__(self) -> None:
        super().__post_init__()
        if not is_within_limit(self, "columns_"):
            raise UsageError("plan.no-column-named", name=self.name)
        if self.steps is not None:
            check_limit(self, "steps", whole=True)
        repeated = [name for name in self.columns if self.columns.count(name) > 1]
        if repeated:
            raise ColumnError("attack.repeated", column=repeated[0])

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it changes."""
        return tuple(each.column for each in self.columns_)

    @property
    def draws(self) -> bool:
        """Yes: which of several equal records is in which group."""
        return True

    def sees(self, criteria: Sequence[Criterion], schema: Schema) -> tuple[str, ...]:
        """Its columns, and those that the criteria are about."""
        return tuple(dict.fromkeys([*self.columns, *judged_columns(criteria, schema)]))

    def decide(self, seen: Seen) -> Treatment:
        """Form the groups, and say how many records of which kind are in each."""
        if not seen.criteria:
            raise UsageError("plan.recoded-for-nothing", name=self.name)
        found = Recoding.of(
            seen.data,
            self.columns_,
            seen.criteria,
            preference=self.prefer,
            loss_domain=self.loss_domain,
            regions=self.regions,
            out=seen.out,
            keep=seen.valid,
            steps=self.steps,
        )
        shares = found.groups
        is_alike = len(np.unique(shares.of_kind)) == len(shares.of_kind)
        dealing = Dealing(shares.kind, shares.of_kind, shares.group, shares.count, is_alike=is_alike)
        return Treatment(dealing, Recoded({name: tuple(labels) for name, labels in found.labels.items()}))


@dataclass(frozen=True, eq=False)
class Recoded(MarkedChange):
    """Records get the values of the group that is their mark."""

    labels: Mapping[str, tuple[str | None, ...]]
    """By column and group."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Those whose values it replaces."""
        return tuple(self.labels)

    def start(self) -> MarkedStep:
        """Put the values in, batch by batch."""
        return _Recoding(self)


class _Recoding(MarkedStep):
    def __init__(self, change: Recoded) -> None:
        # Whoever has no mark does not come out: nothing of its own values is passed on.
        self._labels = {name: pl.Series([*labels, None], dtype=pl.String) for name, labels in change.labels.items()}

    def __call__(self, batch: Batch, marks: Marks) -> Batch:
        for name, labels in self._labels.items():
            places = np.where(marks < 0, len(labels) - 1, marks).astype(np.uint32)
            batch = batch.with_column(name, labels.gather(pl.Series(places)).to_arrow())
        return batch
