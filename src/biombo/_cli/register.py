"""``biombo register``: the releases on record, and what became of them."""

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from biombo._cli.console import output, print_json, say
from biombo._cli.days import day_of
from biombo._cli.options import Json, Lang
from biombo._cli.register_address import register_address
from biombo._cli.register_views import print_release, print_releases
from biombo._cli.registering import Access, Department, Recipients, Registering, Review
from biombo._cli.registering import What as Title
from biombo._cli.run import DONE, NOT_MET
from biombo._errors import UsageError
from biombo._i18n import text

if TYPE_CHECKING:
    from biombo._release import Register, RegisteredRelease

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
        print_release(release, output())


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
    registering = Registering(register, what, department, tuple(recipient or ()), access, day)
    registering.refuse_missing()
    try:
        number = put_on_record(release, opened, private=private, who=who, **registering.about)
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


REGISTER: dict[str, Callable[..., int | None]] = {
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
        print_releases(releases, output())
    else:
        say(text(empty))


def _confirm(release: "RegisteredRelease", json: bool, sentence: str) -> None:
    if json:
        print_json(release.as_json())
    else:
        print(sentence)
