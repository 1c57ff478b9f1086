"""What workers do about questions to tables that stay inside: they call the library, whose rules decide.

Until a question is decided on, nobody is shown anything that depends on the true numbers, and nothing is settled: what
the manager sees follows from earlier questions and answers, so that a manager's no tells no more than a refusal does.
"""

from biombo._errors import BiomboError
from biombo._portal.askable import refuse_unaskable
from biombo._portal.histories import history_of
from biombo._portal.letters import tell_of_question
from biombo._portal.models import Inquiry, Job, TrailEntry
from biombo._portal.schemas import schema_of
from biombo._portal.sources import original_of
from biombo._requests import QueryRequest


def foresee(job: Job) -> None:
    """Note which cells would be refused by the history alone."""
    inquiry = _of(job)
    try:
        refused = _request(inquiry).foreseen()
    except BiomboError as error:
        Inquiry.objects.filter(pk=inquiry.pk, state=Inquiry.WAITING).update(problem=str(error))
        raise
    told = {"cells": None, "refused": None} if refused is None else {"cells": len(refused), "refused": sum(refused)}
    Inquiry.objects.filter(pk=inquiry.pk).update(foreseen=told)


def answer(job: Job) -> None:
    """Answer a question that was approved, once: what its history has under its key was said already."""
    inquiry = _of(job)
    if inquiry.state != Inquiry.APPROVED:
        return
    try:
        found = _request(inquiry).run(number=inquiry.key)
    except BiomboError as error:
        Inquiry.objects.filter(pk=inquiry.pk).update(state=Inquiry.FAILED, problem=str(error))
        raise
    Inquiry.objects.filter(pk=inquiry.pk).update(state=Inquiry.ANSWERED, answer=found.as_json())
    inquiry.refresh_from_db()
    told = {status: found.of(status) for status in ("answered", "suppressed", "refused")}
    TrailEntry.add("question-answered", None, None, question=inquiry.pk, cells=told)
    tell_of_question(inquiry)


def _of(job: Job) -> Inquiry:
    found: Inquiry = Inquiry.objects.select_related("data_set", "person", "decided_by").get(pk=job.asked["question"])
    return found


def _request(inquiry: Inquiry) -> QueryRequest:
    """What the library is asked, where the table still takes it."""
    refuse_unaskable(inquiry)
    data_set, schema = inquiry.data_set, schema_of(inquiry.data_set)
    return QueryRequest(
        files=(original_of(data_set),),
        schema=schema.to_tree(),
        history=str(history_of(data_set)),
        k=data_set.questions_k,
        person=schema.person,
        who="" if inquiry.person is None else inquiry.person.called,
        approved="" if inquiry.decided_by is None else inquiry.decided_by.called,
        **inquiry.asked,
    )
