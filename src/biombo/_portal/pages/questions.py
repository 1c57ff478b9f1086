"""Questions to tables that stay inside: the requester's form, the manager's decision, and the answer."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from biombo._errors import UsageError
from biombo._i18n import text
from biombo._portal.askable import LONGEST, Askable
from biombo._portal.inquiries import approve, ask_question, may_decide, questions_seen, reject, told_of
from biombo._portal.jobs import ask_for
from biombo._portal.models import DataSet, Inquiry, TrailEntry
from biombo._portal.typed import Words

_MOST_LISTED = 500


class QuestionForm(forms.Form):
    """What is asked: by which columns, of which records, and what for."""

    totals = forms.BooleanField(required=False)
    mean = forms.ChoiceField(required=False)
    purpose = Words(max_length=LONGEST, widget=forms.Textarea(attrs={"rows": 3}))

    def __init__(self, *args: Any, askable: Askable, language: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.askable = askable
        called = askable.schema.labels(language)
        self.called = {place: called.get(name) or name for place, name in self._places}
        for place, name in self._places:
            levels = [("", text("portal.inquiry.not-by")), *self.askable.levels(name).items()]
            by = forms.ChoiceField(required=False, choices=levels)
            by.label = text("portal.inquiry.by", column=self.called[place])
            only = forms.CharField(required=False, max_length=LONGEST)
            only.label = text("portal.inquiry.only", column=self.called[place])
            self.fields[f"by_{place}"], self.fields[f"only_{place}"] = by, only
        numbers = [(name, called.get(name) or name) for name in self.askable.numbers]
        self.fields["mean"].choices = [("", "–"), *numbers]
        self.fields["mean"].error_messages["invalid_choice"] = text("errors.portal.no-mean")
        for name in ("totals", "mean", "purpose"):
            self.fields[name].label = text(f"portal.inquiry.{name}")

    @property
    def _places(self) -> list[tuple[int, str]]:
        """Columns by numbers that stay the same when one of them is found to be unfit."""
        return [(place, name) for place, name in enumerate(self.askable.decided) if name in self.askable.columns]

    @property
    def rows(self) -> list[tuple[str, Any, Any]]:
        """By column: what it is called, and its fields."""
        return [(each, self[f"by_{place}"], self[f"only_{place}"]) for place, each in self.called.items()]

    @property
    def others(self) -> list[Any]:
        """The fields that are about no column."""
        return [self[name] for name in ("mean", "totals", "purpose")]

    def clean(self) -> dict[str, Any]:
        """The mean of a column is not asked by that column; and what is not offered any more is not left out."""
        told = dict(super().clean() or self.cleaned_data)
        for place, name in enumerate(self.askable.decided):
            if place not in self.called and any(self.data.get(f"{use}_{place}") for use in ("by", "only")):
                self.add_error(None, text("errors.portal.not-askable", column=name))
        try:
            _ = self.asked
        except UsageError as error:
            self.add_error("mean", str(error))
        return told

    @property
    def asked(self) -> dict[str, Any]:
        """As a request has it."""
        told, columns = self.cleaned_data, self._places
        by = {name: told[f"by_{place}"] for place, name in columns if told.get(f"by_{place}")}
        typed = {name: told.get(f"only_{place}", "") for place, name in columns}
        values = {name: [each.strip() for each in only.split(";") if each.strip()] for name, only in typed.items()}
        where = {name: some for name, some in values.items() if some}
        return self.askable.checked(by, told.get("mean") or None, where, told.get("totals", False))


class DecisionForm(forms.Form):
    """Yes, or no and why."""

    reason = Words(max_length=LONGEST, widget=forms.Textarea(attrs={"rows": 2}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].label = text("portal.inquiry.why-not")


class OpeningForm(forms.Form):
    """May people ask, and how many people a cell must have."""

    takes_questions = forms.BooleanField(required=False)
    questions_k = forms.IntegerField(min_value=2, max_value=1000)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, auto_id="opening-%s", **kwargs)
        for name, field in self.fields.items():
            field.label = text(f"portal.inquiry.{name}")


@require_safe
def questions(request: HttpRequest) -> HttpResponse:
    """The requester's own, and what may be asked; all of them for the agency."""
    shown = questions_seen(request.user)[:_MOST_LISTED]
    return render(request, "portal/questions.html", {"questions": shown, "data_sets": DataSet.objects.asked()})


@require_http_methods(["GET", "HEAD", "POST"])
def new_question(request: HttpRequest, data_set: int) -> HttpResponse:
    """Ask a table that stays inside."""
    found = get_object_or_404(DataSet.objects.asked(), pk=data_set)
    form = QuestionForm(request.POST or None, askable=Askable.of(found), language=request.language)
    if request.method == "POST" and form.is_valid():
        try:
            made = ask_question(request.user, found, form.asked, form.cleaned_data["purpose"])
        except UsageError as error:
            return render(request, "portal/message.html", {"title": str(error)}, status=429)
        return redirect("question", question=made.pk)
    status = 422 if form.errors else 200
    return render(request, "portal/new_question.html", {"form": form, "data_set": found}, status=status)


@require_safe
def question(request: HttpRequest, question: int) -> HttpResponse:
    """One question, how far it is, and the answer."""
    return _shown(request)


def _shown(request: HttpRequest, form: Any = None, status: int = 200) -> HttpResponse:
    found: Inquiry = request.inquiry
    asked, is_theirs, told = found.asked, may_decide(found, request.user), told_of(found, request.user)
    levels = {name: text("portal.inquiry.level", column=name, level=each[0]) for name, each in asked["by"].items()}
    told |= {
        "question": found,
        "by": [name if asked["by"][name] == ["0"] else words for name, words in levels.items()],
        "where": [(name, ", ".join(values)) for name, values in (asked["where"] or {}).items()],
        "is_worked_on": found.state == Inquiry.APPROVED or (is_theirs and not found.foreseen and not found.error),
        "may_decide": is_theirs,
        "form": form or DecisionForm(),
        "rows": _rows(told.get("cells", ()), [*asked["by"]]),
    }
    return render(request, "portal/question.html", told, status=status)


def _rows(cells: Sequence[dict[str, Any]], columns: list[str]) -> list[tuple[list[str], dict[str, Any]]]:
    """By cell: its categories, and what was said."""
    total = text("tabulate.total")
    return [([cell["by"].get(column, total) for column in columns], cell) for cell in cells]


@require_POST
def decide(request: HttpRequest, question: int) -> HttpResponse:
    """The manager approves, or says no."""
    found: Inquiry = request.inquiry
    if request.POST.get("decision") == "approve":
        try:
            was_first = approve(found, request.user)
        except UsageError as error:
            return _undecided(request, str(error))
    else:
        form = DecisionForm(request.POST)
        if not form.is_valid():
            return _shown(request, form, status=422)
        was_first = reject(found, request.user, form.cleaned_data["reason"])
    if was_first:
        return redirect("question", question=found.pk)
    return _undecided(request, text("errors.portal.question-behind"))


def _undecided(request: HttpRequest, why: str) -> HttpResponse:
    told = {"title": why, "back_to": reverse("question", args=[request.inquiry.pk])}
    return render(request, "portal/message.html", told, status=409)


@require_POST
def open_or_close(request: HttpRequest, data_set: int) -> HttpResponse:
    """The manager says whether a table may be asked; its k is settled by the first question."""
    found = get_object_or_404(DataSet.objects.exclude(schema="").exclude(place=""), pk=data_set)
    form = OpeningForm(request.POST)
    if not form.is_valid():
        wrong = " ".join(sentence for sentences in form.errors.values() for sentence in sentences)
        return render(request, "portal/message.html", {"title": wrong}, status=422)
    told = form.cleaned_data
    if found.inquiries.exists() and told["questions_k"] != found.questions_k:
        if told["takes_questions"]:
            settled = text("errors.portal.k-settled", k=found.questions_k)
            return render(request, "portal/message.html", {"title": settled}, status=422)
        told["questions_k"] = found.questions_k
    with transaction.atomic():
        DataSet.objects.filter(pk=found.pk).update(**told)
        what = "questions-opened" if told["takes_questions"] else "questions-closed"
        TrailEntry.add(what, request.user, data_set=found.pk)
        if told["takes_questions"]:
            ask_for("check-questions", data_set=found, person=request.user)
    return redirect("data-set", data_set=found.pk)
