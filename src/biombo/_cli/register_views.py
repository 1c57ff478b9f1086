"""What ``biombo register`` prints for people."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from rich.console import Console

from biombo._cli.console import cell, table
from biombo._i18n import integer, percent, text

if TYPE_CHECKING:
    from biombo._release import RegisteredRelease

_STATUS_STYLES = {"active": "green", "revoked": "yellow", "breached": "red"}


def print_releases(releases: "Sequence[RegisteredRelease]", console: Console) -> None:
    """A line for each release."""
    shown = table(text("register.title"))
    shown.add_column(text("register.field.id"), justify="right")
    for field in ("what", "department"):
        shown.add_column(text(f"register.field.{field}"), overflow="fold")
    shown.add_column(text("register.field.status"))
    shown.add_column(text("register.field.risk"), justify="right")
    for field in ("registered", "review"):
        shown.add_column(text(f"register.field.{field}"), no_wrap=True)
    for release in releases:
        shown.add_row(
            str(release.id),
            cell(release.entry.what, "bold"),
            cell(release.entry.department),
            cell(text(f"register.status.{release.status}"), _STATUS_STYLES[release.status]),
            percent(release.entry.risk, 2),
            release.registered.date().isoformat(),
            release.review.isoformat(),
        )
    console.print(shown)


def print_release(release: "RegisteredRelease", console: Console) -> None:
    """All about one release, and what happened to it."""
    about = table(text("register.one", id=release.id), show_header=False)
    about.add_column(style="dim")
    about.add_column(overflow="fold")
    for field, value in _fields(release):
        about.add_row(text(f"register.field.{field}"), cell(value))
    console.print(about)
    console.print()
    _print_events(release, console)


def _fields(release: "RegisteredRelease") -> Iterator[tuple[str, str]]:
    entry = release.entry
    yield "status", text(f"register.status.{release.status}")
    yield "what", entry.what
    yield "department", entry.department
    yield "release-model", text(f"register.model.{entry.release_model}")
    yield "recipients", ", ".join(entry.recipients) or text("register.anyone")
    yield "access", text(f"register.access.{entry.access}")
    yield "controls", "; ".join(map(_control, entry.controls)) or "–"
    yield "smallest-group", integer(entry.smallest_group)
    yield "risk", text("register.risk", risk=entry.risk, threshold=entry.threshold)
    if entry.override is not None:
        yield "override", entry.override
    yield "plan", entry.plan_hash
    yield "manifest", entry.manifest_hash or "–"
    yield "registered", _time(release.registered)
    yield "review", release.review.isoformat()


def _control(name: str) -> str:
    from biombo._release import TECHNICAL_CONTROLS

    return text(f"decision.control.{name}") if name in TECHNICAL_CONTROLS else name


def _print_events(release: "RegisteredRelease", console: Console) -> None:
    shown = table(text("register.history"))
    for field in ("when", "event", "who", "note"):
        shown.add_column(text(f"register.field.{field}"), overflow="fold")
    for event in release.events:
        next_review = "" if event.next_review is None else text("register.next-review", day=event.next_review)
        shown.add_row(
            _time(event.at),
            text(f"register.event.{event.kind}"),
            cell(event.who or "–"),
            cell(" ".join(filter(None, (event.note, next_review))) or "–"),
        )
    console.print(shown)


def _time(when: datetime) -> str:
    return f"{when:%Y-%m-%d %H:%M} UTC"
