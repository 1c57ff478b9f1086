"""Which forms a page shows: those of the acts that the table of rules allows, what is expected first."""

from collections.abc import Mapping
from typing import Any

from biombo._negotiate import ACTS, Act, Actor, NegotiationRecord, acts_allowed
from biombo._portal.acts.ending import AcceptTermsForm, MakeAvailableForm, RecordVisitForm, WriteReportForm
from biombo._portal.acts.form import ActForm
from biombo._portal.acts.levels import CarryOutForm, SetConditionForm
from biombo._portal.acts.manipulations import AcceptForm, AskForPlansForm, SuggestForm
from biombo._portal.acts.preparation import PrepareForm
from biombo._portal.acts.values import GiveSynonymsForm, WaiveForm

_OWN: Mapping[str, type[ActForm]] = {
    form.kind.name: form
    for form in (
        AcceptForm,
        AcceptTermsForm,
        AskForPlansForm,
        CarryOutForm,
        GiveSynonymsForm,
        MakeAvailableForm,
        PrepareForm,
        RecordVisitForm,
        SetConditionForm,
        SuggestForm,
        WaiveForm,
        WriteReportForm,
    )
}
_ELSEWHERE = ("ask", "erase")
"""Acts that have pages of their own."""
_AT_THE_SIDE = ("message", "note", "withdraw", "reject", "amend", "accept-terms", "extend", "override", "revoke")
"""What is possible, and not what is waited for."""

_TERMS_MISSING = ("report", "vote", "ready")
"""States in which all that is left for the requester to do is to accept the terms."""


def form_of(name: str) -> type[ActForm] | None:
    """The form for an act; none where it has none."""
    if name in _OWN:
        return _OWN[name]
    kind = next((each for each in ACTS if each.name == name and name not in _ELSEWHERE), None)
    return None if kind is None else _plain(kind)


def _plain(kind: type[Act]) -> type[ActForm]:
    return type(f"{kind.__name__}Form", (ActForm,), {"kind": kind, "__doc__": kind.__doc__})


def has_voted(record: NegotiationRecord, actor: Actor) -> bool:
    """Has somebody done what is waited for of the committee?"""
    return any(actor.may_be(voter) for voter in record.state.voters)


def offered_acts(record: NegotiationRecord, case: Any, actor: Actor) -> tuple[list[ActForm], list[ActForm]]:
    """The forms for what is waited for, and those for what else is possible."""
    first: list[ActForm] = []
    further: list[ActForm] = []
    for name in acts_allowed(record.state.name, actor.role):
        if name == "accept-terms" and record.state.terms is not None:
            continue
        if name == "record-visit" and record.state.way != "on-site":
            continue
        if name == "vote" and has_voted(record, actor):
            continue
        if name == "amend" and case.data_set.is_gone:
            continue
        form = form_of(name)
        if form is not None:
            is_waited_for = name not in _AT_THE_SIDE or (name == "accept-terms" and record.state.name in _TERMS_MISSING)
            (first if is_waited_for else further).append(form(record=record, case=case))
    return first, further
