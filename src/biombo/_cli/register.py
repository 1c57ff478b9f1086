"""``biombo register``: the releases on record, and what became of them."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from biombo._cli.frame import DONE, NOT_MET
from biombo._cli.options import Access, Department, Json, Lang, Recipients, Review
from biombo._cli.options import What as Title
from biombo._cli.terminal import cell, output, print_json, say, table
from biombo._cli.typed import day_of
from biombo._errors import UsageError
from biombo._i18n import integer, percent, text
from biombo._requests import RecordAnswers, register_address

if TYPE_CHECKING:
    from rich.console import Console

    from biombo._release import Register, RegisteredRelease

_STATUS_STYLES = {"active": "green", "revoked": "yellow", "breached": "red"}

Number = Annotated[int, Argument(metavar="ID", help="cli.register.id")]
Folder = Annotated[Path, Argument(metavar="cli.metavar.release", help="cli.register.release")]
Private = Annotated[Path | None, Option("--private", metavar="cli.metavar.folder", help="cli.trace.private")]
Url = Annotated[str | None, Option("--register", metavar="URL", help="cli.register.register")]
On = Annotated[str | None, Option("--on", metavar="cli.metavar.day", help="cli.register.on")]
Reason = Annotated[str, Option("--reason", metavar="cli.metavar.text", help="cli.register.reason")]
What = Annotated[str, Option("--what", metavar="cli.metavar.text", help="cli.register.what")]
Found = Annotated[str, Option("--found", metavar="cli.metavar.text", help="cli.register.found")]
Next = Annotated[str, Option("--next", metavar="cli.metavar.day", help="cli.register.next")]
Who = Annotated[str | None, Option("--who", metavar="cli.metavar.name", help="cli.register.who")]


def list_releases(register: Url = None, json: Json = False, _lang: Lang = None) -> None:
    """Print all releases."""
    _print_all(_opened(register).list(), json, empty="register.empty")


def show_release(number: Number, register: Url = None, json: Json = False, _lang: Lang = None) -> None:
    """Print one release with its history."""
    release = _opened(register).get(number)
    if json:
        print_json(release.as_json())
    else:
        _print_release(release, output())


def due_releases(on: On = None, register: Url = None, json: Json = False, _lang: Lang = None) -> None:
    """Print the releases whose review is due."""
    day = date.today() if on is None else day_of("--on", on)
    _print_all(_opened(register).due(day), json, empty="register.nothing-due")


def add_release(
    release: Folder,
    private: Private = None,
    department: Department = None,
    review: Review = None,
    recipient: Recipients = None,
    access: Access = "online",
    what: Title = None,
    who: Who = None,
    register: Url = None,
    json: Json = False,
    _lang: Lang = None,
) -> int:
    """Put a release that stands on record; exit code 1 where it is not what it claims to be."""
    from biombo._release import RefusedError, put_on_record

    opened = _opened(register)
    day = None if review is None else day_of("--review", review)
    answers = RecordAnswers(
        register=register, what=what, department=department, recipient=tuple(recipient or ()), access=access, review=day
    )
    answers.refuse_missing()
    try:
        number = put_on_record(release, opened, private=private, who=who, **answers.about)
    except RefusedError as error:
        say(str(error))
        return NOT_MET
    _confirm(opened.get(number), json, text("release.registered", number=number))
    return DONE


def review_release(
    number: Number,
    found: Found,
    next_review: Next,
    who: Who = None,
    register: Url = None,
    json: Json = False,
    _lang: Lang = None,
) -> None:
    """Put on record what a review found."""
    day = day_of("--next", next_review)
    release = _opened(register).review(number, found=found, next_review=day, who=who)
    _confirm(release, json, text("register.reviewed", id=number, day=day))


def revoke_release(
    number: Number, reason: Reason, who: Who = None, register: Url = None, json: Json = False, _lang: Lang = None
) -> None:
    """Put on record that a release was withdrawn."""
    release = _opened(register).revoke(number, reason=reason, who=who)
    _confirm(release, json, text("register.revoked", id=number))
    say(text("register.copies"))


def breach_release(
    number: Number, what: What, who: Who = None, register: Url = None, json: Json = False, _lang: Lang = None
) -> None:
    """Put on record that a release got out, or that somebody was re-identified."""
    release = _opened(register).breach(number, what=what, who=who)
    _confirm(release, json, text("register.breached", id=number))
    say(text("register.notify"))


COMMANDS: dict[str, Callable[..., int | None]] = {
    "add": add_release,
    "list": list_releases,
    "show": show_release,
    "due": due_releases,
    "review": review_release,
    "revoke": revoke_release,
    "breach": breach_release,
}


def _opened(url: str | None) -> "Register":
    from biombo._release import Register

    address = register_address(url)
    if address is None:
        raise UsageError("register.where")
    return Register.open(address)


def _print_all(releases: "Sequence[RegisteredRelease]", json: bool, *, empty: str) -> None:
    if json:
        print_json({"releases": [release.as_json() for release in releases]})
    elif releases:
        _print_releases(releases, output())
    else:
        say(text(empty))


def _confirm(release: "RegisteredRelease", json: bool, sentence: str) -> None:
    if json:
        print_json(release.as_json())
    else:
        print(sentence)


def _print_releases(releases: "Sequence[RegisteredRelease]", console: "Console") -> None:
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


def _print_release(release: "RegisteredRelease", console: "Console") -> None:
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
    measured = entry.smallest_group is None
    yield "smallest-group", text("register.no-k") if measured else integer(entry.smallest_group or 0)
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


def _print_events(release: "RegisteredRelease", console: "Console") -> None:
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
