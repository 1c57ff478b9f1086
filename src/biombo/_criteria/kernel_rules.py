"""Criteria as the kernel wants them: rules on targets."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Rule, TargetColumn
from biombo._criteria.base import Criterion
from biombo._criteria.columns import criteria_list, sensitive_in_use
from biombo._criteria.targets import Ask, Targets
from biombo._criteria.whole_table import TableBound
from biombo._data import Dataset


@dataclass(frozen=True, eq=False)
class Demand:
    """Criteria as the kernel wants them, for one set of quasi columns."""

    k: int
    """Records in each group, at least; 1 where nobody asks, or where people are counted."""
    rules: tuple[Rule, ...]
    """What each group must satisfy besides."""
    targets: tuple[TargetColumn, ...]
    """The columns that rules and bounds are about."""
    table: tuple[TableBound, ...]
    """What the table must satisfy as a whole."""
    people: int | None = None
    """The place of the target that names people, where groups of people are asked about as a whole."""
    population: bool = False
    """Is something asked about the population?"""

    @property
    def by_sizes(self) -> bool:
        """Does it take the sizes of all groups to tell what is asked of the table as a whole?"""
        return any(bound.criterion.by_sizes for bound in self.table)

    @property
    def by_presence(self) -> bool:
        """Does it take how likely people of the population are in the table?"""
        return any(bound.criterion.against_population for bound in self.table)


def demand(
    data: Dataset,
    criteria: Criterion | Sequence[Criterion],
    *,
    sensitive: Sequence[str] | str | None = None,
    keep: NDArray[np.bool_] | None = None,
) -> Demand:
    """What the kernel has to check so that ``criteria``, all on the same quasi columns, hold.

    Where the schema names the person and the column was read, group sizes count people; those whose name is missing
    count as one. Priors are those of all rows, or of those that ``keep`` marks.
    """
    asks, targets = asks_of(data, criteria_list(criteria), sensitive, keep)
    by_group = [ask for ask in asks if ask.bound is None]
    of_table = [ask for ask in asks if ask.bound is not None]
    return Demand(
        k=max((ask.least for ask in by_group if ask.rule is None), default=1),
        rules=tuple(ask.rule for ask in by_group if ask.rule is not None),
        targets=targets,
        table=tuple(ask.bound for ask in of_table if ask.bound is not None),
        people=next((ask.people for ask in of_table if ask.people is not None), None),
        population=any(ask.criterion.against_population for ask in asks),
    )


def asks_of(
    data: Dataset,
    criteria: Sequence[Criterion],
    sensitive: Sequence[str] | str | None,
    keep: NDArray[np.bool_] | None,
) -> tuple[tuple[Ask, ...], tuple[TargetColumn, ...]]:
    """What each criterion asks, and the columns that the rules are about."""
    targets = Targets(data, sensitive_in_use(data, sensitive), keep)
    asks = tuple(ask for criterion in criteria for ask in criterion.asks(targets))
    return asks, targets.columns()
