"""``biombo query``: a question to a table that stays inside."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from biombo._cli.frame import DONE, NOT_MET
from biombo._cli.options import READING, Files, Json, Schema
from biombo._cli.request import command
from biombo._cli.terminal import cell, in_cell, output, print_json, print_verdict, progress_shown, table
from biombo._cli.typed import columns_with_levels
from biombo._i18n import text
from biombo._requests import QueryRequest

if TYPE_CHECKING:
    from rich.console import Console

    from biombo._query import QueryAnswer

_OPTIONS = {
    "files": Files,
    "by": Annotated[list[str] | None, Option("--by", metavar="a,b=1", help="cli.query.by"), columns_with_levels],
    "mean": Annotated[str | None, Option("--mean", metavar="cli.metavar.column", help="cli.query.mean")],
    "totals": Annotated[bool, Option("--totals", help="cli.query.totals")],
    "history": Annotated[Path | None, Option("--history", metavar="cli.metavar.table", help="cli.query.history")],
    "who": Annotated[str, Option("--who", metavar="cli.metavar.name", help="cli.query.who")],
    "approved": Annotated[str, Option("--approved", metavar="cli.metavar.name", help="cli.query.approved")],
    "schema": Schema,
    "person": Annotated[str | None, Option("--person", metavar="cli.metavar.column", help="cli.query.person")],
    "hierarchies": Annotated[
        Path | None, Option("--hierarchies", metavar="cli.metavar.folder", help="cli.search.hierarchies")
    ],
    "k": Annotated[int | None, Option("--k", metavar="N", help="cli.query.k")],
    "percent": Annotated[float | None, Option("--percent", metavar="cli.metavar.share", help="cli.query.percent")],
    "most": Annotated[int | None, Option("--most", metavar="N", help="cli.query.most")],
    "json": Json,
    **READING,
}


def _asked(request: QueryRequest, json: bool) -> int:
    """Print the answer as whoever asked may have it; exit code 1 where no number is told."""
    with progress_shown():
        answer = request.run()
    if json:
        print_json(answer.as_json())
    else:
        _print(answer, output())
        print_verdict(answer.verdict(), output(), full=True)
    return DONE if answer.holds else NOT_MET


query = command(QueryRequest, _OPTIONS, _asked)


def _print(answer: "QueryAnswer", console: "Console") -> None:
    """The cells in rows, with what was said of each."""
    frame = answer._table()
    shown = table(text("query.title"))
    for name in frame.columns:
        shown.add_column(cell(name), justify="right" if frame[name].dtype.is_numeric() else "left", overflow="fold")
    for *values, status in frame.rows():
        row = [*map(in_cell, values), text(f"query.status.{status}")]
        shown.add_row(*map(cell, row), style=None if status == "answered" else "dim")
    console.print(shown)
    console.print()
