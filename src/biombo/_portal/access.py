"""Who may open which page: one table for pages, fragments, files and the API, and whatever is not in it is refused.

A route is open to roles (``everybody``: without an account too), and where it is about a request or a question, to
those for whom ``whose`` says so: a requester never opens anything of somebody else's. What may be *done* to a request
is decided by the negotiation's own table (docs/negotiation.md); this one decides who may look, and who may try.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

EVERYBODY = "everybody"
SIGNED_IN = ("requester", "manager", "committee", "auditor", "administrator")

Whose = Literal["anyone", "parties", "own"]
"""``parties``: the requester whose request or question it is, and whoever works for the agency and may open the route
at all. ``own``: only the one whose it is."""


@dataclass(frozen=True)
class Rule:
    """Who may open a route."""

    roles: tuple[str, ...]
    whose: Whose = "anyone"


def _open() -> Rule:
    return Rule((EVERYBODY,))


_LOOKING = ("requester", "manager", "committee", "auditor")

ACCESS: Mapping[str, Rule] = {
    "home": Rule(SIGNED_IN),
    "catalogue": _open(),
    "catalogue-entry": _open(),
    "catalogue-file": _open(),
    "language": _open(),
    "invitation": _open(),
    "font": _open(),
    "health": _open(),
    "account": Rule(SIGNED_IN),
    "provider-login": _open(),
    "provider-callback": _open(),
    "my-requests": Rule(("requester",)),
    "new-request": Rule(("requester",)),
    "inbox": Rule(("manager",)),
    "all-requests": Rule(("manager", "auditor")),
    "votes": Rule(("committee",)),
    "case": Rule(_LOOKING, "parties"),
    "case-begin-again": Rule(("manager",)),
    "case-name-table": Rule(("manager",)),
    "case-say-no": Rule(("manager",)),
    "case-appeal": Rule(("requester",), "own"),
    "case-take-back": Rule(("requester",), "own"),
    "case-act": Rule(("requester", "manager", "committee"), "parties"),
    "case-example": Rule(("requester", "manager"), "parties"),
    "case-terms": Rule(("requester", "manager", "committee", "auditor"), "parties"),
    "case-job": Rule(_LOOKING, "parties"),
    "case-excerpt": Rule(("requester", "auditor"), "parties"),
    "case-attachment": Rule(_LOOKING, "parties"),
    "case-report": Rule(("manager", "committee", "auditor"), "parties"),
    "case-delivery": Rule(("requester",), "own"),
    "case-download": Rule(("requester",), "own"),
    "case-view": Rule(("requester",), "own"),
    "case-make-archive": Rule(("manager",)),
    "case-archive": Rule(("requester", "manager"), "parties"),
    "case-revoke-delivery": Rule(("manager",)),
    "case-allow-links": Rule(("manager",)),
    "case-trail": Rule(("manager", "committee", "auditor"), "parties"),
    "case-plans": Rule(("manager",)),
    "case-offers": Rule(("manager", "committee", "auditor"), "parties"),
    "data-sets": Rule(("manager", "auditor")),
    "new-data-set": Rule(("manager",)),
    "data-set": Rule(("manager", "auditor")),
    "data-set-edit": Rule(("manager",)),
    "data-set-job": Rule(("manager",)),
    "choose-table": Rule(("manager",)),
    "questions": Rule(("requester", "manager", "auditor")),
    "new-question": Rule(("requester",)),
    "question": Rule(("requester", "manager", "auditor"), "parties"),
    "question-decide": Rule(("manager",), "parties"),
    "data-set-questions": Rule(("manager",)),
    "workbench": Rule(("manager",)),
    "columns": Rule(("manager",)),
    "adversaries": Rule(("manager",)),
    "hierarchy": Rule(("manager",)),
    "workbench-risk": Rule(("manager",)),
    "workbench-search": Rule(("manager",)),
    "workbench-utility": Rule(("manager",)),
    "workbench-publish": Rule(("manager",)),
    "workbench-registered": Rule(("manager",)),
    "workbench-step": Rule(("manager",)),
    "workbench-report": Rule(("manager",)),
    "workbench-request": Rule(("manager",)),
    "workbench-anew": Rule(("manager",)),
    "list-release": Rule(("manager",)),
    "withdraw-release": Rule(("manager",)),
    "verify-release": Rule(("manager", "auditor")),
    "register": Rule(("manager", "auditor")),
    "register-export": Rule(("manager", "auditor")),
    "register-review": Rule(("manager",)),
    "api-openapi": _open(),
    "api-requests": Rule(_LOOKING),
    "api-request": Rule(_LOOKING, "parties"),
    "api-act": Rule(("requester", "manager", "committee"), "parties"),
    "api-job": Rule(_LOOKING, "parties"),
    "api-questions": Rule(("requester", "manager", "auditor")),
    "api-new-question": Rule(("requester",)),
    "api-question": Rule(("requester", "manager", "auditor"), "parties"),
    "api-question-decide": Rule(("manager",), "parties"),
    "make-token": Rule(_LOOKING),
    "revoke-token": Rule(_LOOKING),
    "trail": Rule(("auditor", "administrator")),
    "trail-export": Rule(("auditor", "administrator")),
    "people": Rule(("administrator",)),
    "invite": Rule(("administrator",)),
    "person": Rule(("administrator",)),
    "new-password": Rule(("administrator",)),
    "settings": Rule(("administrator",)),
    "registration": Rule(("administrator",)),
    "decline-registrations": Rule(("administrator",)),
    "departments": Rule(("administrator",)),
    "letters": Rule(("administrator",)),
    "test-letter": Rule(("administrator",)),
    "try-letter": Rule(("administrator",)),
    "retention": Rule(("administrator",)),
    "run-retention": Rule(("administrator",)),
    "keys": Rule(("administrator",)),
    "rotate-key": Rule(("administrator",)),
    "erasures": Rule(("administrator",)),
}
"""By the name of a route."""

ACCOUNT_ROUTES: Mapping[str, Rule] = {
    "account_login": _open(),
    "account_logout": Rule(SIGNED_IN),
    "account_signup": _open(),
    "account_inactive": _open(),
    "account_reauthenticate": Rule(SIGNED_IN),
    "account_change_password": Rule(SIGNED_IN),
    "account_set_password": Rule(SIGNED_IN),
    "account_reset_password": _open(),
    "account_reset_password_done": _open(),
    "account_reset_password_from_key": _open(),
    "account_reset_password_from_key_done": _open(),
    "account_email_verification_sent": _open(),
    "account_confirm_email": _open(),
    "mfa_index": Rule(SIGNED_IN),
    "mfa_authenticate": _open(),
    "mfa_reauthenticate": Rule(SIGNED_IN),
    "mfa_activate_totp": Rule(SIGNED_IN),
    "mfa_deactivate_totp": Rule(SIGNED_IN),
    "mfa_view_recovery_codes": Rule(SIGNED_IN),
    "mfa_generate_recovery_codes": Rule(SIGNED_IN),
    "mfa_download_recovery_codes": Rule(SIGNED_IN),
}
"""Routes of the library for accounts that are offered; all its others are refused."""


def rule_of(route: str) -> Rule | None:
    """Who may open a route; nobody where it is not in the table."""
    return ACCESS.get(route) or ACCOUNT_ROUTES.get(route)


_MEBIBYTE = 1024**2
MOST_OF_STRANGERS = _MEBIBYTE
"""Bytes that anybody may send at once: a form."""


def most_sent(person: Any) -> int:
    """Bytes that ``person`` may send at once: tables come from managers alone, attachments from whoever is known."""
    if not person.is_authenticated:
        return MOST_OF_STRANGERS
    return 2048 * _MEBIBYTE if may_open("new-data-set", person) else 12 * _MEBIBYTE


def may_open(route: str, person: Any, about: Any = None) -> bool:
    """May ``person`` open ``route``, ``about`` a request or a question where it is about one?"""
    rule = rule_of(route)
    if rule is None:
        return False
    if EVERYBODY in rule.roles:
        return True
    if not person.is_authenticated or not person.is_active or person.role not in rule.roles:
        return False
    return about is None or _is_theirs(rule, person, about)


def _is_theirs(rule: Rule, person: Any, about: Any) -> bool:
    is_own = bool(about.asker_id == person.pk)
    return is_own if rule.whose == "own" or person.role == "requester" else True
