"""``UtilityRequest``: what a release lost."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from biombo._errors import UsageError
from biombo._files import is_folder, is_within_reach
from biombo._i18n import text
from biombo._requests.entries import number, placed
from biombo._requests.request import Request
from biombo._watch import begin, remark

if TYPE_CHECKING:
    from biombo._engine import Engine
    from biombo._utility import Utility


@dataclass(frozen=True, kw_only=True, repr=False)
class UtilityRequest(Request):
    """Say what a release is still good for beside its original, under the names of ``biombo utility``."""

    kind: ClassVar[str] = "utility"

    original: str = placed("path", default="")
    """The table that the release was made of."""
    release: str = placed("path", default="")
    """A file, or the folder of a release."""
    plan: str | None = placed("path")
    """The plan; by default the one in the private folder beside a folder that was published."""
    schema: str | None = placed("schema")
    predict: str | None = None
    """A column to predict from the others."""
    folds: int = number(2, default=10)
    seed: int | None = number(0)

    def check(self) -> None:
        """Raise whatever can be known before anything is measured."""
        from biombo._utility import check_utility

        self.check_engine()
        data, plan, _ = self._found()
        original = self.chosen_engine().reached(self.original)
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
            self.original,
            data,
            plan=plan,
            outcome=outcome,
            schema=self.schema,
            predict=self.predict,
            folds=self.folds,
            seed=self.seed,
            engine=place,
        )
        return UtilityOutcome(self, found, plan)

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


@dataclass(frozen=True, eq=False)
class UtilityOutcome:
    """What a release lost. Private: it tells about the original."""

    request: UtilityRequest
    utility: "Utility"
    plan: Path | None
    """The plan that the release was read by."""

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        from biombo._utility import as_json

        return as_json(self.utility)
