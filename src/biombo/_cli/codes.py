"""``biombo codes``: double coding between whoever has the data and a third party."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from biombo._cli.key import print_found
from biombo._cli.options import Database, Filename, Json, Lang, Sheet
from biombo._cli.reveal import AtMost, Reason, Who, asked_for
from biombo._cli.terminal import progress_shown, say
from biombo._i18n import text

File = Annotated[str, Argument(metavar="cli.metavar.files", help="cli.option.files")]
Column = Annotated[str, Option("--column", metavar="cli.metavar.column", help="cli.codes.column")]
PlanFile = Annotated[Path, Option("--plan", metavar="cli.metavar.plan", help="cli.codes.plan")]
FirstKey = Annotated[str, Option("--key", metavar="cli.metavar.key", help="cli.codes.first-key")]
ThirdKey = Annotated[str, Option("--key", metavar="cli.metavar.key", help="cli.codes.third-key")]
CodesOut = Annotated[Path, Option("--out", metavar="cli.metavar.table", help="cli.codes.codes-out")]
LinksOut = Annotated[Path, Option("--out", metavar="cli.metavar.table", help="cli.codes.links-out")]
Codes = Annotated[Path, Argument(metavar="cli.metavar.files", help="cli.codes.codes")]
Links = Annotated[Path, Argument(metavar="cli.metavar.files", help="cli.codes.links")]
Released = Annotated[list[str], Argument(metavar="cli.metavar.values", help="cli.codes.released")]
ReleasedColumn = Annotated[
    str | None, Option("--column", metavar="cli.metavar.column", help="cli.codes.released-column")
]


def ask(
    file: File,
    column: Column,
    plan: PlanFile,
    key: FirstKey,
    out: CodesOut,
    filename: Filename = None,
    database: Database = None,
    sheet: Sheet = None,
    _lang: Lang = None,
) -> None:
    """Write the first codes for the third party."""
    from biombo._plan import ask_for_codes

    reading = {"filename": filename, "database": database, "sheet": sheet}
    with progress_shown():
        codes = ask_for_codes(file, column, plan=plan, key=key, out=out, **reading)
    say(text("cli.codes.asked", codes=codes, path=out))


def answer(codes: Codes, key: ThirdKey, out: LinksOut, _lang: Lang = None) -> None:
    """Code the codes once more."""
    from biombo._plan import answer_codes

    say(text("cli.codes.answered", codes=answer_codes(codes, key=key, out=out), path=out))


def take(links: Links, key: FirstKey, _lang: Lang = None) -> None:
    """Take in the answer."""
    from biombo._plan import take_codes

    say(text("cli.codes.taken", path=take_codes(links, key=key), links=links))


def forget(key: FirstKey, _lang: Lang = None) -> None:
    """Delete the answer."""
    from biombo._plan import forget_codes

    say(text("cli.codes.forgotten", files=forget_codes(key)))


def first(
    codes: Released,
    key: ThirdKey,
    who: Who,
    reason: Reason,
    column: ReleasedColumn = None,
    at_most: AtMost = 100,
    json: Json = False,
    _lang: Lang = None,
) -> int:
    """Print each released code with the first one, and end with exit code 1 when some are not known."""
    from biombo._plan import first_codes
    from biombo._secrets import REVEALS

    asked = codes if column is None else asked_for(codes, column)
    found = first_codes(asked, key=key, who=who, reason=reason, at_most=at_most)
    say(text("cli.reveal.logged", path=Path(key).parent / REVEALS))
    return print_found(found, json)


COMMANDS: dict[str, Callable[..., int | None]] = {
    "ask": ask,
    "answer": answer,
    "take": take,
    "forget": forget,
    "first": first,
}
