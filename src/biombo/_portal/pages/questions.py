"""Questions to tables that stay inside: the requester's form, the manager's decision, and the answer."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from biombo._data import Schema
from biombo._hierarchy import Hierarchy
from biombo._i18n import text
from biombo._portal.inquiries import TO_BE_DECIDED, approve, ask_question, reject
from biombo._portal.models import DataSet, Inquiry, TrailEntry
from biombo._portal.questions import sentences_on
from biombo._portal.schemas import schema_of

_LONGEST = 4000
_MOST_LISTED = 500
_NUMBERS = ("discrete", "continuous")


def _askable(schema: Schema) -> list[str]:
    """The columns that somebody has decided on, and that tell nobody's name."""
    return [name for name in schema.columns if not schema[name].kept_back and name != schema.person]


class QuestionForm(forms.Form):
    """What is asked: by which columns, of which records, and what for."""

    totals = forms.BooleanField(required=False)
    mean = forms.ChoiceField(required=False)
    purpose = forms.CharField(max_length=_LONGEST, widget=forms.Textarea(attrs={"rows": 3}))

    def __init__(self, *args: Any, schema: Schema, language: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.columns = _askable(schema)
        called = schema.labels(language)
        self.called = [called.get(name) or name for name in self.columns]
        for place, name in enumerate(self.columns):
            by = forms.ChoiceField(required=False, choices=_levels(schema, name))
            by.label = text("portal.inquiry.by", column=self.called[place])
            only = forms.CharField(required=False, max_length=_LONGEST)
            only.label = text("portal.inquiry.only", column=self.called[place])
            self.fields[f"by_{place}"], self.fields[f"only_{place}"] = by, only
        numbers = [name for name in self.columns if schema[name].type in _NUMBERS]
        self.fields["mean"].choices = [("", "–"), *((name, called.get(name) or name) for name in numbers)]
        self.fields["mean"].error_messages["invalid_choice"] = text("portal.inquiry.no-mean")
        for name in ("totals", "mean", "purpose"):
            self.fields[name].label = text(f"portal.inquiry.{name}")

    @property
    def rows(self) -> list[tuple[str, Any, Any]]:
        """By column: what it is called, and its fields."""
        return [(each, self[f"by_{place}"], self[f"only_{place}"]) for place, each in enumerate(self.called)]

    @property
    def others(self) -> list[Any]:
        """The fields that are about no column."""
        return [self[name] for name in ("mean", "totals", "purpose")]

    def clean(self) -> dict[str, Any]:
        """The mean of a column is not asked by that column."""
        told = dict(super().clean() or self.cleaned_data)
        if told.get("mean") and told["mean"] in (self.asked["by"].keys() | (self.asked["where"] or {}).keys()):
            self.add_error("mean", text("errors.query.mean-by", column=told["mean"]))
        return told

    @property
    def asked(self) -> dict[str, Any]:
        """As a request has it."""
        told, columns = self.cleaned_data, [*enumerate(self.columns)]
        by = {name: [told[f"by_{place}"]] for place, name in columns if told.get(f"by_{place}")}
        typed = {name: told.get(f"only_{place}", "") for place, name in columns}
        values = {name: [each.strip() for each in only.split(";") if each.strip()] for name, only in typed.items()}
        where = {name: some for name, some in values.items() if some} or None
        return {"by": by, "mean": told.get("mean") or None, "where": where, "totals": told.get("totals", False)}


def _levels(schema: Schema, name: str) -> list[tuple[str, str]]:
    """The levels of a column that can be asked by; the one at which all are one is the total."""
    document = schema[name].hierarchy
    hierarchy = None if document is None else Hierarchy.told(document)
    asis = [("", text("portal.inquiry.not-by")), ("0", text("portal.inquiry.as-it-is"))]
    if hierarchy is None or hierarchy.reads:
        return asis
    highest = hierarchy.height - (1 if hierarchy.has_top else 0)
    return asis + [(str(level), hierarchy.level_told(level)) for level in range(1, highest + 1)]


class DecisionForm(forms.Form):
    """Yes, or no and why."""

    reason = forms.CharField(max_length=_LONGEST, widget=forms.Textarea(attrs={"rows": 2}))

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
    is_own = request.user.role == "requester"
    found = Inquiry.objects.filter(person=request.user) if is_own else Inquiry.objects.all()
    shown = found.select_related("data_set", "person")[:_MOST_LISTED]
    return render(request, "portal/questions.html", {"questions": shown, "data_sets": DataSet.objects.asked()})


@require_http_methods(["GET", "HEAD", "POST"])
def new_question(request: HttpRequest, data_set: int) -> HttpResponse:
    """Ask a table that stays inside."""
    found = get_object_or_404(DataSet.objects.asked(), pk=data_set)
    form = QuestionForm(request.POST or None, schema=schema_of(found), language=request.language)
    if request.method == "POST" and form.is_valid():
        made = ask_question(request.user, found, form.asked, form.cleaned_data["purpose"])
        return redirect("question", question=made.pk)
    status = 422 if form.errors else 200
    return render(request, "portal/new_question.html", {"form": form, "data_set": found}, status=status)


@require_safe
def question(request: HttpRequest, question: int) -> HttpResponse:
    """One question, how far it is, and the answer."""
    return _shown(request, _found(request, question))


def _found(request: HttpRequest, number: int) -> Inquiry:
    """The question; one of somebody else is like none."""
    found = Inquiry.objects.select_related("data_set", "person", "decided_by")
    if request.user.role == "requester":
        found = found.filter(person=request.user)
    mine: Inquiry = get_object_or_404(found, pk=number)
    return mine


def _shown(request: HttpRequest, found: Inquiry, form: Any = None, status: int = 200) -> HttpResponse:
    asked, may_decide = found.asked, request.user.role == "manager" and found.state in TO_BE_DECIDED
    levels = {name: text("portal.inquiry.level", column=name, level=each[0]) for name, each in asked["by"].items()}
    told = {
        "question": found,
        "by": [name if asked["by"][name] == ["0"] else words for name, words in levels.items()],
        "where": [(name, ", ".join(values)) for name, values in (asked["where"] or {}).items()],
        "is_worked_on": found.state == Inquiry.APPROVED or (may_decide and not found.foreseen and not found.problem),
        "may_decide": may_decide,
        "form": form or DecisionForm(),
        "rows": [] if found.answer is None else _rows(found.answer, [*asked["by"]]),
        "why": [] if found.answer is None else sentences_on(found.answer),
    }
    return render(request, "portal/question.html", told, status=status)


def _rows(answer: dict[str, Any], columns: list[str]) -> list[tuple[list[str], dict[str, Any]]]:
    """By cell: its categories, and what was said."""
    total = text("tabulate.total")
    return [([cell["by"].get(column, total) for column in columns], cell) for cell in answer["cells"]]


@require_POST
def decide(request: HttpRequest, question: int) -> HttpResponse:
    """The manager approves, or says no."""
    found = _found(request, question)
    if request.POST.get("decision") == "approve":
        was_first = approve(found, request.user)
    else:
        form = DecisionForm(request.POST)
        if not form.is_valid():
            return _shown(request, found, form, status=422)
        was_first = reject(found, request.user, form.cleaned_data["reason"])
    if was_first:
        return redirect("question", question=found.pk)
    return render(request, "portal/message.html", {"title": text("errors.portal.behind")}, status=409)


@require_POST
def open_or_close(request: HttpRequest, data_set: int) -> HttpResponse:
    """The manager says whether a table may be asked; its k is settled by the first question."""
    found = get_object_or_404(DataSet.objects.exclude(schema="").exclude(place=""), pk=data_set)
    form = OpeningForm(request.POST)
    if not form.is_valid():
        wrong = " ".join(sentence for sentences in form.errors.values() for sentence in sentences)
        return render(request, "portal/message.html", {"title": wrong}, status=422)
    told = form.cleaned_data
    if found.inquiries.exists():
        told["questions_k"] = found.questions_k
    DataSet.objects.filter(pk=found.pk).update(**told)
    TrailEntry.add(
        "questions-opened" if told["takes_questions"] else "questions-closed", request.user, data_set=found.pk
    )
    return redirect("data-set", data_set=found.pk)
