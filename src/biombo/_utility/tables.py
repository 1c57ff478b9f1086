"""The two tables that are compared, as codes, with what the plan says about them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from biombo._data import Dataset, Schema, SourceTable, read
from biombo._errors import UsageError
from biombo._hierarchy import TOP
from biombo._plan import (
    MaskGroups,
    Plan,
    Pseudonymise,
    RowOperation,
    TwoPassOperation,
    as_understood,
    columns_after,
    judged_columns,
    pseudonymised_columns,
    schema_in_use,
)
from biombo._utility.column_view import amounts, is_numeric


@dataclass(frozen=True, eq=False)
class Tables:
    """The original and the release, and what is known about how one became the other."""

    original: Dataset
    recoded: Dataset
    """The original at the level of detail that the plan gives the release; without a plan the original as it is."""
    release: Dataset
    """Synonyms that the plan brought in are one value again."""
    plan: Plan | None
    """Without pseudonyms, which may need a key and say nothing that could be compared."""
    schema: Schema
    """What the columns are: as the plan says, and else as the schema does."""
    columns: tuple[str, ...]
    """What both tables have, identifiers and pseudonyms left out."""
    removed: tuple[str, ...]
    """Columns of the original, identifiers left out, that the release lacks."""
    plan_hash: str | None = None
    """Of the plan as it was carried out: with what it left to the schema to declare."""

    @cached_property
    def numeric(self) -> frozenset[str]:
        """Columns that hold amounts in the original."""
        return frozenset(
            name
            for name in self.columns
            if is_numeric(self.original[name], self.original.schema)
            and not np.isnan(amounts(self.original[name], self.apart(name))).all()
        )

    @cached_property
    def generalised(self) -> frozenset[str]:
        """Columns that the plan tells less precisely."""
        return frozenset() if self.plan is None else frozenset(recoded_columns(self.plan))

    @cached_property
    def perturbed(self) -> frozenset[str]:
        """Columns whose values need not be true any more, so that new ones may occur."""
        operations = () if self.plan is None else self.plan.operations
        return frozenset(name for each in operations if not each.truthful for name in each.columns)

    @property
    def marks(self) -> frozenset[str]:
        """What stands where a value is not told."""
        operations = () if self.plan is None else self.plan.operations
        return frozenset({TOP, *(each.with_ for each in operations if isinstance(each, MaskGroups))})

    def apart(self, column: str) -> frozenset[str]:
        """What is no amount though it may look like one: marks, and what the schema calls invalid."""
        invalid = self.original.schema[column].invalid
        return self.marks | {value for value in invalid if value is not None}

    @property
    def quasi(self) -> tuple[str, ...]:
        """The quasi columns, those that the plan removes included."""
        return self.plan.quasi if self.plan is not None and self.plan.quasi else self.schema.quasi

    @classmethod
    def of(
        cls, original: Any, release: Any, plan: Plan | str | Path | None, schema: Schema | str | Path | None
    ) -> "Tables":
        """Read both tables: the columns that are compared, and those that the plan needs."""
        given = original.schema if schema is None and isinstance(original, Dataset) else Schema.load(schema)
        whole = None if plan is None else Plan.load(plan).completed(given)
        followed = None if whole is None else _without_pseudonyms(whole)
        used = given if followed is None else schema_in_use(followed, given)
        after = release if isinstance(release, Dataset) else read(release, given, columns=[], unescape=True)
        there = list(original.columns) if isinstance(original, Dataset) else SourceTable.open(original).columns
        _refuse_removed(followed, after)
        before = _original(original, there, after.columns, _needed(followed, used, there), given)
        hidden = {*given.with_role("identifier"), *used.with_role("identifier"), *_pseudonymised(whole)}
        columns = tuple(name for name in there if name in after.columns and name not in hidden)
        if not columns:
            raise UsageError("utility.no-columns", original=before.label, release=after.label)
        return cls(
            original=before,
            recoded=before if followed is None else recoded(before, followed, used),
            release=after if followed is None else as_understood(after, followed.operations),
            plan=None if followed is None else _without_unread(followed, before),
            schema=used,
            columns=columns,
            removed=tuple(name for name in there if name not in after.columns and name not in hidden),
            plan_hash=None if whole is None else whole.hash,
        )


def _original(
    source: Any, there: Iterable[str], compared: Iterable[str], needed: Iterable[str], schema: Schema
) -> Dataset:
    if not isinstance(source, Dataset):
        kept = [name for name in there if name in set(compared)]
        return read(source, schema, columns=list(dict.fromkeys([*kept, *needed])))
    for name in needed:
        _ = source[name]  # raises where it is missing
    return replace(source, schema=schema)


def _refuse_removed(plan: Plan | None, release: Dataset) -> None:
    for operation in () if plan is None else plan.operations:
        for name in operation.removes:
            if name in release.columns:
                raise UsageError("utility.not-of-plan", release=release.label, column=name)


def _pseudonymised(plan: Plan | None) -> tuple[str, ...]:
    return () if plan is None else pseudonymised_columns(plan)


def _without_pseudonyms(plan: Plan) -> Plan:
    return replace(plan, operations=tuple(each for each in plan.operations if not isinstance(each, Pseudonymise)))


def _without_unread(plan: Plan, original: Dataset) -> Plan:
    """The plan without identifiers that were not read: they come out of it in no case."""
    return replace(plan, identifiers=tuple(name for name in plan.identifiers if name in original.columns))


def _needed(plan: Plan | None, schema: Schema, there: Iterable[str]) -> Iterable[str]:
    """The columns that the plan's operations and criteria are about."""
    if plan is None:
        return ()
    if any(isinstance(each, TwoPassOperation) and each.sees(plan.criteria, schema) is None for each in plan.operations):
        return there
    by_operations = [name for operation in plan.operations for name in operation.reads]
    people = () if schema.person is None else (schema.person,)
    added = {name for operation in plan.operations for name in operation.adds}
    named = (*plan.quasi, *schema.quasi, *judged_columns(plan.criteria, schema), *by_operations, *people)
    return [name for name in dict.fromkeys(named) if name not in added]


def recoded(data: Dataset, plan: Plan, schema: Schema) -> Dataset:
    """``data`` with what the plan says less precisely said so, and nothing suppressed, moved or made up.

    That is done by the operations which change values one by one and leave them true, such as generalising. What others
    do (suppress, mask, swap, add noise) is what the release lost, and shows when the two are compared.
    """
    recodings = _recodings(plan)
    changed = [name for name in recoded_columns(plan) if name in data.columns]
    if not changed:
        return as_understood(data, plan.operations)
    columns = columns_after(data, recodings, changed, schema)
    return as_understood(replace(data, columns={**data.columns, **columns}), plan.operations)


def recoded_columns(plan: Plan) -> tuple[str, ...]:
    """The columns that the plan tells less precisely."""
    return tuple(dict.fromkeys(name for operation in _recodings(plan) for name in operation.columns))


def _recodings(plan: Plan) -> list[RowOperation]:
    return [each for each in plan.operations if isinstance(each, RowOperation) and _only_recodes(each)]


def _only_recodes(operation: RowOperation) -> bool:
    in_place = bool(operation.columns) and not operation.adds and not operation.removes
    return in_place and operation.truthful and operation.repeatable
