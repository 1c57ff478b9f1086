"""The plan that a publication goes by: one from a file, or the best that a search finds."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biombo._cli.asked import Asked
from biombo._cli.reading import read_files
from biombo._errors import UsageError

if TYPE_CHECKING:
    from biombo._plan import Plan
    from biombo._search import RankedPlan

_FOR_A_SEARCH = ("max_suppression", "hierarchies", "prefer", "level", "weights", "drop_invalid", "time_limit")
"""The options that say nothing where a plan is given."""


@dataclass(frozen=True)
class Wanted:
    """What was typed."""

    plan: Path | None
    asked: Asked

    def __post_init__(self) -> None:
        if (self.plan is None) is not bool(self.asked.criteria):
            raise UsageError("release.plan-or-criteria")
        if self.plan is not None:
            extra = [name for name in _FOR_A_SEARCH if getattr(self.asked, name)]
            if extra:
                raise UsageError("release.plan-extra", options=", ".join(map(_option, extra)))

    def refuse_undecidable(self) -> None:
        """Raise where a search is not asked for groups of some size, by which the risk is decided."""
        if self.plan is None and self.asked.k is None:
            raise UsageError("release.nothing-judged")

    def chosen(self, files: Sequence[str], schema: str | None, where: dict[str, Any]) -> "Plan | RankedPlan | None":
        """The plan; none where the search finds none."""
        return self._found(files, schema, where) if self.plan is None else self._from_file(self.plan)

    def _from_file(self, path: Path) -> "Plan":
        """The columns that are named go before those of the plan."""
        from biombo._plan import Plan

        plan = Plan.load(path)
        quasi, sensitive = (tuple(self.asked.question[role] or ()) for role in ("quasi", "sensitive"))
        return replace(plan, quasi=quasi or plan.quasi, sensitive=sensitive or plan.sensitive)

    def _found(self, files: Sequence[str], schema: str | None, where: dict[str, Any]) -> "RankedPlan | None":
        data = read_files(files, schema, columns=self.asked.columns, **where)
        found = self.asked.found(data, plans=1)
        return found[0] if found else None


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
