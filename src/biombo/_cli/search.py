"""``biombo search``: the best plan for what must hold."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from typer import Option

from biombo._cli.console import output, print_json, say
from biombo._cli.levels import level_bounds, weights_of
from biombo._cli.lists import names
from biombo._cli.options import Database, Filename, Files, Force, Json, Lang
from biombo._cli.progress import share_bar
from biombo._cli.reading import read_files
from biombo._cli.run import DONE, NOT_MET
from biombo._errors import UsageError
from biombo._files import refuse_existing, refuse_unwritable
from biombo._i18n import language, text

if TYPE_CHECKING:
    from biombo._criteria import Criterion
    from biombo._data import Dataset
    from biombo._search import Explanation, Frontier, JointResult, SearchResult

Schema = Annotated[str | None, Option("--schema", metavar="cli.metavar.schema", help="cli.option.schema")]
Quasi = Annotated[list[str] | None, Option("--quasi", metavar="a,b,c", help="cli.search.quasi")]
Sensitive = Annotated[str | None, Option("--sensitive", metavar="s,t", help="cli.option.sensitive")]
Hierarchies = Annotated[
    Path | None, Option("--hierarchies", metavar="cli.metavar.folder", help="cli.search.hierarchies")
]
K = Annotated[int | None, Option("--k", metavar="N", min=1, help="cli.search.k")]
L = Annotated[float | None, Option("--l", metavar="N", help="cli.search.l")]
LKind = Annotated[
    Literal["distinct", "entropy", "recursive"],
    Option("--l-kind", metavar="distinct|entropy|recursive", help="cli.search.l-kind"),
]
C = Annotated[float | None, Option("--c", metavar="X", help="cli.search.c")]
T = Annotated[float | None, Option("--t", metavar="X", help="cli.search.t")]
TKind = Annotated[Literal["equal", "ordered"], Option("--t-kind", metavar="equal|ordered", help="cli.search.t-kind")]
MaxVulnerability = Annotated[
    float | None, Option("--max-vulnerability", metavar="X", help="cli.search.max-vulnerability")
]
Over = Annotated[Literal["group", "table"], Option("--over", metavar="group|table", help="cli.search.over")]
MaxLeakage = Annotated[float | None, Option("--max-leakage", metavar="X", help="cli.search.max-leakage")]
MaxSuppression = Annotated[
    float, Option("--max-suppression", metavar="X", min=0.0, max=1.0, help="cli.search.max-suppression")
]
Prefer = Annotated[list[str] | None, Option("--prefer", metavar="cli.metavar.policy", help="cli.search.prefer")]
Level = Annotated[list[str] | None, Option("--level", metavar="cli.metavar.level", help="cli.search.level")]
Weights = Annotated[list[str] | None, Option("--weights", metavar="a=2,b=1", help="cli.search.weights")]
Missing = Annotated[
    Literal["stop", "own-branch", "suppress"],
    Option("--missing", metavar="stop|own-branch|suppress", help="cli.search.missing"),
]
TimeLimit = Annotated[
    float, Option("--time-limit", metavar="cli.metavar.seconds", min=0.0, help="cli.search.time-limit")
]
Plans = Annotated[int, Option("--plans", metavar="N", min=1, help="cli.search.plans")]
WithFrontier = Annotated[bool, Option("--frontier", help="cli.search.frontier")]
Minimal = Annotated[bool, Option("--minimal", help="cli.search.minimal")]
Explain = Annotated[bool, Option("--explain", help="cli.search.explain")]
Out = Annotated[Path | None, Option("--out", metavar="cli.metavar.plan", help="cli.search.out")]
Report = Annotated[Path | None, Option("--report", metavar="cli.metavar.html", help="cli.search.report")]

DEFAULT_POLICY = "loss"


def search(
    files: Files,
    schema: Schema = None,
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    hierarchies: Hierarchies = None,
    k: K = None,
    l: L = None,  # noqa: E741
    l_kind: LKind = "distinct",
    c: C = None,
    t: T = None,
    t_kind: TKind = "equal",
    max_vulnerability: MaxVulnerability = None,
    max_leakage: MaxLeakage = None,
    over: Over = "group",
    max_suppression: MaxSuppression = 0.0,
    prefer: Prefer = None,
    level: Level = None,
    weights: Weights = None,
    missing: Missing = "stop",
    time_limit: TimeLimit = 0.0,
    plans: Plans = 10,
    frontier: WithFrontier = False,
    minimal: Minimal = False,
    explain: Explain = False,
    out: Out = None,
    report: Report = None,
    json: Json = False,
    force: Force = False,
    filename: Filename = None,
    database: Database = None,
    _lang: Lang = None,
) -> int:
    """Find the plans that meet what is asked with the least damage; print them and write the best one."""
    for path in (out, report):
        if path is not None:
            _prepare(path, force)
    sets = [columns for typed in quasi or () if (columns := names(typed))]
    wanted = names(sensitive)
    criteria = criteria_of(sets, k=k, l=l, l_kind=l_kind, c=c, t=t, t_kind=t_kind)
    criteria += _guess_criteria(sets, max_vulnerability, max_leakage, over)
    if not criteria:
        raise UsageError("usage.search-nothing")
    data = read_files(files, schema, columns=columns_in_use(schema, sets, wanted), filename=filename, database=database)
    asked: dict[str, Any] = {
        "quasi": list(dict.fromkeys(column for columns in sets for column in columns)) or None,
        "sensitive": wanted,
        "hierarchies": hierarchies,
        "bounds": level_bounds(level or ()),
        "weights": weights_of(weights or ()),
        "missing": missing,
    }
    found = searched(data, criteria, asked, prefer or [DEFAULT_POLICY], max_suppression, plans, time_limit)
    trade_off = _frontier(data, found, criteria, asked, max_suppression) if frontier or report else None
    reasons = _explained(found) if explain or report or not found else []
    if out is not None and found:
        found[0].plan.save(out)
    if report is not None:
        _write_report(found, trade_off, reasons, data, report)
    told = reasons if explain or not found else []
    _show(found, data, json, frontier=trade_off if frontier else None, reasons=told, minimal=minimal)
    return _outcome(found, out, report)


def _prepare(path: Path, force: bool) -> None:
    refuse_unwritable(path)
    if not force:
        refuse_existing(path)


def columns_in_use(schema: str | None, sets: Sequence[Sequence[str]], sensitive: list[str] | None) -> list[str]:
    """The columns that the search reads, so that no other is kept."""
    from biombo._data import Schema

    loaded = Schema.load(schema)
    known = [column for columns in sets for column in columns] or list(loaded.quasi)
    if not known:
        raise UsageError("usage.search-no-quasi")
    wanted = list(loaded.sensitive) if sensitive is None else sensitive
    person = [loaded.person] if loaded.person else []
    return list(dict.fromkeys([*known, *wanted, *person]))


def criteria_of(
    sets: Sequence[Sequence[str]],
    *,
    k: int | None,
    l: float | None,  # noqa: E741
    l_kind: Any = "distinct",
    c: float | None = None,
    t: float | None = None,
    t_kind: Any = "equal",
) -> "list[Criterion]":
    """What is asked of group sizes and of the sensitive values in groups, for each set of quasi columns."""
    from biombo._criteria import KAnonymity, LDiversity, TCloseness

    found: list[Criterion] = []
    for columns in _each_set(sets):
        if k is not None:
            found.append(KAnonymity(k, quasi=columns))
        if l is not None:
            whole = int(l) if l == int(l) else l
            found.append(LDiversity(whole, kind=l_kind, c=c, quasi=columns))
        if t is not None:
            found.append(TCloseness(t, kind=t_kind, quasi=columns))
    return found


def _guess_criteria(
    sets: Sequence[Sequence[str]], vulnerability: float | None, leakage: float | None, over: Any
) -> "list[Criterion]":
    from biombo._criteria import Leakage, Vulnerability

    found: list[Criterion] = []
    for columns in _each_set(sets):
        if vulnerability is not None:
            found.append(Vulnerability(vulnerability, over=over, quasi=columns))
        if leakage is not None:
            found.append(Leakage(leakage, over=over, quasi=columns))
    return found


def _each_set(sets: Sequence[Sequence[str]]) -> Sequence[Sequence[str] | None]:
    """The sets of quasi columns that criteria must name: none where there is only one."""
    return sets if len(sets) > 1 else [None]


def searched(
    data: "Dataset",
    criteria: "list[Criterion]",
    asked: dict[str, Any],
    prefer: list[str],
    max_suppression: float,
    plans: int,
    seconds: float,
) -> "SearchResult | JointResult":
    """The plans that meet ``criteria``, found with a progress bar."""
    from biombo._search import PolicyName
    from biombo._search import search as search_plans

    for name in prefer:
        if name not in get_args(PolicyName):
            raise UsageError("search.policy", policy=name, policies=", ".join(get_args(PolicyName)))
    with share_bar(text("search.searching")) as update:
        return search_plans(
            data,
            criteria,
            **asked,
            max_suppression=max_suppression,
            prefer=prefer,  # type: ignore[arg-type]
            plans=plans,
            seconds=seconds,
            progress=update,
        )


def _frontier(
    data: "Dataset",
    found: "SearchResult | JointResult",
    criteria: "list[Criterion]",
    asked: dict[str, Any],
    max_suppression: float,
) -> "Frontier | None":
    """The trade-off around what was asked; several sets of quasi columns have none."""
    from biombo._search import KS, LIMITS, SearchResult
    from biombo._search import frontier as find_frontier

    if not isinstance(found, SearchResult):
        return None
    ks = sorted({*KS, found.explored.question.k} - {1})
    with share_bar(text("search.searching")) as update:
        return find_frontier(
            data,
            criteria,
            **asked,
            ks=ks,
            limits=sorted({*LIMITS, max_suppression}),
            prefer=found.policy.name,
            progress=update,
        )


def _explained(found: "SearchResult | JointResult") -> "list[Explanation]":
    """Why the table is not fit as it is: for each set of quasi columns."""
    from biombo._search import SearchResult
    from biombo._search import explain as why

    parts = [found] if isinstance(found, SearchResult) else found.parts
    return [why(part.explored) for part in parts]


def _write_report(
    found: "SearchResult | JointResult",
    frontier: "Frontier | None",
    reasons: "list[Explanation]",
    data: "Dataset",
    path: Path,
) -> None:
    from biombo._report import write_search_report

    labels = data.schema.labels(language())
    write_search_report(found, path, source=data.title, labels=labels, frontier=frontier, explanations=reasons)


def _show(
    found: "SearchResult | JointResult",
    data: "Dataset",
    json: bool,
    *,
    frontier: "Frontier | None",
    reasons: "list[Explanation]",
    minimal: bool,
) -> None:
    from biombo._cli import search_views as views
    from biombo._search import as_json, explanation_as_json, frontier_as_json, minimal_as_json

    if json:
        result = as_json(found) | {"records": data.rows}
        if minimal:
            result["minimal"] = minimal_as_json(found)
        if frontier is not None:
            result["frontier"] = frontier_as_json(frontier)
        if reasons:
            result["explain"] = [explanation_as_json(each) for each in reasons]
        print_json(result)
        return
    views.print_found(found, data, output())
    if minimal:
        views.print_minimal(found, output())
    for explanation in reasons:
        views.print_explanation(explanation, data.rows, output())
    if frontier is not None:
        views.print_frontier(frontier, output())


def _outcome(found: "SearchResult | JointResult", out: Path | None, report: Path | None) -> int:
    if report is not None:
        say(text("search.wrote-report", path=report))
    if not found:
        say(text("search.none" if found.optimal else "search.none-yet"))
        return NOT_MET
    if out is not None:
        say(text("search.wrote-plan", path=out))
    return DONE
