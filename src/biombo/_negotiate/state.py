"""The state of a negotiation: what its events make of it, and nothing else."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from biombo._errors import InputError
from biombo._negotiate import acts, findings
from biombo._negotiate.actors import Actor
from biombo._negotiate.controls import Way
from biombo._negotiate.event import Event
from biombo._negotiate.facts import Fact
from biombo._negotiate.offer import Offer
from biombo._negotiate.request import FORGOTTEN, DataRequest
from biombo._negotiate.rules import OVER, STANDS, Stand, StateName
from biombo._plan import Operation


@dataclass(frozen=True)
class Levels:
    """How much protection is asked for: TG, QMASG and ε."""

    k: int | None = None
    l: int | None = None  # noqa: E741
    epsilon: float | None = None

    def changed(self, k: int | None, l: int | None, epsilon: float | None) -> "Levels":  # noqa: E741
        """With those that are given anew."""
        return Levels(
            self.k if k is None else k, self.l if l is None else l, self.epsilon if epsilon is None else epsilon
        )


@dataclass(frozen=True)
class Agreement:
    """What was accepted so far, from which the plan follows."""

    manipulations: tuple[Operation, ...] = ()
    asked_by: tuple[str, ...] = ()
    """For each manipulation: ``requester``, or ``manager`` where the manager had suggested it before."""
    max_suppression: float = 0.0
    noised_groups: bool = False
    """Do the groups that are still below TG get noise?"""
    synonyms: Mapping[str, Any] = field(default_factory=dict)
    noised_values: bool = False
    """Do the values of groups that still have fewer than QMASG get noise?"""
    waived: acts.Waive | None = None
    waived_by: str = ""

    @property
    def of_records(self) -> "Agreement":
        """Without what was agreed on sensitive values: once groups change, that is void."""
        return Agreement(self.manipulations, self.asked_by, self.max_suppression)


@dataclass(frozen=True)
class State:
    """How far a negotiation is."""

    name: StateName
    request: DataRequest
    requester: str
    began: datetime
    since: datetime
    """When this state was reached."""
    preparation: acts.Prepare | None = None
    levels: Levels = Levels()
    strictest: int = acts.FEWEST
    """The highest TG that was ever set: what the requester reads is safe for it."""
    agreement: Agreement = Agreement()
    suggested: tuple[Operation, ...] = ()
    """What the manager suggested last."""
    question: acts.Propose | acts.SetCondition | None = None
    """What waits for an answer."""
    rounds: int = 0
    """Rounds of processes 4 to 6."""
    value_rounds: int = 0
    """Rounds of processes 9 to 11."""
    diversity_met: bool = False
    values_told: bool = False
    """Was the requester told what a check of values found, for groups as they were then?"""
    offers: tuple[Offer, ...] = ()
    records: findings.RecordsChecked | None = None
    values: findings.ValuesChecked | None = None
    listed: Mapping[str, Any] = field(default_factory=dict)
    """The values of list 9 that the requester was sent, by column."""
    metrics: findings.MetricsMeasured | None = None
    joints: tuple[findings.JointRiskMeasured, ...] = ()
    """With the release that it starts from, and with each that it amends or that amends the same."""
    report: findings.ReportWritten | None = None
    department: str = ""
    override: str | None = None
    public_override: str | None = None
    """What public files say of it."""
    terms: str | None = None
    way: Way | None = None
    """How the data were made available."""
    visits: tuple[acts.RecordVisit, ...] = ()
    """On site."""
    votes: Mapping[str, bool] = field(default_factory=dict)
    extended: bool = False
    rejected_in: StateName | None = None
    rejected_by: str = ""
    refuser: Actor | None = None
    """Who refused it last."""
    voters: tuple[Actor, ...] = ()
    """Who voted, in the order of ``votes``."""
    managers: tuple[Actor, ...] = ()
    """Who has acted as its manager."""

    @property
    def joint(self) -> findings.JointRiskMeasured | None:
        """The first: with the release that it starts from, where there is one."""
        return self.joints[0] if self.joints else None

    @property
    def asker(self) -> Actor:
        """Who asked for the data."""
        return self.request.requester.actor

    @property
    def is_forgotten(self) -> bool:
        """Was the request erased? What is left of the negotiation is about nobody."""
        return self.request is FORGOTTEN

    @property
    def epsilon(self) -> float | None:
        """ε, where the release can have noise at all: in the dimension ``truth`` none is spent, whatever was set."""
        return None if self.request.dimension == "truth" and not self.is_forgotten else self.levels.epsilon

    @property
    def stand(self) -> Stand:
        """Its process, and whose turn it is."""
        return STANDS[self.name]

    @property
    def offer(self) -> Offer | None:
        """The last one."""
        return self.offers[-1] if self.offers else None

    @classmethod
    def of(cls, events: Iterable[Event]) -> "State":
        """What all ``events`` make of it."""
        state: State | None = None
        for event in events:
            state = _begun(event) if state is None else state.after(event)
        if state is None:
            raise InputError("negotiation.no-event")
        if state.is_forgotten and state.name not in OVER:
            return replace(state, name="withdrawn")  # else nothing is forgotten before it is over
        return state

    def after(self, event: Event) -> "State":
        """The state once ``event`` has happened; one whose content was erased changes nothing."""
        if event.fact is None:
            return self
        changed = _CHANGES.get(type(event.fact), _nothing)(self, event, event.fact)
        if event.role == "manager" and event.actor is not None and event.actor not in self.managers:
            changed = replace(changed, managers=(*self.managers, event.actor))
        return changed if changed.name == self.name else replace(changed, since=event.at)


def _begun(event: Event) -> State:
    if event.fact is None:
        return State("requested", FORGOTTEN, FORGOTTEN.requester.name, event.at, event.at)
    if not isinstance(event.fact, acts.Ask) or event.actor is None:
        raise InputError("negotiation.no-beginning")
    began = min(event.at, event.fact.received_at or event.at)
    return State("requested", event.fact.asked, event.actor.name, began, event.at)


def _nothing(state: State, event: Event, fact: Any) -> State:  # noqa: ARG001
    return state


def _to(name: StateName) -> Callable[[State, Event, Any], State]:
    """A change of state alone."""
    return lambda state, _event, _fact: replace(state, name=name)


def _prepared(state: State, event: Event, fact: acts.Prepare) -> State:  # noqa: ARG001
    levels = Levels(fact.k, None, fact.epsilon)
    return replace(_with_levels(state, levels), name="record-check", preparation=fact)


def _with_levels(state: State, levels: Levels) -> State:
    return replace(state, levels=levels, strictest=max(state.strictest, levels.k or 0))


def _accepted(state: State, event: Event, fact: acts.Accept) -> State:  # noqa: ARG001
    asked_by = tuple("manager" if each in state.suggested else "requester" for each in fact.manipulations)
    agreement = Agreement(fact.manipulations, asked_by, fact.max_suppression)
    return replace(state, name="applying", agreement=agreement, question=None)


def _proposed(state: State, event: Event, fact: acts.Propose) -> State:  # noqa: ARG001
    return replace(state, name="rewording" if state.name == "synonyms" else "applying", question=fact)


def _carried_out(state: State, event: Event, fact: acts.CarryOut) -> State:  # noqa: ARG001
    changed = _with_levels(state, state.levels.changed(fact.k, fact.l, fact.epsilon))
    if state.name == "rewording":
        return replace(changed, name="value-check", value_rounds=state.value_rounds + 1, question=None)
    return replace(changed, name="record-check", rounds=state.rounds + 1, question=None)


def _suggested(state: State, event: Event, fact: acts.Suggest) -> State:  # noqa: ARG001
    return replace(_unprotected_values(state), name="manipulations", suggested=fact.manipulations, question=None)


def _declined(state: State, event: Event, fact: acts.Decline) -> State:  # noqa: ARG001
    if state.name == "rewording":
        return replace(state, name="synonyms", agreement=replace(state.agreement, synonyms={}), question=None)
    void = Agreement() if state.question is None else state.agreement  # a proposal alone was declined
    return replace(state, name="manipulations", agreement=void, question=None)


def _conditioned(state: State, event: Event, fact: acts.SetCondition) -> State:  # noqa: ARG001
    return replace(state, name="condition", question=fact)


def _answered(state: State, event: Event, fact: acts.Answer) -> State:  # noqa: ARG001
    if not fact.accepted or not isinstance(state.question, acts.SetCondition):
        return replace(state, name="applying", question=None)
    agreement = replace(state.agreement, max_suppression=state.question.max_suppression)
    levels = state.levels.changed(state.question.k, None, None)
    return replace(_with_levels(state, levels), name="applying", agreement=agreement, question=None)


def _records_checked(state: State, event: Event, fact: findings.RecordsChecked) -> State:  # noqa: ARG001
    done = fact.holds or fact.noised
    agreement = replace(state.agreement.of_records, noised_groups=fact.noised)
    changed = replace(_unprotected_values(state), agreement=agreement, records=fact)
    return replace(changed, name="diversity" if done else "manipulations")


def _unprotected_values(state: State) -> State:
    """What was agreed on values, and measured, is void: groups will change."""
    return replace(
        state,
        values_told=state.values_told or state.values is not None,
        agreement=state.agreement.of_records,
        levels=replace(state.levels, l=None),
        value_rounds=0,
        diversity_met=False,
        values=None,
        listed={},
        override=None,
        public_override=None,
        metrics=None,
        joints=(),
        report=None,
        votes={},
        voters=(),
    )


def _diversity_asked(state: State, event: Event, fact: acts.AskDiversity) -> State:  # noqa: ARG001
    return replace(state, name="value-check", levels=replace(state.levels, l=fact.l))


def _values_checked(state: State, event: Event, fact: findings.ValuesChecked) -> State:  # noqa: ARG001
    agreement = replace(state.agreement, noised_values=fact.noised)
    done, seen = fact.holds or fact.noised, state.values is not None and state.values.silent
    if state.name == "utility":  # told once more, where it was waived
        return state
    changed = replace(state, agreement=agreement, values=fact, diversity_met=fact.holds)
    if fact.silent:
        return replace(changed, name="utility" if seen and done else "rewording")
    return replace(changed, name="utility" if done else "synonyms")


def _values_sent(state: State, event: Event, fact: findings.ValuesSent) -> State:  # noqa: ARG001
    return replace(state, listed=fact.values)


def _synonyms(state: State, event: Event, fact: acts.GiveSynonyms) -> State:  # noqa: ARG001
    agreement = replace(state.agreement, synonyms=_joined(state.agreement.synonyms, fact.synonyms))
    return replace(state, name="rewording", agreement=agreement, question=None)


def _joined(before: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Synonyms by column; those of a value that are given anew replace the old ones."""
    return {column: {**before.get(column, {}), **given.get(column, {})} for column in dict.fromkeys([*before, *given])}


def _waived(state: State, event: Event, fact: acts.Waive) -> State:
    by = event.actor.name if event.actor is not None else ""
    agreement, levels = replace(state.agreement, waived=fact, waived_by=by), replace(state.levels, l=fact.l)
    return replace(state, name="utility", agreement=agreement, levels=levels, question=None, diversity_met=False)


def _offered(state: State, event: Event, fact: findings.Offered) -> State:  # noqa: ARG001
    return replace(state, offers=(*state.offers, Offer.from_tree(fact.offer)))


def _metrics(state: State, event: Event, fact: findings.MetricsMeasured) -> State:  # noqa: ARG001
    return replace(state, metrics=fact)


def _reviewed(state: State, event: Event, fact: acts.Review) -> State:  # noqa: ARG001
    if fact.accepted:
        return replace(state, name="report")
    noise_alone = state.request.dimension == "structure"
    return replace(_unprotected_values(state), name="applying" if noise_alone else "manipulations")


def _joint(state: State, event: Event, fact: findings.JointRiskMeasured) -> State:  # noqa: ARG001
    return replace(state, joints=(*state.joints, fact))


def _report_asked(state: State, event: Event, fact: acts.WriteReport) -> State:  # noqa: ARG001
    return replace(state, department=fact.department, votes={}, voters=(), joints=())


def _reported(state: State, event: Event, fact: findings.ReportWritten) -> State:  # noqa: ARG001
    return replace(state, name="vote" if fact.asks_committee else "ready", report=fact)


def _voted(state: State, event: Event, fact: acts.Vote) -> State:
    voter = event.actor or Actor("committee", f"#{event.number}")
    who = voter.name if voter.name not in state.votes else f"{voter.name} ({voter.id})"
    return replace(state, votes={**state.votes, who: fact.approve}, voters=(*state.voters, voter))


def _counted(state: State, event: Event, fact: findings.VotesCounted) -> State:  # noqa: ARG001
    return replace(state, name="ready") if fact.approved else replace(state, name="report", votes={}, voters=())


def _rejected(state: State, event: Event, fact: acts.Reject) -> State:  # noqa: ARG001
    by = event.actor.name if event.actor is not None else ""
    return replace(state, name="rejected", rejected_in=state.name, rejected_by=by, refuser=event.actor)


def _appeal_decided(state: State, event: Event, fact: acts.DecideAppeal) -> State:  # noqa: ARG001
    return replace(state, name=(state.rejected_in or "requested") if fact.granted else "refused")


def _expired(state: State, event: Event, fact: findings.Expired) -> State:  # noqa: ARG001
    return replace(state, name="refused" if state.name == "rejected" else "expired")


_CHANGES: Mapping[type[Fact], Callable[[State, Event, Any], State]] = {
    acts.AskForMore: _to("supplement"),
    acts.Supplement: _to("requested"),
    acts.Extend: lambda state, _event, _fact: replace(state, extended=True),
    acts.Prepare: _prepared,
    acts.Accept: _accepted,
    acts.Propose: _proposed,
    acts.CarryOut: _carried_out,
    acts.Suggest: _suggested,
    acts.Decline: _declined,
    acts.SetCondition: _conditioned,
    acts.Answer: _answered,
    acts.Override: lambda state, _event, fact: replace(
        state, override=fact.reason, public_override=fact.public_reason or fact.reason
    ),
    acts.AskDiversity: _diversity_asked,
    acts.GiveSynonyms: _synonyms,
    acts.Waive: _waived,
    acts.SendMetrics: _to("review"),
    acts.Review: _reviewed,
    acts.WriteReport: _report_asked,
    acts.Vote: _voted,
    acts.MakeAvailable: lambda state, _event, fact: replace(state, name="available", way=fact.way),
    acts.RecordVisit: lambda state, _event, fact: replace(state, visits=(*state.visits, fact)),
    acts.AcceptTerms: lambda state, _event, fact: replace(state, terms=fact.terms),
    acts.Reject: _rejected,
    acts.Appeal: _to("appealed"),
    acts.DecideAppeal: _appeal_decided,
    acts.Withdraw: _to("withdrawn"),
    acts.Revoke: _to("revoked"),
    findings.Offered: _offered,
    findings.RecordsChecked: _records_checked,
    findings.ValuesChecked: _values_checked,
    findings.ValuesSent: _values_sent,
    findings.MetricsMeasured: _metrics,
    findings.JointRiskMeasured: _joint,
    findings.ReportWritten: _reported,
    findings.VotesCounted: _counted,
    findings.Expired: _expired,
}
"""What each fact changes; all others are only told."""
