"""Lists of requests: by whose turn it is, the first day first."""

from typing import Any

from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from biombo._portal.jobs import ask_for
from biombo._portal.models import Case, Job
from biombo._portal.sentences import worded_error

_BY_DAY = F("due").asc(nulls_last=True)
_OTHERS = ("requester", "committee", "system")
_MOST_LISTED = 500


@require_safe
def my_requests(request: HttpRequest) -> HttpResponse:
    """The requester's own."""
    own = Case.objects.filter(requester=request.user)
    turns = (own.filter(owner="requester"), own.exclude(owner__in=("requester", "")), own.filter(owner=""))
    return _listed(request, "my-requests", *turns)


@require_safe
def inbox(request: HttpRequest) -> HttpResponse:
    """What waits for the manager, by day; then what waits for others, whose day may pass as well."""
    waits, others = Case.objects.filter(owner="manager"), Case.objects.filter(owner__in=_OTHERS)
    return _listed(request, "inbox", waits, others, stuck=_stuck(request.user))


def _stuck(manager: Any) -> list[tuple[Case, str | None]]:
    """Requests that did not begin, and why: without somebody who looks they would wait for ever."""
    found = Case.objects.filter(state="sending", folder="", forgotten_at=None).exclude(data_set=None)
    last = [(case, case.jobs.filter(kind="begin").first()) for case in found.select_related("data_set", "requester")]
    return [(case, worded_error(job, manager)) for case, job in last if job is not None and job.status == Job.FAILED]


@require_POST
def begin_again(request: HttpRequest, number: int) -> HttpResponse:
    """For the manager: have a request begin that could not."""
    if request.case.pk not in {case.pk for case, _ in _stuck(request.user)}:
        raise Http404
    asked = {"data_set": request.case.data_set_id}
    ask_for("begin", case=request.case, person=request.case.requester, asked=asked)
    return redirect("inbox")


@require_safe
def all_requests(request: HttpRequest) -> HttpResponse:
    """All of them."""
    return _listed(request, "all-requests", Case.objects.all())


@require_safe
def votes(request: HttpRequest) -> HttpResponse:
    """Reports that wait for the committee."""
    return _listed(request, "votes", Case.objects.filter(owner="committee"))


def _listed(request: HttpRequest, which: str, *lists: Any, **more: Any) -> HttpResponse:
    """One list, or several by whose turn it is; each begins with what is due first."""
    shown_lists = [
        (name, found.select_related("data_set", "requester").order_by(_BY_DAY, "-changed_at")[:_MOST_LISTED])
        for name, found in zip(("yours", "others", "over"), lists, strict=False)
    ]
    told = {"lists": [each for each in shown_lists if each[1]], "which": which, "now": timezone.now(), **more}
    return render(request, "portal/cases.html", told)
