"""What is written of a negotiation, read without its table: for whoever shows it, and may not open the data."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from biombo._negotiate.actors import Actor
from biombo._negotiate.acts import Ask
from biombo._negotiate.agency import Agency
from biombo._negotiate.budget import Budget
from biombo._negotiate.chain import EVENTS, EventFile, Fault
from biombo._negotiate.checks import may_be_forgotten
from biombo._negotiate.event import Event
from biombo._negotiate.publication import available
from biombo._negotiate.settings import SETTINGS, Settings, folder_faults
from biombo._negotiate.state import State
from biombo._negotiate.terms import Terms, terms_of
from biombo._negotiate.views import chain_for, refuse_viewer, turn_of, view_of_manager, view_of_requester


@dataclass(frozen=True)
class NegotiationRecord:
    """A negotiation as its folder tells it. It says who sees what, and changes nothing."""

    folder: Path
    events: tuple[Event, ...]
    agency: Agency
    source_id: str
    """What the source is recognised by."""

    FILES: ClassVar[tuple[str, str]] = (EVENTS, SETTINGS)
    """What it is read from, in its folder: as long as these are as they were, so is it."""

    @classmethod
    def read(cls, folder: str | Path) -> "NegotiationRecord":
        """What the folder of a negotiation says now."""
        place = Path(folder)
        told = Settings.read(place)
        return cls(place, tuple(EventFile(place).read()), told.agency, told.id)

    @staticmethod
    def held(folder: str | Path) -> AbstractContextManager[bool]:
        """Nobody adds to the negotiation of a folder meanwhile: for whoever copies it."""
        return EventFile(Path(folder)).held()

    @cached_property
    def state(self) -> State:
        """What the events make of it."""
        return State.of(self.events)

    @property
    def head(self) -> str:
        """The hash of the last event."""
        return self.events[-1].hash

    @cached_property
    def terms(self) -> Terms:
        """What the requester has to accept."""
        return terms_of(self.state.request, self.agency.name)

    @property
    def released(self) -> Path | None:
        """The folder of the release while it is available, whichever way: for whoever shows or hands it over."""
        return available(self.folder) if self.state.name == "available" else None

    @property
    def erasable(self) -> tuple[int, ...]:
        """The events that may be forgotten now, together with the request where that may be: how it ended stays."""
        whole = may_be_forgotten(self.state, Ask.name, with_request=True)
        return tuple(
            event.number
            for event in self.events
            if event.fact is not None and may_be_forgotten(self.state, event.fact.name, with_request=whole)
        )

    @property
    def budget(self) -> Budget:
        """What the requester has left to measure."""
        asker = self.state.request.requester
        return Budget.of(self.folder.parent, self.source_id, asker.document, self.agency.measurements, asker.id)

    def view(self, viewer: Actor) -> Any:
        """What ``viewer`` may see now: a :class:`RequesterView` or a :class:`ManagerView`."""
        state = self.state
        refuse_viewer(viewer, state)
        turn = turn_of(state, self.agency.deadlines.due(state), viewer)
        if viewer.role != "requester":
            return view_of_manager(state, self.events, turn, viewer)
        return view_of_requester(
            state,
            self.events,
            turn,
            left=self.budget.left,
            terms=self.terms.hash,
            released=self.released,
        )

    def chain_for(self, viewer: Actor) -> list[Event]:
        """The whole chain, with the content of what ``viewer`` may see."""
        return chain_for(self.events, viewer)

    def verify(self, *, head: str | None = None) -> list[Fault]:
        """What is wrong with it: its chain, and its settings; nothing where it is whole. What an event says may be
        missing only where it was erased.
        """
        return folder_faults(self.folder, self.events, head=head)
