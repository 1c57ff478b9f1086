"""``preview``: what a plan would do, without writing anything."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from biombo._criteria import KAnonymity, judge, smallest_group_asked
from biombo._data import Progress, Schema, SourceTable, declared_schema, written
from biombo._engine import LOCAL, Counted, Engine, Flow, Rows, are_out, engine_of
from biombo._errors import UsageError
from biombo._frames import as_polars, framed
from biombo._glance import Glance, Result
from biombo._measures import ConstantColumn, Tops, became_constant, top_values
from biombo._plan.cautions import warn_of_plan
from biombo._plan.columns import noised_columns, released_columns, schema_in_use, unspoken_columns
from biombo._plan.execution import decide
from biombo._plan.limits import refuse_few
from biombo._plan.operations import AddNoise, Noised
from biombo._plan.operations.operation import Context
from biombo._plan.plan import Plan
from biombo._plan.population import check_population, population_beside
from biombo._plan.preparation import keys_for, spoken_of
from biombo._plan.privacy.guarantee import Privacy, privacy_ahead
from biombo._plan.pseudonyms.used import UsedPseudonyms
from biombo._plan.selection import selected
from biombo._secrets import KeyPlace
from biombo._watch import advance, instead


@dataclass(frozen=True)
class GroupSizes:
    """How large the groups of a table are; in people where the plan or the schema names them."""

    smallest: int
    below: int
    """Groups of fewer than k."""
    records: int
    """Records in them."""


@dataclass(frozen=True, eq=False, repr=False)
class Preview(Result):
    """The first records before and after a plan, and all groups. Made by :func:`biombo.preview`.

    Private: it shows records as they are in the table.
    """

    source: str
    """What the table is called."""
    before: Any = field(repr=False)
    """Its first records: a table of the kind that was given."""
    after: Any = field(repr=False)
    """The same records, with the columns that come out; all missing where a record does not come out."""
    dropped: tuple[bool, ...]
    """Which of the records do not come out."""
    k: int
    """The size below which groups are counted: that of the plan's k-anonymity, or else 2, which counts those alone."""
    groups_before: GroupSizes | None
    """None where no quasi columns are named."""
    groups_after: GroupSizes | None
    privacy: Privacy | None
    """What the noise of the plan will cost and guarantee, and how far it will move values; none where it adds none."""
    unspoken: tuple[str, ...]
    """Columns that would be left out because nobody said what they are."""
    constant: tuple[ConstantColumn, ...]
    """Quasi columns with one value for all records that come out, or nearly all, of which that was not so before."""
    noised: tuple[Noised, ...]
    """For how many records values will be drawn, where an operation chooses them by their groups."""
    drawn: tuple[str, ...]
    """Quasi columns with noise: how large groups are afterwards says nothing about people."""
    moves: Mapping[str, float]
    """For columns with noise that guarantees nothing: how far their values will move on average."""

    def _glance(self) -> Glance:
        from biombo._plan.glance import of_preview

        return of_preview(self)

    def as_json(self) -> dict[str, Any]:
        """The preview as plain values."""
        return {
            "source": self.source,
            "before": _plain_rows(self.before),
            "after": [
                None if dropped else row for row, dropped in zip(_plain_rows(self.after), self.dropped, strict=True)
            ],
            "k": self.k,
            "groups_before": None if self.groups_before is None else vars(self.groups_before),
            "groups_after": None if self.groups_after is None else vars(self.groups_after),
            "privacy": None if self.privacy is None else self.privacy.as_json(),
            "noised": [each.as_json() for each in self.noised],
            "undecided": list(self.unspoken),
            "became_constant": [asdict(each) for each in self.constant],
            "moves": dict(self.moves),
        }


def preview(
    source: Any,
    plan: Plan | str | Path,
    rows: int = 10,
    *,
    schema: Schema | str | Path | None = None,
    keep: Iterable[str] = (),
    key: KeyPlace | Iterable[KeyPlace] | None = None,
    filename: str | None = None,
    database: str | None = None,
    sheet: str | None = None,
    population: Any = None,
    progress: Progress | None = None,
    engine: Engine | str = LOCAL,
) -> Preview:
    """What ``plan`` would make of the first records of a table, and of its groups. Nothing is written.

    The whole table is passed over, as :func:`biombo.apply` does, so that what is wrong shows here too. What is drawn at
    random will be drawn anew; what noise costs and how far it moves values is told.

    Args:
        source: Whatever :func:`biombo.read` takes, or what it gave.
        plan: The plan, or its YAML file.
        rows: How many records to show.
        schema: As for :func:`biombo.apply`.
        keep: As for :func:`biombo.apply`.
        key: The keys that the plan names.
        filename: A pattern that takes columns from the files' names.
        database: The database that the query ``source`` is for.
        sheet: Which table of a file that has several: a sheet of a workbook, or a file in a zip archive.
        population: As for :func:`biombo.apply`.
        progress: Called now and then with the rows read and the rows expected, once more for each pass.
        engine: What carries the plan out, or its name, such as ``spark:local[*]``; by default this process.

    >>> from biombo import Generalise, Hierarchy
    >>> table = pl.DataFrame({"name": ["Ana", "Bia", "Caio"], "age": ["31", "37", "62"]})
    >>> plan = Plan([Generalise("age", Hierarchy.by_interval(10), 1)], quasi=["age"], identifiers=["name"])
    >>> seen = preview(table, plan, rows=2)
    >>> seen.before.rows(), seen.after.rows()
    ([('Ana', '31'), ('Bia', '37')], [('[30, 40)',), ('[30, 40)',)])
    >>> seen.groups_before, seen.groups_after
    (GroupSizes(smallest=1, below=3, records=3), GroupSizes(smallest=1, below=1, records=1))
    """
    if type(rows) is not int or rows < 1:
        raise UsageError("plan.preview-rows", rows=rows)
    place = engine_of(engine)
    source = place.reached(source, filename=filename, database=database, sheet=sheet)
    plan = Plan.load(plan)
    whole = SourceTable.open(source, filename=filename, database=database, sheet=sheet).held()
    table = selected(whole, plan.selections)
    declared = spoken_of(table, plan, declared_schema(source, schema), keep)
    plan = plan.completed(declared)
    used = schema_in_use(plan, declared)
    warn_of_plan(plan, used)
    check_population(plan, used, population, place)
    keys, beside = keys_for(plan, key), population_beside(plan, used, population)
    opened, context = place.open(table), Context(keys=keys, used=UsedPseudonyms(keys), population=beside)
    shown = instead(progress, advance)

    def flow(schema: Schema) -> Flow:
        return opened.flow(schema, context, random=context.random, folder=None, warn=context.warn, progress=shown)

    privacy = privacy_ahead(flow(used), plan)
    decided = decide(flow(used), plan, context)
    released = released_columns(plan, decided.columns, decided.schema, decided.label)
    as_read = flow(schema_in_use(replace(plan, operations=()), declared))
    before, _, groups_before, tops_before = _seen(as_read, table.columns, rows, plan)
    after, dropped, groups_after, tops_after = _seen(decided, released, rows, plan)
    return Preview(
        source=table.label,
        before=framed(before, table.kind),
        after=framed(after, table.kind),
        dropped=tuple(dropped.tolist()),
        k=_least(plan),
        groups_before=groups_before,
        groups_after=groups_after,
        privacy=privacy,
        unspoken=unspoken_columns(table.columns, plan, used),
        constant=became_constant(tops_after, {name: top.share for name, top in tops_before.items()}),
        noised=tuple(context.noised),
        drawn=tuple(name for name in used.quasi if name in noised_columns(plan)),
        moves=_moves(plan),
    )


def _moves(plan: Plan) -> dict[str, float]:
    return {each.column: each.expected_move for each in plan.operations if isinstance(each, AddNoise)}


def _least(plan: Plan) -> int:
    """The size below which groups are counted."""
    return smallest_group_asked(plan.criteria) or 2


def _seen(
    flow: Flow, columns: Sequence[str], rows: int, plan: Plan
) -> tuple[pl.DataFrame, Rows, GroupSizes | None, Tops]:
    """The first ``rows`` with ``columns``, which of them are dropped, the sizes of all groups, and the values of the
    quasi columns that most records have.
    """
    quasi = [name for name in flow.schema.quasi if name in flow.columns]
    people = [] if flow.schema.person is None or not quasi else [flow.schema.person]
    counting = (*quasi, *people)
    head = flow.head(columns, rows, [counting] if quasi else [])
    dropped = are_out(head.fates)
    frame = head.frame.select(pl.when(pl.Series(~dropped)).then(pl.all()))
    if not quasi:
        return frame, dropped, None, {}
    counted = head.tally.counted(counting)
    refuse_few(counted, plan, flow.schema.person, flow.label)
    tops = top_values((counted.data[name] for name in quasi), counted.data.counts, ~counted.out)
    return frame, dropped, _sizes(counted, quasi, _least(plan)), tops


def _sizes(counted: Counted, quasi: Sequence[str], k: int) -> GroupSizes:
    (verdict,) = judge(counted.data, KAnonymity(k), quasi=quasi, suppressed=counted.out).verdicts
    return GroupSizes(int(verdict.achieved or 0), verdict.groups, verdict.records)


def _plain_rows(frame: Any) -> list[dict[str, Any]]:
    """The rows as JSON has them: numbers and truth values as they are, all else as text."""
    return pl.DataFrame([_plain(column) for column in as_polars(frame)]).to_dicts()


def _plain(values: pl.Series) -> pl.Series:
    if values.dtype.is_float():
        return values.set(~values.is_finite().fill_null(True), None)
    return values if values.dtype.is_integer() or values.dtype == pl.Boolean else written(values)
