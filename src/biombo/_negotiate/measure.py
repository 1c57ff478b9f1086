"""What an offer would do to the table, measured on counted tuples that are kept: the rows are read once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from biombo._criteria import suppression_limit
from biombo._data import Column, Dataset, Schema, written
from biombo._documents import canonical
from biombo._engine import Fate, Rows
from biombo._errors import BiomboError, ColumnError, UsageError
from biombo._hierarchy import Hierarchy
from biombo._negotiate.acts import NEVER_STOPS
from biombo._negotiate.groups import Groups, people_in, people_with
from biombo._negotiate.offer import Measured, Obstacle
from biombo._plan import (
    Diversify,
    Generalise,
    Operation,
    Outcome,
    Plan,
    RowOperation,
    SuppressColumn,
    as_understood,
    columns_after,
)
from biombo._utility import measures_of_outcome


@dataclass(frozen=True, eq=False)
class Workbench:
    """The tuples of the quasi and sensitive columns that were asked for, with the person where there is one."""

    data: Dataset

    @property
    def schema(self) -> Schema:
        """What the columns are."""
        return self.data.schema

    def under(self, operations: Sequence[Operation]) -> "Changed":
        """The table once ``operations`` on single quasi columns are done."""
        columns = dict(self.data.columns)
        removed = {name for each in operations for name in each.removes}
        for operation in operations:
            if isinstance(operation, RowOperation) and not operation.removes:
                (name,) = operation.columns
                columns[name] = _changed(self.data[name], operation, self.schema)
        quasi = tuple(name for name in self.schema.quasi if name not in removed)
        return Changed(self.data, replace(self.data, columns=columns), quasi)


def _changed(column: Column, operation: RowOperation, schema: Schema) -> Column:
    """A column changed value by value: each of its different values is looked at once. What goes wrong is told without
    any of them: a requester may read it.
    """
    each = Column(column.name, np.arange(column.cardinality, dtype=np.uint32), column.values)
    alone = Dataset({column.name: each}, column.cardinality, schema, column.name)
    try:
        changed = columns_after(alone, [operation], [column.name], schema)[column.name]
    except BiomboError:
        raise ColumnError("negotiation.does-not-fit", column=column.name, name=operation.title) from None
    return Column(column.name, changed.codes[column.codes], changed.values)


@dataclass(frozen=True, eq=False)
class Changed:
    """Tuples before and after manipulations, in the same order."""

    before: Dataset
    after: Dataset
    quasi: tuple[str, ...]
    """The quasi columns that are left."""

    @cached_property
    def groups(self) -> Groups:
        """By all quasi columns."""
        return Groups.of(self.after, self.quasi)

    def below(self, k: int) -> Rows:
        """The tuples in groups of fewer than ``k`` people."""
        return self.groups.in_groups(self.groups.people < k)

    def obstacles(self, k: int) -> list[Obstacle]:
        """What each quasi column alone leaves below ``k``, and what all together do, last."""
        alone = [self._obstacle(Groups.of(self.after, [name]), k) for name in self.quasi]
        return [*alone, self._obstacle(self.groups, k)]

    @staticmethod
    def _obstacle(groups: Groups, k: int) -> Obstacle:
        below = groups.people < k
        alone = int(np.count_nonzero(groups.people == 1))
        return Obstacle(groups.columns, int(below.sum()), int(groups.records[below].sum()), alone)

    def suppressed(self, k: int, max_suppression: float) -> Rows:
        """The tuples that go where those of small groups may be suppressed; none where that would be too many."""
        small = self.below(k)
        too_many = self.after.records_in(small) > suppression_limit(max_suppression, self.after.records)
        return np.zeros(self.after.rows, bool) if too_many else small

    def measured(self, plan: Plan, k: int, max_suppression: float) -> Measured:
        """The numbers of an offer whose values are all true."""
        small, gone = self.below(k), self.suppressed(k, max_suppression)
        there, together = ~gone, self._obstacle(self.groups, k)
        groups_there = np.unique(self.groups.people[~(self.groups.people < k)] if gone.any() else self.groups.people)
        smallest = int(groups_there.min()) if len(groups_there) else None
        records = self.after.records_in(there)
        kept_groups = self.groups.count - (together.groups if gone.any() else 0)
        loss = self._loss(plan, gone)
        return Measured(
            records=self.after.records,
            groups=self.groups.count,
            smallest_group=smallest,
            groups_below=together.groups,
            records_below=self.after.records_in(small),
            singled_out=together.singled_out,
            alone=0 if gone.any() else int(np.count_nonzero(self.groups.records == 1)),
            lost=self.after.records_in(gone),
            noised=0,
            reidentified=kept_groups / records if records else 0.0,
            worst=1 / smallest if smallest else 0.0,
            prior=self._guessed(Groups.of(self.after, ()), there),
            posterior=self._guessed(self.groups, there),
            loss=loss,
            loss_at_k=loss if np.array_equal(small, gone) else self._loss(plan, small),
            completeness=records / self.after.records,
        )

    def _guessed(self, groups: Groups, there: Rows) -> dict[str, float]:
        records = max(1, self.after.records_in(there))
        return {name: groups.top(self.after[name], there) / records for name in self.after.schema.sensitive}

    def _loss(self, plan: Plan, gone: Rows) -> float | None:
        fates = np.where(gone, int(Fate.SUPPRESSED), int(Fate.RELEASED)).astype(np.uint8)
        before = {name: self.before[name] for name in self.before.schema.quasi}
        after = {name: self.after[name] for name in self.quasi}
        outcome = Outcome(plan.hash, replace(self.before, columns=before), replace(self.after, columns=after), fates)
        return measures_of_outcome(outcome, plan, "hierarchy").loss


@dataclass(frozen=True, eq=False)
class ValueCheck:
    """How diverse the sensitive values of groups are (process 8), over the records that are left."""

    column: str
    groups: int
    """Groups with fewer than QMASG different values, words that mean the same counted once."""
    records: int
    literal_groups: int
    """The same if every synonym counted as a value."""
    values: Mapping[str, int]
    """The values in these groups; each with how many people have it anywhere."""
    outside: int
    """People in groups that do not fail."""

    @classmethod
    def of(
        cls,
        changed: Changed,
        there: Rows,
        column: str,
        l: int,  # noqa: E741
        synonyms: Mapping[str, Any],
        *,
        every: bool = False,
    ) -> "ValueCheck":
        """Count the values of ``column`` in the groups of the tuples that are ``there``. With noise, which groups fail
        is drawn anew each time, so that ``every`` value may be concerned.
        """
        data = changed.after.take(np.flatnonzero(there))
        understood = as_understood(data, [Diversify(column, synonyms, groups_below=l)]) if synonyms else data
        groups = Groups.of(data, changed.quasi)
        poor = groups.values(understood[column]) < l
        failing = groups.in_groups(poor)
        codes = np.unique(data[column].codes if every and poor.any() else data[column].codes[failing])
        named = written(data[column].values).gather(codes).to_list()
        people = people_with(data, data[column], codes.tolist())
        literal = groups.worded(data[column], synonyms)
        return cls(
            column=column,
            groups=int(poor.sum()),
            records=data.records_in(failing),
            literal_groups=int((poor & (literal < l)).sum()),
            values={value or "": number for value, number in zip(named, people, strict=True)},
            outside=people_in(data, ~failing),
        )

    def as_json(self) -> dict[str, Any]:
        """As plain values."""
        told = {"groups": self.groups, "records": self.records, "literal_groups": self.literal_groups}
        return told | {"values": dict(self.values), "outside": self.outside}


def check_declared(operations: Sequence[Operation], schema: Schema, suggested: Sequence[Operation]) -> None:
    """Raise where a requester asks for groups of values of its own making: with these it could single people out, and
    count them by whether TG is reached. It chooses a level of what the manager declared, or what the manager suggested,
    and nothing else of an operation, one for each column.
    """
    if tuple(operations) == tuple(suggested):
        return
    changed: set[str] = set()
    for operation in operations:
        (column,) = operation.columns or operation.removes
        if column in changed:
            raise ColumnError("negotiation.column-twice", column=column)
        changed.add(column)
        if operation not in suggested and not isinstance(operation, SuppressColumn):
            _refuse_undeclared(operation, column, schema)


def _refuse_undeclared(operation: Operation, column: str, schema: Schema) -> None:
    """Every entry of the operation but its level is as declared, whichever entries it has."""
    declared = schema[column].hierarchy
    if isinstance(operation, Generalise) and declared is not None:
        hierarchy = Hierarchy.told(declared)
        level = min(operation.level, hierarchy.height)
        if canonical(Generalise(column, hierarchy, level, missing=NEVER_STOPS)) == canonical(operation):
            return
    raise ColumnError("negotiation.not-declared", column=column)


def check_manipulations(operations: Sequence[Operation], schema: Schema, allowed: tuple[type[Operation], ...]) -> None:
    """Raise where a manipulation is none that a requester may ask for, or is not of a quasi column."""
    for operation in operations:
        if not isinstance(operation, allowed):
            raise UsageError("negotiation.not-a-manipulation", name=operation.title)
        for column in operation.columns or operation.removes:
            if schema[column].role != "quasi":
                raise ColumnError("negotiation.not-quasi", column=column, known=", ".join(schema.quasi))
