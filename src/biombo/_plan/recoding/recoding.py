"""The groups of a table that are released alike."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._cells import LocalGroups, Requirement, Rule, local_groups
from biombo._criteria import Criterion, Demand, demand
from biombo._data import Dataset
from biombo._measures import LossDomain
from biombo._plan.recoding.levelled_values import LevelledValues, Preference
from biombo._plan.recoding.recoded_column import RecodedColumn
from biombo._watch import advance_share

Rows = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Recoding:
    """Who is released alike, and as what. Private: it says of single people at which level they are told."""

    columns: tuple[LevelledValues, ...]
    groups: LocalGroups

    @classmethod
    def of(
        cls,
        data: Dataset,
        columns: Sequence[RecodedColumn],
        criteria: Sequence[Criterion],
        *,
        preference: Preference = "loss",
        loss_domain: LossDomain = "data",
        out: Rows | None = None,
        keep: Rows | None = None,
        sensitive: Sequence[str] | None = None,
    ) -> "Recoding":
        """Groups of the records of ``data`` that are not ``out`` which meet the criteria.

        All criteria are asked of these groups, also those about some of the columns or about the table as a whole:
        groups by fewer columns are made of whole groups, and what holds in each of these holds in them.
        """
        there = np.ones(data.rows, bool) if keep is None else keep.copy()
        if out is not None:
            there &= ~out
        levelled = tuple(LevelledValues.of(data, column, there, loss_domain) for column in columns)
        asked = demand(data, criteria, sensitive=sensitive, keep=keep)
        found = local_groups(
            [column.levelled for column in levelled],
            [column.costs(preference) for column in levelled],
            asked.targets,
            Requirement(asked.k, _rules(asked)),
            np.flatnonzero(there),
            counts=data.counts,
            keep=keep,
            progress=advance_share,
        )
        return cls(levelled, found)

    def labels(self) -> dict[str, list[str | None]]:
        """By column and group: what is released."""
        rows, levels = self.groups.row_of_group, self.groups.levels
        return {each.name: each.called(rows, levels[:, place]) for place, each in enumerate(self.columns)}

    @property
    def failing(self) -> int:
        """How many records are in groups that are not what they must be."""
        return int(self.groups.sizes[~self.groups.meets].sum())


def _rules(asked: Demand) -> tuple[Rule, ...]:
    """What each group must satisfy; where that is so of a bound for the table, it is so of the table."""
    of_table = (Rule(bound.target, "top-share", bound.highest) for bound in asked.table)
    return tuple(dict.fromkeys([*asked.rules, *of_table]))
