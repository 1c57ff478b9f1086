"""What is asked of a search, as people type it: for ``biombo search`` and ``biombo publish``."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from typer import Option

from biombo._cli.levels import level_bounds, weights_of
from biombo._cli.lists import names
from biombo._cli.progress import share_bar
from biombo._errors import UsageError
from biombo._i18n import text

if TYPE_CHECKING:
    from biombo._criteria import Criterion, TCloseness
    from biombo._data import Dataset
    from biombo._data import Schema as LoadedSchema
    from biombo._search import JointResult, SearchResult

_MUST_HOLD, SEARCHING = "cli.panel.must-hold", "cli.panel.searching"
"""Parts of the help page."""

Schema = Annotated[str | None, Option("--schema", metavar="cli.metavar.schema", help="cli.option.schema")]
Quasi = Annotated[list[str] | None, Option("--quasi", metavar="a,b,c", help="cli.search.quasi")]
Sensitive = Annotated[str | None, Option("--sensitive", metavar="s,t", help="cli.option.sensitive")]
Hierarchies = Annotated[
    Path | None,
    Option("--hierarchies", metavar="cli.metavar.folder", help="cli.search.hierarchies", rich_help_panel=SEARCHING),
]
K = Annotated[int | None, Option("--k", metavar="N", min=1, help="cli.search.k", rich_help_panel=_MUST_HOLD)]
L = Annotated[float | None, Option("--l", metavar="N", help="cli.search.l", rich_help_panel=_MUST_HOLD)]
LKind = Annotated[
    Literal["distinct", "entropy", "recursive"],
    Option("--l-kind", metavar="distinct|entropy|recursive", help="cli.search.l-kind", rich_help_panel=_MUST_HOLD),
]
C = Annotated[float | None, Option("--c", metavar="X", help="cli.search.c", rich_help_panel=_MUST_HOLD)]
T = Annotated[float | None, Option("--t", metavar="X", help="cli.search.t", rich_help_panel=_MUST_HOLD)]
TKind = Annotated[
    Literal["equal", "ordered", "hierarchical"],
    Option("--t-kind", metavar="equal|ordered|hierarchical", help="cli.search.t-kind", rich_help_panel=_MUST_HOLD),
]
MaxVulnerability = Annotated[
    float | None,
    Option("--max-vulnerability", metavar="X", help="cli.search.max-vulnerability", rich_help_panel=_MUST_HOLD),
]
Over = Annotated[
    Literal["group", "table"],
    Option("--over", metavar="group|table", help="cli.search.over", rich_help_panel=_MUST_HOLD),
]
MaxLeakage = Annotated[
    float | None, Option("--max-leakage", metavar="X", help="cli.search.max-leakage", rich_help_panel=_MUST_HOLD)
]
MaxSuppression = Annotated[
    float,
    Option(
        "--max-suppression", metavar="X", min=0.0, max=1.0, help="cli.search.max-suppression", rich_help_panel=SEARCHING
    ),
]
Prefer = Annotated[
    list[str] | None,
    Option("--prefer", metavar="cli.metavar.policy", help="cli.search.prefer", rich_help_panel=SEARCHING),
]
Level = Annotated[
    list[str] | None, Option("--level", metavar="cli.metavar.level", help="cli.search.level", rich_help_panel=SEARCHING)
]
Weights = Annotated[
    list[str] | None, Option("--weights", metavar="a=2,b=1", help="cli.search.weights", rich_help_panel=SEARCHING)
]
Missing = Annotated[
    Literal["stop", "own-branch", "suppress"],
    Option("--missing", metavar="stop|own-branch|suppress", help="cli.search.missing", rich_help_panel=SEARCHING),
]
WithoutInvalid = Annotated[bool, Option("--drop-invalid", help="cli.search.drop-invalid", rich_help_panel=SEARCHING)]
TimeLimit = Annotated[
    float,
    Option(
        "--time-limit", metavar="cli.metavar.seconds", min=0.0, help="cli.search.time-limit", rich_help_panel=SEARCHING
    ),
]

_DEFAULT_POLICY = "loss"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What was typed, under the names of the options."""

    schema: str | None
    quasi: list[str] | None
    sensitive: str | None
    hierarchies: Path | None
    k: int | None
    l: float | None  # noqa: E741
    l_kind: Literal["distinct", "entropy", "recursive"]
    c: float | None
    t: float | None
    t_kind: Literal["equal", "ordered", "hierarchical"]
    max_vulnerability: float | None
    max_leakage: float | None
    over: Literal["group", "table"]
    max_suppression: float
    prefer: list[str] | None
    level: list[str] | None
    weights: list[str] | None
    missing: Literal["stop", "own-branch", "suppress"]
    drop_invalid: bool
    time_limit: float

    @cached_property
    def sets(self) -> list[list[str]]:
        """The sets of quasi columns that are named."""
        return [columns for typed in self.quasi or () if (columns := names(typed))]

    @cached_property
    def wanted(self) -> list[str] | None:
        """The sensitive columns that are named."""
        return names(self.sensitive)

    @cached_property
    def criteria(self) -> "list[Criterion]":
        """What must hold, for each set of quasi columns; a set is named where there are several."""
        each_set: Sequence[Sequence[str] | None] = self.sets if len(self.sets) > 1 else [None]
        return [criterion for columns in each_set for criterion in self._criteria_on(columns)]

    def _criteria_on(self, quasi: Sequence[str] | None) -> "list[Criterion]":
        from biombo._criteria import KAnonymity, LDiversity, Leakage, Vulnerability

        found: list[Criterion] = []
        if self.k is not None:
            found.append(KAnonymity(self.k, quasi=quasi))
        if self.l is not None:
            whole = int(self.l) if self.l.is_integer() else self.l
            found.append(LDiversity(whole, kind=self.l_kind, c=self.c, quasi=quasi))
        if self.t is not None:
            found += self._closeness(self.t, quasi)
        if self.max_vulnerability is not None:
            found.append(Vulnerability(self.max_vulnerability, over=self.over, quasi=quasi))
        if self.max_leakage is not None:
            found.append(Leakage(self.max_leakage, over=self.over, quasi=quasi))
        return found

    def _closeness(self, t: float, quasi: Sequence[str] | None) -> "list[TCloseness]":
        """One for all sensitive columns, unless each has a hierarchy of its own that distances go by."""
        from biombo._criteria import TCloseness
        from biombo._search import hierarchy_of_sensitive

        if self.t_kind != "hierarchical":
            return [TCloseness(t, kind=self.t_kind, quasi=quasi)]
        if not self._sensitive:
            raise UsageError("attack.no-sensitive")
        return [
            TCloseness(
                t,
                kind=self.t_kind,
                column=column,
                hierarchy=hierarchy_of_sensitive(column, self.hierarchies, self._loaded_schema),
                quasi=quasi,
            )
            for column in self._sensitive
        ]

    @cached_property
    def _loaded_schema(self) -> "LoadedSchema":
        from biombo._data import Schema

        return Schema.load(self.schema)

    @property
    def _sensitive(self) -> list[str]:
        return list(self._loaded_schema.sensitive) if self.wanted is None else self.wanted

    @property
    def columns(self) -> list[str]:
        """The columns that the search reads, so that no other is kept."""
        schema = self._loaded_schema
        known = [column for columns in self.sets for column in columns] or list(schema.quasi)
        if not known:
            raise UsageError("usage.search-no-quasi")
        person = [schema.person] if schema.person else []
        return list(dict.fromkeys([*known, *self._sensitive, *person]))

    @cached_property
    def question(self) -> dict[str, Any]:
        """What the search and its frontier are asked alike, besides the criteria."""
        return {
            "quasi": list(dict.fromkeys(column for columns in self.sets for column in columns)) or None,
            "sensitive": self.wanted,
            "hierarchies": self.hierarchies,
            "bounds": level_bounds(self.level or ()),
            "weights": weights_of(self.weights or ()),
            "missing": self.missing,
            "drop_invalid": self.drop_invalid,
        }

    def found(self, data: "Dataset", plans: int) -> "SearchResult | JointResult":
        """The plans that meet the criteria, found with a progress bar."""
        from biombo._search import search

        with share_bar(text("search.searching")) as update:
            return search(
                data,
                self.criteria,
                **self.question,
                max_suppression=self.max_suppression,
                prefer=self.prefer or [_DEFAULT_POLICY],  # type: ignore[arg-type]
                plans=plans,
                seconds=self.time_limit,
                progress=update,
            )
