"""``biombo utility``: what a release lost."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from typer import Argument, Option

from biombo._cli.frame import DONE
from biombo._cli.options import Engine, Full, Json, SaveForce, Schema, Sheet, Where
from biombo._cli.request import command
from biombo._cli.terminal import (
    cell,
    output,
    plain,
    print_constant,
    print_json,
    print_lines,
    print_verdict,
    progress_shown,
    say,
    table,
)
from biombo._i18n import integer, number, percent, text
from biombo._requests import UtilityRequest

if TYPE_CHECKING:
    from rich.console import Console

    from biombo._utility import Accuracy, Classification, ColumnDistance, Summary, Utility

_PAIRS_SHOWN = 10

_OPTIONS = {
    "original": Annotated[str, Argument(metavar="cli.metavar.original", help="cli.utility.original")],
    "release": Annotated[str, Argument(metavar="cli.metavar.release", help="cli.utility.release")],
    "plan": Annotated[Path | None, Option("--plan", metavar="cli.metavar.plan", help="cli.utility.plan")],
    "schema": Schema,
    "where": Where,
    "sheet": Sheet,
    "loss_domain": Annotated[
        Literal["data", "hierarchy"],
        Option("--loss-domain", metavar="data|hierarchy", help="cli.search.loss-domain"),
    ],
    "predict": Annotated[str | None, Option("--predict", metavar="cli.metavar.column", help="cli.utility.predict")],
    "folds": Annotated[int, Option("--folds", help="cli.utility.folds")],
    "seed": Annotated[int | None, Option("--seed", help="cli.utility.seed")],
    "engine": Engine,
    "full": Full,
    "json": Json,
    "force": SaveForce,
}


def _measured(request: UtilityRequest, full: bool, json: bool) -> int:
    """Print what a release lost beside its original, and what it is still good for."""
    with progress_shown():
        outcome = request.run()
    if json:
        print_json(outcome.as_json())
    else:
        if full:
            _print_utility(outcome.utility, output())
        print_verdict(outcome.verdict(), output(), full=full)
    say(text("utility.private"))
    return DONE


utility = command(UtilityRequest, _OPTIONS, _measured, needed=("original", "release"))


def _print_utility(found: "Utility", console: "Console") -> None:
    """All parts as tables, each with what it leaves out."""
    if found.removed:
        print_lines([text("utility.removed", columns=", ".join(found.removed))], console)
    if found.invalid:
        print_lines([text("utility.invalid", invalid=found.invalid)], console)
    print_constant(found.constant, console)
    if found.removed or found.invalid or found.constant:
        console.print()
    _print_measures(found, console)
    _print_columns(found, console)
    _print_pairs(found, console)
    _print_numbers(found, console)
    if found.classification is not None:
        _print_accuracy(found.classification, console)


def _print_measures(found: "Utility", console: "Console") -> None:
    from biombo._utility import NAMES, worded

    measures = found.measures
    shown = table(text("utility.measures.title"))
    shown.add_column(text("utility.measures.measure"))
    shown.add_column(text("utility.measures.value"), justify="right")
    for name in NAMES:
        value = getattr(measures, name)
        shown.add_row(
            text(f"utility.measures.{name}"), worded(measures.reasons[name]) if value is None else _sized(value)
        )
    _print_with(shown, _remarks_on_measures(found), console)


def _remarks_on_measures(found: "Utility") -> Iterator[str]:
    if found.measures.loss is not None:
        yield text(f"search.loss-domain.{found.measures.loss_domain}")
    if found.measures.masked:
        yield text("utility.measures.masked", masked=found.measures.masked)
    from biombo._plan import operation_title

    for column, operation in found.measures.unseen.items():
        yield text("utility.measures.unseen", column=column, operation=operation_title(operation))


def _print_columns(found: "Utility", console: "Console") -> None:
    shown = table(text("utility.columns.title"))
    shown.add_column(text("utility.columns.column"), overflow="fold")
    for key in ("total-variation", "hellinger", "earth-movers", "earth-movers-share"):
        shown.add_column(text(f"utility.columns.{key}"), justify="right")
    shown.add_column(text("utility.columns.remark"))
    for each in found.distances:
        numbers = (each.total_variation, each.hellinger, each.earth_movers, each.earth_movers_share)
        shown.add_row(cell(each.column, "bold"), *map(_or_dash, numbers), "; ".join(_remarks_on_column(each)))
    _print_with(shown, (), console)


def _remarks_on_column(distance: "ColumnDistance") -> Iterator[str]:
    from biombo._utility import worded

    if distance.generalised:
        yield text("utility.columns.generalised")
    yield from (worded(reason) for reason in distance.reasons if reason != "not-ordered")
    if distance.unplaced:
        yield text("utility.columns.unplaced", share=distance.unplaced)


def _print_pairs(found: "Utility", console: "Console") -> None:
    pairs = sorted(found.associations.pairs, key=lambda pair: -abs(pair.difference))
    if not pairs:
        return
    shown = table(text("utility.pairs.title"))
    for key in ("pair", "measure", "original", "release", "difference"):
        shown.add_column(text(f"utility.pairs.{key}"), justify="left" if key in ("pair", "measure") else "right")
    for pair in pairs[:_PAIRS_SHOWN]:
        numbers = (pair.original, pair.release, pair.difference)
        shown.add_row(
            cell(f"{pair.first} × {pair.second}"),
            text(f"utility.pairs.{pair.measure}"),
            *(number(value, 3) for value in numbers),
        )
    more = [text("utility.pairs.more", shown=_PAIRS_SHOWN, pairs=len(pairs))] if len(pairs) > _PAIRS_SHOWN else []
    _print_with(shown, more, console)


def _print_numbers(found: "Utility", console: "Console") -> None:
    from biombo._utility import worded

    if not found.summaries:
        return
    shown = table(text("utility.numbers.title"))
    for key in ("column", "statistic", "original", "release", "error", "relative"):
        shown.add_column(text(f"utility.numbers.{key}"), justify="left" if key in ("column", "statistic") else "right")
    for summary in found.summaries:
        for place, each in enumerate(summary.statistics):
            relative = "–" if each.relative_error is None else percent(each.relative_error)
            shown.add_row(
                cell("" if place else summary.column, "bold"),
                text(f"utility.numbers.{each.name}"),
                *(_sized(value) for value in (each.original, each.release, each.error)),
                relative,
            )
        if summary.reason is not None:
            shown.add_row(cell(summary.column, "bold"), worded(summary.reason))
    _print_with(shown, _remarks_on_numbers(found.summaries), console)


def _remarks_on_numbers(summaries: "tuple[Summary, ...]") -> Iterator[str]:
    by_middle = [summary.column for summary in summaries if summary.by_middle]
    if by_middle:
        yield text("utility.numbers.by-middle", columns=", ".join(by_middle))
    for summary in summaries:
        if summary.reason is None and summary.told < 1:
            yield text("utility.numbers.told", column=summary.column, share=summary.told)


def _print_accuracy(found: "Classification", console: "Console") -> None:
    from biombo._utility import ROWS_AT_MOST

    shown = table(text("utility.accuracy.title", target=plain(found.target), folds=found.folds))
    shown.add_column(text("utility.accuracy.way"))
    for key in ("tree", "forest", "majority", "records"):
        shown.add_column(text(f"utility.accuracy.{key}"), justify="right")
    for way in ("original", "release", "for_new_records"):
        shown.add_row(text(f"utility.accuracy.{way}"), *_accuracies(getattr(found, way)))
    sampled = [text("utility.accuracy.sampled", most=ROWS_AT_MOST)] if found.sampled else []
    _print_with(shown, sampled, console)


def _accuracies(accuracy: "Accuracy") -> list[str]:
    from biombo._utility import worded

    if accuracy.reason is not None:
        return [worded(accuracy.reason)]
    shares = (accuracy.tree, accuracy.forest, accuracy.majority)
    return [*("–" if share is None else percent(share, 2) for share in shares), integer(accuracy.records)]


def _print_with(shown: object, remarks: Iterator[str] | list[str] | tuple[()], console: "Console") -> None:
    console.print(shown)
    for remark in remarks:
        console.print(plain(remark), style="dim", soft_wrap=True)
    console.print()


def _or_dash(value: float | None) -> str:
    return "–" if value is None else number(value, 4)


def _sized(value: float) -> str:
    """With decimals where they matter."""
    return number(value, 4 if abs(value) < 10 else 2 if abs(value) < 10_000 else 0)
