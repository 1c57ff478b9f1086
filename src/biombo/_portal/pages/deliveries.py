"""The release for its requester: fetched by a link, as an encrypted archive, or looked at page by page."""

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from biombo._errors import BiomboError
from biombo._i18n import text
from biombo._portal.deliveries import archived, behind, deliverable, encrypted, encrypted_archive, open_link, stop_links
from biombo._portal.models import Case, Delivery, TrailEntry
from biombo._release import released_rows

_ROWS = 50
"""On a page that is looked at."""
_MOST_PAGES = 10**9


@require_POST
def delivery(request: HttpRequest, number: int) -> HttpResponse:
    """A link to the release, for the requester alone, for some days."""
    for way in ("download", "view-only"):
        if deliverable(request.case, way) is not None:
            token = open_link(request.case, request.user, way)
            if token is None:
                return render(request, "portal/message.html", {"title": text("portal.links.stopped")}, status=409)
            TrailEntry.add("link-made", request.user, request.case)
            if way == "download":
                return redirect("case-download", number=number, token=token)
            return redirect("case-view", number=number, token=token, page=1)
    raise Http404


@require_safe
def download(request: HttpRequest, number: int, token: str) -> FileResponse:
    """The release as one archive, while its link is open."""
    found, release = behind(token, request.case, request.user, "download"), deliverable(request.case, "download")
    if found is None or release is None:
        raise Http404
    archive = archived(request.case, release)
    TrailEntry.add("downloaded", request.user, request.case, delivery=found.pk)
    return FileResponse(archive.open("rb"), as_attachment=True, filename=f"biombo-{request.case}.zip")


@require_safe
def view(request: HttpRequest, number: int, token: str, page: int) -> HttpResponse:
    """Some rows of the release, to look at. Each look is noted."""
    found, release = behind(token, request.case, request.user, "view-only"), deliverable(request.case, "view-only")
    if found is None or release is None:
        raise Http404
    shown = released_rows(release, (page - 1) * _ROWS, _ROWS) if 0 < page <= _MOST_PAGES else None
    if shown is None or not shown.rows:
        raise Http404
    TrailEntry.add("page-viewed", request.user, request.case, delivery=found.pk, page=page)
    pages = -(-shown.total // _ROWS)
    told = {"case": request.case, "shown": shown, "token": token, "page": page, "pages": pages, "delivery": found}
    told |= {"before": page - 1, "after": page + 1 if page < pages else None}
    return render(request, "portal/view_only.html", told)


@require_POST
def make_archive(request: HttpRequest, number: int) -> HttpResponse:
    """For the manager: a new encrypted archive. Its password is on this one answer, and nowhere else."""
    release = deliverable(request.case, "encrypted")
    if release is None:
        raise Http404
    try:
        made, password = encrypted(request.case, release)
    except BiomboError as error:
        return render(request, "portal/message.html", {"title": str(error)}, status=409)
    TrailEntry.add("archive-made", request.user, request.case, delivery=made.pk)
    TrailEntry.add("password-shown", request.user, request.case, delivery=made.pk)
    told = {"case": request.case, "delivery": made, "password": password}
    return render(request, "portal/archive_password.html", told)


@require_safe
def archive(request: HttpRequest, number: int, delivery: int) -> FileResponse:
    """The encrypted archive, for its requester, or for the manager who hands it over on a medium."""
    found = get_object_or_404(Delivery, pk=delivery, case=request.case, way="encrypted")
    place = encrypted_archive(found)
    if not found.is_open or deliverable(request.case, "encrypted") is None or not place.is_file():
        raise Http404
    TrailEntry.add("archive-fetched", request.user, request.case, delivery=found.pk)
    return FileResponse(place.open("rb"), as_attachment=True, filename=f"biombo-{request.case}.zip")


@require_POST
def revoke_delivery(request: HttpRequest, number: int, delivery: int) -> HttpResponse:
    """Take a link or an archive back, with all others that are open; the requester makes no new one meanwhile."""
    found = get_object_or_404(Delivery, pk=delivery, case=request.case)
    stop_links(request.case)
    TrailEntry.add("link-revoked", request.user, request.case, delivery=found.pk)
    return redirect("case", number=number)


@require_POST
def allow_links(request: HttpRequest, number: int) -> HttpResponse:
    """For the manager: let the requester make links again."""
    Case.objects.filter(pk=request.case.pk).update(links_stopped_at=None)
    TrailEntry.add("links-allowed", request.user, request.case)
    return redirect("case", number=number)
