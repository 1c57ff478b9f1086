"""Criteria as the kernel wants them: rules on targets."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Rule, TargetColumn, tallied
from biombo._criteria.criterion import Criterion, SensitiveCriterion
from biombo._criteria.in_use import columns_of, criteria_list, sensitive_in_use
from biombo._criteria.k_anonymity import KAnonymity
from biombo._criteria.levels_of_values import levels_of_values
from biombo._criteria.order_of_values import order_of_values
from biombo._criteria.t_closeness import TCloseness
from biombo._data import Dataset
from biombo._errors import BiomboWarning, UsageError
from biombo._hierarchy import Hierarchy
from biombo._i18n import text

TARGETS_AT_MOST = 40


@dataclass(frozen=True)
class Ask:
    """What a criterion asks of each group, about one column."""

    criterion: Criterion
    rule: Rule | None
    """What the kernel checks; none where the number of records decides."""
    column: str | None = None
    """The sensitive column, if it is about one."""
    prior: float = 0.0
    """The share of the column's most frequent value in the whole table."""


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
    sizes = [ask.criterion.k for ask in asks if ask.rule is None and isinstance(ask.criterion, KAnonymity)]
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
    targets = _Targets(data)
    used = sensitive_in_use(data, sensitive)
    asks: list[Ask] = []
    for criterion in criteria:
        if isinstance(criterion, KAnonymity):
            asks.append(_ask_for_size(criterion, targets))
        elif isinstance(criterion, SensitiveCriterion):
            asks.extend(_asks_about(criterion, columns_of(criterion, data, used), targets, keep))
    return tuple(asks), targets.columns()


def _ask_for_size(criterion: KAnonymity, targets: "_Targets") -> Ask:
    person = targets.data.schema.person
    if person is not None and person not in targets.data.columns:
        warnings.warn(text("errors.criteria.person-not-read", column=person), BiomboWarning, stacklevel=4)
        person = None
    return Ask(criterion, None if person is None else criterion.rule_for_people(targets.place(person)))


def _asks_about(
    criterion: SensitiveCriterion, columns: Sequence[str], targets: "_Targets", keep: NDArray[np.bool_] | None
) -> list[Ask]:
    hierarchy = criterion.hierarchy if isinstance(criterion, TCloseness) else None
    if hierarchy is not None and len(columns) > 1:
        raise UsageError("criteria.which-column", columns=", ".join(columns))
    ordered = isinstance(criterion, TCloseness) and criterion.kind == "ordered"
    asks = []
    for name in columns:
        target = targets.place(name, hierarchy=hierarchy, ordered=ordered)
        prior = _prior(targets.data, name, keep)
        asks.append(Ask(criterion, criterion.rule(target, prior), name, prior))
    return asks


def _prior(data: Dataset, column: str, keep: NDArray[np.bool_] | None) -> float:
    records = tallied(data[column].codes, data[column].cardinality, data.counts, keep)
    return float(records.max(initial=0) / max(records.sum(), 1))


@dataclass
class _Target:
    """A column that a rule is about, and what distances between its values go by."""

    column: str
    hierarchy: Hierarchy | None
    ordered: bool = False


@dataclass
class _Targets:
    """The columns that rules are about, each once, unless several hierarchies measure distances in it."""

    data: Dataset
    _listed: list[_Target] = field(default_factory=list)

    def place(self, column: str, *, hierarchy: Hierarchy | None = None, ordered: bool = False) -> int:
        """The target's place in the list, where it is put if it is new."""
        for place, target in enumerate(self._listed):
            if target.column == column and target.hierarchy == hierarchy:
                target.ordered |= ordered
                return place
        if len(self._listed) == TARGETS_AT_MOST:
            raise UsageError("criteria.too-many-sensitive", most=TARGETS_AT_MOST)
        self._listed.append(_Target(column, hierarchy, ordered))
        return len(self._listed) - 1

    def columns(self) -> tuple[TargetColumn, ...]:
        """The list, for the kernel."""
        return tuple(self._column(target) for target in self._listed)

    def _column(self, target: _Target) -> TargetColumn:
        column, schema = self.data[target.column], self.data.schema[target.column]
        return TargetColumn(
            column.name,
            column.codes,
            column.cardinality,
            levels=levels_of_values(column, schema, target.hierarchy, self.data.counts) if target.hierarchy else None,
            order=order_of_values(column, schema) if target.ordered else None,
        )
