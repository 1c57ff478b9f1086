"""What protects the people in a release: criteria, noise with a guarantee, or nothing, by somebody's written reason."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from biombo._criteria import Criterion, KAnonymity, Leakage, TCloseness, Vulnerability
from biombo._data import Schema
from biombo._errors import UsageError
from biombo._plan import Plan
from biombo._plan.privacy.guarantee import guarantees

ProtectionKind = Literal["criteria", "without-k", "unprotected"]

_FEWEST = 2
"""A group of one protects nobody (document 001: at least 2)."""


@dataclass(frozen=True)
class Protection:
    """What a plan protects people by. ``without-k``: only by noise, whatever groups people are in."""

    kind: ProtectionKind
    reason: str | None = None
    """Why people are not protected, where it is so."""

    @classmethod
    def of(cls, plan: Plan, schema: Schema, unprotected: str | None) -> "Protection":
        """What ``plan`` does. Raises where that is nothing and nobody says why that is ``unprotected``."""
        refuse_small_groups(plan.criteria)
        if any(map(_protects, plan.criteria)):
            return cls("criteria")
        privacy = guarantees(plan, schema)
        if privacy is not None and privacy.sound:
            return cls("without-k")
        if unprotected is None or not unprotected.strip():
            raise UsageError("release.unprotected")
        return cls("unprotected", unprotected.strip())


def refuse_small_groups(criteria: Iterable[Criterion]) -> None:
    """Raise where groups are asked for that protect nobody."""
    for criterion in criteria:
        if isinstance(criterion, KAnonymity) and criterion.k < _FEWEST:
            raise UsageError("release.small-k", k=criterion.k, fewest=_FEWEST)


def _protects(criterion: Criterion) -> bool:
    """Are there tables that do not meet it?"""
    if isinstance(criterion, TCloseness):
        return criterion.t < 1
    if isinstance(criterion, Vulnerability) or (isinstance(criterion, Leakage) and criterion.form == "additive"):
        return criterion.max < 1
    return True
