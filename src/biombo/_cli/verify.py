"""``biombo verify``: whether a release is what it claims to be."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from biombo._cli.frame import DONE, NOT_MET
from biombo._cli.options import Engine, Json, Lang
from biombo._cli.terminal import output, plain, print_json, say
from biombo._i18n import text
from biombo._requests import register_address

if TYPE_CHECKING:
    from rich.console import Console

    from biombo._release import Check, Verification

_SIGNS = {True: "✓", False: "✗", None: "·"}
_WAIVED = "○"


Folder = Annotated[Path, Argument(metavar="cli.metavar.folder", help="cli.verify.folder")]
Key = Annotated[Path | None, Option("--key", metavar="cli.metavar.public-key", help="cli.verify.key")]

RegisterAt = Annotated[str | None, Option("--register", metavar="URL", help="cli.verify.register")]
Private = Annotated[Path | None, Option("--private", metavar="cli.metavar.folder", help="cli.verify.private")]
Population = Annotated[
    str | None, Option("--population-table", metavar="cli.metavar.table", help="cli.verify.population-table")
]


def verify(
    folder: Folder,
    key: Key = None,
    register: RegisterAt = None,
    private: Private = None,
    population_table: Population = None,
    engine: Engine = "local",
    json: Json = False,
    _lang: Lang = None,
) -> int:
    """Print what holds, and end with exit code 1 when something does not."""
    from biombo._release import verify as verify_release

    on_record = register_address(register)
    trusted = {"key": key, "register": on_record, "private": private}
    found = verify_release(folder, **trusted, population=population_table, engine=engine)  # type: ignore[arg-type]
    if json:
        print_json(found.as_json())
    else:
        _print(found, output())
    if found.origin_proved:
        say(text("release.origin", signer=found.key))
    elif key is None and on_record is None:
        say(text("release.integrity-only"))
    if found.holds:
        say(text("release.holds"))
        return DONE
    say(text("release.fails", failures=len(found.failures)))
    return NOT_MET


def _print(found: "Verification", console: "Console") -> None:
    """Each claim, and whether it holds."""
    for check in found.checks:
        console.print(plain(_line(check)), soft_wrap=True)


def _line(check: "Check") -> str:
    return f"{_WAIVED if check.waived else _SIGNS[check.holds]} {check.detail}"
