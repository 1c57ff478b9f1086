"""Errors of jobs in words. A requester reads what negotiations say to requesters, and nothing else of what failed."""

from typing import Any

from biombo._i18n import has_text, text
from biombo._portal.models import Job

_FOR_EVERYBODY = ("negotiation.", "portal.", "limit.", "number.", "entry.")
_FOR_THE_AGENCY = ("path", "source", "detail", "values", "folder")
"""Where files are, what they are called, what is in them: sentences with these are not told to requesters."""


def worded_error(job: Job, person: Any) -> str | None:
    """Why a job failed, for whoever asked for it."""
    key, values = job.error.get("key", ""), job.error.get("values", {})
    known = has_text(f"errors.{key}")
    if not known or (person.role == "requester" and not _is_for_requesters(key, values)):
        return text("errors.portal.failed", job=str(job.pk))
    try:
        return text(f"errors.{key}", **{name: _number(value) for name, value in values.items()})
    except (ValueError, KeyError):
        return text("errors.portal.failed", job=str(job.pk))


def _is_for_requesters(key: str, values: Any) -> bool:
    return key.startswith(_FOR_EVERYBODY) and not any(name in values for name in _FOR_THE_AGENCY)


def _number(value: Any) -> Any:
    """What was a number is one again, so that it is written as the language does."""
    for kind in (int, float):
        try:
            return kind(value)
        except (TypeError, ValueError):
            continue
    return value
