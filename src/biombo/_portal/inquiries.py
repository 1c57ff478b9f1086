"""Questions to tables that stay inside, until they are decided on: somebody asks, a manager approves or says no."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from biombo._i18n import language, text
from biombo._portal.askable import refuse_unaskable
from biombo._portal.asking import check_questions, counted
from biombo._portal.jobs import ask_for
from biombo._portal.letters import tell_of_question
from biombo._portal.models import DataSet, Inquiry, Person, TrailEntry
from biombo._portal.sentences import worded

_TO_BE_DECIDED = (Inquiry.WAITING, Inquiry.FAILED)


def ask_question(person: Person, data_set: DataSet, asked: dict[str, object], purpose: str) -> Inquiry:
    """A new question, which waits for a manager; the one that waits already where somebody sends it again. Raises where
    they have asked often enough for today.
    """
    with counted(person):
        check_questions(person)
        waiting = Inquiry.objects.filter(person=person, data_set=data_set, purpose=purpose, state=Inquiry.WAITING)
        same: Inquiry | None = next((each for each in waiting if each.asked == asked), None)
        if same is not None:
            return same
        made: Inquiry = Inquiry.objects.create(person=person, data_set=data_set, asked=asked, purpose=purpose)
        TrailEntry.add("question-asked", person, question=made.pk, data_set=data_set.pk)
        ask_for("foresee-question", person=person, asked={"question": made.pk})
    tell_of_question(made)
    return made


def questions_seen(person: Person) -> Any:
    """The questions that somebody may know of, the newest first: a requester of their own alone."""
    found = Inquiry.objects.select_related("data_set", "person", "decided_by")
    return found.filter(person=person) if person.role == "requester" else found


def may_decide(inquiry: Inquiry, person: Person) -> bool:
    """Is it for ``person`` to say yes or no?"""
    return person.role == "manager" and inquiry.state in _TO_BE_DECIDED


def told_of(inquiry: Inquiry, person: Person) -> dict[str, Any]:
    """What somebody reads of a question beside what it asks, on a page or by a program: the agency what is in its way,
    whoever decides what would be refused, everybody what was said and why.
    """
    told: dict[str, Any] = {"reason": inquiry.reason}
    if person.role != "requester":
        problem = worded(inquiry.error, inquiry.data_set) or ""
        told |= {"requester": None if inquiry.person is None else inquiry.person.name, "problem": problem}
    if may_decide(inquiry, person):
        told["foreseen"] = inquiry.foreseen
    if inquiry.answer is not None:
        told |= {"k": inquiry.answer["k"], "cells": _cells(inquiry.answer), "why": _sentences_on(inquiry.answer)}
    return told


def _cells(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """What was said of each cell, with categories as the reader's language calls them."""
    return [cell | {"by": by} for cell, by in zip(answer["cells"], answer["labels"][language()], strict=True)]


def _sentences_on(answer: dict[str, Any]) -> list[str]:
    """Why numbers were told or not, each reason once."""
    cells: list[dict[str, str]] = answer["cells"]
    reasons = dict.fromkeys(each[name] for name in ("reason", "mean-reason") for each in cells if name in each)
    rules = {name: answer[name] for name in ("k", "percent", "most")}
    return [text(f"query.reason.{reason}", **rules) for reason in reasons]


def approve(inquiry: Inquiry, manager: Person) -> bool:
    """Have it answered; says whether it was still to be decided. Raises where it could not be asked any more."""
    with transaction.atomic():
        refuse_unaskable(inquiry)
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
    told = {"state": state, "decided_by": manager, "decided_at": timezone.now(), "reason": reason, "error": {}}
    if not Inquiry.objects.filter(pk=inquiry.pk, state__in=_TO_BE_DECIDED).update(**told):
        return False
    inquiry.refresh_from_db()
    detail = {"question": inquiry.pk, "foreseen": inquiry.foreseen, "reason": reason}
    TrailEntry.add(f"question-{state}", manager, **detail)
    return True
