"""What is known of a release when it is made: short texts, dates and hashes, and no secrets."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal, Self

from biombo._documents import check_number, check_whole, checked, checked_text
from biombo._errors import UsageError
from biombo._release.decision import Decision

AccessMethod = Literal["copy", "online", "on-site", "on-request"]
"""A copy of the data, access over the network, in one place only, or case by case."""

ModelName = Literal["public", "controlled"]

_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, kw_only=True)
class RegisterEntry:
    """What was released, by whom, to whom and at which risk. It holds no data: plan and manifest are there by hash.

    >>> from biombo import Decision, PublicRelease
    >>> entry = RegisterEntry.of(
    ...     Decision(PublicRelease(harm="medium"), smallest_group=10),
    ...     what="Visits 2025",
    ...     department="Health surveillance",
    ...     access="online",
    ...     plan_hash="0" * 64,
    ...     review=date(2027, 1, 31),
    ... )
    >>> entry.risk, entry.release_model
    (0.1, 'public')
    """

    what: str
    """What the release is called."""
    department: str
    """Which part of the organisation released it."""
    release_model: ModelName
    recipients: tuple[str, ...] = ()
    """To whom; nobody in particular where the release is public."""
    access: AccessMethod
    plan_hash: str
    smallest_group: int | None
    """People in it; none where the release claims no k, and its risk was measured against the truth."""
    risk: float
    """P(re-ID) that was achieved."""
    threshold: float
    override: str | None = None
    """Why it was released above the threshold."""
    controls: tuple[str, ...] = ()
    """Technical controls by name, others in words."""
    review: date
    """When the risk is to be looked at again."""
    manifest_hash: str | None = None
    """SHA-256 of the release's manifest, by which a release is recognised as the one on record."""

    def __post_init__(self) -> None:
        for name in ("what", "department"):
            object.__setattr__(self, name, checked_text(name, getattr(self, name)))
        for name in ("recipients", "controls"):
            object.__setattr__(self, name, checked_texts(name, getattr(self, name)))
        if self.override is not None:
            object.__setattr__(self, "override", checked_text("override", self.override))
        checked(ModelName, "release_model", self.release_model)
        checked(AccessMethod, "access", self.access)
        check_hash("plan_hash", self.plan_hash)
        if self.manifest_hash is not None:
            check_hash("manifest_hash", self.manifest_hash)
        if self.smallest_group is not None:
            check_whole("smallest_group", self.smallest_group, least=1)
        check_number("risk", self.risk, 0, 1)
        check_number("threshold", self.threshold, 0, 1)
        check_day("review", self.review)
        if self.release_model == "controlled" and not self.recipients:
            raise UsageError("register.no-recipients")

    @classmethod
    def of(
        cls,
        decision: Decision,
        *,
        what: str,
        department: str,
        access: AccessMethod,
        plan_hash: str,
        review: date,
        recipients: tuple[str, ...] = (),
        manifest_hash: str | None = None,
    ) -> Self:
        """The entry of a release whose risk was decided on."""
        model = decision.model
        return cls(
            what=what,
            department=department,
            release_model="public" if model.name == "public" else "controlled",
            recipients=recipients,
            access=access,
            plan_hash=plan_hash,
            smallest_group=decision.smallest_group,
            risk=decision.reidentification,
            threshold=decision.threshold,
            override=decision.override if decision.overridden else None,
            controls=(*model.controls, *model.measures),
            review=review,
            manifest_hash=manifest_hash,
        )


def checked_texts(entry: str, values: Any) -> tuple[str, ...]:
    """Each of several texts."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise UsageError("usage.string-for-list", argument=entry, value=values)
    return tuple(checked_text(entry, value) for value in values)


def check_hash(entry: str, value: Any) -> None:
    """Refuse what is not a SHA-256 in hexadecimal digits."""
    if not isinstance(value, str) or not _HASH.fullmatch(value):
        raise UsageError("register.hash", entry=entry)


def check_day(entry: str, value: Any) -> None:
    """Refuse what is not a date without a time."""
    if not isinstance(value, date) or isinstance(value, datetime):
        raise UsageError("register.day", entry=entry, value=value)
