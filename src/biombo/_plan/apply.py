"""``apply``: a plan is carried out on a table, and its criteria are judged on the result."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from biombo._data import Progress, Schema, SourceTable, declared_schema
from biombo._documents import listed
from biombo._engine import LOCAL, NAMES, Engine, StoreTarget, Table, Tally, engine_of
from biombo._errors import UsageError
from biombo._frames import framed
from biombo._plan.cautions import warn_of_plan
from biombo._plan.columns import check_columns, schema_in_use, unspoken_columns
from biombo._plan.execution import Execution, Onlooker, decide
from biombo._plan.operations import TwoPassOperation
from biombo._plan.operations.operation import Context
from biombo._plan.outcome import Outcome, quasi_columns
from biombo._plan.plan import Plan
from biombo._plan.population import check_population, population_beside
from biombo._plan.preparation import context_for, pseudonymised_columns, refuse_target, spoken_of
from biombo._plan.privacy.guarantee import Privacy, counts_people, privacy_ahead
from biombo._plan.result import Applied
from biombo._plan.selection import selected
from biombo._secrets import KeyPlace
from biombo._watch import advance, instead, tell_noise


def apply(
    source: Any,
    plan: Plan | str | Path,
    out: str | Path | None = None,
    *,
    schema: Schema | str | Path | None = None,
    keep: Iterable[str] = (),
    keep_order: bool = False,
    key: KeyPlace | Iterable[KeyPlace] | None = None,
    private: str | Path | None = None,
    force: bool = False,
    filename: str | None = None,
    database: str | None = None,
    sheet: str | None = None,
    population: Any = None,
    before_noise: Callable[[Privacy], object] | None = None,
    progress: Progress | None = None,
    engine: Engine | str = LOCAL,
) -> Applied:
    """Carry out ``plan`` on a table, and judge its criteria on the result.

    The table streams: a batch of rows is in memory at a time, with the codes of the columns that criteria are about.
    A query, or a stream that gives its rows only once, is kept in memory when the plan needs more than one pass.

    Args:
        source: Whatever :func:`biombo.read` takes, or what it gave.
        plan: The plan, or its YAML file.
        out: The file to write, ``.csv`` or ``.parquet``; without it the result is in ``data``, as the kind of table
            that was given: pandas, Polars or Arrow. With a Spark engine also the address of a folder to make in an
            object store, for Parquet files.
        schema: Further identifiers to leave out, and what the plan does not say about columns; by default that of a
            table that was read.
        keep: Further columns to leave as they are. Columns that nobody spoke of are left out, and so is every column
            that looks like an identifier: these are refused.
        keep_order: Leave the records in their order, which may tell who they are; by default they are shuffled.
        key: The key that the plan asks for: its file, or ``keyring:NAME``; several where it asks for several.
        private: The folder for tables of identities; by default ``out`` with ``.private`` added.
        force: Replace a file that exists.
        filename: A pattern that takes columns from the files' names.
        database: The database that the query ``source`` is for.
        sheet: Which table of a file that has several: a sheet of a workbook, or a file in a zip archive.
        population: A table of everybody of whom the people of the table are some, where criteria of the plan are
            counted in it: whatever :func:`biombo.read` takes, or what it gave.
        before_noise: Called with what noise costs and guarantees before any is drawn, where the plan adds some.
        progress: Called now and then with the rows read and the rows expected, once more for each pass.
        engine: What carries the plan out, or its name, such as ``spark:local[*]``; by default this process.

    >>> import polars as pl
    >>> from biombo import Generalise, Hierarchy, KAnonymity, SuppressGroups
    >>> table = pl.DataFrame({"name": ["Ana", "Bia", "Caio"], "age": ["31", "37", "62"]})
    >>> plan = Plan(
    ...     operations=[Generalise("age", Hierarchy.by_interval(10), 1), SuppressGroups()],
    ...     criteria=[KAnonymity(2)],
    ...     quasi=["age"],
    ...     identifiers=["name"],
    ... )
    >>> applied = apply(table, plan)
    >>> applied.data.to_dicts()
    [{'age': '[30, 40)'}, {'age': '[30, 40)'}]
    >>> applied.suppressed, applied.holds
    (1, True)
    """
    place = engine_of(engine)
    source = place.reached(source, filename=filename, database=database, sheet=sheet)
    table, loaded = SourceTable.open(source, filename=filename, database=database, sheet=sheet), Plan.load(plan)
    table, declared, kept = selected(table, loaded.selections), declared_schema(source, schema), listed("keep", keep)
    if kept or loaded.sensitive or declared.sensitive or declared.with_role("other"):
        table = table.held()  # looked at beforehand
    declared = spoken_of(table, loaded, declared, kept)
    warn_of_plan(loaded, schema_in_use(loaded, declared))
    applied = apply_to_table(
        table,
        loaded,
        None if out is None else place.target(out, force=force),
        declared,
        keep_order=keep_order,
        key=key,
        private=private,
        force=force,
        population=population,
        before_noise=instead(before_noise, tell_noise),
        progress=instead(progress, advance),
        engine=place,
    )
    return applied if applied.data is None else replace(applied, data=framed(applied.data, table.kind))


def apply_to_table(
    source: SourceTable,
    plan: Plan,
    target: Path | StoreTarget | None,
    declared: Schema,
    *,
    keep_order: bool = False,
    key: KeyPlace | Iterable[KeyPlace] | None = None,
    private: str | Path | None = None,
    force: bool = False,
    population: Any = None,
    before_noise: Callable[[Privacy], object] | None = None,
    progress: Progress | None = None,
    onlooker: Onlooker | None = None,
    context: Context | None = None,
    engine: Engine = LOCAL,
    table: Table | None = None,
) -> Applied:
    """See :func:`apply`; ``table`` is what the plan selects of ``source``, where an engine has opened that already."""
    plan, source = plan.completed(declared), selected(source, plan.selections)
    if target is not None:
        refuse_target(target, source, force)
    if isinstance(target, StoreTarget) and keep_order:
        raise UsageError("output.store-order", path=str(target))
    used = schema_in_use(plan, declared)
    check_columns(plan, used, source)
    check_population(plan, used, population, engine)
    context = context or context_for(plan, key, private, target)
    context = replace(context, population=population_beside(plan, used, population))
    if any(isinstance(operation, TwoPassOperation) for operation in plan.operations) or counts_people(plan, used):
        source = source.held()
    opened = engine.open(source) if table is None else table
    folder = target.parent if isinstance(target, Path) else None
    flow = opened.flow(used, context, random=context.random, folder=folder, warn=context.warn, progress=progress)
    privacy = privacy_ahead(flow, plan)
    if privacy is not None and before_noise is not None:
        before_noise(privacy)
    quasi = quasi_columns(plan, used, opened.columns)
    execution = Execution(plan, decide(flow, plan, context, quasi), context, quasi, onlooker)
    written = execution.write(target, keep_order)
    if onlooker is not None:
        onlooker.written(written)
    fates = written.tally.fates
    return Applied(
        source=source.label,
        rows=fates.total - fates.out,
        **{name: fates[name] for name in NAMES},
        people=_people(written.tally, execution.flow.schema.person),
        judgement=execution.judged.judgement,
        literal_diversities=execution.judged.literal_diversities,
        pseudonymised=pseudonymised_columns(plan),
        unspoken=unspoken_columns(source.columns, plan, used),
        identity_tables=context.identities.written,
        noised=tuple(context.noised),
        privacy=privacy,
        plan_hash=plan.hash,
        shuffled=not keep_order,
        out=target,
        data=written.data,
        outcome=Outcome.of(written.tally.counted(execution.for_outcome), plan, quasi),
    )


def _people(tally: Tally, person: str | None) -> dict[str, int]:
    """How many people have the fates of each name; each record is somebody else's where nobody says otherwise."""
    some = any(tally.fates[name] for name in NAMES)
    if person is None or not some:
        return {name: tally.fates[name] for name in NAMES}
    return dict(tally.people(person))
