"""The plan that a publication goes by: one from a file, or the best that a search finds."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biombo._cli.reading import read_files
from biombo._cli.search import DEFAULT_POLICY, columns_in_use, criteria_of, searched
from biombo._errors import UsageError

if TYPE_CHECKING:
    from biombo._plan import Plan
    from biombo._search import RankedPlan


@dataclass(frozen=True)
class Wanted:
    """What was typed."""

    plan: Path | None
    k: int | None
    l: float | None  # noqa: E741
    quasi: list[str] | None
    sensitive: list[str] | None
    hierarchies: Path | None
    missing: str
    max_suppression: float
    prefer: list[str] | None

    def chosen(self, files: Sequence[str], schema: str | None, where: dict[str, Any]) -> "Plan | RankedPlan | None":
        """The plan; none where the search finds none."""
        if self.plan is not None and self.k is None and self.l is None:
            return self._from_file(self.plan)
        if self.plan is None and self.k is not None:
            return self._found(files, schema, where)
        raise UsageError("release.plan-or-k")

    def _from_file(self, path: Path) -> "Plan":
        """The columns that are named go before those of the plan."""
        from biombo._plan import Plan

        plan = Plan.load(path)
        quasi, sensitive = (tuple(columns or ()) for columns in (self.quasi, self.sensitive))
        return replace(plan, quasi=quasi or plan.quasi, sensitive=sensitive or plan.sensitive)

    def _found(self, files: Sequence[str], schema: str | None, where: dict[str, Any]) -> "RankedPlan | None":
        sets = [self.quasi] if self.quasi else []
        data = read_files(files, schema, columns=columns_in_use(schema, sets, self.sensitive), **where)
        asked = {
            "quasi": self.quasi,
            "sensitive": self.sensitive,
            "hierarchies": self.hierarchies,
            "missing": self.missing,
        }
        criteria = criteria_of([], k=self.k, l=self.l)
        found = searched(data, criteria, asked, self.prefer or [DEFAULT_POLICY], self.max_suppression, 1, 0.0)
        return found[0] if found else None
