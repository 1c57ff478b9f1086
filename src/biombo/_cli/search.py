"""``biombo search``: the best plan for what must hold."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

from typer import Option

from biombo._cli.frame import DONE, NOT_MET
from biombo._cli.options import COLUMNS, CRITERIA, READING, SEARCHING, Files, Force, Full, Json, Title
from biombo._cli.request import command
from biombo._cli.terminal import (
    cell,
    output,
    plain,
    print_constant,
    print_dropped,
    print_json,
    print_lines,
    print_verdict,
    progress_shown,
    say,
    table,
)
from biombo._i18n import integer, number, percent, text
from biombo._requests import SearchRequest

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from biombo._requests import SearchOutcome
    from biombo._search import Explanation, Frontier, JointResult, LocalResult, Obstacle, RankedPlan, SearchResult

_OPTIONS = {
    "files": Files,
    **COLUMNS,
    **CRITERIA,
    **SEARCHING,
    "plans": Annotated[int, Option("--plans", metavar="N", help="cli.search.plans")],
    "frontier": Annotated[bool, Option("--frontier", help="cli.search.frontier")],
    "minimal": Annotated[bool, Option("--minimal", help="cli.search.minimal")],
    "explain": Annotated[bool, Option("--explain", help="cli.search.explain")],
    "out": Annotated[Path | None, Option("--out", metavar="cli.metavar.plan", help="cli.search.out")],
    "report": Annotated[Path | None, Option("--report", metavar="cli.metavar.html", help="cli.search.report")],
    "mappings": Annotated[Path | None, Option("--mappings", metavar="cli.metavar.table", help="cli.search.mappings")],
    "title": Title,
    "full": Full,
    "json": Json,
    "force": Force,
    **READING,
}


def _searched(request: SearchRequest, full: bool, json: bool) -> int:
    """Print the plans that meet what is asked with the least damage; exit code 1 where there is none."""
    with progress_shown():
        outcome = request.run()
    if json:
        print_json(outcome.as_json())
    else:
        _print(outcome, output(), full=full)
    if request.report is not None:
        say(text("search.wrote-report", path=request.report))
    if not outcome.plans:
        from biombo._search import LocalResult, why_none

        say(text("search.local.none") if isinstance(outcome.plans, LocalResult) else why_none(outcome.plans))
        return NOT_MET
    if request.out is not None:
        say(text("search.wrote-plan", path=request.out, plan=quote(str(request.out))))
    if request.mappings is not None:
        say(text("search.wrote-mappings", path=request.mappings))
    return DONE


search = command(SearchRequest, _OPTIONS, _searched)


def _print(outcome: "SearchOutcome", console: "Console", *, full: bool) -> None:
    """What was asked for by name, all tables where these are, and the verdict."""
    from biombo._search import LocalResult

    request, records = outcome.request, outcome.plans.records
    if full:
        print_tables(outcome.plans, console)
    if request.minimal and not isinstance(outcome.plans, LocalResult):
        _print_minimal(outcome.plans, console)
    for explanation in outcome.asked_explanations if full or request.explain else ():
        _print_explanation(explanation, records, console)
    if outcome.asked_frontier is not None:
        _print_frontier(outcome.asked_frontier, console)
    if full or request.minimal or request.explain or request.frontier:
        console.print()
    print_verdict(outcome.verdict(), console, full=full)


def print_tables(found: "SearchResult | JointResult | LocalResult", console: "Console") -> None:
    """The best plan column by column, and the other plans."""
    from biombo._search import LocalResult

    if found.dropped is not None:
        print_dropped(found.dropped, console)
    if isinstance(found, LocalResult):
        _print_levels(found, console)
    elif found:
        _print_best(found[0], found.records, console)
        _print_ranking(found, console)


def _print_levels(found: "LocalResult", console: "Console") -> None:
    """How many records of each column are at each level."""
    for plan in found:
        shown = table(text("search.local.levels"))
        shown.add_column(text("search.best.column"), overflow="fold")
        shown.add_column(text("search.best.level"), overflow="fold")
        shown.add_column(text("search.local.share"), justify="right")
        shown.add_column(text("search.best.loss"), justify="right")
        for column in plan.columns:
            levels = plan.levels[column.name]
            for level, records in levels.items():
                share, loss = records / max(1, sum(levels.values())), plan.column_loss[column.name]
                label = column.hierarchy.level_label(level)
                shown.add_row(cell(column.name, "bold"), cell(label), percent(share), percent(loss))
        console.print(shown)
        console.print()


def _print_best(best: "RankedPlan", rows: int, console: "Console") -> None:
    shown = table(text("search.best.title"))
    for key in ("column", "level", "example", "loss"):
        shown.add_column(text(f"search.best.{key}"), justify="right" if key == "loss" else "left", overflow="fold")
    for column in best.columns:
        level = best.levels[column.name]
        shown.add_row(
            cell(column.name, "bold"),
            cell(column.hierarchy.level_label(level)),
            cell(_example(column.example(level))),
            percent(best.column_loss[column.name]),
        )
    console.print(shown)
    console.print()
    line = text("search.best.suppressed", suppressed=best.suppressed, share=best.suppressed / rows, groups=best.groups)
    console.print(line, soft_wrap=True)
    print_constant(best.constant, console)
    console.print()


def _example(pair: tuple[str, str] | None) -> str:
    return "" if pair is None else f"{pair[0]} → {pair[1]}"


def _print_ranking(found: "SearchResult | JointResult", console: "Console") -> None:
    shown = table(text("search.ranking.title"))
    shown.add_column("#", justify="right")
    shown.add_column(text("search.ranking.levels"), overflow="fold")
    for key in ("suppressed", "precision", "completeness", "loss", "granularity"):
        shown.add_column(text(f"search.ranking.{key}"), justify="right", no_wrap=True)
    for place, plan in enumerate(found, start=1):
        shares = (plan.precision, plan.completeness, plan.loss, plan.granularity)
        levels = cell(" ".join(str(level) for level in plan.levels.values()))
        shown.add_row(str(place), levels, integer(plan.suppressed), *(number(share, 4) for share in shares))
    console.print(shown)
    notes = [text("search.ranking.order", columns=", ".join(found[0].levels))]
    notes.append(text(f"search.loss-domain.{found.question.loss_domain}"))
    if merged := sum(plan.merged for plan in found):
        notes.append(text("search.ranking.merged", merged=merged))
    for note in notes:
        console.print(plain(note), style="dim", soft_wrap=True)
    console.print()


def _print_minimal(found: "SearchResult | JointResult", console: "Console") -> None:
    """All minimal generalisations: the levels that satisfy while no lower ones do."""
    from biombo._search import SearchResult

    for part in [found] if isinstance(found, SearchResult) else found.parts:
        shown = table("")
        for name in part.explored.question.quasi:
            shown.add_column(cell(name), justify="right", overflow="fold")
        for levels in part.minimal:
            shown.add_row(*(str(level) for level in levels.values()))
        _print_below(text("search.minimal", count=len(part.minimal)), shown, console)


def _print_explanation(explanation: "Explanation", rows: int, console: "Console") -> None:
    """Which columns stand in the way, and what would help."""
    from biombo._report import advice_lines

    shown = table(text("search.explain.title"))
    shown.add_column(text("search.explain.columns"), overflow="fold")
    for key in ("groups", "records", "unique"):
        shown.add_column(text(f"search.explain.{key}"), justify="right", no_wrap=True)
    for obstacle in explanation.alone:
        _add_obstacle(shown, obstacle, cell(obstacle.columns[0], "bold"))
    shown.add_section()
    _add_obstacle(shown, explanation.together, cell(text("search.explain.together")))
    console.print()
    console.print(shown)
    console.print()
    print_lines(advice_lines(explanation, rows), console)


def _add_obstacle(shown: "Table", obstacle: "Obstacle", name: "Text") -> None:
    counts = (obstacle.groups, obstacle.records, obstacle.unique)
    shown.add_row(name, *(integer(count) for count in counts))


def _print_frontier(frontier: "Frontier", console: "Console") -> None:
    """The best score for each k and each limit."""
    from biombo._search import bound

    limits = frontier.limits
    shown = table("")
    shown.add_column("k", justify="right")
    for limit in limits:
        shown.add_column(bound(limit), justify="right")
    if frontier.local:
        shown.add_column(text("search.local.column"), justify="right")
    for k in frontier.ks:
        best = [frontier.at(k, limit).best for limit in limits]
        told = [None if plan is None else plan.amount for plan in best]
        if frontier.local:
            told.append(frontier.local[k].amount(frontier.policy.name) if k in frontier.local else None)
        shown.add_row(integer(k), *("–" if amount is None else number(amount, 4) for amount in told))
    title = text("search.frontier.title", measure=frontier.policy.label)
    _print_below(title, shown, console)
    if not frontier.optimal:
        console.print(text("search.frontier.not-proved"), style="dim", soft_wrap=True)


def _print_below(title: str, shown: "Table", console: "Console") -> None:
    """A table that may be narrower than its title, which would be wrapped within it."""
    console.print()
    console.print(title, style="bold", soft_wrap=True)
    console.print(shown)
