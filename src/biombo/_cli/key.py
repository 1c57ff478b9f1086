"""``biombo key``: keys for pseudonyms and signatures: made, shown, reviewed, and changed for new ones."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from biombo._cli.frame import DONE, NOT_MET
from biombo._cli.options import Json, Lang
from biombo._cli.reveal import asked_for
from biombo._cli.terminal import output, plain, print_json, print_lines, progress_shown, say
from biombo._cli.typed import day_of
from biombo._i18n import text

Place = Annotated[str, Argument(metavar="cli.metavar.key", help="cli.key.place")]
Old = Annotated[str, Argument(metavar="cli.metavar.key", help="cli.key.old")]
NewPlace = Annotated[str, Argument(metavar="cli.metavar.key", help="cli.key.new-place")]
Day = Annotated[str, Argument(metavar="cli.metavar.day", help="cli.key.day")]
Review = Annotated[str | None, Option("--review", metavar="cli.metavar.day", help="cli.key.review-option")]
PlanFile = Annotated[Path, Option("--plan", metavar="cli.metavar.plan", help="cli.key.plan")]
NewPlan = Annotated[Path, Option("--out", metavar="cli.metavar.plan", help="cli.key.out")]
Private = Annotated[Path, Option("--private", metavar="cli.metavar.folder", help="cli.key.private")]
Table = Annotated[Path | None, Option("--table", metavar="cli.metavar.table", help="cli.key.table")]
Pseudonyms = Annotated[list[str], Argument(metavar="cli.metavar.values", help="cli.key.pseudonyms")]
Column = Annotated[str, Option("--column", metavar="cli.metavar.column", help="cli.key.column")]
BothKeys = Annotated[list[str], Option("--key", metavar="cli.metavar.key", help="cli.key.both")]


def make_key(place: Place, review: Review = None, _lang: Lang = None) -> None:
    """Make a key and print its id."""
    from biombo._secrets import new_key

    made = new_key(place, review=None if review is None else day_of("--review", review))
    print(made)
    say(text("cli.key.made", id=made, place=place))


def print_id(place: Place, _lang: Lang = None) -> None:
    """Print the id of a key."""
    from biombo._secrets import key_id

    print(key_id(place))


def print_public(place: Place, _lang: Lang = None) -> None:
    """Print the public half of a key."""
    from biombo._secrets import public_key

    print(public_key(place), end="")


def show_key(place: Place, json: Json = False, _lang: Lang = None) -> None:
    """Print what may be known of a key, and warn where its review is overdue."""
    from biombo._secrets import PublicKey, load_key

    key = load_key(place)
    review = None if key.review is None else key.review.isoformat()
    public = PublicKey.of(key).id
    if json:
        print_json({"id": key.id, "public": public, "review": review, "overdue": key.overdue})
        return
    told = text("keys.show.no-review") if review is None else text("keys.show.review", review=review)
    print_lines([text("keys.show.id", id=key.id, public=public), text("keys.show.ciphers"), told], output())


def review_key(place: Place, day: Day, _lang: Lang = None) -> None:
    """Set the day of the next review."""
    from biombo._secrets import set_review

    review = day_of("DAY", day)
    say(text("cli.key.reviewed", id=set_review(place, review), review=review))


def rotate(
    old: Old,
    new: NewPlace,
    plan: PlanFile,
    out: NewPlan,
    private: Private,
    table: Table = None,
    review: Review = None,
    _lang: Lang = None,
) -> None:
    """Make a new key, write the plan with it, and link old and new pseudonyms."""
    from biombo._files import refuse_existing, write_whole
    from biombo._plan import rotate_key

    refuse_existing(out)
    day = None if review is None else day_of("--review", review)
    with progress_shown():
        rotated = rotate_key(old, new, plan, private=private, source=table, review=day)
    write_whole(out, rotated.plan.to_yaml())
    print(rotated.key)
    say(text("cli.key.rotated", id=rotated.key, place=new, plan=out))
    for path in rotated.tables:
        say(text("cli.key.rotated-table", path=path))
    for path in rotated.identity_tables:
        say(text("plan.identities", path=path))


def relink(
    pseudonyms: Pseudonyms, column: Column, key: BothKeys, private: Private, json: Json = False, _lang: Lang = None
) -> int:
    """Print each old pseudonym with the new one, and end with exit code 1 when some are not known."""
    from biombo._plan import relink as new_pseudonyms

    return print_found(new_pseudonyms(asked_for(pseudonyms, column), column, key=key, private=private), json)


def print_found(found: dict[str, str | None], json: bool) -> int:
    """Print what stands for each of the pseudonyms that were asked for; 1 when some are not known."""
    if json:
        print_json(found)
    else:
        for pseudonym, other in found.items():
            print(plain(f"{pseudonym} {'–' if other is None else other}"))
    unknown = sum(other is None for other in found.values())
    if unknown:
        say(text("cli.reveal.unknown", unknown=unknown, asked=len(found)))
    return NOT_MET if unknown else DONE


COMMANDS: dict[str, Callable[..., int | None]] = {
    "new": make_key,
    "id": print_id,
    "public": print_public,
    "show": show_key,
    "review": review_key,
    "rotate": rotate,
    "relink": relink,
}
