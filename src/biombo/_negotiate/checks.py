"""What an act must be beside allowed: it fits the request, the table, and what was said before."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from biombo._data import Dataset, check_read_off, written
from biombo._errors import ColumnError, UsageError
from biombo._hierarchy import Hierarchy
from biombo._i18n import text
from biombo._negotiate import acts
from biombo._negotiate.actors import Actor
from biombo._negotiate.agreed_plan import MANIPULATIONS, Mechanisms, prepared, schema_of
from biombo._negotiate.controls import unkept
from biombo._negotiate.facts import Act
from biombo._negotiate.measure import check_declared, check_manipulations
from biombo._negotiate.release_model import model_of
from biombo._negotiate.rules import OVER, permission
from biombo._negotiate.source import NegotiatedSource, check_labels
from biombo._negotiate.state import State
from biombo._negotiate.views import refuse_stranger
from biombo._negotiate.words import Word
from biombo._plan import Generalise

_FEWEST_SYNONYMS = 2
_ERASABLE = ("message", "note")
"""What may be forgotten before a negotiation is over: no state depends on it."""
_ENDINGS = ("expired", "revoke", "reject", "decide-appeal", "make-available", "erase")
"""What is never forgotten: how it ended, and that something was forgotten."""


def check_act(state: State, actor: Actor, act: Act, source: NegotiatedSource) -> None:
    """Raise where ``actor`` may not do so now, or the act makes no sense."""
    _refuse_not_allowed(state, actor, act)
    check = _CHECKS.get(type(act))
    if check is not None:
        check(state, actor, act, source)


def _refuse_not_allowed(state: State, actor: Actor, act: Act) -> None:
    refuse_stranger(actor, state)
    if permission(state.name, actor.role, act.name) is None:
        named = {"role": Word("role", actor.role), "act": Word("act", act.name), "state": Word("state", state.name)}
        raise UsageError("negotiation.not-allowed", **named)


def _prepare(state: State, actor: Actor, act: acts.Prepare, source: NegotiatedSource) -> None:  # noqa: ARG001
    schema, dimension = act.declared, state.request.dimension
    check_labels(act, state.request.wanted, source.columns, source.table.label)
    source.table.check([*act.described.columns, *act.where])
    mapped = {column for column in act.columns.values() if column is not None}
    for name in schema.columns:
        if name not in mapped and not schema[name].kept_back:
            raise ColumnError("negotiation.not-asked-for", column=name)
    for name in mapped:
        if schema[str(name)].role == "undecided":
            raise ColumnError("negotiation.undecided", column=name)
    if not schema.quasi:
        raise UsageError("negotiation.no-quasi")
    if dimension in ("truth", "hybrid") and act.k is None:
        raise UsageError("negotiation.needs-k", dimension=dimension)
    if dimension in ("structure", "hybrid") and act.epsilon is None:
        raise UsageError("negotiation.needs-epsilon", dimension=dimension)
    for name in schema.quasi if dimension != "structure" else ():
        check_read_off(name, Hierarchy.told(schema[name].hierarchy or Hierarchy.all_or_nothing()), act.described)
    model_of(act)
    for name, days in act.dates.items():
        if not isinstance(days, list | tuple) or len(days) != 2:
            raise ColumnError("negotiation.no-days", column=name)
    if dimension in ("structure", "hybrid"):
        list(Mechanisms(act, schema, {}).all(schema.quasi, act.epsilon or 1))
        list(Mechanisms(act, schema, {}).all(schema.sensitive, act.epsilon or 1))


def _accept(state: State, actor: Actor, act: acts.Accept, source: NegotiatedSource) -> None:  # noqa: ARG001
    if state.request.dimension == "structure" and (act.max_suppression or act.manipulations):
        raise UsageError("negotiation.structure")
    check_manipulations(act.manipulations, schema_of(state), MANIPULATIONS)
    check_declared(act.manipulations, schema_of(state), state.suggested)


def _ask_for_plans(state: State, actor: Actor, act: acts.AskForPlans, source: NegotiatedSource) -> None:  # noqa: ARG001
    quasi = schema_of(state).quasi
    for column in (*act.weights, *act.bounds):
        if column not in quasi:
            raise ColumnError("negotiation.not-quasi", column=column, known=", ".join(quasi))
    for column, weight in act.weights.items():
        if isinstance(weight, bool) or weight not in acts.WEIGHTS:
            raise ColumnError("negotiation.weight", column=column, known=", ".join(map(str, acts.WEIGHTS)))
    if not all(_is_bound(each) for each in act.bounds.values()):
        raise UsageError("negotiation.no-plans")


def _is_bound(told: Any) -> bool:
    """Is it a level, by number or name, or the lowest and the highest?"""
    ends = told if isinstance(told, list | tuple) else (told,)
    return len(ends) <= 2 and all(each is None or type(each) in (int, str) for each in ends)


def _suggest(state: State, actor: Actor, act: acts.Suggest, source: NegotiatedSource) -> None:  # noqa: ARG001
    """What is suggested can be done: the requester could not tell why it is refused."""
    if state.request.dimension == "structure" and act.manipulations:
        raise UsageError("negotiation.structure")
    check_manipulations(act.manipulations, schema_of(state), MANIPULATIONS)
    for operation in act.manipulations:
        if isinstance(operation, Generalise):
            check_read_off(operation.column, operation.hierarchy, prepared(state).described)
    source.check_manipulations(state, act.manipulations)


def _set_condition(state: State, actor: Actor, act: acts.SetCondition, source: NegotiatedSource) -> None:  # noqa: ARG001
    if state.request.dimension == "structure":
        raise UsageError("negotiation.structure")


def _carry_out(state: State, actor: Actor, act: acts.CarryOut, source: NegotiatedSource) -> None:  # noqa: ARG001
    if act.k is not None and state.levels.k is None:
        raise UsageError("negotiation.no-k-here")
    if act.l is not None and state.name != "rewording":
        raise UsageError("negotiation.no-l-here")
    for column, synonyms in state.agreement.synonyms.items() if state.name == "rewording" else ():
        _refuse_values_as_synonyms(column, synonyms, source.workbench(state).data)


def _refuse_values_as_synonyms(column: str, synonyms: Mapping[str, Any], data: Dataset) -> None:
    """A word that is a value of its own would say something false. Told to the manager alone."""
    there = {*written(data[column].values).drop_nulls()}
    for value, words in synonyms.items():
        for word in words:
            if word != value and word in there:
                raise UsageError("negotiation.synonym-is-value", column=column, word=word, value=value)


def _waive(state: State, actor: Actor, act: acts.Waive, source: NegotiatedSource) -> None:  # noqa: ARG001
    for each in source.value_checks_for(state, act.l):
        unseen = [value for value in each.values if value not in act.sensitivities(each.column)]
        if each.groups and unseen:
            raise UsageError("negotiation.unseen-values", column=each.column, values=", ".join(unseen))


def _synonyms(state: State, actor: Actor, act: acts.GiveSynonyms, source: NegotiatedSource) -> None:  # noqa: ARG001
    for column, values in act.synonyms.items():
        if not isinstance(values, Mapping) or column not in state.listed:
            raise UsageError("negotiation.synonyms-shape", column=column)
        listed = state.listed.get(column, ())
        for value, words in values.items():
            if value not in listed:
                raise UsageError("negotiation.not-listed", column=column, value=value)
            listed_words = isinstance(words, list | tuple) and all(isinstance(word, str) for word in words)
            if not listed_words or len({*words} - {value, ""}) < _FEWEST_SYNONYMS:
                raise UsageError("negotiation.few-synonyms", value=value, fewest=_FEWEST_SYNONYMS)


def _decide_appeal(state: State, actor: Actor, act: acts.DecideAppeal, source: NegotiatedSource) -> None:  # noqa: ARG001
    if state.refuser is not None and actor.may_be(state.refuser):
        raise UsageError("negotiation.own-refusal")


def _vote(state: State, actor: Actor, act: acts.Vote, source: NegotiatedSource) -> None:  # noqa: ARG001
    if any(actor.may_be(who) for who in state.voters):
        raise UsageError("negotiation.voted")
    if any(actor.may_be(who) for who in state.managers):
        raise UsageError("negotiation.own-report")


def _make_available(state: State, actor: Actor, act: acts.MakeAvailable, source: NegotiatedSource) -> None:  # noqa: ARG001
    if state.terms is None:
        raise UsageError("negotiation.terms-open")
    lost = unkept(model_of(prepared(state)).controls, act.way)
    if lost and not act.message:
        told = ", ".join(text(f"decision.control.{each}") for each in lost)
        raise UsageError("negotiation.unkept-controls", way=Word("way", act.way), controls=told)


def _record_visit(state: State, actor: Actor, act: acts.RecordVisit, source: NegotiatedSource) -> None:  # noqa: ARG001
    if state.way != "on-site":
        raise UsageError("negotiation.no-visits")
    if act.day > datetime.now(UTC).date() + timedelta(days=1):  # it may be tomorrow somewhere
        raise UsageError("negotiation.visit-ahead")


def _extend(state: State, actor: Actor, act: acts.Extend, source: NegotiatedSource) -> None:  # noqa: ARG001
    if state.extended:
        raise UsageError("negotiation.extended")


_CHECKS: Mapping[type[Act], Callable[[State, Actor, Any, NegotiatedSource], None]] = {
    acts.Prepare: _prepare,
    acts.Accept: _accept,
    acts.AskForPlans: _ask_for_plans,
    acts.Suggest: _suggest,
    acts.SetCondition: _set_condition,
    acts.CarryOut: _carry_out,
    acts.Waive: _waive,
    acts.GiveSynonyms: _synonyms,
    acts.DecideAppeal: _decide_appeal,
    acts.Vote: _vote,
    acts.MakeAvailable: _make_available,
    acts.RecordVisit: _record_visit,
    acts.Extend: _extend,
}
"""What each act is checked for."""


def may_be_forgotten(state: State, act: str, *, with_request: bool) -> bool:
    """May an event of this name be erased now? That the requester withdrew is forgotten with the request, or after it:
    what has no request and did not end otherwise was withdrawn.
    """
    if act == "withdraw":
        return with_request or state.is_forgotten
    return act in _ERASABLE or (state.name in OVER and state.name != "available" and act not in _ENDINGS)
