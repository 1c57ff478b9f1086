"""``biombo negotiation``: what happened in a negotiation, and whether its chain of events is whole."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from biombo._cli.frame import DONE, NOT_MET
from biombo._cli.options import Json, Lang
from biombo._cli.terminal import output, plain, print_json, say
from biombo._errors import InputError
from biombo._i18n import text

if TYPE_CHECKING:
    from biombo._negotiate import Event

_LONGEST = 400

File = Annotated[Path, Argument(metavar="cli.metavar.folder", help="cli.negotiation.file")]
Head = Annotated[str | None, Option("--head", metavar="cli.metavar.text", help="cli.negotiation.head")]


def show_negotiation(file: File, json: Json = False, _lang: Lang = None) -> None:
    """Print the events, one below the other."""
    from biombo._negotiate import read_chain

    events = read_chain(file)
    if json:
        print_json({"events": [_as_json(event) for event in events]})
        return
    for line in _lines(events):
        output().print(plain(line), soft_wrap=True)


def verify_negotiation(file: File, head: Head = None, json: Json = False, _lang: Lang = None) -> int:
    """Print what is wrong with the chain, and end with exit code 1 when something is."""
    from biombo._negotiate import faults_of, folder_faults, read_chain

    events = _some(read_chain(file))
    faults = folder_faults(file, events, head=head) if file.is_dir() else faults_of(events, head=head)
    if json:
        found = [{"number": each.number, "fault": each.sentence} for each in faults]
        print_json({"events": len(events), "whole": not faults, "faults": found, "head": events[-1].hash})
    for each in () if json else faults:
        output().print(plain(f"✗ {each.sentence}"), soft_wrap=True)
    if faults:
        say(text("negotiation.show.broken", faults=len(faults)))
        return NOT_MET
    unread = sum(event.fact is None for event in events)
    say(text("negotiation.show.whole", events=len(events), head=events[-1].hash))
    if unread:
        say(text("negotiation.show.unread", unread=unread))
    return DONE


def _some(events: "list[Event]") -> "list[Event]":
    if not events:
        raise InputError("negotiation.no-event")
    return events


COMMANDS = {"show": show_negotiation, "verify": verify_negotiation}


def _lines(events: "Sequence[Event]") -> Iterator[str]:
    from biombo._negotiate import Word

    for event in events:
        when, role = event.at.strftime("%Y-%m-%d %H:%M"), Word("role", event.role)
        who = f"{role} {event.actor.name}" if event.actor is not None and event.role != "system" else str(role)
        yield f"{event.number:>4}  {when}  {event.process:>2}  {who}: {_told(event)}"


def _told(event: "Event") -> str:
    from biombo._negotiate import sentence_of

    told = text("negotiation.show.untold") if event.fact is None else sentence_of(event.fact)
    return told if len(told) <= _LONGEST else f"{told[: _LONGEST - 1]}…"


def _as_json(event: "Event") -> dict[str, Any]:
    tree: dict[str, Any] = {
        "number": event.number,
        "at": event.at.isoformat(),
        "role": event.role,
        "process": event.process,
        "hash": event.hash,
    }
    if event.fact is not None and event.actor is not None:
        tree |= {"actor": event.actor.name} | ({"actor_id": event.actor.id} if event.actor.id else {})
        tree |= {"fact": dict(_plain(event))}
    return tree


def _plain(event: "Event") -> Mapping[str, Any]:
    from biombo._negotiate import plain_fact

    assert event.fact is not None
    return plain_fact(event.fact)
