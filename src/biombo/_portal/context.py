"""What every page knows."""

from types import SimpleNamespace
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from biombo._portal.access import may_open
from biombo._portal.models import AgencySettings, Department

_MENU = (
    "catalogue",
    "my-requests",
    "inbox",
    "all-requests",
    "questions",
    "votes",
    "data-sets",
    "register",
    "people",
    "settings",
    "letters",
    "retention",
    "erasures",
    "keys",
    "trail",
)
_CHOOSE_DEPARTMENTS = ("manager", "administrator")


def on_every_page(request: HttpRequest) -> dict[str, Any]:
    """The menu of the role, the agency's name and days, and the language."""
    agency = AgencySettings.current()
    return {
        "menu": [route for route in _MENU if may_open(route, request.user)] if hasattr(request, "user") else [],
        "here": request.resolver_match.view_name if request.resolver_match else "",
        "agency_name": agency.name,
        "agency_days": _days(agency),
        "departments": _departments(request),
        "provider_name": _provider_name(),
        "has_mail": bool(settings.PORTAL_HOME.mail),
        "language": getattr(request, "language", "pt"),
    }


def _days(agency: AgencySettings) -> SimpleNamespace:
    return SimpleNamespace(answer=agency.answer_days, extension=agency.extension_days, appeal=agency.appeal_days)


def _departments(request: HttpRequest) -> list[str]:
    """What forms of the agency offer as departments."""
    if getattr(getattr(request, "user", None), "role", "") not in _CHOOSE_DEPARTMENTS:
        return []
    return list(Department.objects.values_list("name", flat=True))


def _provider_name() -> str:
    identity = settings.PORTAL_HOME.identity
    return str(identity.get("name", "gov.br")) if identity else ""
