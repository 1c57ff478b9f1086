"""The chain of events of one negotiation: checked, told to a requester in part, and kept in a file of JSON lines."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from biombo._errors import InputError
from biombo._files import PRIVATE, held_folder, in_sentences, is_file, read_whole, write_whole
from biombo._i18n import text
from biombo._negotiate.event import BEGINNING, Event
from biombo._negotiate.listed_values import lists_values
from biombo._watch import warn

EVENTS, TORN = "events.jsonl", "events.torn"
"""The chain in the folder of a negotiation, and what was left of a line that was never finished."""


@dataclass(frozen=True)
class Fault:
    """An event that is not what it was, or is not where it was."""

    number: int
    """Its place in the chain."""
    sentence: str


def faults_of(events: Sequence[Event], *, head: str | None = None) -> list[Fault]:
    """What is wrong with a chain: events that were changed, dropped, put in or put elsewhere, each by its number.

    A chain that lost its last events is whole as far as it goes: that is seen by ``head``, the hash of the last event
    that somebody has noted.
    """
    found = list(_broken(events))
    if head is not None and head not in {event.hash for event in events}:
        found.append(Fault(len(events) + 1, text("negotiation.fault.head", head=head[:12])))
    return found


def _broken(events: Sequence[Event]) -> Iterator[Fault]:
    previous = BEGINNING
    for place, event in enumerate(events, start=1):
        if event.number != place:
            yield Fault(place, text("negotiation.fault.number", place=place, number=event.number))
        elif event.previous != previous:
            yield Fault(place, text("negotiation.fault.previous", number=place))
        if not event.is_sound:
            yield Fault(place, text("negotiation.fault.content", number=place))
        previous = event.hash


def excerpt(events: Iterable[Event]) -> list[Event]:
    """The chain as the requester may have it: whole, with the content of what they may see. What was said by lists of
    values they read in other words (:class:`RequesterView`).
    """
    return [event if is_for_requester(event) and not _lists_values(event) else event.forgotten for event in events]


def is_for_requester(event: Event) -> bool:
    """Did the requester do it, or is it for them?"""
    return event.fact is not None and (event.role == "requester" or event.fact.seen_by_requester)


def _lists_values(event: Event) -> bool:
    return any(lists_values(each.to_tree()) for each in getattr(event.fact, "manipulations", ()))


@dataclass(frozen=True)
class EventFile:
    """The events of a negotiation in its folder, which one program at a time may add to."""

    folder: Path

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / EVENTS

    def read(self) -> list[Event]:
        """All events. A last line that was never finished is left aside, with a warning: what it was to record was not
        done.
        """
        lines, torn = _lines(_content(self.path))
        if torn:
            warn(text("negotiation.torn", path=str(self.path), events=len(lines)))
        return [Event.of_line(line, place) for place, line in enumerate(lines, start=1)]

    def held(self) -> AbstractContextManager[bool]:
        """Nobody else adds to it meanwhile."""
        return held_folder(self.folder)

    def append(self, events: Sequence[Event]) -> None:
        """Add ``events`` for good, all in one write. What was left of an unfinished line is set apart, not lost."""
        with in_sentences(self.path):
            self._set_torn_apart()
            descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, PRIVATE)
            with os.fdopen(descriptor, "ab") as file:
                file.write("".join(f"{event.line()}\n" for event in events).encode())
                file.flush()
                os.fsync(file.fileno())

    def replace(self, events: Sequence[Event]) -> None:
        """Put other events in the place of all, whole or not at all."""
        write_whole(self.path, "".join(f"{event.line()}\n" for event in events), mode=PRIVATE)

    def _set_torn_apart(self) -> None:
        if not self.path.exists():
            return
        lines, torn = _lines(self.path.read_text("utf-8", errors="surrogateescape"))
        if torn:
            with (self.folder / TORN).open("ab") as file:
                file.write(f"{torn}\n".encode(errors="surrogateescape"))
            os.truncate(self.path, sum(len(f"{line}\n".encode(errors="surrogateescape")) for line in lines))


def read_chain(path: str | Path) -> list[Event]:
    """The events in a file, or in the folder of a negotiation. Raises where the last line is cut."""
    file = Path(path) / EVENTS if Path(path).is_dir() else Path(path)
    lines, torn = _lines(_content(file))
    if torn:
        raise InputError("negotiation.cut", path=str(file), events=len(lines))
    return [Event.of_line(line, place) for place, line in enumerate(lines, start=1)]


def _content(path: Path) -> str:
    if not is_file(path):
        raise InputError("negotiation.no-events", path=str(path))
    return read_whole(path).decode("utf-8", errors="surrogateescape")


def _lines(content: str) -> tuple[list[str], str]:
    """The lines that end, and what stands after them."""
    *lines, torn = content.split("\n")
    return lines, torn
