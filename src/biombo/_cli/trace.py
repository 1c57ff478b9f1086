"""``biombo trace``: from a released record to the original one, for a reason, on record."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from biombo._cli.console import plain, print_json, say
from biombo._cli.options import Json, Lang
from biombo._cli.run import DONE, NOT_MET
from biombo._i18n import text

Folder = Annotated[Path, Argument(metavar="cli.metavar.release", help="cli.trace.release")]
Ids = Annotated[list[str], Argument(metavar="cli.metavar.trace-id", help="cli.trace.ids")]
Private = Annotated[Path | None, Option("--private", metavar="cli.metavar.folder", help="cli.trace.private")]
Reason = Annotated[str, Option("--reason", metavar="cli.metavar.text", help="cli.trace.reason")]
Who = Annotated[str | None, Option("--who", metavar="cli.metavar.name", help="cli.trace.who")]
VaultKey = Annotated[str | None, Option("--vault-key", metavar="cli.metavar.key", help="cli.trace.vault-key")]


def trace(
    release: Folder,
    ids: Ids,
    reason: Reason,
    private: Private = None,
    who: Who = None,
    vault_key: VaultKey = None,
    json: Json = False,
    _lang: Lang = None,
) -> int:
    """Print each trace id with the number of its record, and end with exit code 1 when some are not known."""
    from biombo._release import LOG, places_of
    from biombo._release import trace as trace_records

    found = trace_records(release, ids, private=private, reason=reason, who=who, key=vault_key)
    if json:
        print_json(found)
    else:
        for trace_id, number in found.items():
            print(plain(f"{trace_id} {'–' if number is None else number}"))
    say(text("release.traced", path=places_of(release, private)[1] / LOG))
    unknown = sum(number is None for number in found.values())
    if unknown:
        say(text("release.not-traced", unknown=unknown, asked=len(found)))
    return NOT_MET if unknown else DONE
