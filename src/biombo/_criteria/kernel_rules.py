"""Criteria as the kernel wants them: rules on targets."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Rule, TargetColumn
from biombo._criteria.base import Criterion
from biombo._criteria.columns import criteria_list, sensitive_in_use
from biombo._criteria.targets import Ask, Targets
from biombo._data import Dataset


@dataclass(frozen=True)
class TableBound:
    """What a table-level criterion asks about one target."""

    target: int
    """Its place among the targets."""
    highest: float
    """The highest posterior allowed: Σ top counts / records."""


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
    rules = [(ask.criterion.scope, ask.rule) for ask in asks if ask.rule is not None]
    sizes = [ask.least for ask in asks if ask.rule is None]
    return Demand(
        k=max(sizes, default=1),
        rules=tuple(rule for scope, rule in rules if scope == "group"),
        targets=targets,
        table=tuple(TableBound(rule.target, rule.bound) for scope, rule in rules if scope == "table"),
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
