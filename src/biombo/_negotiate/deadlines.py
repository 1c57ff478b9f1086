"""Until when somebody has to act: LAI gives an agency 20 days and 10 more for a reason, a requester 10 to appeal."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta, timezone

from biombo._documents import check_types, check_whole
from biombo._negotiate.state import State

_BRASILIA = timezone(timedelta(hours=-3))
"""Where days end that the law counts; there is no summer time."""


def last_moment(start: datetime, days: int) -> datetime:
    """The end of the day that is so many ``days`` after ``start``: something can be done until a day is over.

    >>> from datetime import UTC
    >>> last_moment(datetime(2026, 11, 19, 1, tzinfo=UTC), 10).isoformat()  # 22:00 on the 18th in Brasília
    '2026-11-28T23:59:59-03:00'
    """
    day = start.astimezone(_BRASILIA).date() + timedelta(days=days)
    return datetime.combine(day, time(23, 59, 59), _BRASILIA)


@dataclass(frozen=True)
class Deadlines:
    """Days by whose turn it is; ``None``: no day is set."""

    answer: int | None = 20
    """The agency, from the request on, until it has prepared the data or said what is missing (LAI, article 11)."""
    extension: int = 10
    """What a reason adds to it."""
    appeal: int = 10
    """The requester, after a refusal (LAI, article 15)."""
    requester: int | None = 60
    """The requester, for each turn; then the negotiation expires."""
    manager: int | None = None
    """The manager, for each turn after the first."""

    def __post_init__(self) -> None:
        check_types(self)
        for name in ("answer", "extension", "appeal", "requester", "manager"):
            if getattr(self, name) is not None:
                check_whole(name, getattr(self, name), least=1)

    def due(self, state: State) -> datetime | None:
        """The last moment at which whoever's turn it is can act; none where no day is set."""
        days = self._days(state)
        start = state.began if state.name == "requested" else state.since
        return None if days is None else last_moment(start, days)

    def _days(self, state: State) -> int | None:
        if state.name == "requested":
            return None if self.answer is None else self.answer + (self.extension if state.extended else 0)
        if state.name == "rejected":
            return self.appeal
        if state.stand.owner == "requester":
            return self.requester
        return self.manager if state.stand.owner in ("manager", "committee") else None
