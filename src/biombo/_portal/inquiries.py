"""Questions to tables that stay inside, until they are decided on: somebody asks, a manager approves or says no."""

from django.db import transaction
from django.utils import timezone

from biombo._portal.jobs import ask_for
from biombo._portal.letters import tell_of_question
from biombo._portal.models import DataSet, Inquiry, Person, TrailEntry

TO_BE_DECIDED = (Inquiry.WAITING, Inquiry.FAILED)


def ask_question(person: Person, data_set: DataSet, asked: dict[str, object], purpose: str) -> Inquiry:
    """A new question, which waits for a manager."""
    with transaction.atomic():
        made: Inquiry = Inquiry.objects.create(person=person, data_set=data_set, asked=asked, purpose=purpose)
        TrailEntry.add("question-asked", person, question=made.pk, data_set=data_set.pk)
        ask_for("foresee-question", person=person, asked={"question": made.pk})
    tell_of_question(made)
    return made


def approve(inquiry: Inquiry, manager: Person) -> bool:
    """Have it answered; says whether it was still to be decided."""
    with transaction.atomic():
        if not _decided(inquiry, Inquiry.APPROVED, manager):
            return False
        ask_for("answer-question", person=inquiry.person, asked={"question": inquiry.pk})
    return True


def reject(inquiry: Inquiry, manager: Person, reason: str) -> bool:
    """Say no, and why; says whether it was still to be decided."""
    with transaction.atomic():
        is_first = _decided(inquiry, Inquiry.REJECTED, manager, reason)
    if is_first:
        tell_of_question(inquiry)
    return is_first


def _decided(inquiry: Inquiry, state: str, manager: Person, reason: str = "") -> bool:
    """Of two who decide at once, one does. What they had been shown stands in the trail."""
    told = {"state": state, "decided_by": manager, "decided_at": timezone.now(), "reason": reason, "problem": ""}
    if not Inquiry.objects.filter(pk=inquiry.pk, state__in=TO_BE_DECIDED).update(**told):
        return False
    inquiry.refresh_from_db()
    detail = {"question": inquiry.pk, "foreseen": inquiry.foreseen, "reason": reason}
    TrailEntry.add(f"question-{state}", manager, **detail)
    return True
