"""``standing``: whether a plan that was found on one table holds on another, why not, and what to do about it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from biombo._criteria import Judgement, WaiverError, as_json
from biombo._data import Dataset, Progress, Schema, SourceTable, declared_schema
from biombo._engine import LOCAL, Engine, FateCounts, Table, engine_of
from biombo._errors import ColumnError, UsageError
from biombo._files import without_folders
from biombo._glance import Glance, Result
from biombo._i18n import text
from biombo._plan.cautions import warn_of_plan
from biombo._plan.columns import check_columns, schema_in_use
from biombo._plan.execution import Execution, decide
from biombo._plan.limits import SuppressionError
from biombo._plan.operations import Generalise, Operation, RecodeLocally
from biombo._plan.operations.operation import Context
from biombo._plan.outcome import quasi_columns
from biombo._plan.plan import Plan
from biombo._plan.population import check_population, population_beside
from biombo._plan.preparation import keys_for, spoken_of
from biombo._plan.pseudonyms.used import UsedPseudonyms
from biombo._plan.selection import selected
from biombo._secrets import KeyPlace
from biombo._watch import advance, instead

_UNKNOWN = "hierarchy.unknown-in-column"


@dataclass(frozen=True, eq=False, repr=False)
class Standing(Result):
    """How a plan stands on a table that it was perhaps not made for. Made by :func:`biombo.standing`. Private: it may
    name values that few people have.
    """

    source: str
    """What the table is called."""
    fates: FateCounts | None
    """What would become of the records, as far as that is known; values that a hierarchy does not know have a branch of
    their own."""
    limit: int | None
    """How many records may be suppressed or masked."""
    judgement: Judgement | None
    """How what comes out would stand to the criteria."""
    unknown: dict[str, ColumnError] = field(default_factory=dict)
    """By column: what the plan's hierarchy has no place for."""
    refused: str | None = None
    """Why nothing could come out at all."""

    @property
    def out(self) -> int:
        """Records that would be suppressed or masked."""
        return 0 if self.fates is None else self.fates["suppressed"] + self.fates["masked"]

    @property
    def records(self) -> int:
        """Records that the plan is about."""
        return 0 if self.fates is None else self.fates.total - self.fates.left_out

    @property
    def within_limit(self) -> bool:
        """Are no more records suppressed or masked than may be?"""
        return self.refused is None and (self.limit is None or self.out <= self.limit)

    @property
    def meets_criteria(self) -> bool:
        """Would what comes out meet the criteria?"""
        return self.judgement is not None and self.judgement.holds

    @property
    def holds(self) -> bool:
        """Can the plan be applied to this table as it was to its own, and are its criteria met?"""
        return not self.unknown and self.within_limit and self.meets_criteria

    def lines(self) -> Iterator[str]:
        """The verdict, why, and what to do, a sentence each."""
        source = without_folders(self.source)
        yield text("plan.standing.holds" if self.holds else "plan.standing.fails", source=source)
        yield from map(str, self.unknown.values())
        if self.refused is not None:
            yield self.refused
        elif self.limit is not None:
            told = {"out": self.out, "records": self.records, "limit": self.limit}
            share = self.out / self.records if self.records else 0.0
            yield text("plan.standing.suppression", share=share, **told)
        if self.judgement is not None and self.refused is None:
            yield from map(str, (*self.judgement.verdicts, *self.judgement.waived))
        yield text(f"plan.standing.{self._remedy}", columns=", ".join(self.unknown))

    @property
    def _remedy(self) -> str:
        """What to do, as the catalogue calls it."""
        if self.holds:
            return "apply"
        if self.within_limit and self.meets_criteria:
            return "own-branch"
        return "own-branch-fails" if self.unknown else "search-again"

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            "source": self.source,
            "holds": self.holds,
            "records": self.records,
            "suppressed_or_masked": self.out,
            "limit": self.limit,
            "unknown": {column: str(error) for column, error in self.unknown.items()},
            "refused": self.refused,
            "judgement": None if self.judgement is None else as_json(self.judgement),
        }

    def _glance(self) -> Glance:
        verdict, *others = self.lines()
        return Glance(verdict, [""], [(line,) for line in others])


def standing(
    source: Any,
    plan: Plan | str | Path,
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
) -> Standing:
    """Does ``plan``, which was found on another table, hold on this one? Nothing is written.

    Values that a hierarchy of the plan does not know are a reason why not; what would be if each had a branch of its
    own is found out as well. What is drawn at random is drawn anew when the plan is applied, and judged again.

    Args:
        source: Whatever :func:`biombo.read` takes, or what it gave.
        plan: The plan, or its YAML file.
        schema: As for :func:`biombo.apply`.
        keep: As for :func:`biombo.apply`.
        key: The keys that the plan names.
        filename: A pattern that takes columns from the files' names.
        database: The database that the query ``source`` is for.
        sheet: Which table of a file that has several: a sheet of a workbook, or a file in a zip archive.
        population: As for :func:`biombo.apply`.
        progress: Called now and then with the rows read and the rows expected, once more for each pass.
        engine: What carries the plan out, or its name, such as ``spark:local[*]``; by default this process.

    >>> import polars as pl
    >>> from biombo import Hierarchy, KAnonymity, SuppressGroups
    >>> bands = Generalise("age", Hierarchy.by_interval(10), 1)
    >>> plan = Plan([bands, SuppressGroups()], [KAnonymity(2)], quasi=["age"], max_suppression=0.25)
    >>> print(standing(pl.DataFrame({"age": ["31", "37", "62", "65"]}), plan).holds)
    True
    >>> print(*standing(pl.DataFrame({"age": ["31", "47", "62", "65"]}), plan).lines(), sep="\\n")
    The plan does not hold on the Polars table.
    2 of 4 records would be suppressed or masked (50.00%); at most 1 may be.
    k-anonymity with k = 2: met (smallest group 2).
    Search for a plan for this table (biombo.search), or allow more suppression in the plan if that may be.
    """
    place, loaded = engine_of(engine), Plan.load(plan)
    if not loaded.criteria:
        raise UsageError("plan.standing-nothing")
    source = place.reached(source, filename=filename, database=database, sheet=sheet)
    whole = SourceTable.open(source, filename=filename, database=database, sheet=sheet).held()
    table = selected(whole, loaded.selections)
    declared = spoken_of(table, loaded, declared_schema(source, schema), keep)
    loaded = loaded.completed(declared)
    used = schema_in_use(loaded, declared)
    warn_of_plan(loaded, used)
    check_columns(loaded, used, table)
    check_population(loaded, used, population, place)
    beside = population_beside(loaded, used, population)
    trying = _Trying(place.open(table), used, keys_for(loaded, key), instead(progress, advance), beside)
    return trying.standing(table.label, loaded)


@dataclass(frozen=True)
class _Trying:
    """A plan is carried out on a table, as often as it takes, and nothing comes out."""

    table: Table
    schema: Schema
    keys: Any
    progress: Any
    population: Dataset | None

    def standing(self, source: str, plan: Plan) -> Standing:
        unknown: dict[str, ColumnError] = {}
        while True:
            try:
                fates, judgement = self._judged(replace(plan, max_suppression=None))
            except ColumnError as error:
                if error.key != _UNKNOWN or error.values["column"] in unknown:
                    raise
                unknown[error.values["column"]] = error
                plan = _with_own_branches(plan, error.values["column"])
            except (SuppressionError, WaiverError) as error:
                return Standing(source, None, None, None, unknown, str(error))
            else:
                limit = None if plan.max_suppression is None else plan.suppression_limit(fates.total - fates.left_out)
                return Standing(source, fates, limit, judgement, unknown)

    def _judged(self, plan: Plan) -> tuple[FateCounts, Judgement | None]:
        context = Context(keys=self.keys, used=UsedPseudonyms(self.keys), population=self.population)
        flow = self.table.flow(
            self.schema, context, random=context.random, folder=None, warn=context.warn, progress=self.progress
        )
        quasi = quasi_columns(plan, self.schema, self.table.columns)
        return Execution(plan, decide(flow, plan, context, quasi), context, quasi, None).judged_alone()


def _with_own_branches(plan: Plan, column: str) -> Plan:
    """The plan in which values that the hierarchy of ``column`` does not know have a branch of their own."""
    return replace(plan, operations=tuple(_with_own_branch(each, column) for each in plan.operations))


def _with_own_branch(operation: Operation, column: str) -> Operation:
    if isinstance(operation, Generalise) and operation.column == column:
        return replace(operation, missing="own-branch")
    if isinstance(operation, RecodeLocally):
        columns = (
            replace(each, missing="own-branch") if each.column == column else each for each in operation.columns_
        )
        return replace(operation, columns_=tuple(columns))
    return operation
