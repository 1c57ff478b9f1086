"""The administrator's page for erasure (LGPD, article 18): what was asked for, and what became of it."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from biombo._errors import BiomboError
from biombo._i18n import text
from biombo._negotiate import Erase, plain_fact
from biombo._portal.jobs import ask_for
from biombo._portal.models import Case, Job, TrailEntry
from biombo._portal.records import record_of
from biombo._portal.sentences import worded_error
from biombo._portal.typed import Words

_MOST_ERASED = 1000
_LARGEST = 10**9
_LONGEST = 4000
_SHOWN = 100


class ErasureForm(forms.Form):
    """Which request, or which of its events, and why."""

    number = forms.IntegerField(min_value=1, max_value=_LARGEST)
    events = forms.CharField(max_length=_MOST_ERASED * 5, required=False)
    reason = Words(max_length=_LONGEST, widget=forms.Textarea(attrs={"rows": 2}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label = text(f"portal.erasures.{name}")
        self.fields["events"].help_text = text("portal.erasures.events-help")
        self.made: Erase | None = None

    def clean_number(self) -> Case:
        """The request."""
        found: Case | None = Case.objects.filter(pk=self.cleaned_data["number"]).first()
        if found is None:
            raise forms.ValidationError(text("portal.erasures.no-request"))
        return found

    def clean_events(self) -> tuple[int, ...]:
        """Numbers of events; none: all that may be forgotten."""
        typed = self.cleaned_data["events"].replace(",", " ").split()
        if len(typed) > _MOST_ERASED or not all(
            each.isascii() and each.isdigit() and len(each) < len(str(_LARGEST)) for each in typed
        ):
            raise forms.ValidationError(text("portal.erasures.unclear"))
        return tuple(int(each) for each in typed)

    def clean(self) -> dict[str, Any]:
        """Make the act."""
        told: dict[str, Any] = super().clean()
        if not self.errors:
            try:
                self.made = Erase(_with_request(told["events"], told["number"]), told["reason"])
            except BiomboError as error:
                self.add_error(None, str(error))
        return told


def _with_request(events: tuple[int, ...], case: Case) -> tuple[int, ...]:
    """These events; where there are none, or the request itself is among them, all that may be forgotten with it."""
    if events and 1 not in events:
        return events
    return tuple(sorted({1, *record_of(case).erasable})) if case.folder else (1,)


@require_http_methods(["GET", "HEAD", "POST"])
def erasures(request: HttpRequest) -> HttpResponse:
    """Ask for one; those that were asked for, each with how it ended."""
    form = ErasureForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        case, act = form.cleaned_data["number"], form.made
        assert act is not None
        seen = record_of(case).head if case.folder else ""
        ask_for("erase", case=case, person=request.user, asked=dict(plain_fact(act)), seen=seen)
        TrailEntry.add("erasure-asked", request.user, case)
        return redirect("erasures")
    asked = Job.objects.filter(kind="erase").select_related("case", "person")[:_SHOWN]
    told = {"form": form, "asked": [(each, _failed(each, request.user)) for each in asked]}
    return render(request, "portal/erasures.html", told, status=422 if form.errors else 200)


def _failed(job: Job, person: Any) -> str | None:
    return worded_error(job, person) if job.status == Job.FAILED else None
