"""The two tables that are compared, as codes, with what the plan says about them."""

from collections.abc import Collection, Iterable
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
        after = release if isinstance(release, Dataset) else opened(release, unescape=True)
        shared = Shared.of(original, after, plan, schema)
        if not isinstance(after, Dataset):
            after = read(after, shared.given, columns=[])
        before = _original(original, shared.read, shared.needed, shared.given)
        followed, used = shared.plan, shared.schema
        return cls(
            original=before,
            recoded=before if followed is None else recoded(before, followed, used),
            release=after if followed is None else as_understood(after, followed.operations),
            plan=None if followed is None else _without_unread(followed, before),
            schema=used,
            columns=shared.columns,
            removed=shared.removed,
            plan_hash=shared.plan_hash,
        )


@dataclass(frozen=True, eq=False)
class Shared:
    """What an original and its release have in common, by their columns alone; no row is looked at."""

    given: Schema
    """What the columns are before the plan is asked."""
    plan: Plan | None
    """Without pseudonyms."""
    plan_hash: str | None
    schema: Schema
    """As the plan says, and else as the schema does."""
    columns: tuple[str, ...]
    """What both tables have, identifiers and pseudonyms left out."""
    removed: tuple[str, ...]
    """Columns of the original, identifiers left out, that the release lacks."""
    needed: tuple[str, ...]
    """Columns of the original that the plan is about."""
    read: tuple[str, ...]
    """Columns of the original that the release has, identifiers as well."""

    @classmethod
    def of(
        cls, original: Any, release: Any, plan: Plan | str | Path | None, schema: Schema | str | Path | None
    ) -> "Shared":
        """Raises where the two cannot be compared."""
        given = original.schema if schema is None and isinstance(original, Dataset) else Schema.load(schema)
        whole = None if plan is None else Plan.load(plan).completed(given)
        followed = None if whole is None else _without_pseudonyms(whole)
        used = given if followed is None else schema_in_use(followed, given)
        before, after = opened(original), opened(release, unescape=True)
        there, known = list(before.columns), set(after.columns)
        _refuse_removed(followed, known, after.label)
        needed = tuple(_needed(followed, used, there))
        _check(before, needed)
        hidden = {*given.with_role("identifier"), *used.with_role("identifier"), *_pseudonymised(whole)}
        columns = tuple(name for name in there if name in known and name not in hidden)
        if not columns:
            raise UsageError("utility.no-columns", original=before.label, release=after.label)
        removed = tuple(name for name in there if name not in known and name not in hidden)
        read_too = tuple(name for name in there if name in known)
        return cls(given, followed, whole.hash if whole else None, used, columns, removed, needed, read_too)


def opened(source: Any, *, unescape: bool = False) -> Dataset | SourceTable:
    """A table that was read, or one that can be; ``unescape`` where Biombo wrote it."""
    return source if isinstance(source, Dataset) else SourceTable.open(source, unescape=unescape)


def _check(table: Dataset | SourceTable, columns: Iterable[str]) -> None:
    """Raise where a column is missing."""
    if isinstance(table, SourceTable):
        table.check(list(columns))
        return
    for name in columns:
        _ = table[name]


def _original(source: Any, compared: Iterable[str], needed: Iterable[str], schema: Schema) -> Dataset:
    if isinstance(source, Dataset):
        return replace(source, schema=schema)
    return read(source, schema, columns=list(dict.fromkeys([*compared, *needed])))


def _refuse_removed(plan: Plan | None, there: Collection[str], release: str) -> None:
    for operation in () if plan is None else plan.operations:
        for name in operation.removes:
            if name in there:
                raise UsageError("utility.not-of-plan", release=release, column=name)


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
