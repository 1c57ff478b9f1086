"""What workers do about questions to tables that stay inside: they call the library, whose rules decide.

Until a question is decided on, nobody is shown anything that depends on the true numbers, and nothing is settled: what
the manager sees follows from earlier questions and answers, so that a manager's no tells no more than a refusal does.
"""

from typing import Any

from django.db import transaction

from biombo._errors import UsageError
from biombo._portal.askable import Askable, refuse_unaskable
from biombo._portal.histories import history_of, kept_answer, refuse_behind
from biombo._portal.letters import tell_of_question
from biombo._portal.models import DataSet, Inquiry, Job, TrailEntry
from biombo._portal.schemas import schema_of
from biombo._portal.sentences import kept_error
from biombo._portal.sources import original_of
from biombo._requests import QueryRequest


def check_columns(job: Job) -> None:
    """Find the columns that no question could be answered by, before anybody asks: the agency is told, and they are not
    offered. What one person has is then in the way of no question about others.
    """
    assert job.data_set is not None
    _check_columns(job.data_set)


def _check_columns(data_set: DataSet) -> None:
    """Unless that was done for the columns as they are described now."""
    if data_set.unfit is not None and data_set.unfit["schema"] == data_set.schema_hash:
        return
    askable = Askable(schema_of(data_set))
    found = QueryRequest(**_asked_of(data_set)).desk().unfit(askable.decided, askable.numbers)
    kept = {use: {name: kept_error(each) for name, each in some.items()} for use, some in found.items()}
    data_set.unfit = {"schema": data_set.schema_hash, **kept}
    DataSet.objects.filter(pk=data_set.pk, schema=data_set.schema).update(unfit=data_set.unfit)


def foresee(job: Job) -> None:
    """Note which cells would be refused by the history alone."""
    inquiry = _of(job)
    refused = _request(inquiry).foreseen()
    told = {"cells": None, "refused": None} if refused is None else {"cells": len(refused), "refused": sum(refused)}
    Inquiry.objects.filter(pk=inquiry.pk).update(foreseen=told)


def answer(job: Job) -> None:
    """Answer a question that was approved, once: what its history has under its key was said already."""
    inquiry = _of(job)
    if inquiry.state != Inquiry.APPROVED:
        return
    _check_columns(inquiry.data_set)
    found = _request(inquiry).run(number=inquiry.key)
    told = {status: found.of(status) for status in ("answered", "suppressed", "refused")}
    with transaction.atomic():  # whoever is stopped in between has noted nothing, and is followed by somebody who does
        Inquiry.objects.filter(pk=inquiry.pk).update(state=Inquiry.ANSWERED, answer=kept_answer(found))
        inquiry.refresh_from_db()
        TrailEntry.add("question-answered", None, None, question=inquiry.pk, cells=told)
        tell_of_question(inquiry)


def give_up(job: Job, error: dict[str, Any]) -> None:
    """Note that what was to be done about a question failed, for whatever reason: it waits for a manager again."""
    asked = Inquiry.objects.filter(pk=job.asked.get("question"))
    if job.kind == "foresee-question":
        asked.filter(state=Inquiry.WAITING).update(error=error)
    if job.kind == "answer-question":
        asked.filter(state=Inquiry.APPROVED).update(state=Inquiry.FAILED, error=error)


def _of(job: Job) -> Inquiry:
    found: Inquiry = Inquiry.objects.select_related("data_set", "person", "decided_by").get(pk=job.asked["question"])
    return found


def _request(inquiry: Inquiry) -> QueryRequest:
    """What the library is asked, where the table still takes it."""
    _refuse_unfit(inquiry)
    refuse_unaskable(inquiry)
    refuse_behind(inquiry.data_set)
    return QueryRequest(
        **_asked_of(inquiry.data_set),
        who="" if inquiry.person is None else inquiry.person.called,
        approved="" if inquiry.decided_by is None else inquiry.decided_by.called,
        **inquiry.asked,
    )


def _refuse_unfit(inquiry: Inquiry) -> None:
    """Raise what was found to be in the way of a column, whatever is asked of it."""
    asked = inquiry.asked
    for use, columns in (("by", [*asked["by"], *(asked["where"] or {})]), ("mean", [asked["mean"]])):
        faults = inquiry.data_set.unfit_for(use)
        for fault in (faults[column] for column in columns if column in faults):
            raise UsageError(fault["key"], **fault["values"])


def _asked_of(data_set: DataSet) -> dict[str, Any]:
    """What all questions to a table have in common."""
    schema = schema_of(data_set)
    return {
        "files": (original_of(data_set),),
        "schema": schema.to_tree(),
        "history": str(history_of(data_set)),
        "k": data_set.questions_k,
        "person": schema.person,
    }
