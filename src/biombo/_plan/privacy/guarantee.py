"""What a plan with noise costs and guarantees, for whom, and what it does not: known before anything is drawn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, isfinite, log
from pathlib import Path
from sys import float_info
from typing import Any

import numpy as np

from biombo._data import Schema
from biombo._engine import Flow
from biombo._i18n import text
from biombo._plan.columns import schema_in_use
from biombo._plan.operations import (
    ExponentialAsPublished,
    GroupNoise,
    Operation,
    Pram,
    PrivateOperation,
    TwoPassOperation,
    operation_title,
)
from biombo._plan.plan import Plan
from biombo._plan.privacy.effect import Effect, short


@dataclass(frozen=True)
class Spending:
    """The ε of one column."""

    column: str
    operation: str
    epsilon: float
    """For each record."""
    records_per_person: int | None
    """As the plan declares it."""
    effect: Effect
    read_by: str | None
    """The operation that used the true values before the noise was added, which voids the guarantee."""


@dataclass(frozen=True)
class ChosenNoise:
    """A column that is noised in the records of groups that fail, which guarantees nothing."""

    column: str
    operation: str
    """By which the records are chosen."""
    mechanism: str
    epsilon: float
    effect: Effect


@dataclass(frozen=True)
class MatrixNoise:
    """A column whose values change by a matrix that was given or is the data's own, for which nothing is claimed."""

    column: str
    operation: str
    loss: float | None
    """The largest logarithm of the ratio of two chances of a matrix that was given; none for one of the data."""

    def __str__(self) -> str:
        told = {"column": self.column, "operation": operation_title(self.operation)}
        if self.loss is None:
            return text("privacy.matrix-of-data", **told)
        if not isfinite(self.loss):
            return text("privacy.matrix-unbounded", **told)
        return text("privacy.matrix-given", **told, loss=short(self.loss), factor=_factor(self.loss))

    def as_json(self) -> dict[str, Any]:
        """It as plain values; a ratio without a bound is left out."""
        bound = self.loss if self.loss is not None and isfinite(self.loss) else None
        return {"column": self.column, "operation": self.operation, "guarantee": "none", "log_ratio": bound}


@dataclass(frozen=True)
class Privacy:
    """What a plan with noise guarantees, and for whom. Made by :func:`biombo.guarantees`.

    For a record, the released values of the noised columns are at most e^``epsilon_of_record`` times as likely as with
    any other true values of these columns: ε-local differential privacy. The ε of columns, and of the records of a
    person, add up.
    """

    spendings: tuple[Spending, ...]
    as_published: tuple[str, ...]
    """Columns with noise that guarantees nothing."""
    counted: int | None
    """Records of the person who has most of them, where that was counted."""
    left: tuple[str, ...] | None
    """Columns that are released without a guarantee; not known without a table."""
    chosen: tuple[ChosenNoise, ...] = ()
    """Columns with noise on some records alone. It guarantees nothing: which ones depends on the data."""
    by_matrix: tuple[MatrixNoise, ...] = ()
    """Columns whose values change by a matrix, of which nobody can see here that it guarantees something."""

    @property
    def sound(self) -> tuple[Spending, ...]:
        """The columns that have a guarantee."""
        return tuple(spending for spending in self.spendings if spending.read_by is None)

    @property
    def epsilon_of_record(self) -> float:
        """Σ ε over the columns that have a guarantee."""
        return sum(spending.epsilon for spending in self.sound)

    @property
    def epsilon_of_person(self) -> float:
        """Σ ε × records of a person."""
        return sum(spending.epsilon * self.records(spending) for spending in self.sound)

    def records(self, spending: Spending) -> int:
        """Records of a person: as declared, else as counted, else one."""
        return spending.records_per_person or self.counted or 1

    def sentences(self) -> tuple[str, ...]:
        """All of it in words, in the language in use."""
        return (*self._columns(), *(self._guarantee() if self.sound else ()), *self._limits())

    def __str__(self) -> str:
        return "\n".join(self.sentences())

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            "columns": [
                {
                    "column": spending.column,
                    "operation": spending.operation,
                    "epsilon": spending.epsilon,
                    "records_per_person": self.records(spending),
                    "guarantee": "local" if spending.read_by is None else "none",
                    **spending.effect.as_json(),
                }
                for spending in self.spendings
            ]
            + [{"column": column, "guarantee": "none"} for column in self.as_published]
            + [_chosen_as_json(each) for each in self.chosen]
            + [each.as_json() for each in self.by_matrix],
            "epsilon_of_record": self.epsilon_of_record,
            "epsilon_of_person": self.epsilon_of_person,
            "guarantee_for_table": "none" if self.left is None or self.left else "local",
        }

    def _columns(self) -> Iterator[str]:
        for each in self.spendings:
            named = {"column": each.column, "operation": operation_title(each.operation)}
            yield text("privacy.spent", **named, epsilon=short(each.epsilon, 9), effect=str(each.effect))
            if each.read_by is not None:
                yield text("privacy.read-before", column=each.column, operation=operation_title(each.read_by))
        for column in self.as_published:
            yield text("privacy.as-published", column=column)
        for noise in self.chosen:
            named = {name: operation_title(getattr(noise, name)) for name in ("operation", "mechanism")}
            told = {"epsilon": short(noise.epsilon, 9), "effect": str(noise.effect)}
            yield text("privacy.chosen", column=noise.column, **named, **told)
        yield from map(str, self.by_matrix)

    def _guarantee(self) -> Iterator[str]:
        columns = ", ".join(spending.column for spending in self.sound)
        record, person = short(self.epsilon_of_record, 9), short(self.epsilon_of_person, 9)
        records = max(self.records(spending) for spending in self.sound)
        yield text("privacy.total", columns=columns, record=record, person=person, records=records)
        yield text("privacy.meaning", person=person, factor=_factor(self.epsilon_of_person))
        if any(spending.records_per_person is None for spending in self.sound):
            yield text("privacy.one-record" if self.counted is None else "privacy.counted")

    def _limits(self) -> Iterator[str]:
        if self.left is None:
            yield text("privacy.table-unknown")
        elif self.left:
            yield text("privacy.table", columns=", ".join(self.left))
        if self.spendings:
            yield text("privacy.presence")


def guarantees(
    plan: Plan | str | Path,
    schema: Schema | str | Path | None = None,
    *,
    columns: Sequence[str] | None = None,
    records_per_person: int | None = None,
) -> Privacy | None:
    """What the noise of ``plan`` costs and guarantees; none where the plan adds no noise of this kind.

    Args:
        plan: The plan, or its YAML file.
        schema: Where bounds and domains are declared that the plan does not have.
        columns: The columns of the table, where they are known.
        records_per_person: The records of the person who has most, where they were counted.

    >>> import biombo as bb
    >>> noise = [bb.RandomisedResponse("smokes", 1, ("yes", "no")), bb.Geometric("age", 2, (0, 110))]
    >>> found = bb.guarantees(bb.Plan(noise, quasi=["city"]), columns=["smokes", "age", "city"])
    >>> found.epsilon_of_record, found.left
    (3, ('city',))
    """
    declared = Schema.load(schema)
    plan = Plan.load(plan).completed(declared)
    as_published = [each.column for each in plan.operations if isinstance(each, ExponentialAsPublished)]
    used = schema_in_use(plan, declared)
    spendings = [
        _spending(operation, _reader(plan, used, operation))
        for operation in plan.operations
        if isinstance(operation, PrivateOperation)
    ]
    chosen = [
        ChosenNoise(each.column, operation.name, each.name, each.epsilon, each.effect)
        for operation in plan.operations
        if isinstance(operation, GroupNoise)
        for each in operation.mechanisms
    ]
    by_matrix = [_by_matrix(each) for each in plan.operations if isinstance(each, Pram)]
    if not spendings and not as_published and not chosen and not by_matrix:
        return None
    sound = {spending.column for spending in spendings if spending.read_by is None}
    left = None if columns is None else tuple(name for name in _released(plan, used, columns) if name not in sound)
    return Privacy(tuple(spendings), tuple(as_published), records_per_person, left, tuple(chosen), tuple(by_matrix))


def _by_matrix(operation: Pram) -> MatrixNoise:
    return MatrixNoise(operation.column, operation.name, None if operation.matrix is None else operation.channel.loss)


def _chosen_as_json(noise: ChosenNoise) -> dict[str, Any]:
    about = {"column": noise.column, "operation": noise.operation, "mechanism": noise.mechanism}
    return about | {"epsilon": noise.epsilon, "guarantee": "none", **noise.effect.as_json()}


def _factor(epsilon: float) -> str:
    """e^ε in words; far beyond what a float can hold, ε may be that of thousands of records."""
    return short(exp(epsilon)) if epsilon < log(float_info.max) else "∞"


def _spending(operation: PrivateOperation, read_by: str | None) -> Spending:
    return Spending(
        operation.column,
        operation.name,
        operation.epsilon,
        operation.records_per_person,
        operation.effect,
        read_by,
    )


def _reader(plan: Plan, schema: Schema, operation: PrivateOperation) -> str | None:
    """The first operation that uses the true values of the column, whose result may tell them."""
    for earlier in plan.operations[: plan.operations.index(operation)]:
        if _uses(earlier, operation.column, plan, schema):
            return earlier.name
    return None


def _uses(operation: Operation, column: str, plan: Plan, schema: Schema) -> bool:
    if column in operation.reads:
        return True
    if not isinstance(operation, TwoPassOperation):
        return False
    seen = operation.sees(plan.criteria, schema)
    return seen is None or column in seen


def _released(plan: Plan, schema: Schema, columns: Sequence[str]) -> list[str]:
    there = [*columns, *(name for operation in plan.operations for name in operation.adds)]
    removed = {name for operation in plan.operations for name in operation.removes}
    return [name for name in there if name not in removed and not schema[name].kept_back]


def counts_people(plan: Plan, schema: Schema) -> bool:
    """Must the records of each person be counted? Where the plan adds noise and does not say how many there are."""
    undeclared = [each.records_per_person is None for each in plan.operations if isinstance(each, PrivateOperation)]
    return schema.person is not None and any(undeclared)


def privacy_ahead(flow: Flow, plan: Plan) -> Privacy | None:
    """What the plan guarantees on this table; none where it adds no noise."""
    records = _most_records(flow) if counts_people(plan, flow.schema) else None
    return guarantees(plan, flow.schema, columns=flow.columns, records_per_person=records)


def _most_records(flow: Flow) -> int:
    """Records of the person who has most of them; one without a person counts as somebody's only one."""
    assert flow.schema.person is not None
    counted = flow.counted([flow.schema.person])
    people = counted.data[flow.schema.person]
    named = people.values.is_not_null().to_numpy()
    records = np.zeros(people.cardinality, np.int64)
    np.add.at(records, people.codes, counted.counts)
    return max(1, int(records[named].max(initial=1)))
