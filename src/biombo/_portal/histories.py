"""Questions of the database and the histories of their tables: a history may know more than the database, never less,
since whatever is asked next is decided on against it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings

from biombo._errors import BiomboError, InputError
from biombo._i18n import LANGUAGES, speaking, text
from biombo._portal.models import DataSet, Inquiry, Job, Person
from biombo._query import PastAnswer, QueryAnswer, past_answers

_OPEN = (Inquiry.WAITING, Inquiry.APPROVED, Inquiry.FAILED)


def history_of(data_set: DataSet) -> Path:
    """Where all that was asked of a table is kept, for workers alone."""
    place: Path = settings.PORTAL_HOME.questions / f"{data_set.pk}.jsonl"
    return place


def kept_answer(answer: QueryAnswer) -> dict[str, Any]:
    """An answer as it is kept: what its categories are called in every language, by cell."""
    labels = {}
    for language in LANGUAGES:
        with speaking(language):
            labels[language] = [cell["by"] for cell in answer.as_json()["cells"]]
    return {**answer.as_json(), "labels": labels}


def follow_histories() -> None:
    """Note in the database of a copy what was answered between when it and the histories were copied."""
    for data_set in _asked():
        try:
            for inquiry, told in _unnoted(data_set):
                _note(inquiry, told)
        except BiomboError:
            continue  # a check says what is wrong with it


def _note(inquiry: Inquiry, told: PastAnswer) -> None:
    """When it was decided on is what the database says, where it was before the copy; else it was when it was answered,
    at the latest.
    """
    managers = [each for each in Person.objects.filter(role="manager") if each.called == told.approved]
    Inquiry.objects.filter(pk=inquiry.pk).update(
        state=Inquiry.ANSWERED,
        answer=kept_answer(told.answer),
        decided_by=managers[0] if len(managers) == 1 else inquiry.decided_by,
        decided_at=inquiry.decided_at if inquiry.state == Inquiry.APPROVED else told.when,
        error={},
    )


def refuse_behind(data_set: DataSet) -> None:
    """Raise where a history lacks what was answered: against the rest of it another answer could give away what those
    left in doubt.
    """
    if _lacking(data_set):
        raise InputError("portal.history-behind", name=data_set.name)


def _lacking(data_set: DataSet) -> list[Inquiry]:
    """Questions that were answered, of which the history does not have the same answer."""
    answered = list(data_set.inquiries.filter(state=Inquiry.ANSWERED))  # before the history, which is written first
    known = {each.number: _said(each.answer.as_json()) for each in past_answers(history_of(data_set))}
    return [each for each in answered if known.get(each.key) != _said(each.answer)]


def faults_of_histories() -> Iterator[str]:
    """Histories that are damaged, answers that they lack, and such that only they have, in sentences."""
    for data_set in _asked():
        try:
            for inquiry in _lacking(data_set):
                yield text("portal.check.not-in-history", number=str(inquiry), name=data_set.name)
            for inquiry, _ in _unnoted(data_set):
                if not _is_worked_on(inquiry):
                    yield text("portal.check.only-in-history", number=str(inquiry), name=data_set.name)
        except BiomboError as error:
            yield text("portal.check.history", name=data_set.name, fault=str(error))


def _asked() -> Any:
    """Tables that were asked; with one that is gone its history is."""
    return DataSet.objects.filter(inquiries__isnull=False).exclude(place="").distinct()


def _unnoted(data_set: DataSet) -> list[tuple[Inquiry, PastAnswer]]:
    """Questions that are open by the database, each with the answer that the history has."""
    told = {each.number: each for each in past_answers(history_of(data_set))}
    still_open = data_set.inquiries.select_related("person", "decided_by").filter(state__in=_OPEN)
    return [(inquiry, told[inquiry.key]) for inquiry in still_open.order_by("made_at") if inquiry.key in told]


def _is_worked_on(inquiry: Inquiry) -> bool:
    jobs = Job.objects.filter(kind="answer-question", status__in=(Job.WAITING, Job.RUNNING))
    return any(job.asked.get("question") == inquiry.pk for job in jobs)


def _said(answer: dict[str, Any]) -> list[Any]:
    """What was said of each cell; what categories are called is a matter of language."""
    return [{name: each for name, each in cell.items() if name != "by"} for cell in answer["cells"]]
