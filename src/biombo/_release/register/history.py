"""A release on record, with all that happened to it since."""

from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any, Literal

from biombo._release.register.entry import RegisterEntry

EventKind = Literal["registered", "reviewed", "revoked", "breached"]
ReleaseStatus = Literal["active", "revoked", "breached"]

_STATUS_AFTER: dict[EventKind, ReleaseStatus] = {"revoked": "revoked", "breached": "breached"}


@dataclass(frozen=True)
class RegisterEvent:
    """Something that happened to a release. Events are added, never changed or removed."""

    kind: EventKind
    at: datetime
    """When it was put on record, in UTC."""
    note: str | None
    """The reason, what was found, or what was waived."""
    who: str | None
    next_review: date | None
    """When the risk is to be looked at again, after a review."""


@dataclass(frozen=True)
class RegisteredRelease:
    """A release on record. Made by :class:`biombo.Register`."""

    id: int
    entry: RegisterEntry
    events: tuple[RegisterEvent, ...]
    """In the order in which they were put on record, the registration first."""

    @property
    def registered(self) -> datetime:
        """When it was put on record, in UTC."""
        return self.events[0].at

    @property
    def status(self) -> ReleaseStatus:
        """What the last revocation or breach made of it; active where there was none."""
        changes = [_STATUS_AFTER[event.kind] for event in self.events if event.kind in _STATUS_AFTER]
        return changes[-1] if changes else "active"

    @property
    def review(self) -> date:
        """When the risk is to be looked at again, by the last review or else by the entry."""
        reviews = [event.next_review for event in self.events if event.next_review is not None]
        return reviews[-1] if reviews else self.entry.review

    def due(self, on: date) -> bool:
        """Is a review due on that day? Never for what was revoked."""
        return self.status != "revoked" and self.review <= on

    def as_json(self) -> dict[str, Any]:
        """The release as plain values."""
        return {
            "id": self.id,
            "status": self.status,
            "registered": self.registered.isoformat(),
            **_plain(asdict(self.entry)),
            "review": self.review.isoformat(),
            "events": [_plain(asdict(event)) for event in self.events],
        }


def _plain(entries: dict[str, Any]) -> dict[str, Any]:
    """Dates as ISO 8601 and lists as lists."""
    return {name: _plain_value(value) for name, value in entries.items()}


def _plain_value(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    return list(value) if isinstance(value, tuple) else value
