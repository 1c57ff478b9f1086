"""Questions to tables that stay inside, for programs: the same that pages offer, show and decide on."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from biombo._documents import says_something
from biombo._errors import UsageError
from biombo._i18n import text
from biombo._portal.askable import LONGEST, Askable
from biombo._portal.inquiries import approve, ask_question, questions_seen, reject, told_of
from biombo._portal.models import DataSet, Inquiry
from biombo._portal.openapi import DECISIONS
from biombo._portal.pages.programs import MOST_LISTED, RefusedError, answered, body_of

_ENTRIES = ("by", "mean", "where", "totals", "purpose")


def _listed(inquiry: Inquiry) -> dict[str, Any]:
    decided = None if inquiry.decided_at is None else inquiry.decided_at.isoformat()
    return {
        "number": inquiry.pk,
        "data_set": inquiry.data_set_id,
        "state": inquiry.state,
        "made": inquiry.made_at.isoformat(),
        "decided": decided,
    }


def _shown(inquiry: Inquiry, person: Any) -> dict[str, Any]:
    """What the page of a question has."""
    asked = {"question": inquiry.asked | {"by": {name: level for name, (level,) in inquiry.asked["by"].items()}}}
    return {**_listed(inquiry), **asked, "purpose": inquiry.purpose, **told_of(inquiry, person)}


@require_safe
@answered
def questions(request: HttpRequest) -> HttpResponse:
    """The questions that one may see, of one state where that is named; and which tables take some."""
    found, state = questions_seen(request.user), request.GET.get("state")
    if state not in (None, *Inquiry.STATES):
        raise RefusedError(text("portal.api.no-state", states=", ".join(Inquiry.STATES)))
    if state is not None:
        found = found.filter(state=state)
    tables = [{"number": each.pk, "name": each.name} for each in DataSet.objects.asked()]
    return JsonResponse({"questions": [_listed(each) for each in found[:MOST_LISTED]], "data_sets": tables})


@require_http_methods(["GET", "HEAD", "POST"])
@answered
def new_question(request: HttpRequest, data_set: int) -> HttpResponse:
    """What a table may be asked; or a new question to it."""
    found = get_object_or_404(DataSet.objects.asked(), pk=data_set)
    askable = Askable.of(found)
    if request.method != "POST":
        return JsonResponse(_offered(found, askable, request.language))
    told = body_of(request)
    asked, purpose = _asked(told, askable), _words(told, "purpose")
    try:
        made = ask_question(request.user, found, asked, purpose)
    except UsageError as error:
        return JsonResponse({"error": str(error)}, status=429)
    return JsonResponse(_shown(made, request.user), status=202)


def _offered(data_set: DataSet, askable: Askable, language: str) -> dict[str, Any]:
    called = askable.schema.labels(language)
    columns = [
        {"column": name, "label": called.get(name) or name, "levels": askable.levels(name)} for name in askable.columns
    ]
    return {
        "number": data_set.pk,
        "name": data_set.name,
        "description": data_set.description,
        "k": data_set.questions_k,
        "columns": columns,
        "means": askable.numbers,
    }


def _asked(told: dict[str, Any], askable: Askable) -> dict[str, Any]:
    """A question that was sent: ``{"by": {"sex": 0}, "where": {"city": ["A"]}, "mean": "paid", "totals": true}``."""
    by, where, mean = told.get("by", {}), told.get("where") or {}, told.get("mean")
    totals = told.get("totals", False)
    is_shaped = (
        told.keys() <= {*_ENTRIES}
        and isinstance(by, dict)
        and all(isinstance(level, int | str) for level in by.values())
        and isinstance(where, dict)
        and all(_are_values(values) for values in where.values())
        and isinstance(mean, str | None)
        and isinstance(totals, bool)
    )
    if not is_shaped:
        raise RefusedError(text("portal.api.no-question"))
    return askable.checked({column: str(level) for column, level in by.items()}, mean, where, totals)


def _are_values(values: Any) -> bool:
    are_texts = isinstance(values, list) and all(isinstance(each, str) and each.strip() for each in values)
    return are_texts and 0 < sum(map(len, values)) <= LONGEST


def _words(told: dict[str, Any], entry: str) -> str:
    words = told.get(entry)
    if not isinstance(words, str) or not says_something(words) or len(words) > LONGEST:
        raise RefusedError(text("portal.api.no-words", entry=entry, most=LONGEST))
    return words.strip()


@require_safe
@answered
def question(request: HttpRequest, question: int) -> HttpResponse:
    """One question, how far it is, and the answer."""
    return JsonResponse(_shown(request.inquiry, request.user))


@require_POST
@answered
def decide(request: HttpRequest, question: int) -> HttpResponse:
    """A manager approves, or says no and why; the answer is had by a worker."""
    found, told = request.inquiry, body_of(request)
    decision = told.get("decision")
    if decision not in DECISIONS or not told.keys() <= {"decision", "reason"}:
        raise RefusedError(text("portal.api.no-decision"))
    if decision == "approve":
        was_first = approve(found, request.user)
    else:
        was_first = reject(found, request.user, _words(told, "reason"))
    if not was_first:
        return JsonResponse({"error": text("errors.portal.question-behind")}, status=409)
    return JsonResponse(_shown(found, request.user))
