"""Requests for data that nobody has listed: they wait for a manager, who names the table or says that there is none,
against which the requester may appeal once.

There is no chain yet, since a negotiation is about a table; what is done until then stands in the trail. Once a table
is named the negotiation begins, and its first event says when the request came in: days count from there.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from biombo._errors import UsageError
from biombo._negotiate import last_moment
from biombo._portal.jobs import ask_for
from biombo._portal.letters import tell_of
from biombo._portal.models import DECLINED, AgencySettings, Case, DataSet, Person, TrailEntry

UNLISTED, APPEALED, TAKEN_BACK = "unlisted", "appealed", "withdrawn"
TO_BE_DECIDED = (UNLISTED, APPEALED)
_DAYS_TO_DECIDE = 5
"""How long the agency has for an appeal (LAI, article 15)."""


def ask_agency(requester: Person, asked: dict[str, Any]) -> Case:
    """A new request, which waits for a manager."""
    now = timezone.now()
    due = last_moment(now, AgencySettings.current().answer_days)
    told = {"state": UNLISTED, "owner": "manager", "due": due, "made_at": now, "was_unlisted": True}
    case: Case = Case.objects.create(data_set=None, requester=requester, asked=asked, **told)
    TrailEntry.add("asked-unlisted", requester, case)
    tell_of(case, by=requester)
    return case


def name_table(case: Case, data_set: DataSet, manager: Person) -> bool:
    """Have the negotiation begin; says whether it was still to be decided."""
    with _held(case):
        _refuse_own(case, manager)
        if not _decided(case, data_set=data_set, state="sending", owner="", due=None):
            return False
        TrailEntry.add("table-named", manager, case, data_set=data_set.pk)
        ask_for("begin", case=case, person=case.requester, asked={"data_set": data_set.pk})
    return True


def give_back(case: Case) -> None:
    """The table that was named could not be used: a manager names another, or says that there is none."""
    with _held(case):
        named, appealed = case.data_set_id, _last(case, "appealed")
        if not case.was_unlisted or case.folder or case.state != "sending" or named is None:
            return
        if appealed is None:
            state, due = UNLISTED, last_moment(case.made_at, AgencySettings.current().answer_days)
        else:
            state, due = APPEALED, last_moment(appealed.at, _DAYS_TO_DECIDE)
        told = {"state": state, "owner": "manager", "due": due, "changed_at": timezone.now()}
        Case.objects.filter(pk=case.pk).update(data_set=None, **told)
        TrailEntry.add("table-unusable", None, case, data_set=named)
    case.refresh_from_db()
    tell_of(case)


def decline(case: Case, reason: str, manager: Person) -> bool:
    """Say that there are no such data; says whether it was still to be decided."""
    with _held(case):
        _refuse_own(case, manager)
        return _ended(case, DECLINED, manager, reason)


def take_back(case: Case, reason: str) -> bool:
    """The requester does not want it any more; says whether it was still to be decided."""
    with _held(case):
        return _ended(case, TAKEN_BACK, case.requester, reason)


def appeal(case: Case, reason: str) -> bool:
    """The requester does not take it that there are no such data; says whether that was still possible."""
    with _held(case):
        due = last_moment(timezone.now(), _DAYS_TO_DECIDE)
        if not may_appeal(case) or not _changed(case, (DECLINED,), state=APPEALED, owner="manager", due=due):
            return False
        TrailEntry.add("appealed", case.requester, case, reason=reason)
        tell_of(case, by=case.requester)
    return True


def may_appeal(case: Case) -> bool:
    """Once, within the days that the law gives."""
    until = appeal_until(case)
    is_over = case.forgotten_at is not None or case.trailentry_set.filter(what="appealed").exists()
    return bool(case.state == DECLINED and until is not None and timezone.now() <= until and not is_over)


def appeal_until(case: Case) -> datetime | None:
    """The last moment at which an appeal is possible; none where nobody said no."""
    said = _last(case, "declined")
    return None if said is None else last_moment(said.at, AgencySettings.current().appeal_days)


def why_it_ended(case: Case) -> str:
    """The reason that was given."""
    return _reason_of(_last(case, "declined", "taken-back"))


def why_appealed(case: Case) -> str:
    """What the requester said against it."""
    return _reason_of(_last(case, "appealed"))


@contextmanager
def _held(case: Case) -> Iterator[None]:
    """Decide on a request as it is now, not as it was when a page was opened; whoever else decides waits."""
    with transaction.atomic():
        Case.objects.select_for_update().get(pk=case.pk)
        case.refresh_from_db()
        yield


def _last(case: Case, *what: str) -> TrailEntry | None:
    found: TrailEntry | None = TrailEntry.objects.filter(case=case, what__in=what).first()
    return found


def _reason_of(entry: TrailEntry | None) -> str:
    return "" if entry is None else str(entry.detail.get("reason", ""))


def is_own_refusal(case: Case, person: Person) -> bool:
    """Is it an appeal against what ``person`` has said?"""
    said = _last(case, "declined")
    return bool(case.state == APPEALED and said is not None and said.person_id == person.pk)


def _refuse_own(case: Case, manager: Person) -> None:
    """Raise where whoever said no would decide on the appeal against it."""
    if is_own_refusal(case, manager):
        raise UsageError("negotiation.own-refusal")


def _ended(case: Case, state: str, person: Person, reason: str) -> bool:
    if not _decided(case, state=state, owner="", due=None):
        return False
    TrailEntry.add("declined" if state == DECLINED else "taken-back", person, case, reason=reason)
    tell_of(case, by=person)
    return True


def _decided(case: Case, **told: Any) -> bool:
    return _changed(case, TO_BE_DECIDED, **told)


def _changed(case: Case, states: tuple[str, ...], **told: Any) -> bool:
    """Of two who decide at once, one does."""
    found = Case.objects.filter(pk=case.pk, state__in=states, data_set=None)
    is_first = bool(found.update(changed_at=timezone.now(), **told) == 1)
    case.refresh_from_db()
    return is_first
