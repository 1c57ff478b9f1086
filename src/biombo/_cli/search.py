"""``biombo search``: the best plan for what must hold."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from biombo._cli.asked import (
    Asked,
    C,
    Hierarchies,
    K,
    L,
    Level,
    LKind,
    MaxLeakage,
    MaxSuppression,
    MaxVulnerability,
    Missing,
    Over,
    Prefer,
    Quasi,
    Schema,
    Sensitive,
    T,
    TimeLimit,
    TKind,
    Weights,
    WithoutInvalid,
)
from biombo._cli.console import output, print_json, say
from biombo._cli.options import Database, Filename, Files, Force, Json, Lang
from biombo._cli.progress import share_bar
from biombo._cli.reading import read_files
from biombo._cli.run import DONE, NOT_MET
from biombo._errors import UsageError
from biombo._files import refuse_existing, refuse_unwritable
from biombo._i18n import language, text

if TYPE_CHECKING:
    from biombo._data import Dataset
    from biombo._search import Explanation, Frontier, JointResult, SearchResult

Plans = Annotated[int, Option("--plans", metavar="N", min=1, help="cli.search.plans")]
WithFrontier = Annotated[bool, Option("--frontier", help="cli.search.frontier")]
Minimal = Annotated[bool, Option("--minimal", help="cli.search.minimal")]
Explain = Annotated[bool, Option("--explain", help="cli.search.explain")]
Out = Annotated[Path | None, Option("--out", metavar="cli.metavar.plan", help="cli.search.out")]
Report = Annotated[Path | None, Option("--report", metavar="cli.metavar.html", help="cli.search.report")]


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
    drop_invalid: WithoutInvalid = False,
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
    from biombo._search import explanations

    for path in (out, report):
        if path is not None:
            _prepare(path, force)
    asked = Asked(
        schema=schema,
        quasi=quasi,
        sensitive=sensitive,
        hierarchies=hierarchies,
        k=k,
        l=l,
        l_kind=l_kind,
        c=c,
        t=t,
        t_kind=t_kind,
        max_vulnerability=max_vulnerability,
        max_leakage=max_leakage,
        over=over,
        max_suppression=max_suppression,
        prefer=prefer,
        level=level,
        weights=weights,
        missing=missing,
        drop_invalid=drop_invalid,
        time_limit=time_limit,
    )
    if not asked.criteria:
        raise UsageError("usage.search-nothing")
    if frontier and len(asked.sets) > 1:
        raise UsageError("usage.frontier-sets")
    # The report draws how frequent values are from rows.
    data = read_files(
        files, schema, columns=asked.columns, filename=filename, database=database, counted=report is None
    )
    found = asked.found(data, plans)
    trade_off = _frontier(data, found, asked) if frontier or report else None
    reasons = explanations(found) if explain or report or not found else []
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


def _frontier(data: "Dataset", found: "SearchResult | JointResult", asked: Asked) -> "Frontier | None":
    """The trade-off around what was asked; several sets of quasi columns have none."""
    from biombo._search import KS, LIMITS, SearchResult
    from biombo._search import frontier as find_frontier

    if not isinstance(found, SearchResult) or len(asked.sets) > 1:
        return None
    ks = sorted({*KS, found.explored.question.k} - {1})
    with share_bar(text("search.searching")) as update:
        return find_frontier(
            data,
            asked.criteria,
            **asked.question,
            ks=ks,
            limits=sorted({*LIMITS, asked.max_suppression}),
            prefer=found.policy.name,
            seconds=asked.time_limit,
            progress=update,
        )


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
        result = as_json(found)
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
        views.print_explanation(explanation, found.records, output())
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
