"""Requests for data that nobody has listed: they wait for a manager, who names the table or says that there is none.

There is no chain yet, since a negotiation is about a table; what is done until then stands in the trail. Once a table
is named the negotiation begins, and its first event says when the request came in: days count from there.
"""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from biombo._portal.jobs import ask_for
from biombo._portal.letters import tell_of
from biombo._portal.models import DECLINED, AgencySettings, Case, DataSet, Person, TrailEntry

UNLISTED, TAKEN_BACK = "unlisted", "withdrawn"


def ask_agency(requester: Person, asked: dict[str, Any]) -> Case:
    """A new request, which waits for a manager."""
    now = timezone.now()
    due = now + timedelta(days=AgencySettings.current().answer_days)
    told = {"state": UNLISTED, "owner": "manager", "due": due, "made_at": now, "was_unlisted": True}
    case: Case = Case.objects.create(data_set=None, requester=requester, asked=asked, **told)
    TrailEntry.add("asked-unlisted", requester, case)
    tell_of(case)
    return case


def name_table(case: Case, data_set: DataSet, manager: Person) -> bool:
    """Have the negotiation begin; says whether it was still to be decided."""
    if not _decided(case, data_set=data_set, state="sending", owner="", due=None):
        return False
    TrailEntry.add("table-named", manager, case, data_set=data_set.pk)
    ask_for("begin", case=case, person=case.requester)
    return True


def decline(case: Case, reason: str, manager: Person) -> bool:
    """Say that there are no such data; says whether it was still to be decided."""
    return _ended(case, DECLINED, manager, reason)


def take_back(case: Case, reason: str) -> bool:
    """The requester does not want it any more; says whether it was still to be decided."""
    return _ended(case, TAKEN_BACK, case.requester, reason)


def why_it_ended(case: Case) -> str:
    """The reason that was given."""
    found = TrailEntry.objects.filter(case=case, what__in=("declined", "taken-back")).first()
    return "" if found is None else str(found.detail.get("reason", ""))


def _ended(case: Case, state: str, person: Person, reason: str) -> bool:
    if not _decided(case, state=state, owner="", due=None):
        return False
    TrailEntry.add("declined" if state == DECLINED else "taken-back", person, case, reason=reason)
    tell_of(case)
    return True


def _decided(case: Case, **told: Any) -> bool:
    """Of two who decide at once, one does."""
    found = Case.objects.filter(pk=case.pk, state=UNLISTED)
    is_first = bool(found.update(changed_at=timezone.now(), **told) == 1)
    case.refresh_from_db()
    return is_first
