"""The catalogue: releases that everybody can see, with what they claim and whether that was recomputed."""

from pathlib import Path

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from biombo._portal.access import may_open
from biombo._portal.models import CatalogueEntry, DataSet

OWN_LOOK = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"
"""Reports carry their own style and font; nothing in them runs or calls out."""
_SHOWN = {".html": "text/html; charset=utf-8", ".json": "application/json", ".md": "text/plain; charset=utf-8"}


@require_safe
def catalogue(request: HttpRequest) -> HttpResponse:
    """All releases."""
    found = CatalogueEntry.objects.filter(withdrawn_at=None, holds=True).select_related("data_set")
    offered = DataSet.objects.offered()
    told = {"entries": found, "data_sets": offered, "may_ask": _may_ask(request)}
    return render(request, "portal/catalogue.html", told)


def _may_ask(request: HttpRequest) -> bool:
    """Requesters, and whoever may still become one."""
    return not request.user.is_authenticated or may_open("new-request", request.user)


@require_safe
def entry(request: HttpRequest, slug: str) -> HttpResponse:
    """One release, with its files."""
    found = _entry(slug)
    files = sorted(path for path in Path(found.folder).iterdir() if path.is_file())
    told = {
        "entry": found,
        "may_ask": _may_ask(request) and DataSet.objects.offered().filter(pk=found.data_set_id).exists(),
        "files": [(path.name, path.stat().st_size) for path in files],
        "reports": [path.name for path in files if path.suffix == ".html"],
    }
    return render(request, "portal/catalogue_entry.html", told)


@require_safe
def file(request: HttpRequest, slug: str, name: str) -> HttpResponse | FileResponse:
    """A file of a release: reports are shown, everything else is downloaded."""
    found = _entry(slug)
    there = {path.name: path for path in Path(found.folder).iterdir() if path.is_file() and not path.is_symlink()}
    if name not in there:
        raise Http404
    return released_file(there[name])


def released_file(path: Path) -> FileResponse:
    """A file of a release as an answer."""
    shown = path.suffix in _SHOWN
    answer = FileResponse(path.open("rb"), as_attachment=not shown, filename=path.name)
    if shown:
        answer.headers["Content-Type"] = _SHOWN[path.suffix]
    answer.headers["Content-Security-Policy"] = OWN_LOOK
    return answer


def _entry(slug: str) -> CatalogueEntry:
    found: CatalogueEntry = get_object_or_404(CatalogueEntry, slug=slug, withdrawn_at=None, holds=True)
    return found
