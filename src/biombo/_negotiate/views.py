"""What each who takes part sees of a negotiation. The requester sees what was sent to them, and nothing else."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from biombo._errors import UsageError
from biombo._negotiate import acts, findings
from biombo._negotiate.actors import Actor, ActorRole
from biombo._negotiate.agreed_plan import hierarchies_of, schema_of
from biombo._negotiate.chain import excerpt, is_for_requester
from biombo._negotiate.controls import HANDED_OVER, Way
from biombo._negotiate.event import Event
from biombo._negotiate.facts import plain_fact
from biombo._negotiate.listed_values import without_lists
from biombo._negotiate.offer import Obstacle, Offer
from biombo._negotiate.rules import StateName, acts_allowed
from biombo._negotiate.state import Levels, State
from biombo._negotiate.words import Word
from biombo._plan import Operation


@dataclass(frozen=True)
class Turn:
    """Whose turn it is, until when, and what they may do."""

    state: StateName
    process: int
    owner: ActorRole | None
    due: datetime | None
    may: tuple[str, ...]
    """What the viewer may do now."""


@dataclass(frozen=True)
class Said:
    """One thing that was said or done, for a list of what happened."""

    number: int
    at: datetime
    role: str
    process: int
    act: str
    content: Mapping[str, Any]


@dataclass(frozen=True)
class RequesterView:
    """Everything that a requester ever sees: made of what was sent to them, from no number of the original."""

    turn: Turn
    levels: Levels
    columns: Mapping[str, str | None]
    """For each label of the request its column; ``None``: not available."""
    blocking: tuple[Mapping[str, Any], ...]
    """List 4, the last that was sent."""
    values: Mapping[str, Any]
    """List 9: values that fewer than TG people have are never in it."""
    suggested: tuple[Operation, ...]
    question: acts.Propose | acts.SetCondition | None
    plans: tuple[Mapping[str, Any], ...]
    metrics: Mapping[str, Any]
    measurements_left: int
    terms: str
    """The SHA-256 of the terms to accept."""
    way: Way | None
    """How the data are made available."""
    release: Path | None
    """The folder of the release, once it is available by a way that hands it over."""
    said: tuple[Said, ...]
    head: str
    """The hash of the last event: noting it proves later that nothing was taken away."""


@dataclass(frozen=True)
class ManagerView:
    """What managers see: everything. Auditors and the committee see it too, and change nothing of it."""

    turn: Turn
    state: State
    obstacles: tuple[Obstacle, ...]
    """What stands in the way of TG, exactly."""
    values: Mapping[str, Any]
    """Groups below QMASG, exactly."""
    offers: tuple[Offer, ...]
    said: tuple[Said, ...]
    head: str


def view_of_requester(
    state: State, events: Sequence[Event], turn: Turn, *, left: int, terms: str, released: Path | None
) -> RequesterView:
    """Built from the events that the requester has the salts of."""
    shown = [event for event in excerpt(events) if event.fact is not None]
    prepared = _last(shown, findings.Prepared)
    is_listed = state.name in ("synonyms", "rewording") and not (state.values is not None and state.values.silent)
    sent = _last(shown, findings.ValuesSent) if is_listed else None
    blocking = _last(shown, findings.BlockingSent)
    plans, metrics = _last(shown, findings.PlansSent), _last(shown, findings.MetricsSent)
    return RequesterView(
        turn=turn,
        levels=state.levels,
        columns={} if prepared is None else prepared.columns,
        blocking=() if blocking is None else blocking.obstacles,
        values={} if sent is None else sent.values,
        suggested=state.suggested,
        question=state.question,
        plans=() if plans is None else tuple(_plan_worded(each, state) for each in plans.plans),
        metrics={} if metrics is None or state.metrics is None else metrics.metrics,
        measurements_left=left,
        terms=terms,
        way=state.way if released is not None else None,
        release=released if state.way in HANDED_OVER else None,
        said=tuple(
            replace(each, content=without_lists(each.content)) for each in _said(filter(is_for_requester, events))
        ),
        head=events[-1].hash,
    )


def view_of_manager(state: State, events: Sequence[Event], turn: Turn, viewer: Actor) -> ManagerView:
    """Everything; of the committee's votes only one's own until all are in."""
    obstacles = () if state.records is None else tuple(_obstacle(each) for each in state.records.obstacles)
    shown = [event for event in events if not _is_secret_vote(event, events, viewer)]
    values = {} if state.values is None else state.values.columns
    if not any(isinstance(event.fact, findings.VotesCounted) for event in _since_report(events)):
        own = [
            each
            for each in zip(state.votes.items(), state.voters, strict=True)
            if viewer.role == "committee" and each[1].is_surely(viewer)
        ]
        state = replace(state, votes=dict(vote for vote, _ in own), voters=tuple(voter for _, voter in own))
    return ManagerView(turn, state, obstacles, values, state.offers, tuple(_said(shown)), events[-1].hash)


def chain_for(events: Sequence[Event], viewer: Actor) -> list[Event]:
    """The whole chain, with the content of what ``viewer`` may see: votes of others are held back until they are
    counted.
    """
    if viewer.role == "requester":
        return excerpt(events)
    return [event.forgotten if _is_secret_vote(event, events, viewer) else event for event in events]


def refuse_viewer(viewer: Actor, state: State) -> None:
    """Raise where somebody may see nothing of it."""
    if not isinstance(viewer, Actor):
        raise UsageError("negotiation.not-an-act")
    refuse_stranger(viewer, state)
    if viewer.role in ("administrator", "system"):
        raise UsageError("negotiation.no-view", role=Word("role", viewer.role))


def refuse_stranger(actor: Actor, state: State) -> None:
    """Raise where somebody asks in the name of somebody else, or takes another part in what they asked for."""
    if state.is_forgotten:
        if actor.role == "requester":
            raise UsageError("negotiation.forgotten")
        return
    if actor.role == "requester" and not actor.is_surely(state.asker):
        raise UsageError("negotiation.another-request")
    if actor.role != "requester" and actor.may_be(state.asker):
        raise UsageError("negotiation.own-request")


def turn_of(state: State, due: datetime | None, viewer: Actor) -> Turn:
    """Whose turn it is, and what ``viewer`` may do."""
    return Turn(state.name, state.stand.process, state.stand.owner, due, acts_allowed(state.name, viewer.role))


def _last(events: Iterable[Event], kind: type) -> Any:
    found = [event.fact for event in events if isinstance(event.fact, kind)]
    return found[-1] if found else None


def _plan_worded(plan: Mapping[str, Any], state: State) -> dict[str, Any]:
    """A plan that was sent, with its levels in the language in use, whoever asked for it."""
    if state.preparation is None:  # which was erased
        return dict(plan)
    hierarchies = hierarchies_of(schema_of(state))
    levels = {column: level for column, level in plan["levels"].items() if column in plan["labels"]}
    trees = {column: hierarchies[column].with_top() for column in levels}
    labels = {column: trees[column].level_told(min(level, trees[column].height)) for column, level in levels.items()}
    return {**plan, "labels": labels}


def _obstacle(tree: Mapping[str, Any]) -> Obstacle:
    return Obstacle(**{**tree, "columns": tuple(tree["columns"])})


def _is_secret_vote(event: Event, events: Sequence[Event], viewer: Actor) -> bool:
    """Is it a vote of somebody else that has not been counted yet?"""
    own = event.actor is not None and viewer.role == event.role and viewer.is_surely(event.actor)
    if not isinstance(event.fact, acts.Vote) or own:
        return False
    return not any(each.number > event.number and isinstance(each.fact, findings.VotesCounted) for each in events)


def _since_report(events: Sequence[Event]) -> Sequence[Event]:
    """What happened since the last report was written."""
    written = [place for place, event in enumerate(events) if isinstance(event.fact, findings.ReportWritten)]
    return events[written[-1] :] if written else ()


def _said(events: Iterable[Event]) -> Iterable[Said]:
    for event in events:
        if event.fact is not None:
            ((name, content),) = plain_fact(event.fact).items()
            yield Said(event.number, event.at, event.role, event.process, name, content)
