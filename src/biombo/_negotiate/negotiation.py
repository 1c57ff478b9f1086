"""``Negotiation``: a requested publication, led by acts from request to release."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from biombo._data import SourceTable
from biombo._documents import check_whole
from biombo._errors import InputError, UsageError
from biombo._files import in_sentences, write_whole
from biombo._i18n import text
from biombo._negotiate import acts, findings
from biombo._negotiate.actors import SYSTEM, Actor
from biombo._negotiate.agency import USUAL, Agency
from biombo._negotiate.agreed_plan import plan_of
from biombo._negotiate.budget import Budget
from biombo._negotiate.chain import EventFile, Fault, excerpt, faults_of
from biombo._negotiate.checks import check_act, may_be_forgotten
from biombo._negotiate.dialogue import dialogue_of
from biombo._negotiate.event import Event
from biombo._negotiate.facts import Act, Fact
from biombo._negotiate.offer import Offer, side_by_side
from biombo._negotiate.origin_places import Marks, at_kept_places, at_places, keep_places, looked_up, released_records
from biombo._negotiate.publication import Publication, given_out
from biombo._negotiate.record import NegotiationRecord
from biombo._negotiate.request import DataRequest, Origin
from biombo._negotiate.rules import OVER, STANDS, permission
from biombo._negotiate.settings import Settings, emptied_faults, relatives, settings_faults
from biombo._negotiate.source import NegotiatedSource
from biombo._negotiate.state import State
from biombo._negotiate.system import System
from biombo._negotiate.terms import terms_of
from biombo._negotiate.views import refuse_stranger
from biombo._negotiate.words import Word


@dataclass(eq=False)
class Negotiation:
    """One requested publication. Made by :meth:`begin`, found again by :meth:`load`.

    It is a folder with a chain of events, and whatever it says follows from these. Acts are the only way to change
    anything; each is refused unless the table of rules allows it to this role in this state.
    """

    folder: Path
    source: NegotiatedSource
    agency: Agency
    clock: Callable[[], datetime]
    source_id: str
    """What the source is recognised by."""
    _settings: Settings
    releases: Path | None = None
    """Where releases lie that requests start from and name."""
    _events: list[Event] = field(default_factory=list)

    @classmethod
    def begin(
        cls,
        request: DataRequest,
        source: Any,
        *,
        home: str | Path = "negotiations",
        agency: Agency = USUAL,
        clock: Callable[[], datetime] | None = None,
        amends: "Negotiation | None" = None,
        received: datetime | None = None,
        releases: str | Path | None = None,
    ) -> "Negotiation":
        """The requester asks for data (process 1).

        Args:
            request: Who asks for what.
            source: The table, for the manager alone: whatever :func:`biombo.read` takes.
            home: The private folder of all negotiations of the agency; each has one of its own in it.
            agency: How the agency negotiates.
            clock: What time it is.
            amends: The negotiation that this one starts from, whose ε adds to its own; see :meth:`amended`. It lies
                beside that one.
            received: When the request came in, where it waited until its table was found: the agency's days count from
                there.
            releases: Where releases lie that requests name as where they start from. Then a request names no folder:
                for whoever takes requests of others, who may neither choose nor read paths.
        """
        table = NegotiatedSource(SourceTable.open(source).held())
        files = tuple(str(path.absolute()) for path in table.table.files)
        settings = Settings(files, table.fingerprint(), agency).sealed
        if amends is not None:
            _refuse_amending(amends, request, settings.id)
            settings = replace(settings, **amends._to_be_amended())
        folder = _new_folder(Path(home) if amends is None else amends.folder.parent)
        settings.write(folder)
        talk = cls(folder, table, agency, clock or _now, settings.id, settings, _folder(releases))
        asked = acts.Ask(request.to_tree(), settings.seal, _to_the_second(received))
        event = Event.following(None, talk.clock(), request.requester.actor, 1, asked)
        with talk._file.held():
            talk._file.append([event])
        talk._events = [event]
        return talk

    @classmethod
    def load(
        cls,
        folder: str | Path,
        source: Any = None,
        *,
        clock: Callable[[], datetime] | None = None,
        releases: str | Path | None = None,
    ) -> "Negotiation":
        """A negotiation that has begun; ``source`` where its table is not in files, or these have moved, and
        ``releases`` as it was begun with.
        """
        place = Path(folder)
        told = Settings.read(place)
        opened = SourceTable.open([*told.source] if source is None else source).held()
        kept = NegotiatedSource(at_kept_places(place, opened))
        talk = cls(place, kept, told.agency, clock or _now, told.id, told, _folder(releases))
        talk._events = talk._file.read()
        if NegotiatedSource(opened).fingerprint() != talk.source_id:
            raise InputError("negotiation.other-source", source=opened.label)
        talk._resume()
        return talk

    @classmethod
    def load_without_table(
        cls, folder: str | Path, *, clock: Callable[[], datetime] | None = None, releases: str | Path | None = None
    ) -> "Negotiation":
        """A negotiation whose table is not kept any more: what needs no table can still be done, and the rest is
        refused.
        """
        place = Path(folder)
        told = Settings.read(place)
        talk = cls(place, NegotiatedSource.gone(), told.agency, clock or _now, told.id, told, _folder(releases))
        return talk.refresh()

    @property
    def events(self) -> tuple[Event, ...]:
        """All that happened. Private."""
        return tuple(self._events)

    @property
    def state(self) -> State:
        """What the events make of it."""
        return State.of(self._events)

    @property
    def offers(self) -> tuple[Offer, ...]:
        """All rounds. Private."""
        return self.state.offers

    def compared(self) -> pl.DataFrame:
        """All offers side by side. Private."""
        return side_by_side(self.offers)

    @property
    def head(self) -> str:
        """The hash of the last event."""
        return self._events[-1].hash

    @property
    def budget(self) -> Budget:
        """What the requester has left to measure."""
        return self.record.budget

    def refresh(self) -> "Negotiation":
        """Look at what others have done meanwhile."""
        self._events = self._file.read()
        return self

    def act(self, actor: Actor, act: Act) -> State:
        """Do something; what follows from it by rule is done too, all of it or nothing.

        Raises where it is not allowed, makes no sense, or somebody else has acted since this negotiation was looked at.
        """
        if not isinstance(actor, Actor) or not isinstance(act, Act) or actor.role == "system":
            raise UsageError("negotiation.not-an-act")
        with self._file.held():
            self._refuse_behind()
            acting, source = _Acting(self, actor, act), self.source
            try:
                new = list(acting.events())
            except BaseException:
                self.source = source
                raise
            acting.settle()
            if isinstance(act, acts.Erase):
                self._erase(act, new)
            else:
                self._file.append(new)
                self._events += new
        return acting.state

    def _erase(self, act: acts.Erase, new: Iterable[Event]) -> None:
        """Forget events, and once the request is forgotten, the reports that say who asked."""
        self._events = [*_forgotten(self._events, act.events), *new]
        self._file.replace(self._events)
        if self._events[0].fact is None:
            self._publication.forget_requester()

    def view(self, viewer: Actor) -> Any:
        """What ``viewer`` may see now: a :class:`RequesterView` or a :class:`ManagerView`."""
        return self.refresh().record.view(viewer)

    @property
    def record(self) -> NegotiationRecord:
        """What is written of it, for whoever shows it and does not open the table."""
        return NegotiationRecord(self.folder, tuple(self._events), self.agency, self.source_id)

    def values_below(self, viewer: Actor, l: int) -> dict[str, dict[str, int]]:  # noqa: E741
        """By sensitive column: the values in groups of fewer than ``l`` different ones, with how many people have each
        anywhere. For the manager, who may do without QMASG after looking at them.
        """
        refuse_stranger(viewer, self.state)
        if viewer.role != "manager":
            raise UsageError("negotiation.manager-alone", role=Word("role", viewer.role))
        check_whole("l", l, least=acts.FEWEST)
        return {each.column: dict(each.values) for each in self.source.value_checks_for(self.state, l)}

    def best_plans(self, viewer: Actor, asked: acts.AskForPlans | None = None, most: int = 3) -> list[dict[str, Any]]:
        """For the manager: the best plans that reach TG, exactly, to hold beside what the requester offers."""
        refuse_stranger(viewer, self.state)
        if viewer.role != "manager":
            raise UsageError("negotiation.manager-alone", role=Word("role", viewer.role))
        return self.source.plans(self.state, asked or acts.AskForPlans(), most)

    def excerpt(self, path: str | Path) -> None:
        """Write the chain as the requester may have it: whole, with the content of what they may see."""
        write_whole(path, "".join(f"{event.line()}\n" for event in excerpt(self._events)))

    def verify(self, *, head: str | None = None) -> list[Fault]:
        """What is wrong with the chain; nothing where it is whole. What an event says may be missing only where it was
        erased.
        """
        return self.refresh().record.verify(head=head)

    def expire(self) -> bool:
        """End it where whoever's turn it is has let the day pass; says whether that was so."""
        due, now = self.agency.deadlines.due(self.state), self.clock()
        if due is None or now <= due or self.state.stand.owner != "requester":
            return False
        with self._file.held():
            self._refuse_behind()
            fact = findings.Expired(due.date().isoformat())
            event = Event.following(self._events[-1], now, SYSTEM, self.state.stand.process, fact)
            self._file.append([event])
            self._events.append(event)
        return True

    def amended(self, reason: str, request: DataRequest | None = None) -> "Negotiation":
        """A new negotiation that starts from this one, which stays as it is; its ε adds to the earlier."""
        state = self.state
        asked = request or state.request
        if permission(state.name, "requester", "amend") is not None:
            _refuse_amending(self, asked, self.source_id)
        self.act(state.asker, acts.Amend(reason))
        begun: dict[str, Any] = {"home": self.folder.parent, "agency": self.agency, "clock": self.clock}
        begun["releases"] = self.releases
        return Negotiation.begin(asked, self.source.table.whole, amends=self, **begun)

    @property
    def epsilon_before(self) -> float:
        """The ε of releases that this one amends, and of others that amend the same: of all that were given out."""
        given = (State.of(EventFile(place).read()) for place in self._given_beside())
        return max(self._settings.epsilon_before, sum(state.epsilon or 0.0 for state in given))

    @property
    def epsilon_spent(self) -> float:
        """The ε of this release with :attr:`epsilon_before`."""
        return self.epsilon_before + (self.state.epsilon or 0.0)

    def _given_beside(self) -> list[Path]:
        """The folders of all others of which this one is an amendment, or that amend the same, and were given out."""
        return [place for place in relatives(self.folder, self._settings.family) if given_out(place) is not None]

    def _to_be_amended(self) -> dict[str, Any]:
        """What the settings of an amendment say of this negotiation."""
        family = self._settings.family or self.folder.name
        return {"epsilon_before": self.epsilon_spent, "amends": self.folder.name, "family": family}

    @property
    def _file(self) -> EventFile:
        return EventFile(self.folder)

    @property
    def _publication(self) -> Publication:
        return Publication(self.folder, self.source, self.releases)

    @property
    def _system(self) -> System:
        budget = self.budget
        told = budget.values_told_elsewhere(self.folder.name)
        return System(self.source, self.agency.precision, self.epsilon_before, told, budget.strictest)

    def _resume(self) -> None:
        """Go on where a program was stopped between an act and what follows from it."""
        if self._events and self._events[0].fact is not None and self.state.stand.owner == "system":
            with self._file.held():
                acting = _Acting(self, SYSTEM, acts.CarryOut())
                new = list(acting.resumed())
                self._file.append(new)
                self._events += new

    def _refuse_behind(self) -> None:
        """Two acts at once: one wins, the other is told. Nothing is done on a chain that somebody has changed."""
        there = self._file.read()
        if faults := [*faults_of(there), *emptied_faults(there), *settings_faults(self._settings, there)]:
            raise InputError("negotiation.broken", detail=faults[0].sentence)
        if len(there) != len(self._events) or there[-1].hash != self._events[-1].hash:
            self._events = there
            raise UsageError("negotiation.behind", role=Word("role", there[-1].role), number=there[-1].number)


class _Acting:
    """One act, with all that follows from it: events that are added together."""

    def __init__(self, talk: Negotiation, actor: Actor, act: Act) -> None:
        self._talk, self._actor, self._act = talk, actor, _with_public_reason(act)
        self._new: list[Event] = []
        self._marks: Marks | None = None
        self.state = talk.state

    def events(self) -> Iterator[Event]:
        """The events, in order."""
        check_act(self.state, self._actor, self._act, self._talk.source)
        if isinstance(self._act, acts.Appeal):
            self._refuse_late()
        share = getattr(self._act, "max_suppression", None)
        if share is not None:
            self._talk._system.safe(self.state).check_suppression(share)
        asked = self._measurement()
        suggested = self._was_suggested()
        if asked is not None and not suggested:
            self._talk.budget.refuse_more(asked)
        self._tell(self._actor, self._process(), self._act)
        self._follow()
        if asked is not None:
            charge = self._talk.budget.charge_sent if suggested else self._talk.budget.charge
            charge(asked)
        yield from self._new

    def resumed(self) -> Iterator[Event]:
        """The events that follow where only the act was written."""
        self._talk._system.resume(self.state, self._by_system)
        yield from self._new

    def settle(self) -> None:
        """Keep what goes with the events that are about to be written."""
        if self._marks is not None:
            keep_places(self._talk.folder, self._marks)
        if any(isinstance(event.fact, findings.ValuesChecked) for event in self._new):
            self._talk.budget.tell_values(self._talk.folder.name)
        if any(isinstance(event.fact, _SENT) for event in self._new):
            self._talk.budget.note_strictest(self.state.strictest)
            self._talk.budget.charge_sent(_measured_for(self.state))

    def _refuse_late(self) -> None:
        due = self._talk.agency.deadlines.due(self.state)
        if due is not None and self._talk.clock() > due:
            raise UsageError("negotiation.appeal-late", day=due.date().isoformat())

    def _was_suggested(self) -> bool:
        """Does the requester accept what the manager suggested, and nothing else? That is always possible."""
        act, suggested = self._act, self.state.suggested
        return isinstance(act, acts.Accept) and act.manipulations == suggested != () and act.max_suppression == 0

    def _process(self) -> int:
        if self.state.name == "rewording":  # whether values were waived is not told by the number either
            return STANDS["rewording"].process
        return _PROCESSES.get(type(self._act), STANDS[self.state.name].process)

    def _measurement(self) -> str | None:
        """What the requester has measured, which is charged; a plan that was measured before is free."""
        if isinstance(self._act, acts.Accept):
            return _measured_for(self.state.after(self._event(self._actor, 5, self._act)))
        return f"{self._act!r} {self.state.levels.k}" if isinstance(self._act, acts.AskForPlans) else None

    def _follow(self) -> None:
        act, talk = self._act, self._talk
        if isinstance(act, acts.WriteReport):
            self._report(act)
        elif isinstance(act, acts.Vote) and len(self.state.votes) >= talk.agency.votes:
            self._by_system(14, findings.VotesCounted(all(self.state.votes.values())))
        elif isinstance(act, acts.AcceptTerms):
            if act.terms != terms_of(self.state.request, talk.agency.name).hash:
                raise UsageError("negotiation.other-terms")
        elif isinstance(act, acts.MakeAvailable):
            assert self.state.report is not None
            talk._publication.check(self.state.report.manifest_hash)
            if {place.name for place in talk._given_beside()} - {*self.state.report.beside}:
                raise UsageError("negotiation.given-meanwhile")
            talk._publication.make_available(dialogue_of(self.state, [*talk.events, *self._new]))
        elif isinstance(act, acts.Revoke):
            talk._publication.revoke()
        elif isinstance(act, acts.Erase):
            self._check_erasure(act)
        else:
            if isinstance(act, acts.Prepare) and self.state.request.origin is not None:
                self._look_up(self.state.request.origin)
            talk._system.follow(self.state, act, self._by_system)

    def _look_up(self, origin: Origin) -> None:
        """Find the records that the request starts from, and go on with these."""
        talk = self._talk
        why = text("negotiation.look-up", folder=talk.folder.name)
        found = looked_up(origin, talk.releases, talk.source.table, self._actor, why)
        if found.unknown:
            raise UsageError("negotiation.unknown-ids", id=found.unknown[0])
        if origin.trace_ids is not None and found.found < released_records(origin.place(talk.releases)):
            raise UsageError("negotiation.part-of-release")
        marks = found.mask
        self._by_system(2, findings.OriginFound(found.release, found.found, len(marks)))
        if not marks.all():
            self._marks = marks
            talk.source = NegotiatedSource(at_places(talk.source.table, marks))

    def _report(self, act: acts.WriteReport) -> None:
        publication = self._talk._publication
        release = publication.write(self.state, act, dialogue_of(self.state, [*self._talk.events, *self._new]))
        beside = self._talk._given_beside()
        given = [place for folder in beside if (place := given_out(folder)) is not None]
        for joint in publication.joint_risks(self.state, given):
            self._by_system(14, joint)
        epsilon = self.state.epsilon
        self._by_system(
            14,
            findings.ReportWritten(
                release=release.id,
                manifest_hash=release.manifest_hash,
                plan_hash=release.plan.hash,
                decision={} if release.decision is None else release.decision.as_json(),
                asks_committee=self._talk.agency.votes > 0,
                beside=tuple(place.name for place in beside),
                epsilon_in_all=None if epsilon is None else epsilon + self._talk.epsilon_before,
            ),
        )

    def _check_erasure(self, act: acts.Erase) -> None:
        asked = {*act.events}
        if not asked:
            raise UsageError("negotiation.nothing-to-erase")
        for event in self._talk.events:
            name = "" if event.fact is None else event.fact.name
            if event.number in asked and not may_be_forgotten(self.state, name, with_request=1 in asked):
                is_over = self.state.name in OVER and self.state.name != "available"
                raise UsageError(f"negotiation.{'ending-stays' if is_over else 'not-erasable'}", number=event.number)
        unknown = asked - {event.number for event in self._talk.events}
        if unknown:
            raise UsageError("negotiation.no-such-event", number=min(unknown))

    def _by_system(self, process: int, fact: Fact) -> State:
        return self._tell(SYSTEM, process, fact)

    def _tell(self, actor: Actor, process: int, fact: Fact) -> State:
        event = self._event(actor, process, fact)
        self._new.append(event)
        self.state = self.state.after(event)
        return self.state

    def _event(self, actor: Actor, process: int, fact: Fact) -> Event:
        before = self._new[-1] if self._new else self._talk.events[-1]
        return Event.following(before, self._talk.clock(), actor, process, fact)


_PROCESSES: dict[type[Act], int] = {
    acts.Prepare: 2,
    acts.Accept: 5,
    acts.CarryOut: 6,
    acts.Waive: 7,
    acts.AskDiversity: 7,
    acts.GiveSynonyms: 10,
    acts.SendMetrics: 12,
    acts.Review: 13,
    acts.MakeAvailable: 15,
    acts.RecordVisit: 15,
    acts.Revoke: 15,
}
"""The process of acts that is not that of the state in which they are done."""


def _forgotten(events: Iterable[Event], numbers: Collection[int]) -> Iterator[Event]:
    return (event.forgotten if event.number in numbers else event for event in events)


def _to_the_second(moment: datetime | None) -> str:
    return "" if moment is None else moment.astimezone(UTC).replace(microsecond=0).isoformat()


def _folder(given: str | Path | None) -> Path | None:
    return None if given is None else Path(given)


def _now() -> datetime:
    return datetime.now(UTC)


def _new_folder(home: Path) -> Path:
    """The next free number in ``home``, for its owner alone."""
    with in_sentences(home):
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        taken = [int(path.name) for path in home.iterdir() if path.name.isdigit()]
        number = max(taken, default=0) + 1
        while True:
            try:
                (home / f"{number:04}").mkdir(mode=0o700)
                return home / f"{number:04}"
            except FileExistsError:
                number += 1


def _with_public_reason(act: Act) -> Act:
    """What public files will say of a waiver or an override, where nothing else is told: never the reason itself."""
    if isinstance(act, acts.Waive | acts.Override) and not act.public_reason:
        return replace(act, public_reason=text("negotiation.reason-kept"))
    return act


_SENT = (findings.BlockingSent, findings.RecordsProtected)
"""What the requester is sent of a check of groups."""


def _measured_for(state: State) -> str:
    """What a list of groups is measured for: manipulations and TG, with nothing that was agreed on values."""
    plan = plan_of(replace(state, agreement=state.agreement.of_records, diversity_met=False))
    return f"{plan.hash} {state.levels.k}"


def _refuse_amending(talk: Negotiation, request: DataRequest, source_id: str) -> None:
    """Raise where a request is no amendment of ``talk``: by somebody else, of another table, or of no release."""
    if talk.state.name != "available":
        raise UsageError("negotiation.amends-nothing")
    if not request.requester.actor.is_surely(talk.state.asker):
        raise UsageError("negotiation.another-request")
    if source_id != talk.source_id:
        raise UsageError("negotiation.amends-other-source")
