"""``biombo portal``: a copy of a portal, put back, and whether it is sound."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from biombo._cli.frame import DONE, NOT_MET
from biombo._cli.options import Lang
from biombo._cli.serve import Folder, PortalDatabase, refuse_without_portal
from biombo._cli.terminal import output, plain, say
from biombo._i18n import text

Archive = Annotated[Path, Argument(metavar="cli.metavar.archive", help="cli.portal.archive")]
NewFolder = Annotated[Path, Option("--folder", metavar="cli.metavar.folder", help="cli.portal.new-folder")]


def back_up(archive: Archive, folder: Folder = Path("biombo-portal"), _lang: Lang = None) -> None:
    """Write all of a portal into one file."""
    refuse_without_portal()
    from biombo._portal import PortalHome
    from biombo._portal import back_up as write

    write(PortalHome.at(folder), archive)
    say(text("portal.upkeep.written", path=str(archive)))


def restore(
    archive: Archive,
    folder: NewFolder = Path("biombo-portal"),
    database: PortalDatabase = None,
    _lang: Lang = None,
) -> None:
    """Put it back into a folder that is not there yet."""
    refuse_without_portal()
    from biombo._portal import restore as put_back

    put_back(archive, folder, database)
    say(text("portal.upkeep.restored", path=str(folder)))


def check(folder: Folder = Path("biombo-portal"), _lang: Lang = None) -> int:
    """Say what is wrong with a portal; exit code 1 where something is."""
    refuse_without_portal()
    from biombo._portal import PortalHome, faults

    found = list(faults(PortalHome.at(folder)))
    for fault in found:
        output().print(plain(f"✗ {fault}"), soft_wrap=True)
    say(text("portal.upkeep.faults", faults=len(found)) if found else text("portal.upkeep.sound"))
    return NOT_MET if found else DONE


COMMANDS = {"backup": back_up, "restore": restore, "check": check}
