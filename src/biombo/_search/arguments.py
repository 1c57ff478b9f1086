"""Whether what a search is told makes sense."""

from collections.abc import Mapping, Sequence
from math import isfinite
from numbers import Integral, Real
from typing import Any, Literal, get_args

from biombo._errors import UsageError
from biombo._plan import Preference
from biombo._search.policy import Policy

RecodingName = Literal["global", "local", "multidimensional", "multidimensional-relaxed"]
"""Whether each column has one level in all records, or each group of records levels of its own: any records, or regions
that are cut from the top down, which may overlap where they are relaxed."""


def check_plans(plans: Any) -> None:
    """Refuse what is not a whole number of at least 1."""
    if not _is_whole(plans) or plans < 1:
        raise UsageError("search.plans", value=plans)


def check_seconds(seconds: Any) -> None:
    """Refuse what is not a number of at least 0."""
    if not _is_number(seconds) or seconds < 0:
        raise UsageError("search.seconds", value=seconds)


def check_share(share: Any) -> None:
    """Refuse what is not a number from 0 to 1."""
    if not _is_number(share) or not 0 <= share <= 1:
        raise UsageError("search.max-suppression", value=share)


def check_ks(ks: Any) -> None:
    """Refuse what is not a list of whole numbers of at least 1."""
    if not isinstance(ks, Sequence) or not all(_is_whole(k) and k >= 1 for k in ks):
        raise UsageError("search.ks", value=ks)


def check_weights(weights: Mapping[str, Any]) -> None:
    """Refuse weights that are not numbers above 0."""
    for column, weight in weights.items():
        if not _is_number(weight) or not weight > 0:
            raise UsageError("search.weights", column=column, value=weight)


def check_recoding(recoding: object, bounds: Mapping[str, Any], policies: Sequence[Policy]) -> None:
    """Refuse what is no kind of recoding, and what local recoding cannot keep."""
    if recoding not in get_args(RecodingName):
        raise UsageError("search.recoding", value=recoding, kinds=", ".join(get_args(RecodingName)))
    if recoding == "global":
        return
    if bounds:
        raise UsageError("search.local-bounds", column=next(iter(bounds)))
    for policy in policies:
        if policy.name not in get_args(Preference):
            raise UsageError("search.local-policy", policy=policy.name, policies=", ".join(get_args(Preference)))


def is_level(value: Any) -> bool:
    """Is it a level, by its number or its name?"""
    return isinstance(value, str) or _is_whole(value)


def lowest_and_highest(column: str, bounds: Any) -> tuple[Any, Any]:
    """The levels that ``bounds`` stand for, each of which may be None: no bound."""
    if not isinstance(bounds, Sequence) or len(bounds) != 2 or not all(b is None or is_level(b) for b in bounds):
        raise UsageError("search.bounds-shape", column=column, value=bounds)
    return bounds[0], bounds[1]


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and isfinite(value)
