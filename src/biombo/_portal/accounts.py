"""How people come in: they register as requesters; everybody else is invited by the administrator."""

import re
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

from allauth.account import forms
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.utils import user_pk_to_url_str
from allauth.core.internal.ratelimit import get_ip
from django.conf import settings
from django.contrib.messages import WARNING
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from biombo._addresses import holds_password
from biombo._i18n import text
from biombo._portal.models import AgencySettings, Person, TrailEntry

_ODD_ADDRESS = re.compile(r"=\?|[\"\x00-\x20\x7f]")
"""What mail takes for something else than an address."""


def refuse_odd_address(email: str) -> None:
    """Raise where an address is written in a way that only tricks need."""
    if _ODD_ADDRESS.search(email):
        raise ValidationError(text("portal.account.odd-address"))


def refuse_odd_name(name: str) -> None:
    """Raise where a name looks like an address with a password: no chain would take it."""
    if holds_password(name):
        raise ValidationError(text("portal.account.odd-name"))


def by_visitor(request: HttpRequest, address: str) -> str:
    """By what tries for an address are counted: by whence they come too, so that nobody keeps others out."""
    return f"{get_ip(request)}:{address.lower()}"


def letter_limits(request: HttpRequest, address: str) -> tuple[tuple[str, str], ...]:
    """What limits letters that anybody can have sent to an address, and by what they are counted: by the visitor, and
    all together.
    """
    return (("address_letter", by_visitor(request, address)), ("address_letters", address.lower()))


def new_password_path(person: Person) -> str:
    """The end of a link by which somebody sets another password, once, within three days."""
    key = forms.default_token_generator.make_token(person)
    return str(reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(person), "key": key}))


class LoginForm(forms.LoginForm):  # type: ignore[misc, unused-ignore]
    """Address and password; the page itself says what to do without one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = ""
        _call_by_our_words(self.fields["login"])


class ResetForm(forms.ResetPasswordForm):  # type: ignore[misc, unused-ignore]
    """Whose password it is."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _call_by_our_words(self.fields["email"])


def _call_by_our_words(address: Any) -> None:
    address.label = address.widget.attrs["placeholder"] = text("portal.account.email")


class Adapter(DefaultAccountAdapter):  # type: ignore[misc, unused-ignore]
    """How the library for accounts writes and counts."""

    def clean_email(self, email: str) -> str:
        """An address that letters can be sent to."""
        refuse_odd_address(email)
        return email

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Letters name the portal by the agency and by its own address, whatever a browser says that it is."""
        home = settings.PORTAL_HOME.address
        links = {name: f"{home}{urlsplit(link).path}" for name, link in context.items() if name.endswith("_url")}
        site = SimpleNamespace(name=AgencySettings.current().name or "Biombo", domain=urlsplit(home).netloc)
        super().send_mail(template_prefix, email, {**context, **links, "current_site": site})

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Wrong passwords count by account and by whence they come: nobody keeps others out of their accounts."""
        return by_visitor(request, str(credentials.get("email", "")))

    def post_login(self, request: HttpRequest, user: Person, **kwargs: Any) -> Any:
        """Note who came in."""
        TrailEntry.add("logged-in", user)
        return super().post_login(request, user, **kwargs)

    def set_password(self, user: Person, password: str) -> None:
        """Another password: whoever knew the one before has no way in that is left."""
        super().set_password(user, password)
        user.tokens.filter(revoked_at=None).update(revoked_at=timezone.now())

    def add_message(self, request: HttpRequest, level: int, *args: Any, **kwargs: Any) -> None:
        """Pages tell themselves what happened; what did not is told by messages."""
        if level >= WARNING:
            super().add_message(request, level, *args, **kwargs)
