"""``biombo trace``: from a released record to the original one, for a reason, on record."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from biombo._cli.frame import DONE, NOT_MET
from biombo._cli.options import Database, Json, Lang, Sheet
from biombo._cli.terminal import plain, print_json, say
from biombo._i18n import text

if TYPE_CHECKING:
    from biombo._release import TracedRecord

Folder = Annotated[Path, Argument(metavar="cli.metavar.release", help="cli.trace.release")]
Ids = Annotated[list[str], Argument(metavar="cli.metavar.trace-id", help="cli.trace.ids")]
Source = Annotated[list[str] | None, Option("--source", metavar="cli.metavar.files", help="cli.trace.source")]
Private = Annotated[Path | None, Option("--private", metavar="cli.metavar.folder", help="cli.trace.private")]
Reason = Annotated[
    str,
    Option("--reason", metavar="cli.metavar.text", help="cli.trace.reason", rich_help_panel="cli.panel.asking"),
]
Who = Annotated[
    str | None,
    Option("--who", metavar="cli.metavar.name", help="cli.trace.who", rich_help_panel="cli.panel.asking"),
]
VaultKey = Annotated[str | None, Option("--vault-key", metavar="cli.metavar.key", help="cli.trace.vault-key")]


def trace(
    release: Folder,
    ids: Ids,
    reason: Reason,
    source: Source = None,
    database: Database = None,
    sheet: Sheet = None,
    private: Private = None,
    who: Who = None,
    vault_key: VaultKey = None,
    json: Json = False,
    _lang: Lang = None,
) -> int:
    """Print each trace id with the number and the file of its record; end with exit code 1 when some are not known."""
    from biombo._release import LOG, places_of
    from biombo._release import trace as trace_records

    given = None if not source else source[0] if len(source) == 1 else source
    found = trace_records(
        release,
        ids,
        source=given,
        database=database,
        sheet=sheet,
        private=private,
        reason=reason,
        who=who,
        key=vault_key,
    )
    if json:
        print_json({trace_id: None if record is None else asdict(record) for trace_id, record in found.items()})
    else:
        for trace_id, record in found.items():
            print(plain(_line(trace_id, record)))
    say(text("release.traced", path=places_of(release, private)[1] / LOG))
    unknown = sum(record is None for record in found.values())
    if unknown:
        say(text("release.not-traced", unknown=unknown, asked=len(found)))
    return NOT_MET if unknown else DONE


def _line(trace_id: str, record: "TracedRecord | None") -> str:
    if record is None:
        return text("release.trace.unknown", trace_id=trace_id)
    return text("release.trace.record", trace_id=trace_id, number=record.number, source=record.source)
