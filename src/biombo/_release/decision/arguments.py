"""Whether the numbers and choices behind a decision make sense."""

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any, get_args

from biombo._errors import UsageError


def check_probability(entry: str, value: Any) -> None:
    """Refuse what is not a number from 0 to 1."""
    if not _is_number(value) or not 0 <= value <= 1:
        raise UsageError("decision.probability", entry=entry, value=value)


def check_threshold(value: Any) -> None:
    """Refuse what is not a number above 0 and at most 1: a risk of nothing is promised by no release."""
    if not _is_number(value) or not 0 < value <= 1:
        raise UsageError("decision.threshold", value=value)


def check_whole(entry: str, value: Any, least: int) -> None:
    """Refuse what is not a whole number of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise UsageError("decision.whole", entry=entry, value=value, least=least)


def check_choice(entry: str, value: Any, choices: Any) -> None:
    """Refuse what is none of the literals ``choices``."""
    known = get_args(choices)
    if value not in known:
        raise UsageError("decision.choice", entry=entry, value=value, choices=", ".join(known))


def check_override(reason: Any) -> None:
    """Refuse what is no reason in writing, if one is given."""
    if reason is not None and not (isinstance(reason, str) and reason.strip()):
        raise UsageError("decision.override")


def checked_reasons(reasons: Any) -> dict[str, str]:
    """By column, why it is accepted. Refuses what is no reason in writing."""
    if not isinstance(reasons, Mapping):
        raise UsageError("decision.reasons")
    for column, reason in reasons.items():
        if not isinstance(reason, str) or not reason.strip():
            raise UsageError("decision.no-reason", column=column)
    return {column: reason.strip() for column, reason in reasons.items()}


def checked_texts(entry: str, texts: Any) -> tuple[str, ...]:
    """Several texts as a tuple, none of them empty."""
    if isinstance(texts, str):
        raise UsageError("usage.string-for-list", argument=entry, value=texts)
    listed = tuple(texts) if isinstance(texts, Iterable) else (texts,)
    if not all(isinstance(each, str) and each.strip() for each in listed):
        raise UsageError("decision.texts", entry=entry)
    return listed


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
