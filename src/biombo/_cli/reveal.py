"""``biombo reveal``: undo pseudonyms, with the key, for a reason, on record."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from biombo._cli.frame import DONE, NOT_MET
from biombo._cli.options import Json, Lang
from biombo._cli.terminal import plain, print_json, progress_shown, say
from biombo._files import is_file
from biombo._i18n import text
from biombo._watch import begin

Pseudonyms = Annotated[list[str], Argument(metavar="cli.metavar.values", help="cli.reveal.pseudonyms")]
Column = Annotated[str, Option("--column", metavar="cli.metavar.column", help="cli.reveal.column")]
PlanFile = Annotated[Path, Option("--plan", metavar="cli.metavar.plan", help="cli.reveal.plan")]
Key = Annotated[str, Option("--key", metavar="cli.metavar.key", help="cli.reveal.key")]
Private = Annotated[Path, Option("--private", metavar="cli.metavar.folder", help="cli.reveal.private")]
Table = Annotated[Path | None, Option("--table", metavar="cli.metavar.table", help="cli.reveal.table")]
Who = Annotated[
    str,
    Option("--who", metavar="cli.metavar.name", help="cli.reveal.who", rich_help_panel="cli.panel.asking"),
]
Reason = Annotated[
    str,
    Option("--reason", metavar="cli.metavar.text", help="cli.reveal.reason", rich_help_panel="cli.panel.asking"),
]
AtMost = Annotated[int, Option("--at-most", metavar="N", min=1, help="cli.reveal.at-most")]


def reveal(
    pseudonyms: Pseudonyms,
    column: Column,
    plan: PlanFile,
    key: Key,
    private: Private,
    who: Who,
    reason: Reason,
    table: Table = None,
    at_most: AtMost = 100,
    json: Json = False,
    _lang: Lang = None,
) -> int:
    """Print each pseudonym with its value, and end with exit code 1 when some are not known."""
    from biombo._plan import reveal as reveal_values
    from biombo._secrets import REVEALS

    values = reveal_values(
        asked_for(pseudonyms, column),
        column,
        plan=plan,
        key=key,
        private=private,
        who=who,
        reason=reason,
        table=table,
        at_most=at_most,
    )
    if json:
        print_json(values)
    else:
        for pseudonym, value in values.items():
            print(plain(f"{pseudonym} {'–' if value is None else value}"))
    say(text("cli.reveal.logged", path=private / REVEALS))
    unknown = sum(value is None for value in values.values())
    if unknown:
        say(text("cli.reveal.unknown", unknown=unknown, asked=len(values)))
    return NOT_MET if unknown else DONE


def asked_for(arguments: Sequence[str], column: str) -> Sequence[str]:
    """The pseudonyms themselves, or those in the column of the one file that was named."""
    from biombo._data import read, written

    if len(arguments) > 1 or not is_file(arguments[0]):
        return arguments
    with progress_shown():
        begin("reading")
        values = read(arguments[0], columns=[column])[column].values
    return [value for value in written(values).to_list() if value is not None]
