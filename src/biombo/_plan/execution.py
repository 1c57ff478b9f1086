"""A plan on its way over a table: what its operations decide, pass by pass, and what comes out in the end."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from biombo._criteria import Judgement, judge
from biombo._engine import (
    Counted,
    Counting,
    FateCounts,
    Flow,
    Naming,
    StoreTarget,
    Tally,
    Watching,
    Written,
    were_there,
)
from biombo._errors import InputError
from biombo._plan.columns import (
    as_understood,
    columns_in_use,
    judged_columns,
    released_columns,
)
from biombo._plan.limits import refuse_above_memory, refuse_few, refuse_too_much
from biombo._plan.operations import (
    CountingOperation,
    GroupNoise,
    RowOperation,
    Seen,
    TableOperation,
    TwoPassOperation,
)
from biombo._plan.operations.operation import Context
from biombo._plan.outcome import counted_columns
from biombo._plan.plan import Plan
from biombo._plan.population import beside_population_after
from biombo._plan.pseudonyms.used import UsedPseudonyms
from biombo._plan.result import LiteralDiversity, asked_of_words, literal_diversities
from biombo._plan.treatment import Treatment


@dataclass(frozen=True)
class Onlooker:
    """Somebody who sees all that comes out of a plan."""

    named: Naming
    """Gives records their names."""
    kept: Callable[[bytes], object]
    """Called with what is to be kept of that."""
    see: Callable[[Counted], object]
    """Called with the quasi and sensitive columns of all records as the plan leaves them, and the person."""
    written: Callable[[Written], object] = lambda _written: None
    """Called with what was written."""
    given: Callable[[UsedPseudonyms], object] = lambda _used: None
    """Called with the pseudonyms that are never to be given again, which it keeps where what came out stays."""


def decide(flow: Flow, plan: Plan, context: Context, originals: Sequence[str] = ()) -> Flow:
    """The flow with all that the plan does; records are counted for each operation that must have seen them. Of the
    columns ``originals`` the values as they were read stay known.
    """
    last = _last_choice(plan)
    for place, operation in enumerate(plan.operations):
        if isinstance(operation, RowOperation):
            flow = flow.mapped(operation)
            continue
        if not flow.repeatable:
            flow = flow.spooled(without=_unread(plan, flow), originals=originals)
        if isinstance(operation, TableOperation):
            flow = _exchanged(flow, operation, context)
        elif isinstance(operation, CountingOperation):
            flow, fates = _decided(flow, place, plan, context)
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


def _decided(flow: Flow, place: int, plan: Plan, context: Context) -> tuple[Flow, FateCounts | None]:
    """The flow with what the operation at ``place`` decides, and the fates afterwards where they are known."""
    operation = plan.operations[place]
    assert isinstance(operation, CountingOperation)
    columns = operation.sees(plan.criteria, flow.schema)
    counted = flow.counted(flow.columns if columns is None else columns)
    refuse_few(counted, plan, flow.schema.person, flow.label)
    seen = counted
    if operation.understands:
        understood = as_understood(counted.data, plan.operations)
        seen = Counted(beside_population_after(understood, plan.operations[:place], context), counted.fates)
    decision = operation.decide(Seen(seen, plan.criteria, context.random, columns_in_use(plan, flow)))
    if not isinstance(decision, Treatment):
        return flow.mapped(decision), counted.total
    if isinstance(operation, GroupNoise):
        context.noised.append(operation.noted(counted, decision.dealing))
    return flow.dealt(counted, decision.dealing, decision.change), decision.fates_after(counted)


def _unread(plan: Plan, flow: Flow) -> list[str]:
    """Columns that are kept back and that nothing asks for: they need not lie in a file between two passes."""
    schema = flow.schema
    read = {*judged_columns(plan.judged, schema), *(name for each in plan.operations for name in each.reads)}
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
class Execution:
    """Writes what comes out, and judges it before any of it is handed on."""

    plan: Plan
    flow: Flow
    context: Context
    quasi: Sequence[str]
    onlooker: Onlooker | None
    judged: _Judged = field(default_factory=_Judged)

    def write(self, target: Path | StoreTarget | None, keep_order: bool) -> Written:
        """Write the columns that are released."""
        columns = released_columns(self.plan, self.flow.columns, self.flow.schema, self.flow.label)
        watching = Watching(self._counted, complete=self._complete)
        if self.onlooker is not None:
            watching = Watching(self._counted, self.onlooker.named, self.onlooker.kept, self._complete)
        return self.flow.write(columns, target, self._counting, keep_order, watching)

    def judged_alone(self) -> tuple[FateCounts, Judgement | None]:
        """What would become of the records, and how what comes out would stand to the criteria; nothing is written."""
        counted = self.flow.counted(self._asked)
        refuse_few(counted, self.plan, self.flow.schema.person, self.flow.label)
        refuse_too_much(counted.total, self.plan, self.flow.label)
        self.judged = self._judge(counted)
        self._refuse_unlisted()
        return counted.total, self.judged.judgement

    def _complete(self) -> None:
        self.context.write_identities()
        if self.onlooker is None:
            self.context.used.keep()
        else:
            self.onlooker.given(self.context.used)

    @property
    def for_outcome(self) -> tuple[str, ...]:
        """What an outcome is made of."""
        return counted_columns(self.plan, self.quasi)

    def _counted(self, tally: Tally) -> None:
        if not tally.fates.total:
            raise InputError("input.empty", source=self.flow.label)
        asked, person = self._asked, self.flow.schema.person
        if asked:
            refuse_few(tally.counted(asked), self.plan, person, self.flow.label)
        refuse_too_much(tally.fates, self.plan, self.flow.label)
        if self.onlooker is not None:
            self.onlooker.see(tally.counted(self._seen))
        if asked:
            self.judged = self._judge(tally.counted(asked))
            self._refuse_unlisted()

    def _judge(self, counted: Counted) -> _Judged:
        data, operations = counted.data, self.plan.operations
        keep, judgement = were_there(counted.fates), None
        if self.plan.judged:
            asked, waived = self.plan.criteria, self.plan.waived
            understood = beside_population_after(as_understood(data, operations), operations, self.context)
            judgement = judge(understood, asked, keep=keep, suppressed=counted.out, waived=waived)
        return _Judged(judgement, literal_diversities(data, operations, counted.out))

    def _refuse_unlisted(self) -> None:
        """Nothing comes out that nobody who waived a criterion has seen."""
        for waived in () if self.judged.judgement is None else self.judged.judgement.waived:
            waived.refuse_unlisted()

    @property
    def _asked(self) -> tuple[str, ...]:
        """What criteria are judged on."""
        operations = self.plan.operations
        return judged_columns([*self.plan.judged, *asked_of_words(operations)], self.flow.schema)

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
