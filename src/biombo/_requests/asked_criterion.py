"""Criteria as a request asks for them: what is wrong with a number is told by the option that it was given for."""

from collections.abc import Callable
from typing import Any, TypeVar

from biombo._errors import UsageError
from biombo._i18n import option

Made = TypeVar("Made")

_ENTRY = "document.entry-"
_LIMITS = ("above", "above-to", "at-least", "between", "whole")
_BESIDE = {"c": "c", "population": "population_size"}
"""What entries beside the bound of a criterion are called in a request."""


def criterion_for(kind: Callable[..., Made], name: str, bound: float, /, **entries: Any) -> Made:
    """A criterion whose bound the request has under ``name``."""
    try:
        return kind(bound, **entries)
    except UsageError as error:
        raise _by_option(error, name) from None


def _by_option(error: UsageError, name: str) -> UsageError:
    """The same mistake, told by the option in the place of the entry that the criterion has."""
    if error.key == "criteria.c-unused":
        return UsageError("usage.c-unused", **error.values)
    limit = error.key.removeprefix(_ENTRY)
    if not error.key.startswith(_ENTRY) or limit not in _LIMITS:
        return error
    entry, value = error.values["entry"], error.values["value"]
    if entry == "c" and value is None:
        return UsageError("usage.c-needed")
    told = {each: found for each, found in error.values.items() if each != "entry"}
    return UsageError(f"usage.option-{limit}", option=option(_BESIDE.get(entry, name)), **told)
