"""A negotiation in words, for the private report: who asked, what was said and done, offered, waived and voted."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from math import ceil, log10
from typing import Any

from biombo._i18n import integer, percent, text, text_or
from biombo._negotiate import acts, findings
from biombo._negotiate.event import Event
from biombo._negotiate.facts import Fact
from biombo._negotiate.offer import Offer
from biombo._negotiate.request import DataRequest
from biombo._negotiate.state import State
from biombo._negotiate.words import Word
from biombo._plan import Generalise, Operation, short
from biombo._report import DialogueStep, DialogueVote, DialogueWaiver, OfferFact, RequestedFact

_FEW_DIGITS = 12
"""So much of a hash tells one from another."""
_TINY = 1e-9


def dialogue_of(state: State, events: Sequence[Event]) -> RequestedFact:
    """What ``events`` say, and the ``state`` that they lead to, in the language in use. Private.

    Votes that are not counted yet are not told: nobody of the committee sees those of the others before all are in.
    """
    counted = max((event.number for event in events if isinstance(event.fact, findings.VotesCounted)), default=0)
    return RequestedFact(
        requester=tuple(_requester(state.request)),
        department=state.department,
        purpose=state.request.purpose,
        steps=tuple(_step(event, secret=event.number > counted) for event in events),
        offers=tuple(map(_offer, state.offers)),
        waived=tuple(_waived(state)),
        votes=tuple(_votes(event for event in events if event.number < counted)),
    )


def sentence_of(fact: Fact) -> str:
    """What happened, as one sentence in the language in use: what it is, and its entries as far as they say something.

    >>> sentence_of(acts.Propose(k=3, message="Too few records would be left."))
    'Proposed other levels of protection: TG 3; message “Too few records would be left.”.'
    """
    ending = _ENDINGS.get(type(fact), _no_ending)(fact)
    return _sentence(f"{fact.name}{ending}", _OWN.get(type(fact), _entries)(fact))


def operation_told(operation: Operation) -> str:
    """A manipulation as somebody asked for it, in the language in use: which columns, what, and how far.

    >>> from biombo._plan import Round
    >>> operation_told(Round("income", 500))
    'income: rounding (base 500)'
    """
    said = f"{_all(operation.columns or operation.removes)}: {operation.title}"
    parameters = ", ".join(_parameters(operation))
    return f"{said} ({parameters})" if parameters else said


def _requester(request: DataRequest) -> Iterator[tuple[str, str]]:
    who = request.requester
    yield _told("requester.name"), who.name
    yield _told("requester.kind"), text(f"terms.party.{who.kind}")
    yield _told("requester.document"), f"{who.document_type} {who.document}"
    yield _told("requester.address"), who.address
    if who.attachments:
        yield _told("requester.attachments"), _pairs(who.attachments)


def _step(event: Event, *, secret: bool) -> DialogueStep:
    return DialogueStep(event.process, event.at, _who(event), _said(event.fact, secret=secret))


def _said(fact: Fact | None, *, secret: bool) -> str:
    if fact is None:
        return _sentence("erased", ())
    return _sentence("vote-secret", ()) if secret and isinstance(fact, acts.Vote) else sentence_of(fact)


def _who(event: Event) -> str:
    role = _role(event.role)
    return role if event.actor is None else f"{event.actor.name} ({role})"


def _role(role: str) -> str:
    return str(Word("role", role))


def _offer(offer: Offer) -> OfferFact:
    measured = offer.measured
    return OfferFact(
        number=offer.number,
        k=offer.k,
        l=offer.l,
        epsilon=offer.epsilon,
        groups_below=measured.groups_below,
        singled_out=measured.singled_out,
        lost=measured.lost,
        posterior=measured.posterior,
        allowed=offer.allowed,
        asked=tuple((what, _role(who)) for what, who in offer.asked_by),
    )


def _waived(state: State) -> Iterator[DialogueWaiver]:
    """What is waived in the end; a waiver that was void later is among the steps."""
    waived = state.agreement.waived
    if waived is not None:
        values = tuple(_sensitivities(waived.values))
        yield DialogueWaiver(_entry("l", integer(waived.l)), state.agreement.waived_by, waived.reason, values)


def _votes(events: Iterable[Event]) -> Iterator[DialogueVote]:
    for event in events:
        if isinstance(event.fact, acts.Vote):
            yield DialogueVote(_who(event), event.fact.approve, event.fact.reason)


# Sentences


def _told(key: str, **values: Any) -> str:
    return text(f"negotiation.dialogue.{key}", **values)


def _sentence(head: str, entries: Iterable[str]) -> str:
    said = "; ".join(entries)
    return f"{_told(f'head.{head}')}: {said}." if said else f"{_told(f'head.{head}')}."


def _entry(name: str, value: str) -> str:
    return _told(f"entry.{name}", value=value)


def _entries(fact: Fact) -> Iterator[str]:
    """The entries of a fact that say something, in the order of ``_WORDED``."""
    own = {field.name for field in fields(fact)}
    for name, worded in _WORDED.items():
        value = getattr(fact, name) if name in own else None
        if value:
            yield _entry(name, worded(value))


# Beginnings of sentences that depend on what was said or found


def _no_ending(fact: Fact) -> str:  # noqa: ARG001
    return ""


def _yes_or_no(entry: str) -> Callable[[Fact], str]:
    return lambda fact: "-yes" if getattr(fact, entry) else "-no"


def _found(fact: findings.RecordsChecked | findings.ValuesChecked) -> str:
    if isinstance(fact, findings.RecordsChecked) and fact.noised and not fact.obstacles:
        return "-unchecked"
    return "-noised" if fact.noised else _yes_or_no("holds")(fact)


def _how(*known: str, otherwise: str) -> Callable[[Any], str]:
    return lambda fact: f"-{fact.how if fact.how in known else otherwise}"


_ENDINGS: Mapping[type[Fact], Callable[[Any], str]] = {
    acts.DecideAppeal: _yes_or_no("granted"),
    acts.Answer: _yes_or_no("accepted"),
    acts.Review: _yes_or_no("accepted"),
    acts.Vote: _yes_or_no("approve"),
    findings.RecordsChecked: _found,
    findings.RecordsProtected: _how("groups", otherwise="noise"),
    findings.ValuesChecked: _found,
    findings.ValuesProtected: _how("values", "waived", "noise", otherwise="untold"),
    findings.VotesCounted: _yes_or_no("approved"),
}


# Entries


def _all(names: Iterable[Any]) -> str:
    return ", ".join(map(str, names)) or "–"


def _value(value: Any) -> str:
    return " / ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _pairs(entries: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}: {_value(value)}" for name, value in entries.items())


def _columns(columns: Mapping[str, Any]) -> str:
    missing = _told("not-available")
    return ", ".join(f"{label} → {missing if column is None else column}" for label, column in columns.items())


def _operations(operations: Sequence[Operation]) -> str:
    return ", ".join(map(operation_told, operations))


def _parameters(operation: Operation) -> Iterator[str]:
    if isinstance(operation, Generalise):
        hierarchy, level = operation.hierarchy, operation.level
        called, numbers = hierarchy.level_told(level), {"level": level, "height": hierarchy.height}
        yield called if called == text("hierarchy.level.nth", **numbers) else _told("level", called=called, **numbers)
        return
    ((_, entries),) = operation.to_tree().items()
    for name, value in entries.items():
        if name not in ("column", "columns"):
            yield f"{name} {_value(value)}"


def _synonyms(synonyms: Mapping[str, Any]) -> str:
    given = [(column, value, words) for column, values in synonyms.items() for value, words in values.items()]
    return ", ".join(f"{column}: {value} → {_value(words)}" for column, value, words in given)


def _sensitivities(values: Mapping[str, Any]) -> Iterator[str]:
    for column, each in values.items():
        for value, how in each.items():
            yield f"{column}: {value} ({text_or(str(how), f'criteria.sensitivity.{how}')})"


def _in_detail(share: float) -> str:
    return percent(share, 2)


def _share(precision: int) -> Callable[[float], str]:
    """Shares as requesters are told them, no more exactly than they are: what is told as none may be a few."""
    step = 2 / precision
    digits = max(0, ceil(-log10(100 * step) - _TINY))
    few = percent(step, digits)
    return lambda share: percent(share, digits) if share >= step / 2 else _told("less-than", share=few)


def _measures(
    metrics: Mapping[str, Any], share: Callable[[float], str] = percent, of_models: Callable[[float], str] = _in_detail
) -> str:
    shares = {name: metrics.get(name) for name in ("completeness", "precision", "loss")}
    told = [f"{text(f'utility.measures.{name}')} {share(each)}" for name, each in shares.items() if each is not None]
    accuracy = metrics.get("accuracy") or {}
    if accuracy.get("original") is not None and accuracy.get("release") is not None:
        found = {name: of_models(accuracy[name]) for name in ("original", "release")}
        told.append(_told("accuracy", target=metrics.get("predict") or "–", **found))
    return ", ".join(told) or _told("not-told")


_WORDED: Mapping[str, Callable[[Any], str]] = {
    "columns": _columns,
    "quasi": _all,
    "sensitive": _all,
    "where": _pairs,
    "manipulations": _operations,
    "k": integer,
    "l": integer,
    "epsilon": lambda epsilon: short(epsilon, 9),
    "max_suppression": percent,
    "weights": _pairs,
    "bounds": _pairs,
    "synonyms": _synonyms,
    "metrics": _measures,
    "department": str,
    "way": lambda way: str(Word("way", way)),
    "visitor": str,
    "day": str,
    "place": str,
    "watched_by": str,
    "title": str,
    "accept": _pairs,
    "release": str,
    "records": integer,
    "of": integer,
    "plan_hash": lambda found: found[:_FEW_DIGITS],
    "terms": str,
    "events": _all,
    "due": str,
    "attachments": _pairs,
    "text": str,
    "reason": str,
    "message": str,
}
"""How an entry is told, whatever fact has it; entries that are not here are not told."""


# Facts whose entries are no texts, or mean something else than those of others


def _asked(fact: acts.Ask) -> Iterator[str]:
    asked = fact.asked
    yield _entry("wanted", _pairs(asked.wanted))
    yield _entry("dimension", _told(f"dimension.{asked.dimension}"))
    if asked.selection:
        yield _entry("selection", asked.selection)
    if fact.received_at is not None:
        yield _entry("received", fact.received_at.date().isoformat())


def _prepared(fact: acts.Prepare) -> Iterator[str]:
    schema = fact.declared
    yield _entry("quasi", _all(schema.quasi))
    yield _entry("sensitive", _all(schema.sensitive))
    yield from _entries(fact)


def _waiving(fact: acts.Waive) -> Iterator[str]:
    yield _entry("l", integer(fact.l))
    if fact.values:
        yield _entry("values", _all(_sensitivities(fact.values)))
    yield _entry("reason", fact.reason)


def _offered(fact: findings.Offered) -> Iterator[str]:
    offer = Offer.from_tree(fact.offer)
    yield _entry("offer", integer(offer.number))
    yield _entry("plan_hash", offer.plan_hash[:_FEW_DIGITS])
    yield _entry("groups_below", integer(offer.measured.groups_below))
    yield _entry("singled_out", integer(offer.measured.singled_out))
    yield _entry("lost", integer(offer.measured.lost))


def _plans(fact: findings.PlansFound | findings.PlansSent) -> Iterator[str]:
    yield _told("plans", plans=len(fact.plans))


def _obstacles(fact: findings.RecordsChecked) -> Iterator[str]:
    """By all quasi columns together; those of each alone are in the chain."""
    for together in fact.obstacles[-1:]:
        if not together["groups"]:
            return
        yield _entry("groups_below" if fact.holds else "groups", integer(together["groups"]))
        yield _entry("records_below", integer(together["records"]))
        yield _entry("singled_out", integer(together["singled_out"]))


def _blocking(fact: findings.BlockingSent) -> Iterator[str]:
    share = _share(fact.precision)
    for each in fact.obstacles:
        columns = " + ".join(each["columns"])
        yield columns if each["below"] is None else f"{columns} {share(each['below'])}"


def _unique(fact: findings.RecordsProtected) -> Iterator[str]:
    if fact.still_unique:
        share = fact.still_unique.get("share")
        yield _entry("still_unique", _told("not-told") if share is None else _share(fact.precision)(share))


def _sent(fact: findings.MetricsSent) -> Iterator[str]:
    share = _share(fact.precision)
    yield _entry("metrics", _measures(fact.metrics, share, share))


def _uniform(fact: findings.ValuesChecked) -> Iterator[str]:
    for column, each in fact.columns.items():
        if each["groups"]:
            yield _told("uniform", column=column, groups=each["groups"], records=each["records"])
    if fact.silent:
        yield _told("silent")


def _listed(fact: findings.ValuesSent) -> Iterator[str]:
    yield from (f"{column}: {_all(values)}" for column, values in fact.values.items())


_OWN: Mapping[type[Fact], Callable[[Any], Iterator[str]]] = {
    acts.Ask: _asked,
    acts.Prepare: _prepared,
    acts.Waive: _waiving,
    findings.Offered: _offered,
    findings.RecordsChecked: _obstacles,
    findings.BlockingSent: _blocking,
    findings.RecordsProtected: _unique,
    findings.MetricsSent: _sent,
    findings.ValuesChecked: _uniform,
    findings.ValuesSent: _listed,
    findings.PlansFound: _plans,
    findings.PlansSent: _plans,
}
