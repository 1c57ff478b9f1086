"""``biombo register``: the releases on record, and what became of them."""

import os
from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from biombo._cli.console import output, print_json, say
from biombo._cli.options import Json, Lang
from biombo._cli.register_views import print_release, print_releases
from biombo._errors import UsageError
from biombo._i18n import text

if TYPE_CHECKING:
    from biombo._release import Register, RegisteredRelease

VARIABLE = "BIOMBO_REGISTER"
"""The environment variable that names the register where no option does."""

Number = Annotated[int, Argument(metavar="ID", help="cli.register.id")]
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
    day = date.today() if on is None else _day("--on", on)
    _print_all(_opened(register).due(day), json, empty="register.nothing-due")


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
    day = _day("--next", next_review)
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


REGISTER: dict[str, Callable[..., None]] = {
    "list": list_releases,
    "show": show_release,
    "due": due_releases,
    "review": review_release,
    "revoke": revoke_release,
    "breach": breach_release,
}


def _opened(url: str | None) -> "Register":
    from biombo._release import Register

    address = url or os.environ.get(VARIABLE)
    if not address:
        raise UsageError("register.where")
    return Register.open(address)


def _day(option: str, typed: str) -> date:
    try:
        return date.fromisoformat(typed)
    except ValueError:
        raise UsageError("register.no-day", option=option, typed=typed) from None


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
