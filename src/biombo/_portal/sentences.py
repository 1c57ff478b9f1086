"""Errors of jobs in words. Managers read all of them; others what negotiations say to requesters, since sentences about
tables name their files and quote what is in them.
"""

import re
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from biombo._errors import BiomboError
from biombo._i18n import has_text, text
from biombo._portal.models import DataSet, Job

_FOR_EVERYBODY = ("negotiation.", "portal.", "limit.", "number.", "entry.")
_FOR_THE_AGENCY = ("path", "source", "detail", "values", "folder")
"""Where files are, what they are called, what is in them: sentences with these are told to managers alone."""
_OF_TABLES = ("portal.table-gone", "portal.file-gone", "portal.no-database", "portal.database-away", "portal.query-")
"""How those begin that say what a manager is to do about a table, or what it is called inside."""


def kept_error(error: BiomboError) -> dict[str, Any]:
    """An error as it is kept: worded when it is shown."""
    return {"key": error.key, "values": {name: str(each) for name, each in error.values.items()}}


def worded(error: Mapping[str, Any], table: DataSet | None) -> str | None:
    """An error that was kept, for the agency; nothing where there is no such sentence any more."""
    key, values = error.get("key", ""), error.get("values", {})
    if not has_text(f"errors.{key}"):
        return None
    try:
        return text(f"errors.{key}", **{name: _told(value, table) for name, value in values.items()})
    except (ValueError, KeyError):
        return None


def worded_error(job: Job, person: Any) -> str | None:
    """Why a job failed, for whoever asked for it."""
    key, values = job.error.get("key", ""), job.error.get("values", {})
    is_told = person.role == "manager" or _is_for_everybody(key, values)
    sentence = worded(job.error, _table_of(job)) if is_told else None
    return text("errors.portal.failed", job=str(job.pk)) if sentence is None else sentence


def _is_for_everybody(key: str, values: Any) -> bool:
    is_told = key.startswith(_FOR_EVERYBODY) and not key.startswith(_OF_TABLES)
    return is_told and not any(name in values for name in _FOR_THE_AGENCY)


def _told(value: Any, table: DataSet | None) -> Any:
    """A table is called as whoever handed it in has called it: its file has a name that nobody chose."""
    if table is None or not isinstance(value, str):
        return _number(value)
    home = settings.PORTAL_HOME
    folders = "|".join(re.escape(str(folder)) for folder in (home.sources, home.incoming, home.questions))
    return _number(re.sub(rf"(?:{folders})/(?:[0-9a-f]{{32}}|[0-9]+)[a-z0-9.]*", lambda _: str(table.name), value))


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
