"""Proactive publication: a draft of a release, led from columns to a verified release by the requests of the library.

A draft is a folder with what the command line would have: the schema, reports, the plan and the request as YAML. Each
step is a request (:class:`RiskRequest`, :class:`SearchRequest`, :class:`PublishRequest`), so what is done here can be
done there, and the other way round.
"""

import io
import json
import shutil
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import Any

from django.conf import settings

from biombo._errors import ColumnError, UsageError
from biombo._files import PRIVATE, held_folder, write_whole
from biombo._i18n import LANGUAGES, percent, speaking
from biombo._portal import on_record
from biombo._portal.catalogue import take_into_catalogue
from biombo._portal.models import CatalogueEntry, DataSet, Draft, Job, TrailEntry
from biombo._portal.schemas import schema_of
from biombo._portal.sources import original_of
from biombo._portal.vaults import vault_of
from biombo._release import Rehearsal
from biombo._report import ReportPart, can_draw_pdf, write_page
from biombo._requests import PublishRequest, RiskRequest, SearchOutcome, SearchRequest
from biombo._search import LocalPlan, RankedPlan

STEPS = ("risk", "search", "utility", "publish")
"""What a worker does, in order."""
SCHEMA, PLAN, REQUEST, RELEASE = "schema.yaml", "plan.yaml", "request.yaml", "release"
REPORTS = {"risk": "risk/report.html", "search": "search.html"}
"""The reports of steps."""
REHEARSED = ("plan_hash", "schema_hash")
"""What a decision is about."""
_PDF = "-pdf"
_MADE = "made.json"
"""For which decision the files of the release were made."""
_PUBLISHED_SCHEMA = "published-schema.yaml"
"""What the columns were then: somebody may change them later."""
_KNOWN, _PERSON = "known.json", "person/target.json"
"""What is known about one person, and what follows: in the folder alone, and never in the database."""
_MOST_VALUES = 5
_OF_GROUPS = ("k", "k_map", "population_size", "max_presence", "max_average_risk", "max_uniqueness")
_OF_VALUES = ("l", "l_kind", "c", "t", "t_kind", "alpha", "alpha_values", "beta", "beta_kind", "delta_disclosure")
_OF_GUESSES = ("max_vulnerability", "max_leakage", "over", "max_population_uniqueness")
CRITERIA = (*_OF_GROUPS, *_OF_VALUES, *_OF_GUESSES)
"""What must hold, by the names of the request."""
_SEARCHED = (*CRITERIA, "max_suppression", "prefer", "level", "weights", "recoding")
_GLOBAL = "global"
_MOST_PLANS = 6


def folder_of(draft: Draft) -> Path:
    """Where a draft is, for workers and managers alone."""
    place: Path = settings.PORTAL_HOME.drafts / draft.slug
    place.mkdir(mode=0o700, exist_ok=True)
    return place


def _asked(draft: Draft) -> dict[str, Any]:
    """What all steps have: the table, and what its columns are. No file of the server is read for these."""
    data_set: DataSet = draft.data_set
    schema_of(data_set).refuse_files()
    schema = folder_of(draft) / SCHEMA
    write_whole(schema, data_set.schema, mode=PRIVATE)
    return {"files": (original_of(data_set),), "schema": str(schema), "title": data_set.name, "missing": "own-branch"}


def question(answers: Mapping[str, Any]) -> dict[str, Any]:
    """What must hold and how a plan is searched for, as a request takes it, without what was left open."""
    return _by(answers.get("recoding") or _GLOBAL, _answered(answers))


def _answered(answers: Mapping[str, Any]) -> dict[str, Any]:
    return {name: answers[name] for name in _SEARCHED if answers.get(name) not in (None, "", {}, [])}


def _by(recoding: str, answered: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked of a search by one kind of recoding: nobody is suppressed where groups have levels of their own."""
    left_out = "recoding" if recoding == _GLOBAL else "max_suppression"
    return {name: value for name, value in answered.items() if name != left_out}


def chosen_plan(draft: Draft) -> dict[str, Any] | None:
    """The plan that is chosen: the best until somebody chooses another."""
    plans = draft.results.get("search", {}).get("plans") or []
    place = draft.answers.get("plan") or 0
    return plans[place if place < len(plans) else 0] if plans else None


def is_local(plan: Mapping[str, Any]) -> bool:
    """Does a plan give groups of records levels of their own?"""
    return bool(plan.get("recoding", _GLOBAL) != _GLOBAL)  # plans of older searches say nothing


def publication(draft: Draft) -> PublishRequest:
    """What would be published: the request that the command line runs. Once it was rehearsed by its plan, before that
    by what must hold, at the levels of the plan that was chosen.
    """
    answers = draft.answers
    accepted = tuple(answers.get("accept_column") or ())
    return PublishRequest(
        **_asked(draft) | {"title": answers.get("title") or draft.data_set.name},
        **_how(draft),
        out=str(folder_of(draft) / RELEASE),
        release_model="public",
        harm=answers.get("harm") or "medium",
        accept_column=accepted,
        reason=answers.get("reason") if accepted else None,
        override_reason=answers.get("override_reason") or None,
        review=None if not answers.get("review") else date.fromisoformat(answers["review"]),
        predict=answers.get("predict") or None,
    )


def _how(draft: Draft) -> dict[str, Any]:
    if "plan_hash" in draft.results.get("utility", {}):
        return {"plan": str(_plan_file(draft, draft.results["utility"]["plan_hash"]))}
    searched, plan = draft.results.get("search", {}), chosen_plan(draft)
    recoding = _GLOBAL if plan is None else plan.get("recoding", _GLOBAL)
    asked = _by(recoding, searched.get("asked") or _answered(draft.answers))
    if recoding == _GLOBAL:
        for name in ("prefer", "weights"):  # there is one plan at these levels
            asked.pop(name, None)
        asked |= {} if plan is None else {"level": plan["levels"]}
    return {**asked, "small_groups": draft.answers.get("small_groups") or "mask"}


def _plan_file(draft: Draft, plan_hash: str) -> Path:
    """Where a plan that was rehearsed is: each in a file of its own, so that none is taken for another."""
    return folder_of(draft) / f"plan-{plan_hash}.yaml"


def rehearsed(draft: Draft) -> dict[str, str]:
    """By what a form, or a job, knows which rehearsal was decided on: the plan, and what the columns were."""
    found = draft.results.get("utility", {})
    return {name: found.get(name, "") for name in REHEARSED}


def is_current(draft: Draft, told: Mapping[str, Any]) -> bool:
    """Is what was decided on what the draft has now, of the columns as they are now?"""
    now = rehearsed(draft)
    is_same = all(now.values()) and all(told.get(name) == now[name] for name in REHEARSED)
    return is_same and now["schema_hash"] == draft.data_set.schema_hash


def made_for(draft: Draft) -> dict[str, Any] | None:
    """The decision for which there are files of a release already, published or not; none where there are none."""
    folder = folder_of(draft)
    return dict(_read(folder / _MADE)) if (folder / RELEASE).is_dir() else None


def columns_changed(data_set: DataSet) -> None:
    """What was measured was measured for other columns. A draft of which files were made stays as it was, closed."""
    for draft in Draft.objects.filter(data_set=data_set):
        forget_person(draft)
        if draft.is_open and made_for(draft) is not None:
            Draft.objects.filter(pk=draft.pk).update(is_open=False)
        elif draft.is_open:
            Draft.objects.filter(pk=draft.pk).update(results={})


def forget_person(draft: Draft) -> None:
    """Remove what was asked and found out about one person."""
    folder = folder_of(draft)
    (folder / _KNOWN).unlink(missing_ok=True)
    shutil.rmtree((folder / _PERSON).parent, ignore_errors=True)


def forget_draft(draft: Draft) -> None:
    """Remove what was measured and chosen on the way to a release, which names values; a release that was made stays,
    with its vault.
    """
    release = folder_of(draft) / RELEASE
    with held_folder(release.parent):  # a copy may just be made of it
        for path in release.parent.iterdir():
            if path.name not in (_MADE, RELEASE, vault_of(release).name):
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    kept = {step: found for step, found in draft.results.items() if step == "publish"}
    answers = {name: told for name, told in draft.answers.items() if name != "alpha_values"}
    Draft.objects.filter(pk=draft.pk).update(is_open=False, results=kept, answers=answers)


def saved(draft: Draft) -> bytes:
    """Everything that was chosen, as an archive: the request that ``biombo publish --request`` runs beside the table,
    with the schema and the plan.
    """
    table = f"table{''.join(Path(draft.data_set.place).suffixes)}"
    request = replace(publication(draft), schema=SCHEMA, out=RELEASE, files=(table,))
    published = folder_of(draft) / _PUBLISHED_SCHEMA
    content = {SCHEMA: published.read_text("utf-8") if made_for(draft) is not None else draft.data_set.schema}
    if request.plan is not None:
        content[PLAN] = Path(request.plan).read_text("utf-8")
        request = replace(request, plan=PLAN)
    content[REQUEST] = request.to_yaml()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in content.items():
            archive.writestr(name, text)
    return packed.getvalue()


# What workers do


def measure_risk(job: Job) -> None:
    """How exposed people are as the table is."""
    draft = _draft(job)
    asked = {name: value for name, value in _asked(draft).items() if name != "missing"}
    outcome = RiskRequest(**asked, out=str(_report(draft, "risk").parent), force=True).run()
    _keep_parts(draft, "risk", outcome.parts)
    _keep(draft, "risk", {"verdict": _in_each_language(outcome.verdict)})


def ask_about_person(draft: Draft, known: Mapping[str, str]) -> None:
    """Write down what somebody may know about one person, for a worker."""
    write_whole(folder_of(draft) / _KNOWN, json.dumps(known, ensure_ascii=False), mode=PRIVATE)


def look_at_person(job: Job) -> None:
    """What follows about one person from what somebody may know."""
    draft = _draft(job)
    folder = folder_of(draft)
    asked = {name: value for name, value in _asked(draft).items() if name != "missing"}
    found = folder / _PERSON
    found.unlink(missing_ok=True)
    if not (folder / _KNOWN).is_file():
        raise UsageError("portal.draft-behind")
    known = _read(folder / _KNOWN)
    if not known:
        raise UsageError("portal.no-such-person")
    try:
        RiskRequest(**asked, target=known, private=str(found.parent), force=True).run()
    except ColumnError:  # its sentence quotes values of the table
        raise UsageError("portal.no-such-person") from None
    if not _of_these_columns(draft).filter(is_open=True).exists():
        forget_person(draft)
        raise UsageError("portal.draft-behind")


def person_of(draft: Draft) -> dict[str, Any]:
    """What was found out about one person last, the likeliest values first."""
    folder = folder_of(draft)
    told = _read(folder / _PERSON) if (folder / _PERSON).is_file() else {}
    values = {name: rows[:_MOST_VALUES] for name, rows in told.get("values", {}).items()}
    known = _read(folder / _KNOWN) if (folder / _KNOWN).is_file() else {}
    return {"known": known, "candidates": told.get("candidates"), "records": told.get("records"), "values": values}


def _read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def search_plans(job: Job) -> None:
    """The best plans for what must hold, and the frontier. Beside one that gives groups levels of their own stand those
    that give each column one level.
    """
    draft = _draft(job)
    answered = _answered(draft.answers)
    recoding = answered.get("recoding", _GLOBAL)
    asked = {**_asked(draft), "plans": _MOST_PLANS, "force": True}
    outcomes = [SearchRequest(**asked, **_by(recoding, answered), report=str(_report(draft, "search"))).run()]
    if recoding != _GLOBAL:
        asked |= {"plans": _MOST_PLANS - 1, "frontier": True, "explain": True}
        outcomes.append(SearchRequest(**asked, **_by(_GLOBAL, answered)).run())
    plans = [(outcome, place) for outcome in outcomes for place in range(len(outcome.plans))]
    for number, (outcome, place) in enumerate(plans or [(outcomes[0], 0)]):
        _keep_parts(draft, f"search-{number}", lambda outcome=outcome, place=place: outcome.parts(place))  # type: ignore[misc]
    told = {"verdict": _in_each_language(outcomes[0].verdict), "asked": answered, **_found(outcomes)}
    _keep(draft, "search", told)


def _found(outcomes: list[SearchOutcome]) -> dict[str, Any]:
    first = outcomes[0].plans
    return {
        "found": any(outcome.holds for outcome in outcomes),
        "records": first.records,
        "optimal": first.optimal,
        "plans": [_plan(each, outcome.request.recoding) for outcome in outcomes for each in outcome.plans],
    }


_MEASURED = ("levels", "suppressed", "loss", "granularity", "smallest_group", "groups")


def _plan(plan: RankedPlan | LocalPlan, recoding: str) -> dict[str, Any]:
    told = plan.as_json()
    constant = [each["column"] for each in told.get("became_constant", ())]
    labels = _in_each_language(lambda: _level_shares(plan) if isinstance(plan, LocalPlan) else plan.level_labels)
    return {**{name: told[name] for name in _MEASURED}, "recoding": recoding, "constant": constant, "labels": labels}


def _level_shares(plan: LocalPlan) -> dict[str, str]:
    """By column: the levels that records are at, each with their share."""
    found = {}
    for column in plan.columns:
        levels = plan.levels[column.name]
        share = {level: records / sum(levels.values()) for level, records in levels.items()}
        found[column.name] = "; ".join(f"{column.hierarchy.level_label(each)} {percent(share[each])}" for each in share)
    return found


def rehearse(job: Job) -> None:
    """What publishing the chosen plan would come to: what is lost, what columns tell, how large the risk is."""
    draft = _draft(job)
    draft.results.pop("utility", None)  # by its levels, whatever was rehearsed before
    outcome = replace(publication(draft), accept_column=(), reason=None, override_reason=None).rehearse()
    if outcome.rehearsal is None:
        _keep(draft, "utility", {"refused": outcome.refused})
        return
    tried = outcome.rehearsal
    write_whole(_plan_file(draft, tried.plan.hash), tried.plan.to_yaml(), mode=PRIVATE)
    _keep_parts(draft, "utility", lambda: [tried.part()])
    _keep(draft, "utility", {**_rehearsed(tried), "schema_hash": draft.data_set.schema_hash})


def _rehearsed(tried: Rehearsal) -> dict[str, Any]:
    assert tried.decision is not None  # a public release is decided on
    return {
        "plan_hash": tried.plan.hash,
        "column_loss": {} if tried.utility is None else dict(tried.utility.measures.column_loss),
        "records": tried.applied.rows,
        "masked": tried.applied.masked + tried.applied.masked_further,
        "suppressed": tried.applied.suppressed + tried.applied.unhidden,
        "constant": [each.column for each in tried.constant],
        "smallest_group": tried.decision.smallest_group,
        "with_others": tried.decision.with_others,
        "findings": [
            {"columns": each.columns, "sentence": _in_each_language(lambda each=each: each.sentence(tried.k))}  # type: ignore[misc]
            for each in tried.findings
        ],
    }


def publish(job: Job) -> None:
    """Publish the plan that was decided on, verify the release, and take it into the register and the catalogue. What a
    worker that was stopped had done of it is not done again.
    """
    with held_folder(folder_of(_draft(job))):  # two may have pressed the button, or one twice, or a copy is made
        draft = Draft.objects.select_related("data_set").get(pk=job.draft_id)
        if "entry" not in draft.results.get("publish", {}):
            _publish(job, draft)


def _publish(job: Job, draft: Draft) -> None:
    made = made_for(draft)
    if not is_current(draft, job.asked):
        raise UsageError("portal.draft-behind")
    if made not in (None, job.asked):
        raise UsageError("portal.draft-made")
    answers = draft.answers = {**draft.answers, **job.asked["answers"]}
    draft.save(update_fields=["answers"])
    release = folder_of(draft) / RELEASE
    verdict: dict[str, Any] = {}
    if made is None:
        write_whole(folder_of(draft) / _PUBLISHED_SCHEMA, draft.data_set.schema, mode=PRIVATE)
        write_whole(folder_of(draft) / _MADE, json.dumps(job.asked, ensure_ascii=False), mode=PRIVATE)
        outcome = publication(draft).published()
        if outcome.release is None:
            _keep(draft, "publish", {"refused": outcome.refused})
            return
        verdict = _in_each_language(outcome.verdict)
    title = answers.get("title") or draft.data_set.name
    told = {"title": title, "description": answers.get("description") or "", "data_set": draft.data_set, "folder": ""}
    entry = CatalogueEntry.objects.get_or_create(slug=draft.slug, defaults=told)[0]
    number = on_record.put(
        release,
        what=title,
        department=answers.get("department") or draft.data_set.department,
        review=date.fromisoformat(answers["review"]),
        person=job.person,
    )
    take_into_catalogue(entry, release)
    _keep(draft, "publish", {"verdict": verdict, "entry": entry.slug, "number": number})
    if not TrailEntry.objects.filter(what="published", detail__entry=entry.pk).exists():
        TrailEntry.add("published", job.person, entry=entry.pk)


def _draft(job: Job) -> Draft:
    draft: Draft | None = job.draft
    assert draft is not None
    return draft


def _keep(draft: Draft, step: str, found: dict[str, Any]) -> None:
    """Note what came of a step; what came of later ones is of another draft now."""
    kept = {name: told for name, told in draft.results.items() if STEPS.index(name) < STEPS.index(step)}
    known = Draft.objects.filter(pk=draft.pk) if "entry" in found else _of_these_columns(draft)
    if not known.update(results={**kept, step: found}):
        raise UsageError("portal.draft-behind")


def _of_these_columns(draft: Draft) -> Any:
    """The draft, unless the columns were changed meanwhile."""
    return Draft.objects.filter(pk=draft.pk, data_set__schema=draft.data_set.schema)


# What pages show of reports


def _in_each_language(said: Callable[[], Any]) -> dict[str, Any]:
    """What is said, in both: whoever reads it may choose another language than whoever asked."""
    found: dict[str, Any] = {}
    for code in LANGUAGES:
        with speaking(code):
            found[code] = said()
    return found


def _keep_parts(draft: Draft, name: str, drawn: Callable[[], Iterable[ReportPart]]) -> None:
    """Keep parts of a report, in both languages."""
    found = _in_each_language(lambda: [asdict(each) for each in drawn()])
    write_whole(folder_of(draft) / f"{name}.json", json.dumps(found, ensure_ascii=False), mode=PRIVATE)


def parts_of(draft: Draft, name: str, code: str) -> dict[str, Any]:
    """Parts of a report in a language, by what they are called; none where there are none."""
    path = folder_of(draft) / f"{name}.json"
    if not path.is_file():
        return {}
    return {each["name"]: each for each in _read(path)[code]}


def _report(draft: Draft, name: str) -> Path:
    """Where a step writes its report; what was drawn of an earlier one is gone."""
    path = folder_of(draft) / REPORTS[name]
    path.with_suffix(".pdf").unlink(missing_ok=True)
    return path


def report_of(draft: Draft, name: str) -> Path | None:
    """The report of a step: the page, or the PDF (``risk-pdf``), which is drawn when somebody first asks for it; none
    where there is none.
    """
    step = name.removesuffix(_PDF)
    page = folder_of(draft) / REPORTS.get(step, "")
    if step not in REPORTS or not page.is_file() or (step != name and not can_draw_pdf()):
        return None
    if step == name:
        return page
    drawn = page.with_suffix(".pdf")
    return drawn if drawn.is_file() else write_page(drawn, page.read_text("utf-8"), PRIVATE)
