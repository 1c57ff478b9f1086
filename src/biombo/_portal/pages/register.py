"""The agency's register of releases: what went out, to whom, and which risks are to be looked at again."""

import csv
from datetime import date
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from biombo._data import escaped_text
from biombo._errors import BiomboError
from biombo._i18n import text
from biombo._portal.models import TrailEntry
from biombo._portal.on_record import on_record, the_register
from biombo._portal.typed import Words
from biombo._release import RegisteredRelease

_EXPORTED = (
    *("id", "status", "registered", "what", "department", "release_model", "recipients", "access", "smallest_group"),
    *("risk", "threshold", "override", "review", "plan_hash", "manifest_hash"),
)


class ReviewForm(forms.Form):
    """What a review found, and when the next one is."""

    found = Words(max_length=2000, widget=forms.Textarea(attrs={"rows": 2}))
    next_review = forms.DateField(widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label = text(f"portal.register.{name}")

    def clean_next_review(self) -> date:
        """A day to come: what is due today would be due again at once."""
        day: date = self.cleaned_data["next_review"]
        if day <= timezone.localdate():
            raise forms.ValidationError(text("portal.register.unclear"))
        return day


@require_safe
def register(request: HttpRequest) -> HttpResponse:
    """All releases on record, the newest first; those that are due for review."""
    return _shown(request)


def _shown(request: HttpRequest, error: str = "", status: int = 200) -> HttpResponse:
    today = timezone.localdate()
    told = {
        "releases": [(each, each.due(today)) for each in _sought(request)],
        "due": sum(each.due(today) for each in on_record()),
        "sought": request.GET.get("q", ""),
        "only_due": request.GET.get("due") == "yes",
        "error": error,
    }
    return render(request, "portal/register.html", told, status=status)


def _sought(request: HttpRequest) -> list[RegisteredRelease]:
    sought, today = request.GET.get("q", "").strip().casefold(), timezone.localdate()
    found = [each for each in on_record() if not sought or sought in _words(each)]
    return [each for each in found if each.due(today)] if request.GET.get("due") == "yes" else found


def _words(release: RegisteredRelease) -> str:
    entry = release.entry
    told = (str(release.id), entry.what, entry.department, release.status, *entry.recipients)
    return " ".join(told).casefold()


@require_safe
def export(request: HttpRequest) -> HttpResponse:
    """The same as a table."""
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer.headers["Content-Disposition"] = 'attachment; filename="register.csv"'
    writer = csv.writer(answer)
    writer.writerow([text(f"register.field.{_word(name)}") for name in _EXPORTED])
    for each in _sought(request):
        told = each.as_json()
        writer.writerow([_cell(told[name]) for name in _EXPORTED])
    return answer


def _word(name: str) -> str:
    """By what the register's words call a column."""
    return name.removesuffix("_hash").replace("_", "-")


def _cell(value: Any) -> Any:
    """What a spreadsheet would take for a formula is a text in it."""
    if isinstance(value, list):
        return "; ".join(escaped_text(str(each)) for each in value)
    return escaped_text(value) if isinstance(value, str) else value


@require_POST
def review(request: HttpRequest, release: int) -> HttpResponse:
    """Put on record what a review found."""
    form = ReviewForm(request.POST)
    if not form.is_valid():
        return _shown(request, text("portal.register.unclear"), 422)
    day: date = form.cleaned_data["next_review"]
    try:
        the_register().review(release, found=form.cleaned_data["found"], next_review=day, who=request.user.called)
    except BiomboError as error:
        return _shown(request, str(error), 422)
    TrailEntry.add("release-reviewed", request.user, number=release)
    return redirect("register")
