"""``biombo tabulate``: a table of counts that tells nothing of small groups."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from typer import Option

from biombo._cli.frame import DONE, NOT_MET
from biombo._cli.options import READING, RECORD, Files, Force, Json, Schema
from biombo._cli.request import command
from biombo._cli.terminal import cell, in_cell, output, print_json, print_lines, progress_shown, say, table
from biombo._cli.typed import columns_with_levels, names, numbers
from biombo._i18n import text
from biombo._requests import TabulateRequest

if TYPE_CHECKING:
    from rich.console import Console

    from biombo._tabulate import ShownTable, Tabulation

_ROWS_SHOWN = 60

_OPTIONS = {
    "files": Files,
    "by": Annotated[list[str] | None, Option("--by", metavar="a,b=1", help="cli.tabulate.by"), columns_with_levels],
    "sum": Annotated[str | None, Option("--sum", metavar="a,b", help="cli.tabulate.sum"), names],
    "mean": Annotated[str | None, Option("--mean", metavar="a,b", help="cli.tabulate.mean"), names],
    "schema": Schema,
    "person": Annotated[str | None, Option("--person", metavar="cli.metavar.column", help="cli.tabulate.person")],
    "hierarchies": Annotated[
        Path | None, Option("--hierarchies", metavar="cli.metavar.folder", help="cli.search.hierarchies")
    ],
    "categories": Annotated[
        Path | None, Option("--categories", metavar="cli.metavar.table", help="cli.tabulate.categories")
    ],
    "k": Annotated[int, Option("--k", metavar="N", help="cli.tabulate.k")],
    "percent": Annotated[float, Option("--percent", metavar="cli.metavar.share", help="cli.tabulate.percent")],
    "dominance": Annotated[str | None, Option("--dominance", metavar="N,X", help="cli.tabulate.dominance"), numbers],
    "zeros": Annotated[
        Literal["shown", "protected"], Option("--zeros", metavar="shown|protected", help="cli.tabulate.zeros")
    ],
    "round": Annotated[int | None, Option("--round", metavar="N", help="cli.tabulate.round")],
    "cell_key": Annotated[str | None, Option("--cell-key", metavar="cli.metavar.key", help="cli.tabulate.cell-key")],
    "cell_noise": Annotated[
        str | None, Option("--cell-noise", metavar="D,V,J", help="cli.tabulate.cell-noise"), numbers
    ],
    "epsilon": Annotated[float | None, Option("--epsilon", metavar="X", help="cli.tabulate.epsilon")],
    "records_per_person": Annotated[
        int, Option("--records-per-person", metavar="N", help="cli.tabulate.records-per-person")
    ],
    "out": Annotated[Path | None, Option("--out", metavar="cli.metavar.folder", help="cli.tabulate.out")],
    "key": Annotated[Path | None, Option("--key", metavar="cli.metavar.key", help="cli.tabulate.key")],
    **RECORD,
    "series": Annotated[
        str | None,
        Option(
            "--series", metavar="cli.metavar.name", help="cli.tabulate.series", rich_help_panel="cli.panel.on-record"
        ),
    ],
    "new_series": Annotated[
        bool, Option("--new-series", help="cli.tabulate.new-series", rich_help_panel="cli.panel.on-record")
    ],
    "json": Json,
    "force": Force,
    **READING,
}


def _tabulated(request: TabulateRequest, json: bool) -> int:
    """Print the table as everybody may see it; exit code 1 where nothing of it may be shown."""
    with progress_shown():
        outcome = request.run()
    if json:
        print_json(outcome.as_json())
    else:
        print_table(outcome.table)
    if request.out is not None:
        say(text("tabulate.wrote", path=request.out))
    if outcome.release is not None:
        say(text("tabulate.kept", path=outcome.release.private))
        if outcome.release.number is not None:
            say(text("release.registered", number=outcome.release.number))
    return DONE if outcome.holds else NOT_MET


tabulate = command(TabulateRequest, _OPTIONS, _tabulated)


def print_table(found: "Tabulation") -> None:
    """The table as everybody may see it, and what came of it."""
    _print(found.shown, output())
    print_lines(found.verdict(), output())


def _print(found: "ShownTable", console: "Console") -> None:
    """The cells in rows, those that are left out with a mark."""
    frame = found.frame()
    *columns, _ = frame.columns
    shown = table(text("tabulate.title"))
    for name in columns:
        shown.add_column(cell(name), justify="right" if frame[name].dtype.is_numeric() else "left", overflow="fold")
    for *values, state in frame.head(_ROWS_SHOWN).rows():
        shown.add_row(*(cell(in_cell(value)) for value in values), style="dim" if state == "suppressed" else None)
    console.print(shown)
    if len(frame) > _ROWS_SHOWN:
        console.print(text("tabulate.more", rows=len(frame) - _ROWS_SHOWN), style="dim")
    console.print()
