"""What is done about a request for data that nobody has listed."""

from collections.abc import Callable

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from biombo._errors import BiomboError
from biombo._i18n import text
from biombo._portal.models import DataSet
from biombo._portal.typed import Words
from biombo._portal.unlisted import TO_BE_DECIDED, appeal, decline, may_appeal, name_table, take_back

_LONGEST = 4000


class TableForm(forms.Form):
    """Which table has what was asked for: any of the agency's, offered to everybody or not."""

    data_set = forms.ModelChoiceField(queryset=DataSet.objects.none())

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, auto_id="table-%s", **kwargs)
        self.fields["data_set"].queryset = DataSet.objects.exclude(place="").exclude(schema="")
        self.fields["data_set"].label = text("portal.unlisted.table")


class ReasonForm(forms.Form):
    """Why not."""

    reason = Words(max_length=_LONGEST, widget=forms.Textarea(attrs={"rows": 3}))

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, auto_id="why-%s", **kwargs)
        self.fields["reason"].label = text("portal.unlisted.reason")


@require_POST
def name(request: HttpRequest, number: int) -> HttpResponse:
    """The manager says which table it is, and the negotiation begins."""
    form = TableForm(request.POST)
    if not form.is_valid():
        return _wrong(request, form)
    return _decided(request, lambda: name_table(request.case, form.cleaned_data["data_set"], request.user))


@require_POST
def say_no(request: HttpRequest, number: int) -> HttpResponse:
    """The manager says that there are no such data."""
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return _wrong(request, form)
    return _decided(request, lambda: decline(request.case, form.cleaned_data["reason"], request.user))


@require_POST
def appeal_against(request: HttpRequest, number: int) -> HttpResponse:
    """The requester appeals; another manager decides."""
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return _wrong(request, form)
    if appeal(request.case, form.cleaned_data["reason"]):
        return redirect("case", number=request.case.pk)
    return render(request, "portal/message.html", {"title": text("portal.unlisted.no-appeal")}, status=409)


@require_POST
def withdraw(request: HttpRequest, number: int) -> HttpResponse:
    """The requester takes it back."""
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return _wrong(request, form)
    return _done(request, take_back(request.case, form.cleaned_data["reason"]))


def _wrong(request: HttpRequest, form: forms.Form) -> HttpResponse:
    if request.case.state not in TO_BE_DECIDED and not may_appeal(request.case):
        raise Http404
    from biombo._portal.pages.cases import shown_before_it_begins

    return shown_before_it_begins(request, request.case, form, status=422)


def _decided(request: HttpRequest, decide: Callable[[], bool]) -> HttpResponse:
    try:
        return _done(request, decide())
    except BiomboError as error:
        return render(request, "portal/message.html", {"title": str(error)}, status=409)


def _done(request: HttpRequest, was_first: bool) -> HttpResponse:
    if was_first:
        return redirect("case", number=request.case.pk)
    return render(request, "portal/message.html", {"title": text("errors.portal.behind")}, status=409)
