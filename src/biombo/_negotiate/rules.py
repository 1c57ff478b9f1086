"""Who may do what in which state: the one table, default deny. docs/negotiation.md has it, written by a test."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from biombo._negotiate.actors import ActorRole

StateName = Literal[
    "requested",
    "supplement",
    "record-check",
    "manipulations",
    "applying",
    "condition",
    "diversity",
    "value-check",
    "synonyms",
    "rewording",
    "utility",
    "review",
    "report",
    "vote",
    "ready",
    "available",
    "rejected",
    "appealed",
    "withdrawn",
    "expired",
    "refused",
    "revoked",
]


@dataclass(frozen=True)
class Stand:
    """What a state is: the process of Moraes et al. (2025) that it belongs to, and whose turn it is."""

    process: int
    owner: ActorRole | None
    """Nobody's, where it is over."""


STANDS: Mapping[StateName, Stand] = {
    "requested": Stand(1, "manager"),
    "supplement": Stand(1, "requester"),
    "record-check": Stand(3, "system"),
    "manipulations": Stand(5, "requester"),
    "applying": Stand(6, "manager"),
    "condition": Stand(6, "requester"),
    "diversity": Stand(7, "manager"),
    "value-check": Stand(8, "system"),
    "synonyms": Stand(10, "requester"),
    "rewording": Stand(11, "manager"),
    "utility": Stand(12, "manager"),
    "review": Stand(13, "requester"),
    "report": Stand(14, "manager"),
    "vote": Stand(14, "committee"),
    "ready": Stand(14, "manager"),
    "available": Stand(15, None),
    "rejected": Stand(1, "requester"),
    "appealed": Stand(1, "manager"),
    "withdrawn": Stand(1, None),
    "expired": Stand(1, None),
    "refused": Stand(1, None),
    "revoked": Stand(15, None),
}

OVER: frozenset[StateName] = frozenset({"available", "withdrawn", "expired", "refused", "revoked"})
"""States in which nobody has to do anything."""

OPEN: tuple[StateName, ...] = tuple(
    name for name in get_args(StateName) if name not in OVER and name not in ("rejected", "appealed")
)
"""States before the data are available."""


@dataclass(frozen=True)
class Permission:
    """An act that somebody of a role may do in a state, and the states that may come of it."""

    state: StateName
    role: ActorRole
    act: str
    to: tuple[StateName, ...]


def _by_turn() -> Iterator[Permission]:
    yield Permission("requested", "manager", "prepare", ("record-check",))
    yield Permission("requested", "manager", "ask-for-more", ("supplement",))
    yield Permission("requested", "manager", "extend", ("requested",))
    yield Permission("supplement", "requester", "supplement", ("requested",))
    yield Permission("record-check", "system", "records-checked", ("manipulations", "diversity"))
    yield Permission("manipulations", "requester", "accept", ("applying",))
    yield Permission("manipulations", "requester", "propose", ("applying",))
    yield Permission("manipulations", "requester", "ask-for-plans", ("manipulations",))
    yield Permission("applying", "manager", "carry-out", ("record-check",))
    yield Permission("applying", "manager", "suggest", ("manipulations",))
    yield Permission("applying", "manager", "decline", ("manipulations",))
    yield Permission("applying", "manager", "set-condition", ("condition",))
    yield Permission("condition", "requester", "answer", ("applying",))
    yield Permission("diversity", "manager", "ask-diversity", ("value-check",))
    yield Permission("value-check", "system", "values-checked", ("synonyms", "utility", "rewording"))
    yield Permission("synonyms", "requester", "give-synonyms", ("rewording",))
    yield Permission("synonyms", "requester", "propose", ("rewording",))
    yield Permission("rewording", "manager", "carry-out", ("value-check",))
    yield Permission("rewording", "manager", "decline", ("synonyms",))
    yield Permission("rewording", "manager", "suggest", ("manipulations",))
    for state in ("diversity", "synonyms", "rewording"):
        yield Permission(state, "manager", "waive", ("utility",))
    yield Permission("utility", "manager", "send-metrics", ("review",))
    yield Permission("review", "requester", "review", ("report", "manipulations", "applying"))
    yield Permission("report", "manager", "write-report", ("vote", "ready"))
    yield Permission("report", "manager", "suggest", ("manipulations",))
    yield Permission("utility", "manager", "override", ("utility",))
    yield Permission("review", "manager", "override", ("review",))
    yield Permission("report", "manager", "override", ("report",))
    yield Permission("vote", "committee", "vote", ("vote", "ready", "report"))
    yield Permission("ready", "manager", "make-available", ("available",))
    yield Permission("ready", "manager", "write-report", ("vote", "ready"))


def _at_any_time() -> Iterator[Permission]:
    """What is ours: leaving, refusing, appealing, revoking, messages."""
    for state in OPEN:
        yield Permission(state, "requester", "withdraw", ("withdrawn",))
        yield Permission(state, "manager", "reject", ("rejected",))
        yield Permission(state, "system", "expired", ("expired",))
        yield Permission(state, "requester", "accept-terms", (state,))
    yield Permission("rejected", "requester", "appeal", ("appealed",))
    yield Permission("rejected", "system", "expired", ("refused",))
    yield Permission("appealed", "manager", "decide-appeal", (*OPEN, "refused"))
    yield Permission("appealed", "requester", "withdraw", ("withdrawn",))
    yield Permission("available", "manager", "record-visit", ("available",))
    yield Permission("available", "manager", "revoke", ("revoked",))
    yield Permission("available", "requester", "amend", ("available",))
    for state in get_args(StateName):
        yield Permission(state, "requester", "message", (state,))
        yield Permission(state, "manager", "message", (state,))
        yield Permission(state, "manager", "note", (state,))
        yield Permission(state, "committee", "note", (state,))
        yield Permission(state, "administrator", "erase", (state,))


PERMISSIONS: tuple[Permission, ...] = (*_by_turn(), *_at_any_time())
"""All that is allowed; whatever is not here is refused."""

_ALLOWED: Mapping[tuple[str, str, str], Permission] = {(each.state, each.role, each.act): each for each in PERMISSIONS}


def permission(state: StateName, role: ActorRole, act: str) -> Permission | None:
    """The permission to do so, if there is one."""
    return _ALLOWED.get((state, role, act))


def acts_allowed(state: StateName, role: ActorRole) -> tuple[str, ...]:
    """What somebody of a role may do in a state."""
    return tuple(each.act for each in PERMISSIONS if each.state == state and each.role == role)
