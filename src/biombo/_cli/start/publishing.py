"""Publishing and verifying, and what can be done where publishing is refused."""

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from shlex import quote
from typing import TYPE_CHECKING

from biombo._cli.start.asking import LeftError, Question
from biombo._cli.start.conversation import Conversation, GoToError, stem
from biombo._cli.terminal import progress_shown
from biombo._cli.typed import needed
from biombo._errors import BiomboError
from biombo._guide import with_schema
from biombo._i18n import text
from biombo._requests import PublishOutcome, PublishRequest

if TYPE_CHECKING:
    from biombo._data import Role
    from biombo._release import Release

_NUMBER = re.compile(r"-\d+$")


def publish(talk: Conversation) -> PublishRequest:
    """Publish, verify, and tell how to do it again. What is done about a refusal is looked at before that."""
    talk.keep(replace(_with_reason(talk), out=_folder(talk)))
    with progress_shown():
        outcome = talk.request.published()
    if outcome.release is None:
        talk.say(text("start.publish.refused", reason=outcome.refused), "yellow")
        talk.keep(_remedied(talk, outcome))
        raise GoToError("result")
    talk.request.recorded(outcome)
    for line in (*_hidden(outcome.release), *outcome.verdict()):
        talk.say(line)
    _verified(talk, outcome.release)
    _commands(talk, outcome.release)
    return talk.request


def _folder(talk: Conversation) -> str:
    """A folder that can be made. One that was typed is never replaced by another without asking."""
    named = talk.request.out
    if named:
        try:
            return _possible(talk, named)
        except BiomboError as error:
            if talk.asking.takes_all and "out" in talk.typed:
                raise
            talk.say(str(error), "yellow")
    return talk.line(text("start.publish.folder"), lambda typed: _possible(talk, typed), _free_folder(talk))


def _possible(talk: Conversation, folder: str) -> str:
    """The folder. Raises where a release cannot be put there."""
    from biombo._release import places_of, refuse_places

    refuse_places(*places_of(needed(folder), talk.request.private))
    return folder


def _with_reason(talk: Conversation) -> PublishRequest:
    """The request with a reason for columns that were accepted without; where nobody can be asked, none is accepted."""
    request, columns = talk.request, talk.request.accept_column
    if columns and not (request.reason or "").strip():
        talk.say(text("start.publish.no-reason", columns=", ".join(map(talk.label, columns))), "yellow")
        if not talk.asking.takes_all:
            return replace(request, reason=talk.words(text("start.publish.reason")))
        return replace(request, accept_column=(), reason=None)
    return request if columns else replace(request, reason=None)


def _hidden(release: "Release") -> Iterator[str]:
    """How many records were masked, and how many left out."""
    applied = release.applied
    for key, records in (("masked", applied.masked), ("dropped", applied.suppressed)):
        if records:
            yield text(f"start.publish.{key}", records=records)


def _free_folder(talk: Conversation) -> str:
    """A folder that is not there yet, called as the one that was named, or else after the table."""
    usual, named = f"{stem(talk.request)}-{text('start.publish.usual-folder')}", talk.request.out
    first = named if _is_there(named) and _NUMBER.sub("", named) != usual else usual
    names = (first if number == 1 else f"{first}-{number}" for number in count(1))
    return next(name for name in names if not _is_there(name))


def _is_there(folder: str) -> bool:
    return bool(folder) and any(os.path.lexists(each) for each in (folder, f"{folder}.private"))


def _remedied(talk: Conversation, outcome: PublishOutcome) -> PublishRequest:
    """The request with what the person wants to do about the refusal: columns that tell too much are made coarser like
    what others know, where that is possible, or left out, or accepted for a reason.
    """
    if not outcome.telling:
        raise LeftError
    columns, schema = outcome.telling, talk.schema
    named = ", ".join(talk.label(name) for name in columns)
    keys = {
        "p": text("start.publish.protect", columns=named),
        "d": text("start.publish.drop", columns=named),
        "a": text("start.publish.accept"),
        "x": text("start.key.stop"),
    }
    if any(schema[name].hierarchy is None for name in columns):
        del keys["p"]
    match talk.asking.key(Question(text("start.publish.question"), keys, next(iter(keys)))):
        case "a":
            return _accepted(talk, columns)
        case "x":
            raise LeftError
        case "p":
            return _with_role(talk, columns, "quasi")
    return _with_role(talk, columns, "undecided")


def _accepted(talk: Conversation, columns: tuple[str, ...]) -> PublishRequest:
    """The request with these columns accepted too. There is one reason for all of them: both, where there are two."""
    before = talk.request.reason or ""
    typed = talk.words(text("start.publish.reason"), before)
    reason = typed if typed == before or not before else f"{before}; {typed}"
    return replace(talk.request, accept_column=(*talk.request.accept_column, *columns), reason=reason)


def _with_role(talk: Conversation, columns: tuple[str, ...], role: "Role") -> PublishRequest:
    """The request with another role for these columns; where no sensitive one is left, nothing is asked of such."""
    schema, reason = talk.schema, text("start.publish.told-too-much")
    changed = {name: replace(schema[name], role=role, reason=reason) for name in columns}
    known = {
        who: tuple(name for name in knows if role == "quasi" or name not in columns)
        for who, knows in schema.adversaries.items()
    }
    described = replace(schema, columns={**schema.columns, **changed}, adversaries=known)
    request = with_schema(talk.request, described.to_tree())
    return request if described.sensitive else replace(request, l=None)


def _verified(talk: Conversation, release: "Release") -> None:
    from biombo._release import PUBLIC_KEY, verify

    found = verify(release.out, key=release.private / PUBLIC_KEY)
    if found.holds:
        talk.say(text("start.publish.verified"), "green")
    else:
        talk.say(text("start.publish.failed", failures=len(found.failures)), "red")
    talk.say(text("start.publish.done", out=release.out))
    talk.say(text("start.publish.private", private=release.private))


def _commands(talk: Conversation, release: "Release") -> None:
    from biombo._release import PUBLIC_KEY

    talk.say("")
    talk.say(text("start.commands"))
    again = _free_folder(talk)
    commands = [
        f"biombo publish --request {quote(str(talk.place))} --out {quote(again)}",
        f"biombo verify {quote(str(release.out))} --key {quote(str(release.private / PUBLIC_KEY))}",
    ]
    for each in commands:
        talk.say_command(each)
