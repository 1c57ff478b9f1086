"""``biombo search``: the best plan for what must hold."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from biombo._cli.frame import DONE, NOT_MET
from biombo._cli.options import COLUMNS, CRITERIA, READING, SEARCHING, Files, Force, Json
from biombo._cli.request import command
from biombo._cli.terminal import cell, output, plain, print_dropped, print_json, progress_shown, say, table
from biombo._i18n import integer, number, percent, text
from biombo._requests import SearchRequest

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from biombo._data import Dataset, FarTuples
    from biombo._requests import SearchOutcome
    from biombo._search import Explanation, Frontier, JointResult, Obstacle, RankedPlan, SearchResult

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
    "json": Json,
    "force": Force,
    **READING,
}


def _searched(request: SearchRequest, json: bool) -> int:
    """Print the plans that meet what is asked with the least damage; exit code 1 where there is none."""
    with progress_shown():
        outcome = request.run()
    if json:
        print_json(outcome.as_json())
    else:
        _print(outcome)
    if request.report is not None:
        say(text("search.wrote-report", path=request.report))
    if not outcome.plans:
        say(text("search.none" if outcome.plans.optimal else "search.none-yet"))
        return NOT_MET
    if request.out is not None:
        say(text("search.wrote-plan", path=request.out))
    return DONE


search = command(SearchRequest, _OPTIONS, _searched)


def _print(outcome: "SearchOutcome") -> None:
    print_found(outcome.plans, outcome.data, output())
    if outcome.request.minimal:
        _print_minimal(outcome.plans, output())
    for explanation in outcome.asked_explanations:
        _print_explanation(explanation, outcome.plans.records, output())
    if outcome.asked_frontier is not None:
        _print_frontier(outcome.asked_frontier, output())


def print_found(found: "SearchResult | JointResult", data: "Dataset | FarTuples", console: "Console") -> None:
    """The best plan in words, the other plans as a table, and what is proved."""
    from biombo._search import proof

    console.print(text("search.asked", source=plain(data.label), rows=data.records), soft_wrap=True)
    if found.dropped is not None:
        print_dropped(found.dropped, console)
    if found:
        console.print()
        _print_best(found[0], found.records, console)
        _print_ranking(found, console)
    console.print(proof(found), style="dim", soft_wrap=True)


def _print_best(best: "RankedPlan", rows: int, console: "Console") -> None:
    shown = table(text("search.best.title"))
    for key in ("column", "level", "example", "loss"):
        shown.add_column(text(f"search.best.{key}"), justify="right" if key in ("level", "loss") else "left")
    for column in best.columns:
        level = best.levels[column.name]
        shown.add_row(
            cell(column.name, "bold"),
            f"{level}/{column.height}",
            cell(_example(column.example(level))),
            percent(best.column_loss[column.name]),
        )
    console.print(shown)
    console.print()
    line = text("search.best.suppressed", suppressed=best.suppressed, share=best.suppressed / rows, groups=best.groups)
    console.print(line, soft_wrap=True)
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
    console.print(text("search.ranking.order", columns=plain(", ".join(found[0].levels))), style="dim", soft_wrap=True)
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
    lines = _advice(explanation, rows)
    if lines:
        console.print()
    for line in lines:
        console.print(line, soft_wrap=True)


def _add_obstacle(shown: "Table", obstacle: "Obstacle", name: "Text") -> None:
    counts = (obstacle.groups, obstacle.records, obstacle.unique)
    shown.add_row(name, *(integer(count) for count in counts))


def _advice(explanation: "Explanation", rows: int) -> list[str]:
    lines = []
    if step := explanation.cheapest:
        lines.append(
            text("search.explain.step", column=plain(step.column), level=step.level, helped=step.helped, loss=step.loss)
        )
    if explanation.least_suppressed:
        least = explanation.least_suppressed
        lines.append(text("search.explain.least", suppressed=least, share=least / rows))
    return lines


def _print_frontier(frontier: "Frontier", console: "Console") -> None:
    """The best score for each k and each limit."""
    from biombo._search import bound

    limits = frontier.limits
    shown = table("")
    shown.add_column("k", justify="right")
    for limit in limits:
        shown.add_column(bound(limit), justify="right")
    for k in frontier.ks:
        best = [frontier.at(k, limit).best for limit in limits]
        shown.add_row(integer(k), *("–" if plan is None else number(plan.amount, 4) for plan in best))
    title = text("search.frontier.title", measure=text(f"search.policy.{frontier.policy.name}"))
    _print_below(title, shown, console)
    if not frontier.optimal:
        console.print(text("search.frontier.not-proved"), style="dim", soft_wrap=True)


def _print_below(title: str, shown: "Table", console: "Console") -> None:
    """A table that may be narrower than its title, which would be wrapped within it."""
    console.print()
    console.print(title, style="bold", soft_wrap=True)
    console.print(shown)
