"""Work that takes longer than a page may: kept in the database, done by workers, once.

The queue only says that there is something to do. What is to be done, how far it is and how it ended stand in
:class:`Job`, so that a worker that was killed loses nothing: the next one takes its jobs up again (:func:`take_up`).
"""

import time
from datetime import timedelta
from functools import cache
from threading import Lock
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError, close_old_connections, transaction
from django.utils import timezone
from huey.api import Huey, PostgresHuey, SqliteHuey

from biombo._errors import BiomboError
from biombo._i18n import Language, speaking, speaking_of_fields
from biombo._portal.holding import still_holds
from biombo._portal.logs import LOG
from biombo._portal.models import Job
from biombo._portal.negotiations import forget_opened
from biombo._portal.questions import give_up
from biombo._portal.sentences import kept_error
from biombo._portal.work import WORK
from biombo._watch import Watch

_MOST_TRIES = 3
_SECONDS_UNTIL_LOST = 20
_SECONDS_BETWEEN = 0.5
"""Between two notes of how far a job is."""


_IN_TURN = ("answer-question", "foresee-question")
"""Done one at a time, those first that a manager has approved: each goes through all that was ever asked of its table,
so that many of them would keep all workers from what others wait for.
"""
_turn = Lock()
_here: set[int] = set()
"""Jobs that this process does now."""
_guard = Lock()


@cache
def queue() -> Huey:
    """What says to workers that there is something to do."""
    home = settings.PORTAL_HOME
    named = {"name": "biombo", "results": False, "store_none": False, "utc": True}
    if home.database is not None:
        return PostgresHuey(dsn=home.database, **named)
    return SqliteHuey(filename=str(home.folder / "queue.sqlite3"), **named)


@cache
def _task() -> Any:
    return queue().task(name="run-job")(run_job)


def ask_for(kind: str, **told: Any) -> Job:
    """Have something done; the job tells how far it is."""
    job: Job = Job.objects.create(kind=kind, **told)
    transaction.on_commit(lambda: _queue_up(job.pk))
    return job


def _queue_up(number: int) -> None:
    """Tell workers; where the queue was away a moment ago, once more. What they do not hear of is found to be lost."""
    for _ in range(2):
        try:
            _task()(number)
        except Exception:
            LOG.exception("job %s could not be queued", number)
        else:
            return


def run_job(number: int) -> None:
    """Do one job, unless somebody else has it; whatever happens, it ends. One that comes in turn waits for its own,
    without a worker: whoever has the turn calls the next.
    """
    if not Job.objects.filter(pk=number, kind__in=_IN_TURN).exists():
        _run_once(number)
    elif _turn.acquire(blocking=False):
        try:
            _run_once(number)
        finally:
            _turn.release()
        _call_next()


def _call_next() -> None:
    """Have the next done of those that come in turn."""
    for kind in _IN_TURN:
        waiting = Job.objects.filter(kind=kind, status=Job.WAITING).order_by("pk").values_list("pk", flat=True).first()
        if waiting is not None:
            _queue_up(waiting)
            return


def _run_once(number: int) -> None:
    with _guard:
        if number in _here:
            return
        _here.add(number)
    try:
        close_old_connections()
        waiting = Job.objects.filter(pk=number, status=Job.WAITING)
        if still_holds(settings.PORTAL_HOME) and waiting.update(status=Job.RUNNING, stage="", progress=0.0):
            _run(Job.objects.select_related("case", "data_set", "person").get(pk=number))
    finally:
        _here.discard(number)
        close_old_connections()


def _run(job: Job) -> None:
    number = job.pk
    Job.objects.filter(pk=number).update(tries=job.tries + 1)
    try:
        watch = Watch(progress=_Noting(number), stage=_noting_stage(number), warning=_heard, remark=_heard)
        with speaking(_language_of(job)), speaking_of_fields(), watch:
            WORK[job.kind](job)
    except BiomboError as error:
        _ended(number, Job.FAILED, kept_error(error))
    except (OperationalError, InterfaceError):
        raise  # whether it was done is seen once the database is there again
    except Exception:
        LOG.exception("job %s (%s) failed", number, job.kind)
        _ended(number, Job.FAILED, {"key": "portal.failed", "values": {"job": str(number)}})
    else:
        _ended(number, Job.DONE, {})


def _language_of(job: Job) -> Language:
    """What is written down for good, such as why a risk is allowed, is in the language of whoever asked."""
    return "en" if job.person is not None and job.person.language == "en" else "pt"


def _ended(number: int, status: str, error: dict[str, Any]) -> None:
    job = Job.objects.select_related("case").get(pk=number)
    if job.case is not None and status == Job.FAILED:
        forget_opened(job.case)
    if status == Job.FAILED:
        give_up(job, error)
    if job.case is not None and job.case.forgotten_at is not None and job.kind != "erase":
        Job.objects.filter(pk=number).update(asked={})  # it was erased while this was done
        error = {}
    Job.objects.filter(pk=number).update(status=status, error=error, ended_at=timezone.now(), progress=1.0)


def take_up() -> int:
    """Do what a worker that was stopped has left: jobs are begun anew, a few times; says how many. An act that had been
    done already is not done twice: its chain tells.
    """
    task = _task()  # known to this process from here on, whether anything was left or not
    queue().flush()  # first: what comes in from here on stays in the queue
    left = list(Job.objects.filter(status__in=(Job.RUNNING, Job.WAITING)))
    for job in left:
        if job.tries >= _MOST_TRIES:
            _ended(job.pk, Job.FAILED, {"key": "portal.failed", "values": {"job": str(job.pk)}})
        else:
            Job.objects.filter(pk=job.pk).update(status=Job.WAITING)
            task(job.pk)
    return len(left)


def take_up_lost() -> int:
    """Do what nobody does though it was begun or asked for: the database was away when its end or its beginning should
    have been noted. For the process that has the workers.
    """
    before = timezone.now() - timedelta(seconds=_SECONDS_UNTIL_LOST)
    left = Job.objects.filter(status__in=(Job.RUNNING, Job.WAITING), made_at__lt=before)
    lost = [job for job in list(left) if job.pk not in _here and (job.status == Job.RUNNING or not _here)]
    for job in lost:
        if job.tries >= _MOST_TRIES:
            _ended(job.pk, Job.FAILED, {"key": "portal.failed", "values": {"job": str(job.pk)}})
        elif Job.objects.filter(pk=job.pk, status=job.status).update(status=Job.WAITING):
            (_queue_up if job.kind in _IN_TURN else run_job)(job.pk)
    return len(lost)


class _Noting:
    """Notes how far a job is, not too often."""

    def __init__(self, number: int) -> None:
        self._number, self._last = number, 0.0

    def __call__(self, done: float, total: float | None) -> None:
        now = time.monotonic()
        if total and now - self._last > _SECONDS_BETWEEN:
            self._last = now
            Job.objects.filter(pk=self._number).update(progress=min(1.0, done / total))


def _noting_stage(number: int) -> Any:
    return lambda stage: Job.objects.filter(pk=number).update(stage=str(stage)[:200], progress=0.0)


def _heard(_sentence: str) -> None:
    """What is worth saying to whoever types commands is in the reports as well."""
