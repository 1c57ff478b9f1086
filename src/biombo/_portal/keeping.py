"""What is not kept: files that nothing names, and whatever the rules of retention say, each with its day."""

import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Min, Q
from django.utils import timezone

from biombo._data import Schema
from biombo._errors import BiomboError
from biombo._negotiate import OVER, NegotiationRecord
from biombo._portal.copies import remove_left_copies
from biombo._portal.deliveries import encrypted_archive, plain_archive
from biombo._portal.histories import history_of
from biombo._portal.home import PortalHome
from biombo._portal.letters import given_up
from biombo._portal.logs import LOG
from biombo._portal.models import (
    DECLINED,
    AgencySettings,
    Attachment,
    Case,
    DataSet,
    Delivery,
    Job,
    Letter,
    Person,
    Registration,
    TrailEntry,
)
from biombo._portal.schemas import schema_of, yaml_of
from biombo._portal.workbench import forget_draft

_OVER = (*OVER, DECLINED)
_OURS = re.compile(r"[0-9a-f]{32}(\.[a-z0-9.]+)?")
"""Names that the portal gave; what somebody put there by hand is left alone."""
_PARTS = (".part", ".upload")
"""How names end of what is just coming in."""
_ASIDE = ("message", "note", "record-visit")
"""Acts that do not put off when a request ended."""
_LOOKED_UP = ("values", "plans")
"""Jobs that keep what was found in the table of a request."""
_OF_QUESTIONS = ("foresee-question", "answer-question")
"""Jobs that know their table by the question."""
_CHANGES = ("data-set-changed", "questions-opened", "questions-closed")
"""What the trail says of a manager who changed what a table is, or whom it is open to."""
_GONE = "table-forgotten"
"""What the trail says of a table once all is removed that names its values."""
_SAY_NO_VALUES = ("role", "type", "label", "labels")
"""What is kept of the columns of a table that is gone."""
_A_DAY = 24
"""Hours: a database may be silent for long while it answers."""
REGISTRATION_DAYS = 30
"""How long somebody waits to be let in."""


def remove_leftovers(hours: int = 1) -> int:
    """Remove what a program that was stopped had half received; says how many files. What changed within
    the last ``hours`` may just be coming in to another program. Whole files stay while it is in doubt whether the
    database knows of its own.
    """
    home = settings.PORTAL_HOME
    remove_left_copies(home)
    parts = [path for path in _files(*_received(home), home.outgoing) if path.suffix in _PARTS]
    removed = [path for path in (*parts, *([] if _is_in_doubt() else _unnamed())) if _is_still(path, hours)]
    for path in removed:
        path.unlink(missing_ok=True)
    return len(removed)


def kept_in_doubt() -> list[Path]:
    """Files that the database does not name, and that stay nevertheless."""
    return _unnamed() if _is_in_doubt() else []


def _is_in_doubt() -> bool:
    """May the database be another's, or older than what lies beside it? It names no file at all, or such as are not
    there, or there are some that came before its first account.
    """
    home, named = settings.PORTAL_HOME, _named()
    if not named or not all(path.is_relative_to(home.folder) and path.is_file() for path in named):
        return True
    first = Person.objects.aggregate(first=Min("joined"))["first"]
    return first is None or any(path.stat().st_ctime < first.timestamp() for path in _unnamed())


def _unnamed() -> list[Path]:
    """Tables and attachments, under names that the portal gave, that the database does not name."""
    named = _named()
    files = [path for path in _files(*_received(settings.PORTAL_HOME)) if path.suffix not in _PARTS]
    return [path for path in files if _OURS.fullmatch(path.name) and path not in named]


def _named() -> set[Path]:
    places = DataSet.objects.exclude(place="").values_list("place", flat=True)
    slugs = Attachment.objects.filter(removed_at=None).values_list("slug", flat=True)
    return {*map(Path, places), *(settings.PORTAL_HOME.uploads / slug for slug in slugs)}


def _received(home: PortalHome) -> tuple[Path, ...]:
    return home.sources, home.incoming, home.uploads


def _is_still(path: Path, hours: int) -> bool:
    """Has nothing been added to it for so long?"""
    try:
        return time.time() - path.stat().st_mtime > hours * 3600
    except FileNotFoundError:
        return False


def _files(*folders: Path) -> Iterator[Path]:
    for folder in folders:
        yield from [path for path in folder.iterdir() if path.is_file() and not path.is_symlink()]


# Erasure


def forget_request(case: Case) -> None:
    """Remove all that is kept of a request beside its chain: what it said, what came with it, what was done to it."""
    for each in case.attachments.filter(removed_at=None):
        _forget_attachment(each)
    case.trailentry_set.filter(person=case.requester).update(person=None)
    for entry in case.trailentry_set.exclude(detail={}):
        entry.detail = {name: each for name, each in entry.detail.items() if name != "reason"}
        entry.save(update_fields=["detail"])
    state = "withdrawn" if case.state == "sending" else case.state
    Case.objects.filter(pk=case.pk).update(asked={}, forgotten_at=timezone.now(), state=state)
    case.refresh_from_db()
    forget_jobs(case)


def forget_jobs(case: Case) -> None:
    """Remove what people typed to have something done, from the log of the database too: what became of it is in the
    chain.
    """
    others = case.jobs.exclude(kind="erase")
    if case.forgotten_at is not None:
        others.filter(status=Job.WAITING).update(status=Job.FAILED, ended_at=timezone.now())
    others.filter(status__in=(Job.DONE, Job.FAILED)).update(asked={}, error={})
    _empty_log()
    remove_left_copies(settings.PORTAL_HOME)


def _empty_log() -> None:
    """SQLite's log has what was removed until it is written over; where others read just now, the next time."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")


# Rules of retention


@dataclass(frozen=True)
class Due:
    """Something that a rule removes, and when."""

    rule: str
    what: Any
    called: str
    """What to call it: nobody's name, and nothing of what is in it."""
    on: datetime


def ahead() -> list[Due]:
    """All that will be removed by itself, the next first."""
    found = [each for find, _ in RULES.values() for each in find()]
    return sorted(found, key=lambda each: each.on)


def forget(rule: str) -> int:
    """Remove what is due by a rule; says how many."""
    find, remove = RULES[rule]
    removed = 0
    for each in [each for each in find() if each.on <= timezone.now()]:
        try:
            removed += remove(each.what) is not False
        except Exception:  # what is wrong with one is not wrong with the others
            LOG.exception("%s %s could not be removed", rule, each.called)
    return removed


def forget_tables() -> int:
    """Remove tables that were handed in, are not offered any more, and whose requests all ended long enough ago; says
    how many. What was released of them stays, and can be fetched as before.
    """
    return forget("table")


def keep_no_longer() -> int:
    """Remove all that is due, and what was left half received."""
    removed = remove_leftovers(hours=_A_DAY) + sum(forget(rule) for rule in RULES)
    _empty_log()
    return removed


def _after_end() -> timedelta:
    return timedelta(days=AgencySettings.current().retention_days)


def _tables() -> Iterator[Due]:
    for each in DataSet.objects.filter(is_offered=False, takes_questions=False):
        on = _table_due(each) if each.place else _half_gone_since(each)
        if on is not None:
            yield Due("table", each, each.name, on)


def _table_due(data_set: DataSet) -> datetime | None:
    """When a table is removed; never where it was not handed in, somebody still negotiates, or something is done."""
    if _is_worked_on(data_set):
        return None
    ends = [_last_worked_on(data_set), *(_ended_at(case) for case in data_set.case_set.all())]
    known = [end for end in ends if end is not None]
    is_kept = Path(data_set.place).parent != settings.PORTAL_HOME.sources or len(known) < len(ends)
    return None if is_kept else max(known) + _after_end()


def _half_gone_since(data_set: DataSet) -> datetime | None:
    """When a table was closed whose removal was begun and stopped before all that names its values was gone."""
    ended = TrailEntry.objects.filter(what=_GONE, detail__data_set=data_set.pk)
    return _last_worked_on(data_set) if data_set.is_gone and not ended.exists() else None


def _is_worked_on(data_set: DataSet) -> bool:
    """Is something done with a table, or about to be: for itself, for a request, or for a question to it?"""
    undone = Job.objects.filter(status__in=(Job.WAITING, Job.RUNNING))
    questions = set(data_set.inquiries.values_list("pk", flat=True))
    is_asked = any(job.asked.get("question") in questions for job in undone.filter(kind__in=_OF_QUESTIONS))
    return is_asked or undone.filter(Q(data_set=data_set) | Q(case__data_set=data_set)).exists()


def _last_worked_on(data_set: DataSet) -> datetime:
    """When a manager last had something done with a table, changed what it is, opened or closed it, decided on a
    question to it, or handed it in.
    """
    changes = TrailEntry.objects.filter(what__in=_CHANGES, detail__data_set=data_set.pk)
    found = (
        data_set.jobs.values_list("made_at", flat=True),
        changes.values_list("at", flat=True),
        data_set.inquiries.exclude(decided_at=None).values_list("decided_at", flat=True),
    )
    last: datetime = max([data_set.added_at, *(moment for moments in found for moment in moments)])
    return last


def _forget_table(data_set: DataSet) -> bool:
    """Says whether it was still to be removed: a manager may have opened it, or worked with it, a moment ago."""
    if data_set.place and not _let_go(data_set):
        return False
    for draft in data_set.draft_set.all():
        forget_draft(draft)
    history_of(data_set).unlink(missing_ok=True)
    _forget_values(data_set)
    TrailEntry.add(_GONE, None, data_set=data_set.pk)
    return True


def _let_go(data_set: DataSet) -> bool:
    """Remove the file, unless it is not to be removed any more. Its path is kept until it is gone, so that whoever was
    stopped in between is followed by somebody who removes it.
    """
    with transaction.atomic():
        closed = DataSet.objects.select_for_update().filter(pk=data_set.pk, is_offered=False, takes_questions=False)
        now = closed.filter(place=data_set.place).first()
        on = None if now is None else _table_due(now)
        if on is None or on > timezone.now():
            return False
        DataSet.objects.filter(pk=data_set.pk).update(place="")
        Path(data_set.place).unlink(missing_ok=True)
    return True


def _forget_values(data_set: DataSet) -> None:
    """What names values of a table that is gone: queries, trees, domains, what did not fit, what was looked up."""
    jobs = Job.objects.filter(status__in=(Job.DONE, Job.FAILED))
    jobs.filter(data_set=data_set).update(asked={}, error={})
    of_requests = jobs.filter(case__data_set=data_set)
    of_requests.filter(kind__in=_LOOKED_UP).update(asked={})
    of_requests.update(error={})
    data_set.inquiries.update(error={})
    numbers = set(data_set.inquiries.values_list("pk", flat=True))
    of_questions = [each.pk for each in jobs.filter(kind__in=_OF_QUESTIONS) if each.asked.get("question") in numbers]
    jobs.filter(pk__in=of_questions).update(error={})
    tree = schema_of(data_set).to_tree()
    tree["columns"] = {name: _without_values(entries or {}) for name, entries in tree["columns"].items()}
    schema = yaml_of(Schema.from_tree(tree)) if data_set.schema else ""
    DataSet.objects.filter(pk=data_set.pk).update(schema=schema, unfit=None)


def _without_values(entries: Mapping[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in entries.items() if name in _SAY_NO_VALUES}


def _attachments() -> Iterator[Due]:
    for each in Attachment.objects.filter(removed_at=None, case__state__in=_OVER).select_related("case"):
        end = _ended_at(each.case)
        if end is not None:
            yield Due("attachment", each, str(each.case), end + _after_end())


def _forget_attachment(attachment: Attachment) -> None:
    (settings.PORTAL_HOME.uploads / attachment.slug).unlink(missing_ok=True)
    with transaction.atomic():
        Attachment.objects.filter(pk=attachment.pk).update(removed_at=timezone.now(), name="–")
        TrailEntry.add("attachment-forgotten", None, attachment.case, attachment=attachment.pk)


def _archives() -> Iterator[Due]:
    """Each is kept until the last way to it is closed or has expired."""
    for case in Case.objects.filter(deliveries__isnull=False).exclude(folder="").distinct():
        links = list(case.deliveries.filter(way="download"))
        if links and plain_archive(case).is_file():
            yield Due("archive", (case, None), str(case), max(map(_end_of, links)))
        for each in case.deliveries.filter(way="encrypted"):
            if encrypted_archive(each).is_file():
                yield Due("archive", (case, each), str(case), _end_of(each))


def _end_of(delivery: Delivery) -> datetime:
    end: datetime = delivery.revoked_at or delivery.expires
    return end


def _forget_archive(what: tuple[Case, Delivery | None]) -> None:
    case, delivery = what
    (plain_archive(case) if delivery is None else encrypted_archive(delivery)).unlink(missing_ok=True)
    TrailEntry.add("archive-forgotten", None, case)


def _registrations() -> Iterator[Due]:
    for each in Registration.objects.all():
        yield Due("registration", each, f"#{each.pk}", each.made_at + timedelta(days=REGISTRATION_DAYS))


def _letters() -> Iterator[Due]:
    """Those that were given up count from when they would have been tried once more."""
    for each in (*Letter.objects.exclude(sent_at=None), *given_up()):
        yield Due("letter", each, f"#{each.pk}", (each.sent_at or each.next_try) + _after_end())


RULES: Mapping[str, tuple[Callable[[], Iterator[Due]], Callable[[Any], object]]] = {
    "table": (_tables, _forget_table),
    "attachment": (_attachments, _forget_attachment),
    "archive": (_archives, _forget_archive),
    "registration": (_registrations, lambda each: each.delete()),
    "letter": (_letters, lambda each: each.delete()),
}
"""By name: what it finds, and what it does."""


def _ended_at(case: Case) -> datetime | None:
    """When a request ended; messages afterwards do not count. Of one that cannot be read nobody knows."""
    if case.state not in _OVER:
        return None
    if not case.folder:  # of data that nobody has listed
        return _decided_for_good(case)
    try:
        events = NegotiationRecord.read(case.folder).events
    except BiomboError:
        LOG.exception("request %s cannot be read", case)
        return None
    return max(event.at for event in events if event.fact is None or event.fact.name not in _ASIDE)


def _decided_for_good(case: Case) -> datetime:
    """When a request that never began ended: not before the right to appeal does."""
    from biombo._portal.unlisted import appeal_until, may_appeal

    until: datetime | None = appeal_until(case) if may_appeal(case) else None
    changed: datetime = case.changed_at
    return changed if until is None else until
