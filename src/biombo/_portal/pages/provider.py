"""To the provider of identities, and back."""

from allauth.socialaccount.adapter import get_adapter
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_POST, require_safe

from biombo._portal.provider import PROVIDER, Callback, ProviderAnswers, refused
from requests import RequestException

_UNREADABLE = (RequestException, ValueError, KeyError, TypeError)
"""What comes of a provider that is away, or answers what no provider answers."""


@require_POST
def login(request: HttpRequest) -> HttpResponse:
    """To the provider; whoever is logged in already connects their account with it."""
    _refuse_without_provider()
    process = "connect" if request.user.is_authenticated else "login"
    try:
        return get_adapter().get_provider(request, PROVIDER).redirect(request, process)
    except _UNREADABLE:
        return refused(request, "failed")


@require_safe
def callback(request: HttpRequest) -> HttpResponse:
    """Back from it, with a code that it exchanges for who somebody is."""
    _refuse_without_provider()
    try:
        return Callback.adapter_view(ProviderAnswers(request, PROVIDER))(request)
    except _UNREADABLE:
        return refused(request, "failed")


def _refuse_without_provider() -> None:
    if not settings.PORTAL_HOME.identity:
        raise Http404
