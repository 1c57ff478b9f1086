"""``UtilityRequest``: what a release lost."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from biombo._errors import UsageError
from biombo._files import is_folder, is_within_reach
from biombo._glance import Glance, Result
from biombo._i18n import text
from biombo._requests.entries import conditions, number, placed, read_by, selections_of
from biombo._requests.request import Request
from biombo._watch import begin, remark

if TYPE_CHECKING:
    from biombo._data import SourceTable
    from biombo._engine import Engine
    from biombo._utility import Utility


@dataclass(frozen=True, kw_only=True, repr=False)
class UtilityRequest(Request):
    """Say what a release is still good for beside its original, under the names of ``biombo utility``."""

    kind: ClassVar[str] = "utility"

    original: str = placed("path", default="")
    """The table that the release was made of."""
    sheet: str | None = None
    """Which table of the original, where its file has several."""
    release: str = placed("path", default="")
    """A file, or the folder of a release."""
    where: Mapping[str, Any] | None = field(default=None, metadata=read_by(conditions))
    """The only records of the original that the release was made of, where no plan says so."""
    plan: str | None = placed("path")
    """The plan; by default the one in the private folder beside a folder that was published."""
    schema: str | None = placed("schema")
    loss_domain: Literal["data", "hierarchy"] = "data"
    """Over which values loss is told: those that occur, or all of the hierarchies."""
    predict: str | None = None
    """A column to predict from the others."""
    folds: int = number(2, default=10)
    seed: int | None = number(0)

    def check(self) -> None:
        """Raise whatever can be known before anything is measured."""
        from biombo._utility import check_utility

        self.check_engine()
        data, plan, _ = self._found()
        original = self._table(self.chosen_engine())
        check_utility(original, data, plan=plan, schema=self.schema, predict=self.predict, seed=self.seed)

    def run(self, *, engine: "Engine | str | None" = None) -> "UtilityOutcome":
        """Measure, where ``engine`` has the tables, in the place of the one that is named."""
        from biombo._utility import utility

        place = self.chosen_engine(engine)
        data, plan, outcome = self._found()
        if plan is not None and self.plan is None:
            remark(text("utility.plan-beside", plan=plan))
        if outcome is not None:
            remark(text("utility.outcome-beside", outcome=outcome))
        begin("measuring")
        found = utility(
            self._table(place),
            data,
            plan=plan,
            outcome=outcome,
            schema=self.schema,
            loss_domain=self.loss_domain,
            predict=self.predict,
            folds=self.folds,
            seed=self.seed,
            engine=place,
        )
        return UtilityOutcome(self, found, plan)

    def _table(self, engine: "Engine") -> "SourceTable":
        from biombo._data import SourceTable

        table = SourceTable.open(engine.reached(self.original, sheet=self.sheet), sheet=self.sheet)
        return table.selected(selections_of(self.where))

    def _found(self) -> tuple[str, Path | None, Path | None]:
        """Of a folder that was published: its data, and its plan and outcome where the private folder is beside it."""
        from biombo._plan import OUTCOME
        from biombo._release import PLAN, Manifest, places_of

        if not self.original or not self.release:
            raise UsageError("request.no-tables")
        named, release = None if self.plan is None else Path(self.plan), Path(self.release)
        if not is_folder(release):
            return self.release, named, None
        data, private = str(release / Path(Manifest.of(release).data).name), places_of(release, None)[1]
        if named is not None or not is_within_reach(private / PLAN):
            return data, named, None
        outcome = private / OUTCOME
        return data, private / PLAN, outcome if is_within_reach(outcome) else None


@dataclass(frozen=True, eq=False, repr=False)
class UtilityOutcome(Result):
    """What a release lost. Private: it tells about the original."""

    request: UtilityRequest
    utility: "Utility"
    plan: Path | None
    """The plan that the release was read by."""

    def verdict(self) -> list[str]:
        """What a release lost, in at most five lines."""
        from biombo._utility import utility_verdict

        return utility_verdict(self.utility)

    def _glance(self) -> Glance:
        return self.utility._glance()

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        from biombo._utility import as_json

        return as_json(self.utility)
