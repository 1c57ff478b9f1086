"""``ApplyRequest``: a plan carried out on a table."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from biombo._addresses import is_store
from biombo._errors import UsageError
from biombo._files import PUBLIC, refuse_existing, refuse_unwritable, write_together
from biombo._glance import Glance, Result
from biombo._i18n import option
from biombo._requests.entries import placed, unsaved
from biombo._requests.population import PopulationRequest
from biombo._watch import begin, unwarned

if TYPE_CHECKING:
    from biombo._data import SourceTable
    from biombo._engine import Engine
    from biombo._plan import Applied, Plan, Preview, Standing
    from biombo._tabulate import Tabulation

_FOR_RECORDS = ("preview", "judge", "keep_column", "keep_order", "private", "population_table")
"""The entries that say nothing where a plan makes a table of counts."""


@dataclass(frozen=True, kw_only=True, repr=False)
class ApplyRequest(PopulationRequest):
    """Carry out a plan, or show what it would do, under the names of ``biombo apply``."""

    kind: ClassVar[str] = "apply"

    plan: str = placed("path", default="")
    """The plan's YAML file."""
    out: str | None = placed("path", written=True)
    """The file to write, ``.csv`` or ``.parquet``."""
    preview: bool = False
    """Only show what the plan would do; nothing is written."""
    judge: bool = False
    """First say whether the plan, perhaps made for another table, holds on this one; write nothing where it does not,
    or where no ``out`` is named."""
    keep_column: tuple[str, ...] = ()
    """Further columns to leave as they are."""
    keep_order: bool = False
    """Leave the records in their order, which may tell who they are."""
    key: tuple[str, ...] = placed("key", default=())
    """The keys that the plan asks for: files, or ``keyring:NAME``."""
    private: str | None = placed("path", written=True)
    """The folder for tables of identities; by default ``out`` with ``.private`` added."""
    force: bool = unsaved(False)
    """Replace a file that exists."""

    def check(self, source: Any = None) -> None:
        """Raise whatever can be known before the plan is carried out."""
        self._prepared(source, self.chosen_engine())

    def _prepared(self, source: Any, engine: "Engine") -> "tuple[SourceTable, Plan]":
        """The table and the plan; whatever can be wrong with them by the columns alone was looked for."""
        from biombo._data import Schema
        from biombo._plan import Plan, check_application, check_tuples

        self._refuse()
        plan = Plan.load(self.plan).selecting(self.selections)
        table = self.table(source, engine)
        writes = self.out is not None and not self.preview
        if plan.aggregation is not None:
            self._refuse_for_records()
            check_tuples(table, plan.on_records, plan.aggregation.columns, Schema.load(self.schema))
            self.refuse_outputs()
            return table, plan
        schema = Schema.load(self.schema)
        self.check_population(plan.judged, schema, plan.quasi or schema.quasi, of_some=bool(plan.selections))
        with unwarned():  # applying warns of it
            check_application(
                table,
                plan,
                Schema.load(self.schema),
                keep=self.keep_column,
                key=self.key or None,
                private=self.private,
                target=engine.target(self.out, force=self.force) if self.out is not None and writes else None,
                force=self.force,
                population=self.population_table,
                engine=engine,
            )
        self.refuse_outputs()
        return table, plan

    @property
    def outputs(self) -> list[Path]:
        """The file to write."""
        return [] if self.out is None or self.preview or is_store(self.out) else [Path(self.out)]

    def _refuse(self) -> None:
        self.check_engine()
        if not self.plan:
            raise UsageError("request.no-plan")
        if self.preview and self.judge:
            raise UsageError("plan.preview-or-judge")
        if not self.preview and not self.judge and self.out is None:
            raise UsageError("plan.no-out")

    def _refuse_for_records(self) -> None:
        """Raise where something is asked for that a table of counts does not have."""
        extra = [name for name in _FOR_RECORDS if getattr(self, name)]
        if extra:
            raise UsageError("plan.aggregate-extra", options=", ".join(map(option, extra)))
        if is_store(str(self.out)) or Path(str(self.out)).suffix.lower() != ".csv":
            raise UsageError("plan.aggregate-csv", path=self.out)
        refuse_unwritable(Path(str(self.out)))
        if not self.force:
            refuse_existing(Path(str(self.out)))

    def run(self, source: Any = None, *, engine: "Engine | str | None" = None) -> "ApplyOutcome":
        """Carry the plan out; ``source`` may be a table in place of the files, ``engine`` is where that is done, in the
        place of the one that is named.
        """
        from biombo._criteria import WaiverError
        from biombo._plan import SuppressionError, apply, preview, standing

        place = self.chosen_engine(engine)
        table, plan = self._prepared(source, place)
        begin("applying")
        options: dict[str, Any] = {
            "schema": self.schema,
            "keep": self.keep_column,
            "key": self.key or None,
            "engine": place,
            "population": self.population_table,
        }
        try:
            if plan.aggregation is not None:
                return ApplyOutcome(self, table=self._tabulated(table, plan, place))
            if self.preview:
                return ApplyOutcome(self, preview=preview(table, plan, **options))
            found = standing(table, plan, **options) if self.judge else None
            if found is not None and (not found.holds or self.out is None):
                return ApplyOutcome(self, standing=found)
            written: dict[str, Any] = {"keep_order": self.keep_order, "private": self.private, "force": self.force}
            applied = apply(table, plan, self.out, **options, **written)
            return ApplyOutcome(self, standing=found, applied=applied)
        except SuppressionError as error:
            return ApplyOutcome(self, refused=str(error))
        except WaiverError as error:
            return ApplyOutcome(self, refused=str(error), unlisted=error.unlisted)

    def _tabulated(self, source: "SourceTable", plan: "Plan", engine: "Engine") -> "Tabulation":
        """The table of counts, which is written as everybody may see it."""
        from biombo._data import Schema
        from biombo._engine import csv_text
        from biombo._tabulate import aggregate

        found = aggregate(source, plan, schema=Schema.load(self.schema), key=self.key or None, engine=engine)
        write_together({Path(str(self.out)): (csv_text(found.shown.frame()), PUBLIC)})
        return found


@dataclass(frozen=True, eq=False, repr=False)
class ApplyOutcome(Result):
    """What came of a plan."""

    request: ApplyRequest
    applied: "Applied | None" = None
    """None where it was only shown, or refused."""
    standing: "Standing | None" = None
    """Whether the plan holds on this table, where that was asked."""
    preview: "Preview | None" = None
    """What the plan would do, where that was asked for."""
    table: "Tabulation | None" = None
    """The table of counts, where the plan ends in one."""
    refused: str | None = None
    """Why nothing was written: more would have been suppressed than may be, or a waiver does not list some values."""
    unlisted: tuple[str, ...] = ()
    """These values, where that is why. Private."""

    @property
    def holds(self) -> bool:
        """Does the result meet the plan's criteria, as far as there is one?"""
        made = self.table or self.applied or self.standing
        return self.refused is None and (made is None or made.holds)

    @property
    def unspoken(self) -> tuple[str, ...]:
        """The columns that are left out because nobody said what they are."""
        seen = self.applied or self.preview
        return () if seen is None else seen.unspoken

    def _glance(self) -> Glance:
        seen = self.table or self.applied or self.preview or self.standing
        return Glance(self.refused or "") if seen is None else seen._glance()

    def as_json(self) -> dict[str, Any]:
        """What came out, or would, as plain values."""
        seen = self.table or self.applied or self.preview
        told = {} if self.standing is None else {"standing": self.standing.as_json()}
        return told | (seen.as_json() if seen is not None else {} if told else {"refused": self.refused})
