"""``biombo publish``: from a table to a release that proves itself."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from typer import Option

from biombo._cli.frame import DONE, NOT_MET
from biombo._cli.options import (
    COLUMNS,
    CRITERIA,
    MODEL,
    READING,
    RECORD,
    SEARCHING,
    SMALL_GROUPS,
    Files,
    Full,
    Json,
    SaveForce,
    Title,
)
from biombo._cli.request import command
from biombo._cli.terminal import output, print_json, print_lines, print_verdict, progress_shown, say
from biombo._cli.typed import all_names, names
from biombo._i18n import text
from biombo._requests import PublishRequest

if TYPE_CHECKING:
    from biombo._release import Release

_OPTIONS = {
    "files": Files,
    "out": Annotated[Path, Option("--out", metavar="cli.metavar.folder", help="cli.publish.out")],
    "plan": Annotated[Path | None, Option("--plan", metavar="cli.metavar.plan", help="cli.publish.plan")],
    **CRITERIA,
    **COLUMNS,
    "other": Annotated[str | None, Option("--other", metavar="a,b", help="cli.publish.other"), names],
    "accept_column": Annotated[
        list[str] | None, Option("--accept-column", metavar="a,b", help="cli.publish.accept-column"), all_names
    ],
    "reason": Annotated[str | None, Option("--reason", metavar="cli.metavar.text", help="cli.publish.reason")],
    "unprotected": Annotated[
        str | None, Option("--unprotected", metavar="cli.metavar.text", help="cli.publish.unprotected")
    ],
    **SEARCHING,
    "small_groups": SMALL_GROUPS,
    "private": Annotated[Path | None, Option("--private", metavar="cli.metavar.folder", help="cli.publish.private")],
    "format": Annotated[
        Literal["csv", "parquet"], Option("--format", metavar="csv|parquet", help="cli.publish.format")
    ],
    "title": Title,
    "pdf": Annotated[bool, Option("--pdf", help="cli.publish.pdf")],
    "predict": Annotated[str | None, Option("--predict", metavar="a", help="cli.publish.predict")],
    "key": Annotated[str | None, Option("--key", metavar="cli.metavar.key", help="cli.publish.key")],
    "vault_key": Annotated[str | None, Option("--vault-key", metavar="cli.metavar.key", help="cli.publish.vault-key")],
    "plan_key": Annotated[
        list[str] | None, Option("--plan-key", metavar="cli.metavar.key", help="cli.publish.plan-key")
    ],
    **MODEL,
    **RECORD,
    "full": Full,
    "json": Json,
    "force": SaveForce,
    **READING,
}


def _published(request: PublishRequest, full: bool, json: bool) -> int:
    """Print what was released and what holds; exit code 1 where it is refused."""
    from biombo._cli.apply import say_unlisted

    with progress_shown(lambda stage: text("search.searching" if stage == "searching" else f"release.stage.{stage}")):
        outcome = request.published()
    if outcome.release is None:
        say(outcome.refused or "")
        say_unlisted(outcome.unlisted)
        return NOT_MET
    _show(outcome.release, full, json)
    request.recorded(outcome)
    return DONE


publish = command(PublishRequest, _OPTIONS, _published, needed=("files", "out"))


def _show(release: "Release", full: bool, json: bool) -> None:
    if json:
        print_json(release.as_json())
    else:
        if full:
            print_lines(_lines(release), output())
            output().print()
        print_verdict(release.headline, output(), full=full)
    say(text("release.places", out=release.out, private=release.private))
    if release.unspoken:
        say(text("release.left-out", columns=", ".join(release.unspoken)))
    if release.decision is None:
        say(text("release.not-decided"))


def _lines(release: "Release") -> Iterator[str]:
    from biombo._cli.apply import applied_lines
    from biombo._release import PUBLIC_KEY

    yield from applied_lines(release.applied)
    if release.protection.kind != "criteria":
        yield text(f"release.{release.protection.kind}", reason=release.protection.reason)
    yield from _columns(release)
    if release.decision is not None:
        yield from release.decision.sentences()
    yield text("release.signed", signer=release.manifest.public_key.id, path=release.private / PUBLIC_KEY)


def _columns(release: "Release") -> Iterator[str]:
    """Which columns go out, and how, and which do not."""
    untouched = release.measured.untouched
    listed = {
        "out": release.columns,
        "untouched": untouched.columns,
        "constant": untouched.constant,
        "back": [name for name in release.kept_back if name not in release.unspoken],
    }
    for key, columns in listed.items():
        if columns:
            yield text(f"release.columns-{key}", columns=", ".join(columns))
    yield from map(str, release.measured.became_constant)
    for column, reason in release.measured.accepted.items():
        yield text("release.accepted", column=column, reason=reason)
