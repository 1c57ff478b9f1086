"""``apply``: a plan is carried out on a table."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from biombo._criteria import Judgement, judge
from biombo._data import Progress, Schema, SourceTable
from biombo._documents import listed
from biombo._engine import (
    LOCAL,
    NAMES,
    Counted,
    Counting,
    Engine,
    Fate,
    FateCounts,
    Flow,
    Keys,
    Table,
    Tally,
    Watching,
    Written,
    writer_for,
)
from biombo._errors import InputError, UsageError
from biombo._files import refuse_existing, refuse_unwritable
from biombo._plan.columns import (
    as_understood,
    check_columns,
    columns_in_use,
    judged_columns,
    released_columns,
    schema_in_use,
    unspoken_columns,
)
from biombo._plan.limits import refuse_above_memory, refuse_too_much
from biombo._plan.operations import (
    CountingOperation,
    GroupOperation,
    RowOperation,
    Seen,
    TableOperation,
    TwoPassOperation,
)
from biombo._plan.operations.operation import Context
from biombo._plan.outcome import Outcome, counted_columns, quasi_columns
from biombo._plan.plan import Plan
from biombo._plan.privacy.guarantee import Privacy, counts_people, privacy_ahead
from biombo._plan.result import Applied, LiteralDiversity, asked_of_words, literal_diversities
from biombo._plan.secrets_at_hand import context_for, pseudonymised_columns
from biombo._plan.spoken_of import spoken_of
from biombo._plan.treatment import Treatment
from biombo._secrets import KeyPlace
from biombo._watch import advance, instead, tell_noise


@dataclass(frozen=True)
class Onlooker:
    """Somebody who sees all that comes out of a plan."""

    named: Callable[[pl.DataFrame, Keys], pl.DataFrame]
    """Gives records that come out, in their final order, their names; called with their keys."""
    see: Callable[[Counted], object]
    """Called with the quasi and sensitive columns of all records as the plan leaves them, and the person."""


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
    engine: Engine = LOCAL,
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
        engine: What carries the plan out; by default this process.

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
        engine=engine,
    )


def apply_to_table(
    source: SourceTable,
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
    context: Context | None = None,
    engine: Engine = LOCAL,
    table: Table | None = None,
) -> Applied:
    """See :func:`apply`; ``table`` is ``source`` where an engine has opened it already."""
    plan = plan.completed(declared)
    if target is not None:
        refuse_target(target, source, force)
    used = schema_in_use(plan, declared)
    check_columns(plan, used, source)
    context = context or context_for(plan, key, private, target)
    if any(isinstance(operation, TwoPassOperation) for operation in plan.operations) or counts_people(plan, used):
        source = source.held()
    opened = engine.open(source) if table is None else table
    folder = None if target is None else target.parent
    flow = opened.flow(used, context, random=context.random, folder=folder, warn=context.warn, progress=progress)
    privacy = privacy_ahead(flow, plan)
    if privacy is not None and before_noise is not None:
        before_noise(privacy)
    quasi = quasi_columns(plan, used, opened.columns)
    execution = _Execution(plan, decide(flow, plan, context, quasi), context, quasi, onlooker)
    written = execution.write(target, keep_order)
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
        privacy=privacy,
        plan_hash=plan.hash,
        shuffled=not keep_order,
        out=target,
        data=written.data,
        outcome=Outcome.of(written.tally.counted(execution.for_outcome), plan, quasi),
    )


def decide(flow: Flow, plan: Plan, context: Context, originals: Sequence[str] = ()) -> Flow:
    """The flow with all that the plan does; records are counted for each operation that must have seen them. Of the
    columns ``originals`` the values as they were read stay known.
    """
    last = _last_choice(plan)
    for operation in plan.operations:
        if isinstance(operation, RowOperation):
            flow = flow.mapped(operation)
            continue
        if not flow.repeatable:
            flow = flow.spooled(without=_unread(plan, flow), originals=originals)
        if isinstance(operation, TableOperation):
            flow = _exchanged(flow, operation, context)
        elif isinstance(operation, CountingOperation):
            flow, fates = _decided(flow, operation, plan, context)
            if operation is last and fates is not None:
                refuse_too_much(fates, plan, flow.label)
    return flow


def _last_choice(plan: Plan) -> CountingOperation | None:
    """The last operation that gives records a fate, where that is one by which all fates are known."""
    choosing = [each for each in plan.operations if each.chooses]
    last = choosing[-1] if choosing else None
    return last if isinstance(last, CountingOperation) else None


def _exchanged(flow: Flow, operation: TableOperation, context: Context) -> Flow:
    refuse_above_memory(operation, flow.rows, flow.label)
    gathered = flow.gathered(operation.reads)
    refuse_above_memory(operation, gathered.data.rows, flow.label)  # not every source tells its rows beforehand
    return operation.exchanged(gathered, context)


def _decided(flow: Flow, operation: CountingOperation, plan: Plan, context: Context) -> tuple[Flow, FateCounts | None]:
    """The flow with what ``operation`` decides, and the fates afterwards where they are known."""
    columns = operation.sees(plan.criteria, flow.schema)
    counted = flow.counted(flow.columns if columns is None else columns)
    seen = counted
    if isinstance(operation, GroupOperation):
        seen = Counted(as_understood(counted.data, plan.operations), counted.fates)
    decision = operation.decide(Seen(seen, plan.criteria, context.random, columns_in_use(plan, flow)))
    if not isinstance(decision, Treatment):
        return flow.mapped(decision), counted.total
    return flow.dealt(counted, decision.dealing, decision.change), decision.fates_after(counted)


def _unread(plan: Plan, flow: Flow) -> list[str]:
    """Columns that are kept back and that nothing asks for: they need not lie in a file between two passes."""
    schema = flow.schema
    read = {*judged_columns(plan.criteria, schema), *(name for each in plan.operations for name in each.reads)}
    if schema.person is not None:
        read.add(schema.person)  # people are counted in the end
    for operation in plan.operations:
        if isinstance(operation, TwoPassOperation):
            seen = operation.sees(plan.criteria, schema)
            if seen is None:
                return []
            read.update(seen)
    return [name for name in flow.columns if schema[name].kept_back and name not in read]


@dataclass(frozen=True, eq=False)
class _Judged:
    judgement: Judgement | None = None
    literal_diversities: tuple[LiteralDiversity, ...] = ()


@dataclass(eq=False)
class _Execution:
    """Writes what comes out, and judges it before any of it is handed on."""

    plan: Plan
    flow: Flow
    context: Context
    quasi: Sequence[str]
    onlooker: Onlooker | None
    judged: _Judged = field(default_factory=_Judged)

    def write(self, target: Path | None, keep_order: bool) -> Written:
        """Write the columns that are released."""
        columns = released_columns(self.plan, self.flow)
        if not columns:
            raise UsageError("plan.no-columns", source=self.flow.label)
        named = None if self.onlooker is None else self.onlooker.named
        watching = Watching(self._counted, named, self.context.write_identities)
        return self.flow.write(columns, target, self._counting, keep_order, watching)

    @property
    def for_outcome(self) -> tuple[str, ...]:
        """What an outcome is made of."""
        return counted_columns(self.plan, self.quasi)

    def _counted(self, tally: Tally) -> None:
        if not tally.fates.total:
            raise InputError("input.empty", source=self.flow.label)
        refuse_too_much(tally.fates, self.plan, self.flow.label)
        if self.onlooker is not None:
            self.onlooker.see(tally.counted(self._seen))
        if asked := self._asked:
            self.judged = self._judge(tally.counted(asked))

    def _judge(self, counted: Counted) -> _Judged:
        data, operations = counted.data, self.plan.operations
        valid = counted.fates != Fate.INVALID
        keep = None if valid.all() else valid
        judgement = None
        if self.plan.criteria:
            judgement = judge(as_understood(data, operations), self.plan.criteria, keep=keep, suppressed=counted.out)
        return _Judged(judgement, literal_diversities(data, operations, counted.out))

    @property
    def _asked(self) -> tuple[str, ...]:
        """What criteria are judged on."""
        operations = self.plan.operations
        return judged_columns([*self.plan.criteria, *asked_of_words(operations)], self.flow.schema)

    @property
    def _seen(self) -> tuple[str, ...]:
        """What an onlooker sees."""
        schema = self.flow.schema
        people = () if schema.person is None else (schema.person,)
        return tuple(dict.fromkeys([*self._asked, *schema.quasi, *schema.sensitive, *people]))

    @property
    def _counting(self) -> Counting:
        """What must be known of all records in the end: for the outcome, criteria, people, and an onlooker."""
        person = self.flow.schema.person
        chooses = person is not None and any(each.chooses for each in self.plan.operations)
        sets = [self.for_outcome, self._asked, (str(person),) if chooses else (), self._seen if self.onlooker else ()]
        return list(dict.fromkeys([sets[0], *filter(None, sets)]))


def _people(tally: Tally, person: str | None) -> dict[str, int]:
    """How many people have the fates of each name; each record is somebody else's where nobody says otherwise."""
    some = any(tally.fates[name] for name in NAMES)
    if person is None or not some:
        return {name: tally.fates[name] for name in NAMES}
    return dict(tally.people(person))


def refuse_target(target: Path, table: SourceTable, force: bool) -> None:
    """Raise before long work whose result could not be put at ``target``."""
    writer_for(target)
    refuse_unwritable(target)
    if any(target.exists() and target.samefile(file) for file in table.files):
        raise UsageError("plan.onto-input", path=str(target))
    if not force:
        refuse_existing(target)
