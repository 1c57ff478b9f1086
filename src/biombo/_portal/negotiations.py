"""What workers do about requests: the negotiations that they have open, with their counted tuples, and acts on them."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Lock, RLock
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone

from biombo._errors import UsageError
from biombo._i18n import text
from biombo._negotiate import (
    Actor,
    Agency,
    AskForPlans,
    DataRequest,
    Deadlines,
    Event,
    MakeAvailable,
    Negotiation,
    NegotiationRecord,
    fact_of,
    plain_fact,
)
from biombo._portal import on_record
from biombo._portal.access import may_open
from biombo._portal.asking import refuse_amending
from biombo._portal.deliveries import close
from biombo._portal.keeping import forget_jobs, forget_request
from biombo._portal.letters import tell_of, tell_of_message
from biombo._portal.logs import LOG
from biombo._portal.models import AgencySettings, Case, Job, Person, TrailEntry
from biombo._portal.sources import original_of
from biombo._portal.vaults import vault_of

_SHARES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2)
"""Shares that may be suppressed, for each of which the best plan is searched for."""
AT_ANY_TIME = ("message", "note", "accept-terms")
"""Acts that do not depend on what others have done meanwhile."""
_OPENED: dict[int, Negotiation] = {}
_LOCKS: dict[int, RLock] = {}
_GUARD = Lock()
_MOST_OPEN = 8


def actor_of(person: Person) -> Actor:
    """Somebody as one who takes part in negotiations."""
    return Actor(person.role, person.called, id=person.actor_id)


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


def _lock_of(case: Case) -> RLock:
    with _GUARD:
        return _LOCKS.setdefault(case.pk, RLock())


def opened(case: Case) -> Negotiation:
    """The negotiation of a case as it is now, with what was counted before. One whose table is gone can still be ended
    and erased.
    """
    if case.data_set is not None and case.data_set.is_gone:
        return Negotiation.load_without_table(case.folder, releases=settings.PORTAL_HOME.releases)
    with _GUARD:
        known = _OPENED.get(case.pk)
    if known is not None:
        return known.refresh()
    talk = Negotiation.load(case.folder, original_of(case.data_set), releases=settings.PORTAL_HOME.releases)
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


def begin(job: Job) -> None:
    """Process 1: the chain begins with the request."""
    case = _case(job)
    if not case.folder and job.tries and (begun := begun_before(case)) is not None:
        case.folder = str(begun)
        case.save(update_fields=["folder"])
    if not case.folder:
        try:
            _begin_chain(case)
        except (OperationalError, InterfaceError):
            raise  # it is tried again
        except Exception:
            from biombo._portal.unlisted import give_back

            give_back(case)
            raise
    note(case, NegotiationRecord.read(case.folder))
    tell_of(case, by=case.requester)


def _begin_chain(case: Case) -> None:
    request = _request_of(case)
    amended = None if case.amends is None else opened(case.amends)
    talk = Negotiation.begin(
        request,
        original_of(case.data_set),
        home=settings.PORTAL_HOME.negotiations,
        agency=agency(),
        amends=amended,
        received=case.made_at if _has_waited(case) else None,
        releases=settings.PORTAL_HOME.releases,
    )
    case.folder = str(talk.folder)
    case.save(update_fields=["folder"])


def _has_waited(case: Case) -> bool:
    """Did it not begin when it came in: for a table to be found, or since something was in the way?"""
    return bool(case.was_unlisted or case.jobs.filter(kind="begin", status=Job.FAILED).exists())


def _request_of(case: Case) -> DataRequest:
    return DataRequest.from_tree(_with_known_origin(_asked_by_account(case)))


def _asked_by_account(case: Case) -> dict[str, Any]:
    """The request as that of the account that made it: who somebody is, is never taken from a form."""
    person: Person = case.requester
    told = {**case.asked["requester"], "name": person.called, "id": person.actor_id}
    return {**case.asked, "requester": told}


def _with_known_origin(asked: Mapping[str, Any]) -> dict[str, Any]:
    """A request that starts from a release, unless its vault is not here: it would be one for the table as a whole."""
    release = (asked.get("origin") or {}).get("release")
    if release is not None and not vault_of(settings.PORTAL_HOME.releases / release).is_dir():
        raise UsageError("portal.no-vault")
    return dict(asked)


def begun_before(case: Case) -> Path | None:
    """The chain that a worker had begun for a request when it was stopped."""
    for folder in chains_without_request():
        record = NegotiationRecord.read(folder)
        if record.events and record.state.request == _request_of(case):
            return folder
    return None


def chains_without_request() -> list[Path]:
    """Negotiations that no request has."""
    known = set(Case.objects.exclude(folder="").values_list("folder", flat=True))
    folders: list[Path] = sorted(settings.PORTAL_HOME.negotiations.iterdir())
    return [each for each in folders if str(each) not in known and (each / NegotiationRecord.FILES[0]).is_file()]


def act(job: Job) -> None:
    case, person = _case(job), job.person
    assert person is not None
    act, actor = fact_of(job.asked), actor_of(person)
    _refuse_stranger(person, case, act)
    was = None if job.tries else (case.state, case.owner)  # a worker that was stopped may have told nobody
    with _lock_of(case):
        talk = opened(case)
        if job.asked.keys().isdisjoint(AT_ANY_TIME) and talk.head != job.seen and not _is_done(talk, job, actor):
            raise UsageError("portal.behind")
        if not _is_done(talk, job, actor):
            refuse_amending(case, job.asked, talk.events)
            talk.act(actor, act)  # type: ignore[arg-type]
        note(case, talk.record)
    put_on_record(case, person, job.asked)
    if "amend" in job.asked:
        _amend(case, next(_events_of(talk, job, actor)))
    if "revoke" in job.asked:
        close(case)
    if "message" in job.asked:
        tell_of_message(case, person)
    elif job.asked.keys().isdisjoint(AT_ANY_TIME):
        tell_of(case, by=person, was=was)


def put_on_record(case: Case, person: Person, asked: Mapping[str, Any]) -> None:
    """What a requester gets, or does not have any more, stands in the register; once, whoever had begun it."""
    folder = Path(case.folder)
    act = fact_of(asked)
    if isinstance(act, MakeAvailable):
        on_record.put_case(case, folder / "available", person, act.way)
    if "revoke" in asked:
        on_record.revoke(folder / "revoked", text("portal.register.revoked"), person)


def _amend(case: Case, event: Event) -> None:
    """A new request that starts from this one, unless the ``event`` has come to one already: what was asked for there,
    to be negotiated anew.
    """
    from biombo._portal.jobs import ask_for

    told = {"data_set": case.data_set, "requester": case.requester, "asked": case.asked}
    with transaction.atomic():
        made, is_new = Case.objects.get_or_create(amends=case, amended_by=event.hash, defaults=told)
        if is_new:
            ask_for("begin", case=made, person=case.requester)


def _is_done(talk: Negotiation, job: Job, actor: Actor) -> bool:
    """Had a worker that was stopped done it already?"""
    return job.tries > 0 and any(_events_of(talk, job, actor))


def _events_of(talk: Negotiation, job: Job, actor: Actor) -> Iterator[Event]:
    """The events since those that the person had seen by which what a job asks for was done."""
    seen = next((event.number for event in talk.events if event.hash == job.seen), len(talk.events))
    for event in talk.events[seen:]:
        if event.actor == actor and event.fact is not None and plain_fact(event.fact) == job.asked:
            yield event


def _refuse_stranger(person: Person, case: Case, act: Any) -> None:
    """Raise where somebody may no longer act, or never might: negotiations know requesters by name, and names are not
    one person's alone.
    """
    if not may_open("erasures" if act.name == "erase" else "case-act", person, case):
        raise UsageError("portal.not-yours")


def erase(job: Job) -> None:
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


def search_plans(job: Job) -> None:
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


def look_up_values(job: Job) -> None:
    """For the manager: the values in groups of fewer than so many different ones."""
    case, person = _case(job), job.person
    assert person is not None
    with _lock_of(case):
        found = opened(case).values_below(actor_of(person), int(job.asked["l"]))
    Job.objects.filter(pk=job.pk).update(asked={**job.asked, "values": found})


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
