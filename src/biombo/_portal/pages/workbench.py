"""The workbench: from a table to a release in the catalogue and the register, step by step, by a manager."""

from importlib.util import find_spec
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from biombo._data import ROLES
from biombo._errors import UsageError
from biombo._i18n import text
from biombo._portal.bench_forms import PublishForm, decisions, predictable
from biombo._portal.jobs import ask_for
from biombo._portal.models import CatalogueEntry, DataSet, Draft, Job
from biombo._portal.pages.catalogue import released_file
from biombo._portal.question_form import QuestionForm, example_values
from biombo._portal.schemas import schema_of
from biombo._portal.sentences import worded_error
from biombo._portal.shown import losses_of
from biombo._portal.workbench import (
    ask_about_person,
    chosen_plan,
    forget_person,
    is_current,
    is_local,
    made_for,
    parts_of,
    person_of,
    report_of,
)
from biombo._portal.workbench import saved as saved_archive
from biombo._report import can_draw_pdf

_PAGES = {
    "risk": "workbench-risk",
    "person": "workbench-risk",
    "search": "workbench-search",
    "choose": "workbench-search",
    "utility": "workbench-utility",
    "publish": "workbench-publish",
}
"""The page that a step is on."""


def _draft(request: HttpRequest, data_set: int) -> Draft:
    """The draft that this table has now, made where there is none."""
    found: DataSet = get_object_or_404(DataSet, pk=data_set)
    draft: Draft | None = Draft.objects.filter(data_set=found, is_open=True).select_related("data_set").first()
    return draft or Draft.objects.create(data_set=found, made_by=request.user)


@require_safe
def workbench(request: HttpRequest, data_set: int) -> HttpResponse:
    """The first step: what each column is."""
    draft = _draft(request, data_set)
    return _shown(request, draft, "columns", {"columns": _by_role(draft.data_set)})


def _shown(request: HttpRequest, draft: Draft, step: str, told: dict[str, Any], status: int = 200) -> HttpResponse:
    """A page of the workbench, with the bar of all steps."""
    last, steps = draft.jobs.first(), _steps(draft)
    names = [name for name, *_ in steps]
    later = names[min(names.index(step) + 1, len(names) - 1)]
    common = {
        "draft": draft,
        "data_set": draft.data_set,
        "results": draft.results,
        "steps": steps,
        "next_step": text(f"portal.bench-step.{later}"),
        "step": step,
        "job": last if last is not None and not last.is_over else None,
        "failed": worded_error(last, request.user) if last is not None and last.status == Job.FAILED else None,
        "is_published": _is_published(draft),
        "is_made": _is_published(draft) or made_for(draft) is not None,
        "has_pdf": can_draw_pdf(),
    }
    return render(request, f"portal/bench/{step}.html", common | told, status=status)


def _by_role(data_set: DataSet) -> list[tuple[str, list[str]]]:
    """The columns of each role, where it has some."""
    schema = schema_of(data_set)
    return [(role, list(names)) for role in ROLES if (names := schema.with_role(role))]


def _is_published(draft: Draft) -> bool:
    return bool(draft.results.get("publish", {}).get("entry"))


def _is_rehearsed(draft: Draft) -> bool:
    return "plan_hash" in draft.results.get("utility", {})


def _steps(draft: Draft) -> list[tuple[str, str, bool, bool]]:
    """Each step: its name, its route, whether it can be opened, and whether it is done."""
    is_found, is_rehearsed = chosen_plan(draft) is not None, _is_rehearsed(draft)
    published = _is_published(draft)
    return [
        ("columns", "workbench", True, bool(schema_of(draft.data_set).quasi)),
        ("risk", "workbench-risk", True, "risk" in draft.results),
        ("search", "workbench-search", True, is_found),
        ("utility", "workbench-utility", is_found, is_rehearsed),
        ("publish", "workbench-publish", is_rehearsed, published),
        ("registered", "workbench-registered", published, published),
    ]


@require_safe
def risk(request: HttpRequest, data_set: int) -> HttpResponse:
    """How exposed people are as the table is: the verdict, then the charts of the report."""
    draft = _draft(request, data_set)
    parts = parts_of(draft, "risk", request.language) if "risk" in draft.results else {}
    first = parts.pop("summary", None)
    person, quasi = person_of(draft), schema_of(draft.data_set).quasi
    fields = [(f"known_{number}", name, person["known"].get(name, "")) for number, name in enumerate(quasi)]
    told = {"first": first, "parts": parts.values(), "person": person, "known_fields": fields}
    return _shown(request, draft, "risk", told)


@require_safe
def search(request: HttpRequest, data_set: int) -> HttpResponse:
    """What must hold, and the plans that meet it, side by side."""
    return _search_page(request, _draft(request, data_set))


def _search_page(request: HttpRequest, draft: Draft, form: QuestionForm | None = None) -> HttpResponse:
    schema, plan, found = schema_of(draft.data_set), chosen_plan(draft), draft.results.get("search", {})
    plans = found.get("plans") or []
    place = plans.index(plan) if plan in plans else 0
    told = {
        "form": form or QuestionForm.filled(draft.answers, schema),
        "found": found,
        "plans": plans,
        "place": place,
        "is_local": any(is_local(each) for each in plans),
        "is_by_group": plan is not None and is_local(plan),
        "rows": [(column, [_level_of(each, column, request.language) for each in plans]) for column in schema.quasi],
        "parts": parts_of(draft, f"search-{place}", request.language) if found else {},
        "examples": [] if plan is None else example_values(schema, plan),
    }
    return _shown(request, draft, "search", told, 422 if form is not None else 200)


def _level_of(plan: dict[str, Any], column: str, code: str) -> tuple[str, bool]:
    """What a plan makes of a column, and whether all its values become the same."""
    return plan["labels"][code].get(column, "–"), column in plan["constant"]


@require_safe
def utility(request: HttpRequest, data_set: int) -> HttpResponse:
    """What is lost by the chosen plan, before anything is published."""
    draft = _draft(request, data_set)
    plan = chosen_plan(draft)
    if plan is None:
        return redirect("workbench-search", data_set=data_set)
    told = {
        "plan": plan,
        "levels": plan["labels"][request.language].items(),
        "found": draft.results.get("utility", {}),
        "parts": parts_of(draft, "utility", request.language).values() if _is_rehearsed(draft) else (),
        "predictable": list(predictable(schema_of(draft.data_set))) if find_spec("sklearn") else [],
        "predicted": draft.answers.get("predict") or "",
        **losses_of(draft.results.get("utility", {})),
    }
    return _shown(request, draft, "utility", told)


@require_safe
def publish(request: HttpRequest, data_set: int) -> HttpResponse:
    """The decision on the risk, what must be accepted, and publishing."""
    return _publish_page(request, _draft(request, data_set))


def _publish_page(
    request: HttpRequest, draft: Draft, form: PublishForm | None = None, behind: str = ""
) -> HttpResponse:
    if _is_published(draft):
        return redirect("workbench-registered", data_set=draft.data_set_id)
    if not _is_rehearsed(draft):
        return redirect("workbench-utility", data_set=draft.data_set_id)
    found = draft.results["utility"]
    told = {
        "found": found,
        "decisions": decisions(found),
        "telling": [each["sentence"][request.language] for each in found["findings"]],
        "form": form or PublishForm.filled(draft, found),
        "behind": behind,
    }
    return _shown(request, draft, "publish", told, 409 if behind else 422 if form is not None else 200)


@require_safe
def registered(request: HttpRequest, data_set: int) -> HttpResponse:
    """What came of it: verified, in the catalogue, in the register."""
    draft = _draft(request, data_set)
    if not _is_published(draft):
        return redirect("workbench-publish", data_set=data_set)
    entry = CatalogueEntry.objects.filter(slug=draft.results["publish"]["entry"]).first()
    return _shown(request, draft, "registered", {"entry": entry, "found": draft.results["publish"]})


@require_POST
def step(request: HttpRequest, data_set: int, step: str) -> HttpResponse:
    """Have one step done by a worker; while one is, or once it is published, nothing else is. Once there are files of
    the release, they are published or nothing is.
    """
    draft = _draft(request, data_set)
    if step not in _PAGES:
        raise Http404
    if draft.data_set.is_gone:
        return render(request, "portal/message.html", {"title": text("portal.data.gone")}, status=409)
    if _is_published(draft) or draft.jobs.exclude(status__in=(Job.DONE, Job.FAILED)).exists():
        return _too_late(request, draft, step)
    if step == "publish":
        return _asked_to_publish(request, draft)
    if made_for(draft) is not None:
        return redirect(_PAGES[step], data_set=data_set)
    if step == "choose":
        return _chosen(request, draft)
    if step == "person":
        quasi = schema_of(draft.data_set).quasi
        typed = {name: request.POST.get(f"known_{number}", "").strip() for number, name in enumerate(quasi)}
        ask_about_person(draft, {name: value for name, value in typed.items() if value})
    if step == "search":
        question = QuestionForm(request.POST, schema=schema_of(draft.data_set))
        if not question.is_valid():
            return _search_page(request, draft, question)
        draft.answers = {**draft.answers, **question.answers(), "plan": 0}
    if step == "utility":
        if chosen_plan(draft) is None:
            return redirect("workbench-search", data_set=data_set)
        asked, known = request.POST.get("predict", ""), predictable(schema_of(draft.data_set))
        draft.answers = {**draft.answers, "predict": asked if asked in known else ""}
    draft.save(update_fields=["answers"])
    ask_for(f"draft-{step}", data_set=draft.data_set, person=request.user, draft=draft)
    return redirect(_PAGES[step], data_set=data_set)


def _too_late(request: HttpRequest, draft: Draft, step: str) -> HttpResponse:
    """Somebody was quicker: whoever asked for the same sees what comes of it, others are told."""
    last, rehearsed = draft.jobs.filter(kind="draft-publish").first(), draft.results.get("utility")
    if step == "publish" and last is not None and "plan_hash" in request.POST:
        form = None if rehearsed is None else PublishForm(request.POST, rehearsed=rehearsed)
        if form is None or not form.is_valid() or form.decided() != last.asked:
            return render(request, "portal/message.html", {"title": text("errors.portal.behind")}, status=409)
    return redirect(_PAGES[step], data_set=draft.data_set_id)


def _asked_to_publish(request: HttpRequest, draft: Draft) -> HttpResponse:
    """Have what the page showed published, and nothing else."""
    if not _is_rehearsed(draft):
        return redirect("workbench-utility", data_set=draft.data_set_id)
    if not is_current(draft, request.POST):
        return _publish_page(request, draft, behind=str(UsageError("portal.draft-behind")))
    form = PublishForm(request.POST, rehearsed=draft.results["utility"])
    if not form.is_valid():
        return _publish_page(request, draft, form)
    if made_for(draft) not in (None, form.decided()):
        return _publish_page(request, draft, behind=str(UsageError("portal.draft-made")))
    draft.answers = {**draft.answers, **form.answers()}
    draft.save(update_fields=["answers"])
    ask_for("draft-publish", data_set=draft.data_set, person=request.user, draft=draft, asked=form.decided())
    return redirect("workbench-publish", data_set=draft.data_set_id)


def _chosen(request: HttpRequest, draft: Draft) -> HttpResponse:
    """Choose a plan: what was rehearsed was another."""
    plans = draft.results.get("search", {}).get("plans") or []
    place = request.POST.get("plan", "")
    if place not in map(str, range(len(plans))):
        raise Http404
    draft.answers = {**draft.answers, "plan": int(place)}
    draft.results = {name: told for name, told in draft.results.items() if name in ("risk", "search")}
    draft.save(update_fields=["answers", "results"])
    return redirect("workbench-search", data_set=draft.data_set_id)


@require_safe
def report(request: HttpRequest, data_set: int, name: str) -> HttpResponse:
    """The report of a step: private, for managers."""
    draft = _draft(request, data_set)
    place = report_of(draft, name)
    if place is None:
        raise Http404
    return released_file(place)


@require_safe
def saved(request: HttpRequest, data_set: int) -> HttpResponse:
    """Everything that was chosen, as what the command line runs: request, schema and plan."""
    draft = _draft(request, data_set)
    if chosen_plan(draft) is None:
        raise Http404
    answer = HttpResponse(saved_archive(draft), content_type="application/zip")
    answer.headers["Content-Disposition"] = 'attachment; filename="request.zip"'
    return answer


@require_POST
def begin_anew(request: HttpRequest, data_set: int) -> HttpResponse:
    """Leave this draft and begin another."""
    for draft in Draft.objects.filter(data_set=get_object_or_404(DataSet, pk=data_set), is_open=True):
        Draft.objects.filter(pk=draft.pk).update(is_open=False)
        forget_person(draft)
    return redirect("workbench", data_set=data_set)
