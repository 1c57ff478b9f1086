"""``biombo joint-risk``: what two releases of the same people tell together, for whoever may open both vaults."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from biombo._cli.frame import DONE
from biombo._cli.options import Database, Json, Lang, Sheet
from biombo._cli.terminal import output, print_json, print_lines, progress_shown, say
from biombo._i18n import text

First = Annotated[Path, Argument(metavar="cli.metavar.first-release", help="cli.joint-risk.first")]
Second = Annotated[Path, Argument(metavar="cli.metavar.second-release", help="cli.joint-risk.second")]
Source = Annotated[list[str] | None, Option("--source", metavar="cli.metavar.files", help="cli.joint-risk.source")]
Private = Annotated[
    tuple[Path, Path] | None, Option("--private", metavar="cli.metavar.two-folders", help="cli.joint-risk.private")
]
VaultKey = Annotated[
    tuple[str, str] | None, Option("--vault-key", metavar="cli.metavar.two-keys", help="cli.joint-risk.vault-key")
]
Person = Annotated[str | None, Option("--person", metavar="cli.metavar.column", help="cli.joint-risk.person")]
Reason = Annotated[
    str | None,
    Option("--reason", metavar="cli.metavar.text", help="cli.joint-risk.reason", rich_help_panel="cli.panel.asking"),
]
Who = Annotated[
    str | None,
    Option("--who", metavar="cli.metavar.name", help="cli.trace.who", rich_help_panel="cli.panel.asking"),
]


def joint_risk(
    first: First,
    second: Second,
    source: Source = None,
    database: Database = None,
    sheet: Sheet = None,
    private: Private = None,
    vault_key: VaultKey = None,
    person: Person = None,
    reason: Reason = None,
    who: Who = None,
    json: Json = False,
    _lang: Lang = None,
) -> int:
    """Print what is measured in sentences, what matters most first."""
    from biombo._release import LOG, places_of
    from biombo._release import joint_risk as measured

    folders, keys = private or (None, None), vault_key or (None, None)
    with progress_shown():
        found = measured(
            first,
            second,
            source=None if not source else source[0] if len(source) == 1 else source,
            database=database,
            sheet=sheet,
            private_first=folders[0],
            private_second=folders[1],
            key_first=keys[0],
            key_second=keys[1],
            person=person,
            reason=reason,
            who=who,
        )
    if json:
        print_json(found.as_json())
    else:
        print_lines(found.sentences(), output())
    for release, folder in zip((first, second), folders, strict=True):
        say(text("release.traced", path=places_of(release, folder)[1] / LOG))
    return DONE
