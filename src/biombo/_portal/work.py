"""What each kind of job does: it calls the library, and notes in the database what lists show."""

import logging
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from threading import Lock, RLock
from typing import Any

from django.conf import settings
from django.utils import timezone

from biombo._data import Schema, fit_of_hierarchy, inspect, proposed_hierarchies, read
from biombo._errors import UsageError
from biombo._hierarchy import Hierarchy
from biombo._i18n import text
from biombo._negotiate import (
    Actor,
    Agency,
    AskForPlans,
    DataRequest,
    Deadlines,
    MakeAvailable,
    Negotiation,
    NegotiationRecord,
    fact_of,
    plain_fact,
)
from biombo._portal import on_record, workbench
from biombo._portal.access import may_open
from biombo._portal.deliveries import close
from biombo._portal.keeping import forget_jobs, forget_request, keep_no_longer
from biombo._portal.letters import tell_of
from biombo._portal.models import AgencySettings, Case, CatalogueEntry, DataSet, Job, Person, TrailEntry
from biombo._portal.sources import asked_of_database, copied_file
from biombo._portal.vaults import note_vault, vault_of
from biombo._release import verify

LOG = logging.getLogger("biombo.portal")
_SHARES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2)
"""Shares that may be suppressed, for each of which the best plan is searched for."""
AT_ANY_TIME = ("message", "note", "accept-terms")
"""Acts that do not depend on what others have done meanwhile."""


def actor_of(person: Person) -> Actor:
    """Somebody as one who takes part in negotiations."""
    return Actor(person.role, person.name, id=person.actor_id)


def agency() -> Agency:
    """How the agency negotiates, by its settings."""
    told = AgencySettings.current()
    return Agency(
        name=told.name,
        votes=told.votes,
        measurements=told.measurements,
        deadlines=Deadlines(
            answer=told.answer_days,
            extension=told.extension_days,
            appeal=told.appeal_days,
            requester=told.requester_days,
        ),
    )


# Negotiations that workers have open, with their counted tuples

_OPENED: dict[int, Negotiation] = {}
_LOCKS: dict[int, RLock] = {}
_GUARD = Lock()
_MOST_OPEN = 8


def _lock_of(case: Case) -> RLock:
    with _GUARD:
        return _LOCKS.setdefault(case.pk, RLock())


def opened(case: Case) -> Negotiation:
    """The negotiation of a case as it is now, with what was counted before."""
    with _GUARD:
        known = _OPENED.get(case.pk)
    if known is not None:
        return known.refresh()
    talk = Negotiation.load(case.folder, case.data_set.place, releases=settings.PORTAL_HOME.releases)
    with _GUARD:
        while len(_OPENED) >= _MOST_OPEN:
            _OPENED.pop(next(iter(_OPENED)))
        _OPENED[case.pk] = talk
    return talk


def forget_opened(case: Case) -> None:
    """Open it anew the next time."""
    with _GUARD:
        _OPENED.pop(case.pk, None)


def note(case: Case, record: NegotiationRecord) -> None:
    """What lists show of a case."""
    state = record.state
    case.state, case.owner = state.name, state.stand.owner or ""
    case.due, case.changed_at = record.agency.deadlines.due(state), timezone.now()
    case.folder = str(record.folder)
    case.save(update_fields=["state", "owner", "due", "changed_at", "folder"])


# Kinds of jobs


def _begin(job: Job) -> None:
    """Process 1: the chain begins with the request."""
    case = _case(job)
    if not case.folder and job.tries and (begun := _begun_before(case)) is not None:
        case.folder = str(begun)
        case.save(update_fields=["folder"])
    if not case.folder:
        request = _request_of(case)
        amended = None if case.amends is None else opened(case.amends)
        talk = Negotiation.begin(
            request,
            case.data_set.place,
            home=settings.PORTAL_HOME.negotiations,
            agency=agency(),
            amends=amended,
            received=case.made_at if _has_waited(case) else None,
            releases=settings.PORTAL_HOME.releases,
        )
        case.folder = str(talk.folder)
        case.save(update_fields=["folder"])
    note(case, NegotiationRecord.read(case.folder))
    tell_of(case)


def _has_waited(case: Case) -> bool:
    """Did it not begin when it came in: for a table to be found, or since something was in the way?"""
    return bool(case.was_unlisted or case.jobs.filter(kind="begin", status=Job.FAILED).exists())


def _request_of(case: Case) -> DataRequest:
    return DataRequest.from_tree(_with_known_origin(_asked_by_account(case)))


def _asked_by_account(case: Case) -> dict[str, Any]:
    """The request as that of the account that made it: who somebody is, is never taken from a form."""
    person: Person = case.requester
    told = {**case.asked["requester"], "name": person.name, "id": person.actor_id}
    return {**case.asked, "requester": told}


def _with_known_origin(asked: Mapping[str, Any]) -> dict[str, Any]:
    """A request that starts from a release, unless its vault is not here: it would be one for the table as a whole."""
    release = (asked.get("origin") or {}).get("release")
    if release is not None and not vault_of(settings.PORTAL_HOME.releases / release).is_dir():
        raise UsageError("portal.no-vault")
    return dict(asked)


def _begun_before(case: Case) -> Path | None:
    """The chain that a worker had begun for a request when it was stopped."""
    known = set(Case.objects.exclude(folder="").values_list("folder", flat=True))
    for folder in settings.PORTAL_HOME.negotiations.iterdir():
        if str(folder) not in known and (folder / "events.jsonl").is_file():
            record = NegotiationRecord.read(folder)
            if record.events and record.state.request == _request_of(case):
                return Path(folder)
    return None


def _act(job: Job) -> None:
    case, person = _case(job), job.person
    assert person is not None
    act, actor = fact_of(job.asked), actor_of(person)
    _refuse_stranger(person, case, act)
    with _lock_of(case):
        talk = opened(case)
        if job.asked.keys().isdisjoint(AT_ANY_TIME) and talk.head != job.seen and not _is_done(talk, job, actor):
            raise UsageError("portal.behind")
        if not _is_done(talk, job, actor):
            talk.act(actor, act)  # type: ignore[arg-type]
        note(case, talk.record)
    _put_on_record(case, person, job.asked)
    if "amend" in job.asked:
        _amend(case)
    if "revoke" in job.asked:
        close(case)
    tell_of(case)


def _put_on_record(case: Case, person: Person, asked: Mapping[str, Any]) -> None:
    """What a requester gets, or does not have any more, stands in the register; once, whoever had begun it."""
    folder = Path(case.folder)
    act = fact_of(asked)
    if isinstance(act, MakeAvailable):
        on_record.put_case(case, folder / "available", person, act.way)
    if "revoke" in asked:
        on_record.revoke(folder / "revoked", text("portal.register.revoked"), person)


def _amend(case: Case) -> None:
    """A new request that starts from this one: what was asked for there, to be negotiated anew."""
    made, is_new = Case.objects.get_or_create(
        amends=case, folder="", defaults={"data_set": case.data_set, "requester": case.requester, "asked": case.asked}
    )
    if is_new:
        from biombo._portal.jobs import ask_for

        ask_for("begin", case=made, person=case.requester)


def _is_done(talk: Negotiation, job: Job, actor: Actor) -> bool:
    """Had a worker that was stopped done it already?"""
    if job.tries == 0:
        return False
    seen = next((event.number for event in talk.events if event.hash == job.seen), len(talk.events))
    return any(
        event.actor == actor and event.fact is not None and plain_fact(event.fact) == job.asked
        for event in talk.events[seen:]
    )


def _refuse_stranger(person: Person, case: Case, act: Any) -> None:
    """Raise where somebody may no longer act, or never might: negotiations know requesters by name, and names are not
    one person's alone.
    """
    if not may_open("erasures" if act.name == "erase" else "case-act", person, case):
        raise UsageError("portal.not-yours")


def _erase(job: Job) -> None:
    """Have events forgotten, or a request that never got a chain; then all that the portal has beside them."""
    case, person = _case(job), job.person
    assert person is not None
    act, actor = fact_of(job.asked), actor_of(person)
    _refuse_stranger(person, case, act)
    with _lock_of(case):
        if case.folder:
            talk = opened(case)
            if not _is_done(talk, job, actor):
                talk.act(actor, act)  # type: ignore[arg-type]
            note(case, talk.record)
        elif case.owner or case.jobs.exclude(pk=job.pk).filter(status__in=(Job.WAITING, Job.RUNNING)).exists():
            raise UsageError("portal.not-over")
        if not case.folder or talk.state.is_forgotten:
            forget_request(case)
        else:
            forget_jobs(case)
    TrailEntry.add("erased", person, case)


def _plans(job: Job) -> None:
    """For the manager: the best plans, beside what the requester offers."""
    case, person = _case(job), job.person
    assert person is not None
    with _lock_of(case):
        talk, actor = opened(case), actor_of(person)
        found = talk.best_plans(actor, AskForPlans(max_suppression=float(job.asked["share"])))
        asked = [AskForPlans(max_suppression=share) for share in _SHARES]
        best = [each for one in asked for each in talk.best_plans(actor, one, most=1)]
    once = {tuple(each["levels"].items()): each for each in best}  # a plan may be the best for several shares
    Job.objects.filter(pk=job.pk).update(asked={**job.asked, "plans": found, "best": list(once.values())})


def _values(job: Job) -> None:
    """For the manager: the values in groups of fewer than so many different ones."""
    case, person = _case(job), job.person
    assert person is not None
    with _lock_of(case):
        found = opened(case).values_below(actor_of(person), int(job.asked["l"]))
    Job.objects.filter(pk=job.pk).update(asked={**job.asked, "values": found})


def _fetch(job: Job) -> None:
    """Fetch a table from where a manager said, once, and look at it."""
    data_set = job.data_set
    assert data_set is not None
    if not data_set.place:
        asked = job.asked
        place = copied_file(asked["file"]) if "file" in asked else asked_of_database(asked["database"], asked["query"])
        data_set.place = str(place)
        data_set.save(update_fields=["place"])
    _inspect(job)


def _inspect(job: Job) -> None:
    """Look at a table: what its columns seem to be."""
    data_set = job.data_set
    assert data_set is not None
    _take_over(data_set)
    found = inspect(read(data_set.place))
    DataSet.objects.filter(pk=data_set.pk).update(schema=yaml_of(found.schema))
    proposed = {name: each.document for name, each in found.hierarchies.items() if each.document is not None}
    Job.objects.filter(pk=job.pk).update(asked={**job.asked, "hierarchies": proposed})


def _propose_hierarchies(job: Job) -> None:
    """For columns that somebody made quasi: how they can be generalised, where nobody said so."""
    data_set = job.data_set
    assert data_set is not None
    schema = schema_of(data_set)
    lacking = [name for name in schema.quasi if schema[name].hierarchy is None]
    proposals = proposed_hierarchies(read(data_set.place, columns=list(schema.columns)), schema)
    found = {name: proposals[name].document for name in lacking if name in proposals and proposals[name].document}
    columns = {name: replace(each, hierarchy=found.get(name, each.hierarchy)) for name, each in schema.columns.items()}
    changed = yaml_of(replace(schema, columns=columns))
    if not DataSet.objects.filter(pk=data_set.pk, schema=data_set.schema).update(schema=changed):
        raise UsageError("portal.columns-behind")
    workbench.columns_changed(data_set)
    Job.objects.filter(pk=job.pk).update(asked={**job.asked, "hierarchies": found})


_MOST_NAMED = 50
"""Values without a place that are named; there may be as many as records."""


def _check_hierarchy(job: Job) -> None:
    """For the manager: which values of a column a hierarchy has no place for."""
    data_set = job.data_set
    assert data_set is not None
    column = job.asked["column"]
    fit = fit_of_hierarchy(data_set.place, column, Hierarchy.told(job.asked["hierarchy"]), schema_of(data_set))
    named = [[each.value, each.count] for each in fit.unknown[:_MOST_NAMED]]
    told = {
        "values": fit.values,
        "records": fit.records,
        "unknown": named,
        "unknown_values": len(fit.unknown),
        "unknown_records": sum(each.count for each in fit.unknown),
        "left": len(fit.unknown) - len(named),
    }
    Job.objects.filter(pk=job.pk).update(asked={**job.asked, "fit": told})


def _take_over(data_set: DataSet) -> None:
    """Keep a table that was handed in where the web does not reach, as a file of the worker's own."""
    given, home = Path(data_set.place), settings.PORTAL_HOME
    if given.parent != home.incoming:
        return
    place = home.sources / given.name
    part = place.with_name(f"{place.name}.part")
    shutil.copyfile(given, part)
    part.chmod(0o600)
    part.rename(place)
    data_set.place = str(place)
    DataSet.objects.filter(pk=data_set.pk).update(place=data_set.place)
    given.unlink(missing_ok=True)


def yaml_of(schema: Schema) -> str:
    """A schema as it is kept."""
    import yaml

    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)  # much quicker, where it is there
    return str(yaml.dump(schema.to_tree(), Dumper=dumper, allow_unicode=True, sort_keys=False))


def schema_of(data_set: DataSet) -> Schema:
    """What the columns of a data set are."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return Schema.from_tree(yaml.load(data_set.schema, Loader=loader)) if data_set.schema else Schema()


def _list_release(job: Job) -> None:
    """Take a release into the catalogue: a copy of its own, verified before anybody sees it."""
    entry = CatalogueEntry.objects.get(pk=job.asked["entry"])
    folder = Path(job.asked["folder"])
    take_into_catalogue(entry, folder)
    on_record.put_listed(entry, folder, job.person)


def take_into_catalogue(entry: CatalogueEntry, folder: Path) -> None:
    """A copy of the release, which is verified before anybody sees it."""
    target = settings.PORTAL_HOME.releases / entry.slug
    if not target.exists():
        part = target.with_name(f"{target.name}.part")
        shutil.rmtree(part, ignore_errors=True)  # what a worker that was stopped has left
        shutil.copytree(folder, part, symlinks=True)  # links are not followed, and never shown
        part.rename(target)
    note_vault(entry, folder)
    checked = verify(target)
    if not checked.holds:
        raise UsageError("portal.release-fails")
    CatalogueEntry.objects.filter(pk=entry.pk).update(folder=str(target), holds=True, verified_at=timezone.now())


def _verify(job: Job) -> None:
    entry = CatalogueEntry.objects.get(pk=job.asked["entry"])
    holds = bool(verify(entry.folder).holds)
    CatalogueEntry.objects.filter(pk=entry.pk).update(holds=holds, verified_at=timezone.now())


def _case(job: Job) -> Case:
    case: Case | None = job.case
    assert case is not None
    return case


def expire_what_is_over() -> None:
    """End negotiations whose requester has let the day pass."""
    late = Case.objects.filter(due__lt=timezone.now(), owner="requester").exclude(folder="")
    for case in late.select_related("data_set"):
        try:
            _expire(case)
        except Exception:  # what is wrong with one is not wrong with the others
            LOG.exception("request %s could not be ended", case)
            forget_opened(case)


def _expire(case: Case) -> None:
    with _lock_of(case):
        talk = opened(case)
        if talk.expire():
            note(case, talk.record)
            TrailEntry.add("expired", None, case)
            tell_of(case)


WORK: Mapping[str, Callable[[Job], object]] = {
    "begin": _begin,
    "act": _act,
    "erase": _erase,
    "plans": _plans,
    "values": _values,
    "fetch": _fetch,
    "inspect": _inspect,
    "propose-hierarchies": _propose_hierarchies,
    "check-hierarchy": _check_hierarchy,
    "draft-risk": workbench.measure_risk,
    "draft-person": workbench.look_at_person,
    "draft-search": workbench.search_plans,
    "draft-utility": workbench.rehearse,
    "draft-publish": workbench.publish,
    "list-release": _list_release,
    "retention": lambda _job: keep_no_longer(),
    "verify": _verify,
}
"""By kind."""
