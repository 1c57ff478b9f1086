"""Whether the reasons and texts behind a decision say something."""

from collections.abc import Iterable, Mapping
from typing import Any

from biombo._documents import refuse_password
from biombo._errors import UsageError


def check_override(reason: Any) -> None:
    """Refuse what is no reason in writing, if one is given."""
    if reason is not None and not (isinstance(reason, str) and reason.strip()):
        raise UsageError("decision.override")
    refuse_password("override", reason)


def checked_reasons(reasons: Any) -> dict[str, str]:
    """By column, why it is accepted. Refuses what is no reason in writing."""
    if not isinstance(reasons, Mapping):
        raise UsageError("decision.reasons")
    for column, reason in reasons.items():
        if not isinstance(reason, str) or not reason.strip():
            raise UsageError("decision.no-reason", column=column)
    refuse_password("accept", reasons)
    return {column: reason.strip() for column, reason in reasons.items()}


def checked_texts(entry: str, texts: Any) -> tuple[str, ...]:
    """Several texts as a tuple, none of them empty."""
    if isinstance(texts, str):
        raise UsageError("usage.string-for-list", argument=entry, value=texts)
    listed = tuple(texts) if isinstance(texts, Iterable) else (texts,)
    if not all(isinstance(each, str) and each.strip() for each in listed):
        raise UsageError("decision.texts", entry=entry)
    refuse_password(entry, listed)
    return listed
