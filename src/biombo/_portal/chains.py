"""Requests of the database and the chains of their negotiations: where the two differ, the chain is the truth."""

import shutil
from pathlib import Path

from django.conf import settings

from biombo._errors import BiomboError
from biombo._i18n import text
from biombo._negotiate import NegotiationRecord
from biombo._portal.keeping import forget_jobs, forget_request
from biombo._portal.models import Case, Job
from biombo._portal.negotiations import begun_before, chains_without_request, note

_UNDONE = (Job.WAITING, Job.RUNNING)


def follow_chains() -> None:
    """Make the database of a copy agree with its chains, which were copied after it: jobs that wait may have been done,
    requests have gone on, or begun. What was begun for a request that the copy does not have is removed: nobody could
    see it, or have it erased.
    """
    Job.objects.filter(status__in=_UNDONE, tries=0).update(tries=1)  # so that chains are asked whether it was done
    for case in Case.objects.filter(folder="", state="sending", forgotten_at=None).exclude(data_set=None):
        begun = begun_before(case)
        if begun is not None:
            Case.objects.filter(pk=case.pk).update(folder=str(begun))
    known = set(Case.objects.exclude(folder="").values_list("folder", flat=True))
    for folder in settings.PORTAL_HOME.negotiations.iterdir():
        if folder.is_dir() and str(folder) not in known:
            shutil.rmtree(folder)
    for case in Case.objects.exclude(folder=""):
        try:
            _follow(case)
        except BiomboError:
            continue  # a check says what is wrong with it


def _follow(case: Case) -> None:
    """Note what a chain says; what was erased from it is erased here too."""
    record = NegotiationRecord.read(case.folder)
    if _listed(case) != _told(record):
        note(case, record)
    if record.state.is_forgotten and case.forgotten_at is None:
        forget_request(case)
    elif any(event.fact is None for event in record.events):
        forget_jobs(case)


def differences(case: Case, record: NegotiationRecord) -> list[str]:
    """What the lists show of a request and its chain does not say, in sentences; nothing while something is done, or
    where it went on since the ``case`` was read, before its ``record``.
    """
    before = (*_listed(case), case.changed_at)
    if _listed(case) == _told(record) or case.jobs.filter(status__in=_UNDONE).exists():
        return []
    case.refresh_from_db()
    if (*_listed(case), case.changed_at) != before:
        return []
    return [text("portal.check.differs", listed=case.state, chain=record.state.name)]


def left_alone() -> list[Path]:
    """Chains that no request has, unless one is just being begun."""
    is_begun = Job.objects.filter(kind="begin", status__in=_UNDONE).exists()
    return [] if is_begun else chains_without_request()


def _listed(case: Case) -> tuple[str, str]:
    return case.state, case.owner


def _told(record: NegotiationRecord) -> tuple[str, str]:
    return record.state.name, record.state.stand.owner or ""
