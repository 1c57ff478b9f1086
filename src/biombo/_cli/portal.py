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

    write(PortalHome.found(folder), archive)
    say(text("portal.upkeep.written", path=str(archive)))


def restore(
    archive: Archive,
    folder: NewFolder = Path("biombo-portal"),
    database: PortalDatabase = None,
    _lang: Lang = None,
) -> int:
    """Put it back into a folder that is not there yet; exit code 1 where something is wrong with it."""
    refuse_without_portal()
    from biombo._portal import closed_by_restore, faults
    from biombo._portal import restore as put_back

    home = put_back(archive, folder, database)
    found, closed = list(faults(home)), closed_by_restore(home)
    say(text("portal.upkeep.restored", path=str(folder)))
    if closed:
        say(text("portal.upkeep.closed", names=", ".join(f"“{name}”" for name in closed)))
    return _told(found) if found else DONE


def check(folder: Folder = Path("biombo-portal"), _lang: Lang = None) -> int:
    """Say what is wrong with a portal; exit code 1 where something is."""
    refuse_without_portal()
    from biombo._portal import PortalHome, faults

    found = list(faults(PortalHome.found(folder)))
    if not found:
        say(text("portal.upkeep.sound"))
    return _told(found) if found else DONE


def _told(found: list[str]) -> int:
    for fault in found:
        output().print(plain(f"✗ {fault}"), soft_wrap=True)
    say(text("portal.upkeep.faults", faults=len(found)))
    return NOT_MET


COMMANDS = {"backup": back_up, "restore": restore, "check": check}
