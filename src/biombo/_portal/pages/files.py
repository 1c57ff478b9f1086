"""Files of a request: terms, the chain, attachments, reports. Each download is noted."""

from pathlib import Path

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from biombo._negotiate import CANDIDATE, NegotiationRecord
from biombo._portal.models import Attachment, TrailEntry
from biombo._portal.negotiations import actor_of
from biombo._portal.pages.catalogue import OWN_LOOK, released_file
from biombo._portal.records import record_of


def _record(request: HttpRequest) -> NegotiationRecord:
    if not request.case.folder:
        raise Http404
    return record_of(request.case)


@require_safe
def terms(request: HttpRequest, number: int) -> HttpResponse:
    """The terms as a page of their own."""
    answer = HttpResponse(_record(request).terms.html(request.language))
    answer.headers["Content-Security-Policy"] = OWN_LOOK
    return answer


@require_safe
def chain(request: HttpRequest, number: int) -> HttpResponse:
    """The chain of events, with the content of what one may see: for the auditor all but votes that are not counted."""
    events = _record(request).chain_for(actor_of(request.user))
    answer = HttpResponse("".join(f"{event.line()}\n" for event in events), content_type="application/jsonl")
    answer.headers["Content-Disposition"] = f'attachment; filename="negotiation-{request.case}.jsonl"'
    TrailEntry.add("chain-exported", request.user, request.case)
    return answer


@require_safe
def attachment(request: HttpRequest, number: int, slug: str) -> FileResponse:
    """What came with the request."""
    found = get_object_or_404(Attachment, slug=slug, case=request.case, removed_at=None)
    place = settings.PORTAL_HOME.uploads / found.slug
    if not place.is_file():
        raise Http404
    TrailEntry.add("attachment-opened", request.user, request.case, attachment=found.pk)
    return FileResponse(place.open("rb"), as_attachment=True, filename=found.name)


@require_safe
def report(request: HttpRequest, number: int) -> FileResponse:
    """The private report of the release, for the agency."""
    folder = Path(request.case.folder) if request.case.folder else None
    if folder is None:
        raise Http404
    for name in (f"{CANDIDATE}.private", "available.private", "revoked.private"):
        for file in ("report.private.html", "report.html"):
            if (folder / name / file).is_file():
                TrailEntry.add("report-opened", request.user, request.case)
                return released_file(folder / name / file)
    raise Http404
