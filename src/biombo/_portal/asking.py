"""How much one person may ask for, whether by a page or by a program."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from biombo._data import IDENTIFIERS
from biombo._errors import UsageError
from biombo._negotiate import OVER, Event, plain_fact
from biombo._portal.models import DECLINED, Case, DataSet, Inquiry, Job, Person

_CHECKED = ("cpf", "cnpj")
MOST_A_DAY = 20
"""Requests of one requester: each has a table read from end to end."""
MOST_QUESTIONS = 50
"""Questions of one requester within a day: for each a table is read, and a manager decides."""
MOST_MESSAGES = 30
"""Messages and notes of one person within an hour: each stays in its chain."""
_WRITTEN = ("message", "note")


def shown_document(person: Person) -> str | None:
    """The number of the document that a requester gave first, unless that was erased."""
    first = Case.objects.filter(requester=person, forgotten_at=None).order_by("number").first()
    return None if first is None else str(first.asked.get("requester", {}).get("document", "")) or None


def check_document(person: Person, document: str, kind: str) -> None:
    """Raise where it is another than that of earlier requests: by it measurements are counted, and would begin anew.
    The first is checked by its digits where it is of a ``kind`` that has such.
    """
    known = shown_document(person)
    if known is not None and _plain(known) != _plain(document):
        raise UsageError("portal.other-document")
    rule = next((each for each in IDENTIFIERS if each.key == _plain(kind) and each.key in _CHECKED), None)
    if known is None and rule is not None and not rule.matches(document.strip(), numeric=False):
        raise UsageError("portal.no-document", kind=rule.key.upper())


@contextmanager
def counted(person: Person) -> Iterator[None]:
    """Of what one person sends at once, each is counted before the next."""
    with transaction.atomic():
        Person.objects.select_for_update().get(pk=person.pk)
        yield


def check_act(person: Person, act: str) -> None:
    """Raise where an act makes another request, and somebody has asked often enough for today; or where it is one more
    message than anybody writes within an hour.
    """
    if act == "amend":
        check_number(person)
    if act in _WRITTEN:
        _check_messages(person)


def refuse_amending(case: Case, asked: Mapping[str, Any], events: Iterable[Event]) -> None:
    """Raise where a request would start from one whose table is gone, so that nobody could answer it; or where the same
    was asked for in one of its ``events``, and came to a request that is not over: somebody has clicked twice, or a
    program sent it again.
    """
    if "amend" not in asked:
        return
    if case.data_set is not None and case.data_set.is_gone:
        raise UsageError("portal.no-amending")
    same = [event.hash for event in events if event.fact is not None and plain_fact(event.fact) == asked]
    made = Case.objects.filter(amends=case, amended_by__in=same).exclude(state__in=OVER).first()
    if made is not None:
        raise UsageError("portal.amended-before", number=str(made))


def _check_messages(person: Person) -> None:
    lately = Job.objects.filter(kind="act", person=person, made_at__gt=timezone.now() - timedelta(hours=1))
    written = [each for each in lately.values_list("asked", flat=True) if not each.keys().isdisjoint(_WRITTEN)]
    if len(written) >= MOST_MESSAGES:
        raise UsageError("portal.many-messages", most=MOST_MESSAGES)


def check_number(person: Person) -> None:
    """Raise where somebody has asked often enough for today."""
    if Case.objects.filter(requester=person, made_at__gt=timezone.now() - timedelta(days=1)).count() >= MOST_A_DAY:
        raise UsageError("portal.many-requests")


def asked_before(person: Person, data_set: DataSet | None, asked: Mapping[str, Any]) -> Case | None:
    """The request by which somebody asks for the same, unless it is over: a program has sent it again."""
    same = {"was_unlisted": True} if data_set is None else {"data_set": data_set, "amends": None}
    still_open = Case.objects.filter(requester=person, **same).exclude(state__in=(*OVER, DECLINED))
    return next((each for each in still_open if each.asked == asked), None)


def check_questions(person: Person) -> None:
    """Raise where somebody has asked tables that stay inside often enough for today."""
    if Inquiry.objects.filter(person=person, made_at__gt=timezone.now() - timedelta(days=1)).count() >= MOST_QUESTIONS:
        raise UsageError("portal.many-questions", most=MOST_QUESTIONS)


def is_busy(case: Case, person: Person) -> bool:
    """Does something wait that the same person wants done? Acts follow each other."""
    waiting = Job.objects.filter(case=case, person=person, status__in=(Job.WAITING, Job.RUNNING))
    return bool(waiting.exists())


def jobs_seen(case: Case, person: Person) -> Any:
    """The jobs of a request that somebody may know of: a requester of their own alone. That the manager has something
    looked up tells what the manager is thinking of.
    """
    found = Job.objects.filter(case=case)
    return found.filter(person=person) if person.role == "requester" else found


def _plain(document: str) -> str:
    return "".join(each for each in document.casefold() if each.isalnum())
