"""``apply``: a plan is carried out on a table."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from biombo._criteria import Judgement, judge
from biombo._data import Column, Dataset, Progress, Schema, SourceTable
from biombo._documents import listed
from biombo._engine import FrameWriter, Writer, writer_for
from biombo._errors import InputError, UsageError
from biombo._files import refuse_existing, refuse_unwritable, replacing
from biombo._plan.applied import Applied
from biombo._plan.columns_in_use import schema_in_use, unspoken_columns
from biombo._plan.columns_there import check_columns, released_columns
from biombo._plan.deciding import COUNTED, Decided, decide
from biombo._plan.frames import Frames
from biombo._plan.judged import as_understood, judged_columns
from biombo._plan.literal_diversity import LiteralDiversity, asked_of_words, literal_diversities
from biombo._plan.operations import TwoPassOperation
from biombo._plan.plan import Plan
from biombo._plan.privacy.ahead import counts_people, privacy_ahead
from biombo._plan.privacy.guarantee import Privacy
from biombo._plan.secrets_at_hand import context_for, pseudonymised_columns
from biombo._plan.shuffling import in_order, shuffled
from biombo._plan.spoken_of import spoken_of
from biombo._plan.step import Rows
from biombo._plan.streaming import Stream
from biombo._secrets import KeyPlace
from biombo._watch import advance, instead, tell_noise

PLACE = "\x1eplace"
"""The column with the place of each record in the table, from 0; no other column has such a name."""


@dataclass(frozen=True)
class Onlooker:
    """Somebody who sees all that comes out of a plan."""

    writer: Callable[[Writer], Writer]
    """Makes a writer that the records pass on their way out, in their final order, with their place in the table in the
    column ``PLACE``, which it must take away, and hands them on to another."""
    see: Callable[[Dataset, Rows], object]
    """Called with the quasi and sensitive columns of all records as the plan leaves them, the person, and which records
    are suppressed."""


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
    before_noise: Callable[[Privacy], object] | None = None,
    progress: Progress | None = None,
) -> Applied:
    """Carry out ``plan`` on a table, and judge its criteria on the result.

    The table streams: a batch of rows is in memory at a time, with the codes of the columns that criteria are about.
    A query, or a stream that gives its rows only once, is kept in memory when the plan needs more than one pass.

    Args:
        source: Whatever :func:`biombo.read` takes.
        plan: The plan, or its YAML file.
        out: The file to write, ``.csv`` or ``.parquet``; without it the result is in ``data``.
        schema: Further identifiers to leave out, and what the plan does not say about columns.
        keep: Further columns to leave as they are. Columns that nobody spoke of are left out, and so is every column
            that looks like an identifier: these are refused.
        keep_order: Leave the records in their order, which may tell who they are; by default they are shuffled.
        key: The key that the plan asks for: its file, or ``keyring:NAME``; several where it asks for several.
        private: The folder for tables of identities; by default ``out`` with ``.private`` added.
        force: Replace a file that exists.
        filename: A pattern that takes columns from the files' names.
        database: The database that the query ``source`` is for.
        before_noise: Called with what noise costs and guarantees before any is drawn, where the plan adds some.
        progress: Called now and then with the rows read and the rows expected, once more for each pass.

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
    table, loaded = SourceTable.open(source, filename=filename, database=database), Plan.load(plan)
    declared, kept = Schema.load(schema), listed("keep", keep)
    if kept or loaded.sensitive or declared.sensitive or declared.with_role("other"):
        table = table.held()  # looked at beforehand
    declared = spoken_of(table, loaded, declared, kept)
    return apply_to_table(
        table,
        loaded,
        None if out is None else Path(out),
        declared,
        keep_order=keep_order,
        key=key,
        private=private,
        force=force,
        before_noise=instead(before_noise, tell_noise),
        progress=instead(progress, advance),
    )


def apply_to_table(
    table: SourceTable,
    plan: Plan,
    target: Path | None,
    declared: Schema,
    *,
    keep_order: bool = False,
    key: KeyPlace | Iterable[KeyPlace] | None = None,
    private: str | Path | None = None,
    force: bool = False,
    before_noise: Callable[[Privacy], object] | None = None,
    progress: Progress | None = None,
    onlooker: Onlooker | None = None,
) -> Applied:
    """See :func:`apply`."""
    plan = plan.completed(declared)
    if target is not None:
        refuse_target(target, table, force)
    used = schema_in_use(plan, declared)
    check_columns(plan, used, table)
    context = context_for(plan, key, private, target)
    if any(isinstance(operation, TwoPassOperation) for operation in plan.operations) or counts_people(plan, used):
        table = table.held()
    folder = None if target is None else target.parent
    stream = Stream(table, used, context, folder, progress)
    privacy = privacy_ahead(stream, plan)
    if privacy is not None and before_noise is not None:
        before_noise(privacy)
    decided = decide(stream, plan)
    written = _written(decided.stream, plan, decided, target, keep_order, onlooker)
    marked = {name: getattr(decided, name) for name in COUNTED}
    return Applied(
        source=table.label,
        rows=written.rows,
        **{name: int(rows.sum()) for name, rows in marked.items()},
        people={name: _people(rows, written.person) for name, rows in marked.items()},
        judgement=written.judgement,
        literal_diversities=written.literal_diversities,
        pseudonymised=pseudonymised_columns(plan),
        unspoken=unspoken_columns(table.columns, plan, used),
        identity_tables=context.identities.written,
        privacy=privacy,
        plan_hash=plan.hash,
        shuffled=not keep_order,
        out=target,
        data=written.data,
    )


@dataclass(frozen=True, eq=False)
class _Written:
    rows: int
    person: Column | None = None
    """Who each record of the table is about, where people are counted."""
    judgement: Judgement | None = None
    literal_diversities: tuple[LiteralDiversity, ...] = ()
    data: pl.DataFrame | None = None


def _written(
    stream: Stream, plan: Plan, decided: Decided, target: Path | None, keep_order: bool, onlooker: Onlooker | None
) -> _Written:
    if target is None:
        with FrameWriter() as memory:
            written = _shuffled(stream, plan, decided, memory, None, keep_order, onlooker)
        stream.context.write_identities()
        return replace(written, data=memory.frame)
    with replacing(target) as file:
        with writer_for(target)(file) as writer:
            written = _shuffled(stream, plan, decided, writer, target.parent, keep_order, onlooker)
        stream.context.write_identities()  # before the result takes its name: it is of no use without them
        return written


def _shuffled(
    stream: Stream,
    plan: Plan,
    decided: Decided,
    writer: Writer,
    folder: Path | None,
    keep_order: bool,
    onlooker: Onlooker | None,
) -> _Written:
    outlet = writer if onlooker is None else onlooker.writer(writer)
    frames = Frames(writer.target, stream.mixed)
    with _waiting(outlet, folder, frames, keep_order) as waiting:
        return _released(stream, plan, decided, waiting, frames, onlooker)


def _waiting(writer: Writer, folder: Path | None, frames: Frames, keep_order: bool) -> AbstractContextManager[Writer]:
    """Where records wait until all are known: for an order that is drawn, and for types that follow from all."""
    if not keep_order:
        return shuffled(writer, folder, typed=frames.typed)
    return nullcontext(writer) if frames.target == "text" else in_order(writer, folder, frames.typed)


def _released(
    stream: Stream, plan: Plan, decided: Decided, writer: Writer, frames: Frames, onlooker: Onlooker | None
) -> _Written:
    """Write the records that come out, where somebody looks on with their places in the table, and judge them."""
    released = released_columns(plan, decided)
    if not released:
        raise UsageError("plan.no-columns", source=stream.table.label)
    recorded = _recorded_columns(plan, decided, onlooker)
    recorder = stream.recorder(recorded) if recorded else None
    rows = seen = 0
    for batch in stream.batches(list(dict.fromkeys([*released, *recorded])), decided.starts, decided.rows):
        if recorder is not None:
            recorder.add(batch)
        frame = frames.released(batch, released)
        if onlooker is not None:
            frame = frame.with_columns(pl.Series(PLACE, seen + np.flatnonzero(~batch.suppressed), pl.UInt64))
        writer.write(frame)
        rows += frame.height
        seen += len(batch.suppressed)
    if rows == 0:
        raise InputError("input.empty", source=stream.table.label)
    if recorder is None:
        return _Written(rows)
    data, suppressed = recorder.finish()
    if onlooker is not None:
        onlooker.see(data, suppressed)
    judgement = _judged(data, plan, decided.valid, suppressed) if plan.criteria else None
    person = None if stream.schema.person is None else data.columns.get(stream.schema.person)
    return _Written(rows, person, judgement, literal_diversities(data, plan.operations, suppressed))


def _people(rows: Rows, person: Column | None) -> int:
    """How many people the marked ``rows`` are about; each is somebody else where nobody says otherwise."""
    if person is None or not rows.any():
        return int(rows.sum())
    return len(np.unique(person.codes[rows]))  # who is not named may be one and the same


def _recorded_columns(plan: Plan, decided: Decided, onlooker: Onlooker | None) -> list[str]:
    """What must be known of all records in the end: for criteria, for people to be counted, and for an onlooker."""
    schema = decided.stream.schema
    recorded = [*judged_columns([*plan.criteria, *asked_of_words(plan.operations)], schema)]
    if onlooker is not None:
        recorded += [*schema.quasi, *schema.sensitive]
    if schema.person is not None and (onlooker is not None or decided.rows is not None):
        recorded.append(schema.person)
    return list(dict.fromkeys(recorded))


def _judged(data: Dataset, plan: Plan, valid: Rows | None, suppressed: Rows) -> Judgement:
    return judge(as_understood(data, plan.operations), plan.criteria, keep=valid, suppressed=suppressed)


def refuse_target(target: Path, table: SourceTable, force: bool) -> None:
    """Raise before long work whose result could not be put at ``target``."""
    writer_for(target)
    refuse_unwritable(target)
    if any(target.exists() and target.samefile(file) for file in table.files):
        raise UsageError("plan.onto-input", path=str(target))
    if not force:
        refuse_existing(target)
