"""``biombo import``: settings of other programs, as what Biombo runs."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from biombo._cli.frame import DONE
from biombo._cli.options import Force, Json, Lang
from biombo._cli.terminal import output, print_json, print_lines, say
from biombo._i18n import text

if TYPE_CHECKING:
    from biombo._migration import TakenOver

Project = Annotated[Path, Argument(metavar="PROJECT.deid", help="cli.import.project")]
Script = Annotated[Path, Argument(metavar="SCRIPT.R", help="cli.import.script")]
Out = Annotated[Path | None, Option("--out", metavar="cli.metavar.folder", help="cli.import.out")]
Data = Annotated[Path | None, Option("--data", metavar="cli.metavar.table", help="cli.import.data")]


def import_arx(
    project: Project, out: Out = None, data: Data = None, force: Force = False, json: Json = False, _lang: Lang = None
) -> int:
    """Take over an ARX project."""
    from biombo._migration import from_arx

    with from_arx(project, data=data is not None) as taken:
        folder = out or Path(f"{project.stem}-biombo")
        taken.write(folder, data=data, force=force)
        _print_taken(taken, json=json)
    say(text("migration.wrote", folder=str(folder)))
    if data is not None:
        say(text("migration.wrote-data", path=str(data)))
    say(text("migration.next-with-data" if data is not None else "migration.next", folder=str(folder)))
    return DONE


def import_sdcmicro(
    script: Script, out: Out = None, force: Force = False, json: Json = False, _lang: Lang = None
) -> int:
    """Take over the settings of an sdcMicro session."""
    from biombo._migration import from_sdcmicro

    taken = from_sdcmicro(script)
    folder = out or Path(f"{script.stem}-biombo")
    taken.write(folder, force=force)
    _print_taken(taken, json=json)
    say(text("migration.wrote-settings", folder=str(folder)))
    say(text("migration.next", folder=str(folder)))
    return DONE


def _print_taken(taken: "TakenOver", *, json: bool) -> None:
    if json:
        print_json(taken.as_json())
    else:
        print_lines(taken.lines(), output())


COMMANDS: dict[str, Callable[..., int | None]] = {"arx": import_arx, "sdcmicro": import_sdcmicro}
