"""Errors of jobs in words. Managers read all of them; others what negotiations say to requesters, since sentences about
tables name their files and quote what is in them.
"""

import re
from typing import Any

from django.conf import settings

from biombo._i18n import has_text, text
from biombo._portal.models import DataSet, Job

_FOR_EVERYBODY = ("negotiation.", "portal.", "limit.", "number.", "entry.")
_FOR_THE_AGENCY = ("path", "source", "detail", "values", "folder")
"""Where files are, what they are called, what is in them: sentences with these are told to managers alone."""
_OF_TABLES = ("portal.table-gone", "portal.file-gone", "portal.no-database", "portal.database-away", "portal.query-")
"""How those begin that say what a manager is to do about a table, or what it is called inside."""


def worded_error(job: Job, person: Any) -> str | None:
    """Why a job failed, for whoever asked for it."""
    key, values = job.error.get("key", ""), job.error.get("values", {})
    known = has_text(f"errors.{key}")
    if not known or (person.role != "manager" and not _is_for_everybody(key, values)):
        return text("errors.portal.failed", job=str(job.pk))
    try:
        return text(f"errors.{key}", **{name: _told(value, job) for name, value in values.items()})
    except (ValueError, KeyError):
        return text("errors.portal.failed", job=str(job.pk))


def _is_for_everybody(key: str, values: Any) -> bool:
    is_told = key.startswith(_FOR_EVERYBODY) and not key.startswith(_OF_TABLES)
    return is_told and not any(name in values for name in _FOR_THE_AGENCY)


def _told(value: Any, job: Job) -> Any:
    """A table is called as whoever handed it in has called it: its file has a name that nobody chose."""
    table = _table_of(job) if isinstance(value, str) else None
    if table is None:
        return _number(value)
    home = settings.PORTAL_HOME
    folders = "|".join(re.escape(str(folder)) for folder in (home.sources, home.incoming))
    return _number(re.sub(rf"(?:{folders})/[0-9a-f]{{32}}[a-z0-9.]*", lambda _: str(table.name), value))


def _table_of(job: Job) -> DataSet | None:
    """The table that a job is, or was, about; of one that begins a request it is named, since another may be now."""
    named = DataSet.objects.filter(pk=job.asked.get("data_set")).first() if job.kind == "begin" else None
    found: DataSet | None = job.data_set or named or (None if job.case is None else job.case.data_set)
    return found


def _number(value: Any) -> Any:
    """What was a number is one again, so that it is written as the language does."""
    for kind in (int, float):
        try:
            return kind(value)
        except (TypeError, ValueError):
            continue
    return value
