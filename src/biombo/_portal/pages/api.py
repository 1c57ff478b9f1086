"""The same commands for programs: JSON over tokens. Who may do what is decided where pages are decided on, and what a
requester reads is the same view.
"""

from dataclasses import fields, is_dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from biombo._errors import BiomboError
from biombo._i18n import text
from biombo._negotiate import DataRequest, Offer, fact_of, permission, without_lists
from biombo._portal.acts import has_voted
from biombo._portal.acts.manipulations import with_declared
from biombo._portal.asking import (
    check_act,
    check_document,
    check_number,
    counted,
    is_busy,
    jobs_seen,
    refuse_amending,
)
from biombo._portal.jobs import ask_for
from biombo._portal.models import Case, DataSet, Job, Person, Token, TrailEntry
from biombo._portal.negotiations import actor_of
from biombo._portal.openapi import ACTS_FOR_PROGRAMS, description
from biombo._portal.pages.cases import HASH
from biombo._portal.pages.programs import MOST_LISTED, RefusedError, answered, body_of
from biombo._portal.records import record_of
from biombo._portal.sentences import worded_error
from biombo._portal.typed import one_line
from biombo._portal.unlisted import ask_agency


def _case_told(case: Case) -> dict[str, Any]:
    return {
        "number": case.pk,
        "data_set": case.data_set_id,
        "state": case.state,
        "turn": case.owner or None,
        "due": None if case.due is None else case.due.isoformat(),
    }


def _plain(value: Any) -> Any:
    """A view as plain values."""
    if isinstance(value, Offer):
        return value.to_tree() | {"decision": list(value.decision)}
    if is_dataclass(value) and not isinstance(value, type):
        if hasattr(value, "to_tree"):
            return value.to_tree()
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, datetime):
        return value.isoformat()
    return bool(value) if isinstance(value, Path) else value


@require_http_methods(["GET", "HEAD", "POST"])
@answered
def requests(request: HttpRequest) -> HttpResponse:
    """The requests that one may see; or a new one."""
    if request.method != "POST":
        found = Case.objects.all() if request.user.role != "requester" else Case.objects.filter(requester=request.user)
        return JsonResponse({"requests": [_case_told(each) for each in found[:MOST_LISTED]]})
    told = body_of(request)
    if request.user.role != "requester":
        return JsonResponse({"error": text("portal.api.requesters-ask")}, status=403)
    number, is_listed = told.get("data_set"), told.get("data_set", 0) is not None
    data_set = DataSet.objects.offered().filter(pk=number).first() if isinstance(number, int) else None
    if data_set is None and is_listed:
        raise RefusedError(text("portal.api.no-data-set"))
    tree = told.get("request")
    if not isinstance(tree, dict) or not isinstance(tree.get("requester"), dict) or "origin" in tree:
        raise RefusedError(text("portal.api.no-request"))
    whose = {**tree["requester"], "name": request.user.called}
    asked = DataRequest.from_tree({**tree, "requester": whose})
    check_document(request.user, asked.requester.document, asked.requester.document_type)
    try:
        with counted(request.user):
            check_number(request.user)
            return JsonResponse(_sent(request.user, data_set, asked.to_tree()), status=202)
    except BiomboError as error:
        return JsonResponse({"error": str(error)}, status=429)


def _sent(person: Person, data_set: DataSet | None, asked: dict[str, Any]) -> dict[str, Any]:
    """A new request as its program is told of it: of a table it begins, for others it waits for a manager."""
    if data_set is None:
        return _case_told(ask_agency(person, asked))
    case = Case.objects.create(data_set=data_set, requester=person, asked=asked)
    job = ask_for("begin", case=case, person=person)
    return {**_case_told(case), "job": job.pk}


@require_safe
@answered
def one_request(request: HttpRequest, number: int) -> HttpResponse:
    """What one may see of a request: the same view as the page has."""
    case = request.case
    if not case.folder:
        return JsonResponse(_case_told(case))
    record = record_of(case)
    view = _plain(record.view(actor_of(request.user)))
    told = without_lists(view) if request.user.role == "requester" else view
    return JsonResponse({**_case_told(case), "head": record.head, "view": told})


@require_POST
@answered
def act(request: HttpRequest, number: int) -> HttpResponse:
    """Do something: ``{"act": {"propose": {"k": 5}}, "head": …}``; done by a worker."""
    case, told = request.case, body_of(request)
    tree = told.get("act")
    if not isinstance(tree, dict) or len(tree) != 1 or not case.folder:
        raise RefusedError(text("portal.api.no-act"))
    ((name, _),) = tree.items()
    if name not in ACTS_FOR_PROGRAMS:
        raise RefusedError(text("portal.api.no-act"))
    record = record_of(case)
    if case.forgotten_at is not None or permission(record.state.name, request.user.role, name) is None:
        return JsonResponse({"error": text("portal.api.not-now")}, status=409)
    if is_busy(case, request.user) or (name == "vote" and has_voted(record, actor_of(request.user))):
        return JsonResponse({"error": text("portal.api.not-now")}, status=409)
    tree = with_declared(tree, record)
    fact_of(tree)
    refuse_amending(case, tree, record.events)
    head = told.get("head", record.head)
    if not isinstance(head, str) or not HASH.fullmatch(head):
        raise RefusedError(text("portal.api.no-act"))
    try:
        with counted(request.user):
            check_act(request.user, name)
            job = ask_for("act", case=case, person=request.user, asked=tree, seen=head)
    except BiomboError as error:
        return JsonResponse({"error": str(error)}, status=429)
    return JsonResponse({"job": job.pk}, status=202)


@require_safe
@answered
def job(request: HttpRequest, number: int, job: int) -> HttpResponse:
    """How far a job is, and why it failed."""
    found = jobs_seen(request.case, request.user).filter(pk=job).first()
    if found is None:
        return JsonResponse({"error": text("portal.error.not-found")}, status=404)
    failed = worded_error(found, request.user) if found.status == Job.FAILED else None
    return JsonResponse({"status": found.status, "progress": found.progress, "error": failed})


@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    """All of this, described."""
    return JsonResponse(description())


# Tokens, on one's own page


@require_POST
def make_token(request: HttpRequest) -> HttpResponse:
    """A new token; shown once."""
    name = one_line(request.POST.get("name", ""))[:100] or "–"
    token = Token.make(request.user, name)
    TrailEntry.add("token-made", request.user)
    return render(request, "portal/account.html", {"token": token, "tokens": request.user.tokens.all()})


@require_POST
def revoke_token(request: HttpRequest, token: int) -> HttpResponse:
    """End a token of one's own."""
    Token.objects.filter(pk=token, person=request.user, revoked_at=None).update(revoked_at=timezone.now())
    TrailEntry.add("token-revoked", request.user)
    return redirect("account")
