"""The page on which a request is negotiated."""

import re
from typing import Any

from django import forms
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from biombo._errors import BiomboError
from biombo._i18n import text
from biombo._negotiate import DataRequest, NegotiationRecord, permission, plain_fact, sentence_of
from biombo._portal.acts import form_of, has_voted, offered_acts
from biombo._portal.acts.manipulations import agreed_examples, choices, examples, hierarchies
from biombo._portal.asking import check_act, counted, is_busy, jobs_seen, refuse_amending
from biombo._portal.deliveries import open_archive
from biombo._portal.jobs import ask_for
from biombo._portal.models import Case, Job
from biombo._portal.negotiations import actor_of
from biombo._portal.pictures import frontier
from biombo._portal.records import record_of, verified_record
from biombo._portal.sentences import worded_error
from biombo._portal.shown import BLOCKED, seen_by_requester, shown
from biombo._portal.unlisted import TO_BE_DECIDED, appeal_until, is_own_refusal, may_appeal, why_appealed, why_it_ended

HASH = re.compile("[0-9a-f]{64}")
"""What the hash of an event looks like."""


@require_safe
def case(request: HttpRequest, number: int) -> HttpResponse:
    """Whose turn it is, until when, what is expected; then what was measured; then what was said."""
    return _page(request, request.case)


def _page(request: HttpRequest, case: Case, filled: Any = None, status: int = 200) -> HttpResponse:
    if case.data_set is None:
        return shown_before_it_begins(request, case)
    waiting = jobs_seen(case, request.user).filter(status__in=(Job.WAITING, Job.RUNNING)).first()
    last = Job.objects.filter(case=case, person=request.user).exclude(kind="values").first()
    told: dict[str, Any] = {
        "case": case,
        "job": waiting,
        "failed": worded_error(last, request.user) if last is not None and last.status == Job.FAILED else None,
        "attachments": case.attachments.filter(removed_at=None),
        "deliveries": case.deliveries.all(),
        "archive": open_archive(case),
    }
    if case.folder:
        record = record_of(case)
        first, further = ([], []) if case.forgotten_at else offered_acts(record, case, actor_of(request.user))
        if filled is not None:
            first = [filled if each.name == filled.name else each for each in first]
            further = [filled if each.name == filled.name else each for each in further]
        view = record.view(actor_of(request.user))
        told |= {
            "record": record,
            "view": view,
            "is_waived": _is_told_waived(record, view, request.user.role),
            "has_voted": has_voted(record, actor_of(request.user)),
            "first": first,
            "further": further,
            "filled": filled,
            "said": _said(record, view),
            **shown(view, request.user.role),
            "plans": _plans_found(case, record).get("plans") if request.user.role == "manager" else None,
            "agreed": agreed_examples(record) if record.state.metrics is not None else [],
            "sees": seen_by_requester(record) if request.user.role != "requester" else {},
        }
    return render(request, f"portal/case_{_face_of(request.user)}.html", told, status=status)


def shown_before_it_begins(request: HttpRequest, case: Case, filled: Any = None, status: int = 200) -> HttpResponse:
    """A request for data that nobody has listed: what was asked for, and what can be done about it."""
    from biombo._portal.pages.unlisted import ReasonForm, TableForm

    table, reason = TableForm(), ReasonForm()
    begun = case.jobs.filter(kind="begin", status=Job.FAILED).first() if request.user.role == "manager" else None
    told = {
        "case": case,
        "asked": DataRequest.from_tree(case.asked),
        "attachments": case.attachments.filter(removed_at=None),
        "table": filled if isinstance(filled, TableForm) else table,
        "reason": filled if isinstance(filled, ReasonForm) else reason,
        "unusable": None if begun is None else worded_error(begun, request.user),
        "why": why_it_ended(case),
        "appealed": why_appealed(case),
        "is_open": case.state in TO_BE_DECIDED and not is_own_refusal(case, request.user),
        "another_decides": is_own_refusal(case, request.user),
        "may_appeal": may_appeal(case),
        "until": appeal_until(case),
    }
    return render(request, "portal/case_unlisted.html", told, status=status)


def _is_told_waived(record: NegotiationRecord, view: Any, role: str) -> bool:
    """Is QMASG waived, and may that be said? To a requester where the negotiation told so, or the release does."""
    if role == "requester" and view.way is None:
        told = [each.content.get("how") for each in view.said if each.act == "values-protected"]
        return bool(told) and told[-1] == "waived" and record.state.agreement.waived is not None
    return record.state.agreement.waived is not None


def _face_of(person: Any) -> str:
    return "requester" if person.role == "requester" else "agency"


def _said(record: NegotiationRecord, view: Any) -> list[dict[str, Any]]:
    """What happened, in sentences, as far as the viewer may see it; the last first."""
    facts = {event.number: event for event in record.events}
    told = []
    for each in view.said:
        event = facts[each.number]
        if event.fact is not None:
            who = event.actor.name if event.actor is not None and each.role != "system" else ""
            told.append(
                {
                    "number": each.number,
                    "at": each.at,
                    "role": each.role,
                    "who": who,
                    "process": each.process,
                    "act": each.act,
                    "sentence": sentence_of(event.fact),
                }
            )
    return told[::-1]


def _plans_found(case: Case, record: NegotiationRecord) -> dict[str, Any]:
    """What the manager has had searched for, as the negotiation stands."""
    found = Job.objects.filter(case=case, kind="plans", status=Job.DONE, seen=record.head).first()
    return {} if found is None else dict(found.asked)


@require_POST
def act(request: HttpRequest, number: int, act: str) -> HttpResponse:
    """Do something: checked by its form, allowed by the table of rules, done by a worker."""
    case, made = request.case, form_of(act)
    if made is None or not case.folder:
        raise Http404
    record = record_of(case)
    if case.forgotten_at is not None or permission(record.state.name, request.user.role, act) is None:
        return _page(request, case, status=409)
    if is_busy(case, request.user) or (act == "vote" and has_voted(record, actor_of(request.user))):
        return _page(request, case, status=409)
    form = made(request.POST, request.FILES, record=record, case=case)
    if not form.is_valid():
        return _page(request, case, filled=form, status=422)
    assert form.made is not None
    asked = dict(plain_fact(form.made))
    try:
        refuse_amending(case, asked, record.events)
    except BiomboError as error:
        return render(request, "portal/message.html", {"title": str(error)}, status=409)
    seen = request.POST.get("head", record.head)
    if not HASH.fullmatch(seen):
        raise BadRequest
    try:
        with counted(request.user):
            check_act(request.user, act)
            ask_for("act", case=case, person=request.user, asked=asked, seen=seen)
    except BiomboError as error:
        return render(request, "portal/message.html", {"title": str(error)}, status=429)
    return redirect("case", number=case.pk)


@require_safe
def example(request: HttpRequest, number: int) -> HttpResponse:
    """What a choice in the editor does to made-up values."""
    if not request.case.folder:
        raise Http404
    trees = hierarchies(record_of(request.case))
    column = next((name for name in request.GET if name.startswith("column:")), "")
    tree = trees.get(column.removeprefix("column:"))
    if tree is None:
        raise Http404
    choice = request.GET.get(column, "")
    if choice not in {"", *(value for value, _ in choices(tree))}:
        raise BadRequest
    return render(request, "portal/parts/examples.html", {"examples": examples(tree, choice)})


@require_safe
def job(request: HttpRequest, number: int, job: int) -> HttpResponse:
    """How far a job is; once it is over the page is asked for anew."""
    found = jobs_seen(request.case, request.user).filter(pk=job).first()
    if found is None:
        raise Http404
    answer = render(request, "portal/parts/job.html", {"job": found, "case": request.case})
    if found.is_over:
        answer.headers["HX-Refresh"] = "true"
    return answer


@require_POST
def plans(request: HttpRequest, number: int) -> HttpResponse:
    """For the manager: have plans searched for, or values looked up before a waiver."""
    if not request.case.folder:
        raise Http404
    head = record_of(request.case).head
    if "l" in request.POST:
        try:
            asked: dict[str, Any] = {"l": forms.IntegerField(min_value=2, max_value=1000).clean(request.POST["l"])}
        except forms.ValidationError as error:
            return render(request, "portal/message.html", {"title": error.messages[0]}, status=422)
        ask_for("values", case=request.case, person=request.user, asked=asked, seen=head)
    else:
        ask_for("plans", case=request.case, person=request.user, asked={"share": 0.05}, seen=head)
    return redirect("case-offers" if "offers" in request.POST else "case", number=number)


@require_safe
def offers(request: HttpRequest, number: int) -> HttpResponse:
    """All rounds side by side."""
    if not request.case.folder:
        raise Http404
    record = record_of(request.case)
    view, best = record.view(actor_of(request.user)), _plans_found(request.case, record).get("best", [])
    told = {
        "case": request.case,
        "offers": view.offers,
        "record": record,
        "best": best,
        "picture": frontier(view.offers, best),
        "sees": seen_by_requester(record),
        "job": Job.objects.filter(case=request.case, status__in=(Job.WAITING, Job.RUNNING)).first(),
        "is_blocked": record.state.name in BLOCKED,
    }
    return render(request, "portal/offers.html", told)


@require_safe
def trail(request: HttpRequest, number: int) -> HttpResponse:
    """Everything that happened, with whether the chain is whole."""
    if not request.case.folder:
        raise Http404
    record, sought = verified_record(request.case), request.GET.get("q", "").strip()[:200]
    said = _said(record, record.view(actor_of(request.user)))[::-1]
    told = {
        "case": request.case,
        "said": [each for each in said if _has(each, sought)],
        "sought": sought,
        "events": len(record.events),
        "now": timezone.now(),
        "faults": record.verify(),
        "head": record.head,
        "files": request.case.trailentry_set.all()[:200],
    }
    return render(request, "portal/case_trail.html", told)


def _has(said: dict[str, Any], sought: str) -> bool:
    """Does it say what somebody looks for, in whichever letters?"""
    role, process = text(f"portal.role.{said['role']}"), text("portal.process", number=said["process"])
    words = " ".join((said["sentence"], said["who"], role, process)).casefold()
    return all(word in words for word in sought.casefold().split())
