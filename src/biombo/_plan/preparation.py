"""What comes before a plan is carried out: the columns that a person keeps, keys, a place for identities, a target."""

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from biombo._data import ColumnEncoder, Dataset, Schema, SourceTable, identifiers_among
from biombo._documents import listed
from biombo._engine import LOCAL, Engine, StoreTarget, writer_for
from biombo._errors import ColumnError, UsageError
from biombo._files import (
    in_sentences,
    refuse_existing,
    refuse_store,
    refuse_unmakeable,
    refuse_unwritable,
)
from biombo._plan.columns import check_columns, keeping, released_columns, schema_in_use
from biombo._plan.operations import Generalise, Pseudonymise
from biombo._plan.operations.operation import Context
from biombo._plan.plan import Plan
from biombo._plan.population import check_population
from biombo._plan.pseudonyms.identities import Identities
from biombo._plan.pseudonyms.used import UsedPseudonyms
from biombo._plan.selection import selected
from biombo._secrets import KeyPlace, Keys, load_keys
from biombo._watch import unwarned

_LOOKED_AT = 1 << 16
"""So many rows tell what a column holds."""


def spoken_of(
    table: SourceTable, plan: Plan, schema: Schema, kept: Iterable[str], accepted: Collection[str] = ()
) -> Schema:
    """``schema`` with the columns that a person wants ``kept`` as they are, and without identifiers that are not there.

    Raises where a column that would go out as it is looks like an identifier to :func:`biombo.inspect`, unless it is
    ``accepted``; that is seen by the first rows, where ``table`` gives them twice.
    """
    names = listed("keep", kept)
    table.check(names)
    schema = schema.told_of(table.columns)
    declared = keeping(schema, names, plan) if names else schema
    used = schema_in_use(plan.completed(declared), declared)
    check_columns(plan.completed(declared), used, table)
    if table.gives_twice:
        _refuse_recognised(table, plan, used, accepted)
    return declared


def check_application(
    table: SourceTable,
    plan: Plan,
    schema: Schema,
    *,
    keep: Iterable[str] = (),
    key: KeyPlace | Iterable[KeyPlace] | None = None,
    private: str | Path | None = None,
    target: Path | StoreTarget | None = None,
    force: bool = False,
    population: Any = None,
    engine: Engine = LOCAL,
) -> None:
    """Raise whatever can be known before ``plan`` is carried out; nothing is made. The arguments are those of
    :func:`biombo.apply`.
    """
    table = selected(table, plan.selections)
    declared = spoken_of(table, plan, schema, keep)
    completed = plan.completed(declared)
    added = [name for operation in plan.operations for name in operation.adds]
    released_columns(completed, [*table.columns, *added], schema_in_use(completed, declared), table.label)
    check_population(completed, schema_in_use(completed, declared), population, engine)
    keys_for(completed, key)
    if target is not None:
        refuse_target(target, table, force)
        private_place(completed, private, target)


def _refuse_recognised(table: SourceTable, plan: Plan, used: Schema, accepted: Collection[str]) -> None:
    """A sensitive column may have values of its own in every row; names and numbers of people it may not have."""
    bare = [name for name in _as_they_are(table, plan, used) if name not in accepted]
    if not bare:
        return
    for name, (reason, is_named) in identifiers_among(_first_rows(table, bare)).items():
        if is_named or used[name].role == "other":
            raise ColumnError("plan.recognised-identifier", column=name, reason=reason)


def _as_they_are(table: SourceTable, plan: Plan, used: Schema) -> list[str]:
    """Columns besides the quasi ones, which criteria are about, that no operation changes."""
    changing = [each for each in plan.operations if not (isinstance(each, Generalise) and each.level == 0)]
    changed = {name for operation in changing for name in operation.columns}
    return [name for name in table.columns if used[name].role in ("other", "sensitive") and name not in changed]


def _first_rows(table: SourceTable, columns: list[str]) -> Dataset:
    encoders = {name: ColumnEncoder(name) for name in columns}
    rows = 0
    for label, batch in table.batches(columns):
        taken = batch.slice(0, _LOOKED_AT - rows)
        rows += taken.num_rows
        for name, encoder in encoders.items():
            encoder.add(taken.column(name), label)
        if rows >= _LOOKED_AT:
            break
    with unwarned():  # how values are compared is of no matter here
        coded = {name: encoder.finish() for name, encoder in encoders.items()}
    return Dataset(coded, rows, Schema(), table.label)


def context_for(
    plan: Plan, key: KeyPlace | Iterable[KeyPlace] | None, private: str | Path | None, target: Path | StoreTarget | None
) -> Context:
    """The context to carry out ``plan`` in. Raises when a key is missing or is another than the plan names."""
    keys, place = keys_for(plan, key), private_place(plan, private, target)
    return Context(keys=keys, identities=Identities(place), used=UsedPseudonyms(keys))


def keys_for(plan: Plan, key: KeyPlace | Iterable[KeyPlace] | None) -> Keys:
    """The keys that the plan asks for. Raises when one is missing or is another than the plan names."""
    keys = load_keys(key)
    for operation in plan.operations:
        for key_id in operation.keys:
            keys[key_id]
        if isinstance(operation, Pseudonymise):
            _refuse_places(operation, keys)
    return keys


def _refuse_places(operation: Pseudonymise, keys: Keys) -> None:
    """Raise where the keys of both parties are in one hand, or what is kept beside a key could not be."""
    if operation.third_party is not None and operation.third_party in keys:
        raise UsageError("codes.both-keys", second=operation.third_party)
    if operation.key is not None and (operation.is_recorded or operation.kind == "double"):
        keys.file_of(operation.key)


def pseudonymised_columns(plan: Plan) -> tuple[str, ...]:
    """The columns that get pseudonyms."""
    return tuple(operation.column for operation in plan.operations if isinstance(operation, Pseudonymise))


def private_place(plan: Plan, private: str | Path | None, target: Path | StoreTarget | None) -> Path | None:
    """Where the private folder will be, where something is to go there; not the one that the result is in, which
    others will look into.
    """
    target = target if isinstance(target, Path) else None  # nothing private goes where others are
    for operation in plan.operations:
        if isinstance(operation, Pseudonymise) and operation.needs_table:
            if private is None and target is None:
                raise UsageError("pseudonyms.no-private", column=operation.column)
            folder = Path(private or f"{target}.private")
            with in_sentences(folder):
                if target is not None and folder.resolve() == target.parent.resolve():
                    raise UsageError("output.private-inside", path=str(folder), public=str(target.parent))
            refuse_unmakeable(folder, public=target)
            return folder
    return None


def refuse_target(target: Path | StoreTarget, table: SourceTable, force: bool) -> None:
    """Raise before long work whose result could not be put at ``target``."""
    if isinstance(target, StoreTarget):
        return  # the engine has looked
    refuse_store(target)
    writer_for(target)
    refuse_unwritable(target)
    if any(target.exists() and target.samefile(file) for file in table.files):
        raise UsageError("plan.onto-input", path=str(target))
    if not force:
        refuse_existing(target)
