"""``biombo synthesise``: synthetic records of a table."""

from typing import Annotated, Literal

from typer import Option

from biombo._cli.frame import DONE, NOT_MET
from biombo._cli.options import READING, Files, Force, Json, Schema
from biombo._cli.request import command
from biombo._cli.terminal import output, print_json, print_lines, progress_shown, say
from biombo._cli.typed import all_names, conditions, names
from biombo._i18n import text
from biombo._requests import SynthesiseRequest

_COLUMNS, _WRITTEN, _PRIVACY = "cli.panel.columns", "cli.panel.written", "cli.panel.must-hold"

_OPTIONS = {
    "files": Files,
    "out": Annotated[str | None, Option("--out", metavar="cli.metavar.table", help="cli.synthesise.out")],
    "schema": Schema,
    "columns": Annotated[
        str | None, Option("--columns", metavar="a,b", help="cli.synthesise.columns", rich_help_panel=_COLUMNS), names
    ],
    "keep_column": Annotated[
        list[str] | None, Option("--keep-column", metavar="a,b", help="cli.synthesise.keep-column"), all_names
    ],
    "replace_where": Annotated[
        list[str] | None,
        Option(
            "--replace-where",
            metavar="cli.metavar.condition",
            help="cli.synthesise.replace-where",
            rich_help_panel=_WRITTEN,
        ),
        conditions,
    ],
    "fill_groups": Annotated[
        int | None,
        Option("--fill-groups", metavar="N", help="cli.synthesise.fill-groups", rich_help_panel=_WRITTEN),
    ],
    "records": Annotated[int | None, Option("--records", metavar="N", help="cli.synthesise.records")],
    "k": Annotated[int, Option("--k", metavar="N", help="cli.synthesise.k", rich_help_panel=_PRIVACY)],
    "bins": Annotated[int, Option("--bins", metavar="N", help="cli.synthesise.bins", rich_help_panel=_COLUMNS)],
    "constraints": Annotated[
        str | None,
        Option(
            "--constraints",
            metavar="cli.metavar.constraints",
            help="cli.synthesise.constraints",
            rich_help_panel=_COLUMNS,
        ),
    ],
    "epsilon": Annotated[
        float | None, Option("--epsilon", metavar="X", help="cli.synthesise.epsilon", rich_help_panel=_PRIVACY)
    ],
    "delta": Annotated[float, Option("--delta", metavar="X", help="cli.synthesise.delta", rich_help_panel=_PRIVACY)],
    "mechanism": Annotated[
        Literal["mst", "aim"],
        Option("--mechanism", metavar="mst|aim", help="cli.synthesise.mechanism", rich_help_panel=_PRIVACY),
    ],
    "records_per_person": Annotated[
        int,
        Option(
            "--records-per-person",
            metavar="N",
            help="cli.synthesise.records-per-person",
            rich_help_panel=_PRIVACY,
        ),
    ],
    "holdout": Annotated[
        float, Option("--holdout", metavar="cli.metavar.share", help="cli.synthesise.holdout", rich_help_panel=_WRITTEN)
    ],
    "force": Force,
    "json": Json,
    **READING,
}


def _synthesised(request: SynthesiseRequest, json: bool) -> int:
    """Print what was made, what it guarantees, and what attacks gain by it."""
    with progress_shown():
        outcome = request.run()
    if json:
        print_json(outcome.as_json())
    else:
        print_lines(outcome.verdict(), output())
    say(text("synthesis.wrote", path=request.out))
    say(text("synthesis.private"))
    return DONE if outcome.holds else NOT_MET


synthesise = command(SynthesiseRequest, _OPTIONS, _synthesised)
