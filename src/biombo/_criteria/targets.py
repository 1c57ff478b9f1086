"""What a criterion asks of the kernel: rules, and the columns that they are about."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Counts, Rule, TargetColumn, tallied
from biombo._criteria.value_distances import levels_of_values, order_of_values
from biombo._criteria.whole_table import TableBound
from biombo._data import Column, Dataset, written
from biombo._errors import UsageError
from biombo._hierarchy import Hierarchy
from biombo._i18n import text
from biombo._watch import warn

if TYPE_CHECKING:
    from biombo._criteria.base import Criterion

TARGETS_AT_MOST = 40


@dataclass(frozen=True)
class Ask:
    """What a criterion asks of each group, about one column."""

    criterion: "Criterion"
    rule: Rule | None
    """What the kernel checks; none where the number of records decides."""
    column: str | None = None
    """The sensitive column, if it is about one."""
    prior: float = 0.0
    """What is known beforehand: the share of the column's most frequent value in the whole table, or that of the
    population that is in the table."""
    least: int = 1
    """The records that a group must have, where no rule decides."""
    people: int | None = None
    """The place of the target whose different values are a group's members; none where these are records."""
    bound: TableBound | None = None
    """What is asked of the table as a whole, where that is asked and not of each group."""

    def over_table(self, target: int | None, highest: float, sampled: float | None = None) -> "Ask":
        """The same asked of the table as a whole; of one that such a share of a population was ``sampled`` for."""
        return replace(self, bound=TableBound(self.criterion, target, highest, sampled))


@dataclass
class _Target:
    """A column that a rule is about, and what distances between its values go by."""

    column: str
    hierarchy: Hierarchy | None
    ordered: bool = False


@dataclass
class Targets:
    """The columns that rules are about, each once, unless several hierarchies measure distances in it."""

    data: Dataset
    sensitive: tuple[str, ...] = ()
    """The sensitive columns that are used."""
    keep: NDArray[np.bool_] | None = None
    """The rows that count for what was known beforehand; all where it is missing."""
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

    def codes_of(self, column: str, values: Sequence[str]) -> tuple[int, ...]:
        """The codes of those ``values`` that the column has, as they are written; an empty text is a missing one."""
        wanted = written(self.data[column].values).fill_null("").is_in(list(values))
        return tuple(np.flatnonzero(wanted.to_numpy()).tolist())

    def members(self, criterion: "Criterion", least: int = 1) -> Ask:
        """What ``criterion`` asks of the members of each group: so many records, or people where the column that names
        them was read.
        """
        people = self._people()
        if people is None:
            return Ask(criterion, None, least=least)
        return Ask(criterion, Rule(people, "distinct", least), people=people)

    def in_population(self, criterion: "Criterion", least: int) -> Ask:
        """What ``criterion`` asks of the people of the population who look like each group: so many."""
        self._need_population(criterion)
        return Ask(criterion, Rule(0, "population", least), people=self._people())

    def presence(self, criterion: "Criterion", most: float = 1.0) -> Ask:
        """What ``criterion`` asks of the share of these who are in the group: at most so much."""
        self._need_population(criterion)
        people = self._people()
        return Ask(criterion, Rule(0, "presence", most, tail=-1 if people is None else people), people=people)

    def _need_population(self, criterion: "Criterion") -> None:
        if self.data.population is None:
            raise UsageError("criteria.no-population", criterion=criterion)

    def _people(self) -> int | None:
        """The place of the target that names people; none, with a warning, where it was not read."""
        person = self.data.schema.person
        if person is not None and person in self.data.columns:
            return self.place(person)
        if person is not None:
            warn(text("errors.criteria.person-not-read", column=person))
        return None

    @property
    def records(self) -> int:
        """The records that count."""
        return self.data.records_in(self.keep)

    def prior(self, column: str) -> float:
        """The share of the column's most frequent value in the whole table."""
        records = self._records(self.data[column])
        return float(records.max(initial=0) / max(records.sum(), 1))

    def _records(self, column: Column) -> Counts:
        """How many of the records that count have each code."""
        return tallied(column.codes, column.cardinality, self.data.counts, self.keep)

    def columns(self) -> tuple[TargetColumn, ...]:
        """The list, for the kernel."""
        return tuple(self._column(target) for target in self._listed)

    def _column(self, target: _Target) -> TargetColumn:
        column, schema = self.data[target.column], self.data.schema[target.column]
        records = self._records(column)
        return TargetColumn(
            column.name,
            column.codes,
            column.cardinality,
            levels=levels_of_values(column, schema, target.hierarchy, records) if target.hierarchy else None,
            order=order_of_values(column, schema, records) if target.ordered else None,
        )
