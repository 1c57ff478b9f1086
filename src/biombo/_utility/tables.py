"""The two tables that are compared, as codes, with what the plan says about them."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from biombo._data import Column, Dataset, Schema, SourceTable, read, written
from biombo._engine import LOCAL, Engine, Pairs, Table
from biombo._errors import ColumnError, UsageError
from biombo._hierarchy import TOP
from biombo._plan import (
    DropDuplicates,
    DropInvalid,
    MaskGroups,
    Plan,
    Pseudonymise,
    RecodedColumn,
    RowOperation,
    SelectRecords,
    TwoPassOperation,
    as_understood,
    columns_after,
    judged_columns,
    pseudonymised_columns,
    schema_in_use,
    selected,
)
from biombo._utility.column_view import amounts, days_of, is_dated, is_numeric, reads_as_numbers


@dataclass(frozen=True, eq=False)
class Side:
    """One of the two tables: it is asked for tuples of a few columns at a time, wherever its rows are."""

    columns: tuple[str, ...]
    label: str
    tuples: Callable[[Sequence[str]], Dataset]
    """The tuples of some columns, with how many records have each; or their rows."""
    some: Callable[[int], Dataset]
    """All columns of all records, a row each, or of so many that are drawn."""
    source: Dataset | Table
    """What a plan can be carried out on."""

    @classmethod
    def of(cls, data: Dataset) -> "Side":
        """Rows that are in this process."""
        return cls(tuple(data.columns), data.label, partial(_columns_of, data), lambda _at_most: data, data)

    @classmethod
    def of_table(cls, table: Table, schema: Schema, columns: Iterable[str]) -> "Side":
        """Some columns of a table that an engine has opened."""
        names = tuple(columns)
        tuples, some = partial(table.tuples, schema=schema), partial(table.some, names, schema)
        return cls(names, table.label, tuples, some, table)

    @classmethod
    def of_pairs(cls, pairs: Pairs) -> "Side":
        """The records that were released."""

        def tuples(columns: Sequence[str]) -> Dataset:
            return pairs.counted(columns).released

        some = tuples(pairs.columns[-1:])
        return cls(tuple(pairs.columns), some.label, tuples, lambda at_most: pairs.some(at_most).released, some)

    @cached_property
    def records(self) -> int:
        """How many there are."""
        return self.tuples(self.columns[-1:]).records  # the first column of a release is of its records' names

    def without(self, invalid: Mapping[str, Collection[str | None]]) -> "Side":
        """The same without the records that have one of the ``invalid`` values of a column."""
        reads = _there(invalid, self.columns)
        if not reads:
            return self

        def tuples(columns: Sequence[str]) -> Dataset:
            return _columns_of(_valid(self.tuples([*dict.fromkeys([*columns, *reads])]), invalid), columns)

        return replace(self, tuples=tuples, some=lambda at_most: _valid(self.some(at_most), invalid))

    def __getitem__(self, name: str) -> Column:
        """The values of a column; raises where it is missing."""
        if name not in self.columns:
            raise ColumnError.missing(name, self.columns, self.label)
        return self.tuples([name])[name]


@dataclass(frozen=True, eq=False)
class Compared:
    """Some columns of the two tables."""

    original: Dataset
    release: Dataset
    """Synonyms that the plan brought in are one value again."""
    plan: Plan | None
    schema: Schema

    @cached_property
    def recoded(self) -> Dataset:
        """The original at the level of detail that the plan gives the release; without a plan the original as it is."""
        return self.original if self.plan is None else recoded(self.original, self.plan, self.schema)


@dataclass(frozen=True, eq=False)
class Tables:
    """The original and the release, and what is known about how one became the other."""

    before: Side
    after: Side
    plan: Plan | None
    """Without pseudonyms, which may need a key and say nothing that could be compared; for the selected records."""
    given: Schema
    """What somebody said that the columns are."""
    schema: Schema
    """What the columns are: as the plan says, and else as the schema does."""
    columns: tuple[str, ...]
    """What both tables have, identifiers and pseudonyms left out."""
    removed: tuple[str, ...]
    """Columns of the original, identifiers left out, that the release lacks."""
    plan_hash: str | None = None
    """Of the plan as it was carried out: with what it left to the schema to declare."""

    def asked(self, *columns: str) -> Compared:
        """Some columns of both tables, of those that they have: no more is asked for at a time than it takes."""
        operations = () if self.plan is None else self.plan.operations
        read = [name for each in operations if {*each.columns} & {*columns} for name in each.reads]
        original = self.valid.tuples(_there([*columns, *read], self.before.columns))
        release = as_understood(self.after.tuples(_there(columns, self.after.columns)), operations)
        return Compared(replace(original, schema=self.given), release, self.plan, self.schema)

    @cached_property
    def valid(self) -> Side:
        """The original without the records that the plan leaves out for their invalid values, as if they had never been
        there: what the release is compared with.
        """
        return self.before if self.plan is None else self.before.without(_dropped_values(self.plan))

    def in_rows(self, at_most: int) -> "Tables":
        """The same tables as rows in this process, or so many rows of each that are drawn."""
        before, after = (Side.of(side.some(at_most)) for side in (self.valid, self.after))
        return replace(self, before=before, after=after)

    @cached_property
    def whole(self) -> Compared:
        """All columns together: for tables whose rows are in this process."""
        return self.asked(*dict.fromkeys([*self.before.columns, *self.after.columns]))

    @cached_property
    def numeric(self) -> frozenset[str]:
        """Columns that hold amounts in the original."""
        return frozenset(name for name in self.columns if self._is_numeric(name))

    def _is_numeric(self, name: str) -> bool:
        data = self.valid.tuples([name])
        column = data[name]
        holds = is_numeric(column, self.given, data.counts)
        return holds and not np.isnan(amounts(column, self.apart(name))).all()

    @cached_property
    def dated(self) -> frozenset[str]:
        """Columns that hold nothing but days in the original."""
        return frozenset(name for name in self.columns if self._is_dated(name))

    def _is_dated(self, name: str) -> bool:
        data = self.valid.tuples([name])
        column = data[name]
        return is_dated(column, self.given, data.counts) and reads_as_numbers(column, self.apart(name), days_of)

    @cached_property
    def generalised(self) -> frozenset[str]:
        """Columns that the plan tells less precisely."""
        return frozenset() if self.plan is None else frozenset(recoded_columns(self.plan))

    @property
    def locally(self) -> dict[str, RecodedColumn]:
        """Columns whose values are told at levels that differ from record to record."""
        operation = None if self.plan is None else self.plan.local_recoding
        return {} if operation is None else {each.column: each for each in operation.columns_}

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
        invalid = self.given[column].invalid
        return self.marks | {value for value in invalid if value is not None}

    @property
    def quasi(self) -> tuple[str, ...]:
        """The quasi columns, those that the plan removes included."""
        return self.plan.quasi if self.plan is not None and self.plan.quasi else self.schema.quasi

    @classmethod
    def of(
        cls,
        original: Any,
        release: Any,
        plan: Plan | str | Path | None,
        schema: Schema | str | Path | None,
        engine: Engine = LOCAL,
    ) -> "Tables":
        """Both tables: the columns that are compared, and those that the plan needs. Each of them is a :class:`Side`,
        has been read, or is opened by ``engine``.
        """
        source, released = opened(original), opened(release, unescape=True)
        shared = Shared.of(source, released, plan, schema)
        after = _release(released, shared.given, engine)
        before = _original(shared.asked_for(source), [*shared.read, *shared.needed], shared.given, engine)
        followed, used = shared.plan, shared.schema
        return cls(
            before=before,
            after=after,
            plan=None if followed is None else _without_unread(followed, before),
            given=shared.given,
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
    """Without pseudonyms, and for a table that has no others than the selected records."""
    selections: tuple[SelectRecords, ...]
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

    def asked_for(self, original: Side | Dataset | SourceTable) -> Side | Dataset | SourceTable:
        """What the release was made of: the records that the plan selects, and no others; a side has no others."""
        return original if isinstance(original, Side) else selected(original, self.selections)

    @classmethod
    def of(
        cls, original: Any, release: Any, plan: Plan | str | Path | None, schema: Schema | str | Path | None
    ) -> "Shared":
        """Raises where the two cannot be compared."""
        given = original.schema if schema is None and isinstance(original, Dataset) else Schema.load(schema)
        whole = None if plan is None else Plan.load(plan).completed(given)
        followed = None if whole is None else _without_pseudonyms(whole.on_selected)
        used = given if followed is None else schema_in_use(followed, given)
        before, after = opened(original), opened(release, unescape=True)
        there, known = list(before.columns), set(after.columns)
        _refuse_removed(followed, known, after.label)
        selections = () if whole is None else whole.selections
        needed = tuple(_needed(followed, used, there))
        _check(before, [*needed, *([] if isinstance(before, Side) else _read_by(selections))])
        hidden = {*given.with_role("identifier"), *used.with_role("identifier"), *_pseudonymised(whole)}
        columns = tuple(name for name in there if name in known and name not in hidden)
        if not columns:
            raise UsageError("utility.no-columns", original=before.label, release=after.label)
        removed = tuple(name for name in there if name not in known and name not in hidden)
        read_too = tuple(name for name in there if name in known)
        plan_hash = whole.hash if whole else None
        return cls(given, followed, selections, plan_hash, used, columns, removed, needed, read_too)


def opened(source: Any, *, unescape: bool = False) -> Side | Dataset | SourceTable:
    """A table that was read, or one that can be; ``unescape`` where Biombo wrote it."""
    return source if isinstance(source, Side | Dataset) else SourceTable.open(source, unescape=unescape)


def _check(table: Side | Dataset | SourceTable, columns: Iterable[str]) -> None:
    """Raise where a column is missing."""
    if isinstance(table, SourceTable):
        table.check(list(columns))
        return
    for name in columns:
        if name not in table.columns:
            raise ColumnError.missing(name, table.columns, table.label)


def _release(source: Side | Dataset | SourceTable, schema: Schema, engine: Engine) -> Side:
    if isinstance(source, Side):
        return source
    if isinstance(source, Dataset) or engine is LOCAL:
        return Side.of(source if isinstance(source, Dataset) else read(source, schema, columns=[]))
    return Side.of_table(engine.open(source, source.columns), schema, source.columns)


def _original(source: Side | Dataset | SourceTable, columns: Iterable[str], schema: Schema, engine: Engine) -> Side:
    if isinstance(source, Side):
        return source
    if isinstance(source, Dataset):
        return Side.of(replace(source, schema=schema))
    wanted = list(dict.fromkeys(columns))
    if engine is LOCAL:
        return Side.of(read(source, schema, columns=wanted))
    return Side.of_table(engine.open(source, wanted), schema, wanted)


def _dropped_values(plan: Plan) -> dict[str, frozenset[str | None]]:
    """By column: the values whose records the plan leaves out before it changes anything there."""
    invalid: dict[str, frozenset[str | None]] = {}
    changed: set[str] = set()
    for operation in plan.operations:
        if isinstance(operation, DropInvalid) and not changed & {*operation.values}:
            invalid |= {name: invalid.get(name, frozenset()) | {*values} for name, values in operation.values.items()}
        changed |= {*operation.columns, *operation.adds}
    return invalid


def _valid(data: Dataset, invalid: Mapping[str, Collection[str | None]]) -> Dataset:
    keep = np.ones(data.rows, bool)
    for name, values in invalid.items():
        if name in data.columns:
            column = data[name]
            keep &= np.array([value not in values for value in written(column.values).to_list()], bool)[column.codes]
    return data.take(np.flatnonzero(keep))


def _columns_of(data: Dataset, columns: Sequence[str]) -> Dataset:
    return replace(data, columns={name: data[name] for name in columns})


def _there(columns: Iterable[str], there: Collection[str]) -> list[str]:
    return [name for name in dict.fromkeys(columns) if name in there]


def _refuse_removed(plan: Plan | None, there: Collection[str], release: str) -> None:
    for operation in () if plan is None else plan.operations:
        for name in operation.removes:
            if name in there:
                raise UsageError("utility.not-of-plan", release=release, column=name)


def _read_by(operations: Iterable[SelectRecords]) -> list[str]:
    return [name for operation in operations for name in operation.reads]


def _pseudonymised(plan: Plan | None) -> tuple[str, ...]:
    return () if plan is None else pseudonymised_columns(plan)


def _without_pseudonyms(plan: Plan) -> Plan:
    return replace(plan, operations=tuple(each for each in plan.operations if not isinstance(each, Pseudonymise)))


def _without_unread(plan: Plan, original: Side) -> Plan:
    """The plan without identifiers that were not read: they come out of it in no case."""
    return replace(plan, identifiers=tuple(name for name in plan.identifiers if name in original.columns))


def _needed(plan: Plan | None, schema: Schema, there: Iterable[str]) -> Iterable[str]:
    """The columns that the plan's operations and criteria are about."""
    if plan is None:
        return ()
    if any(isinstance(each, TwoPassOperation) and each.sees(plan.criteria, schema) is None for each in plan.operations):
        return there
    in_use: list[str] = []
    if any(isinstance(each, DropDuplicates) for each in plan.operations):  # by whose values it chooses
        in_use = [name for name in there if schema[name].role != "undecided"]
    by_operations = [name for operation in plan.operations for name in operation.reads]
    people = () if schema.person is None else (schema.person,)
    added = {name for operation in plan.operations for name in operation.adds}
    named = (*plan.quasi, *schema.quasi, *judged_columns(plan.criteria, schema), *by_operations, *people, *in_use)
    return [name for name in dict.fromkeys(named) if name not in added]


def recoded(data: Dataset, plan: Plan, schema: Schema) -> Dataset:
    """``data`` with what the plan says less precisely said so, and nothing suppressed, moved or made up.

    That is done by the operations which change values one by one and leave them true, such as generalising. What others
    do (suppress, mask, swap, add noise) is what the release lost, and shows when the two are compared.
    """
    recodings = [each for each in _recodings(plan) if {*each.columns, *each.reads} <= {*data.columns}]
    changed = list(dict.fromkeys(name for each in recodings for name in each.columns))
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
