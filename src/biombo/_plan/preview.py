"""``preview``: what a plan would do, without writing anything."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from biombo._criteria import KAnonymity, judge, smallest_group_asked
from biombo._data import Progress, Schema, SourceTable, written
from biombo._engine import LOCAL, Counted, Engine, Flow, Rows, are_out, engine_of
from biombo._errors import UsageError
from biombo._plan.columns import released_columns, schema_in_use, unspoken_columns
from biombo._plan.execution import decide
from biombo._plan.operations import AddNoise
from biombo._plan.operations.operation import Context
from biombo._plan.plan import Plan
from biombo._plan.preparation import keys_for, spoken_of
from biombo._plan.privacy.guarantee import Privacy, privacy_ahead
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


@dataclass(frozen=True, eq=False)
class Preview:
    """The first records before and after a plan, and all groups. Made by :func:`biombo.preview`.

    Private: it shows records as they are in the table.
    """

    source: str
    """What the table is called."""
    before: pl.DataFrame = field(repr=False)
    after: pl.DataFrame = field(repr=False)
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
    moves: Mapping[str, float]
    """For columns with noise that guarantees nothing: how far their values will move on average."""

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
            "left_out": list(self.unspoken),
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
    progress: Progress | None = None,
    engine: Engine | str = LOCAL,
) -> Preview:
    """What ``plan`` would make of the first records of a table, and of its groups. Nothing is written.

    The whole table is passed over, as :func:`biombo.apply` does, so that what is wrong shows here too. What is drawn at
    random will be drawn anew; what noise costs and how far it moves values is told.

    Args:
        source: Whatever :func:`biombo.read` takes.
        plan: The plan, or its YAML file.
        rows: How many records to show.
        schema: As for :func:`biombo.apply`.
        keep: As for :func:`biombo.apply`.
        key: The keys that the plan names.
        filename: A pattern that takes columns from the files' names.
        database: The database that the query ``source`` is for.
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
    source = place.reached(source, filename=filename, database=database)
    table = SourceTable.open(source, filename=filename, database=database).held()
    declared = spoken_of(table, Plan.load(plan), Schema.load(schema), keep)
    plan = Plan.load(plan).completed(declared)
    used = schema_in_use(plan, declared)
    opened, context = place.open(table), Context(keys=keys_for(plan, key))
    shown = instead(progress, advance)

    def flow(schema: Schema) -> Flow:
        return opened.flow(schema, context, random=context.random, folder=None, warn=context.warn, progress=shown)

    k = smallest_group_asked(plan.criteria) or 2

    privacy = privacy_ahead(flow(used), plan)
    decided = decide(flow(used), plan, context)
    released = released_columns(plan, decided.columns, decided.schema, decided.label)
    as_read = flow(schema_in_use(replace(plan, operations=()), declared))
    before, _, groups_before = _seen(as_read, table.columns, rows, k)
    after, dropped, groups_after = _seen(decided, released, rows, k)
    return Preview(
        source=table.label,
        before=before,
        after=after,
        dropped=tuple(dropped.tolist()),
        k=k,
        groups_before=groups_before,
        groups_after=groups_after,
        privacy=privacy,
        unspoken=unspoken_columns(table.columns, plan, used),
        moves=_moves(plan),
    )


def _moves(plan: Plan) -> dict[str, float]:
    return {each.column: each.expected_move for each in plan.operations if isinstance(each, AddNoise)}


def _seen(flow: Flow, columns: Sequence[str], rows: int, k: int) -> tuple[pl.DataFrame, Rows, GroupSizes | None]:
    """The first ``rows`` with ``columns``, which of them are dropped, and the sizes of all groups."""
    quasi = [name for name in flow.schema.quasi if name in flow.columns]
    people = [] if flow.schema.person is None or not quasi else [flow.schema.person]
    counting = (*quasi, *people)
    head = flow.head(columns, rows, [counting] if quasi else [])
    dropped = are_out(head.fates)
    frame = head.frame.select(pl.when(pl.Series(~dropped)).then(pl.all()))
    return frame, dropped, _sizes(head.tally.counted(counting), quasi, k) if quasi else None


def _sizes(counted: Counted, quasi: Sequence[str], k: int) -> GroupSizes:
    (verdict,) = judge(counted.data, KAnonymity(k), quasi=quasi, suppressed=counted.out).verdicts
    return GroupSizes(int(verdict.achieved or 0), verdict.groups, verdict.records)


def _plain_rows(frame: pl.DataFrame) -> list[dict[str, Any]]:
    """The rows as JSON has them: numbers and truth values as they are, all else as text."""
    return pl.DataFrame([_plain(column) for column in frame]).to_dicts()


def _plain(values: pl.Series) -> pl.Series:
    if values.dtype.is_float():
        return values.set(~values.is_finite().fill_null(True), None)
    return values if values.dtype.is_integer() or values.dtype == pl.Boolean else written(values)
