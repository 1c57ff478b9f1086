"""How somebody becomes a requester: they register, and a letter or the administrator says whose the address is.

Anybody can type any address, so that several may wait with one. A letter proves whose the address is; the password
that its reader has chosen tells which of those who wait they are. Nobody gets an account that somebody else has proved.
"""

from typing import Any
from urllib.parse import urlencode

from allauth.core import ratelimit
from django import forms
from django.conf import settings
from django.contrib.auth import login as log_in
from django.contrib.auth import password_validation
from django.contrib.auth.hashers import check_password, make_password
from django.core import signing
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods

from biombo._i18n import text
from biombo._portal.accounts import by_visitor, letter_limits, refuse_odd_address, refuse_odd_name
from biombo._portal.letters import write_to
from biombo._portal.models import AgencySettings, Person, Registration, TrailEntry
from biombo._portal.typed import Line

_MOST_WAITING = 1000
"""Registrations that nobody has decided on; the oldest give way."""
_MOST_OF_AN_ADDRESS = 20
"""Of these with one address: each is compared with the password of whoever proves it."""
_MOST_OF_A_VISITOR = 2
"""Of these from one visitor, whose own give way first: it takes many to push somebody else's out."""
_LINK_DAYS = 3
_SALT = "portal.address"


class RegistrationForm(forms.Form):
    """What is asked of somebody who wants an account."""

    name = Line(max_length=200, validators=[refuse_odd_name])
    email = forms.EmailField(validators=[refuse_odd_address])
    password1 = forms.CharField(strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}))
    password2 = forms.CharField(strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self.fields:
            self.fields[name].label = text(f"portal.account.{name}")

    def clean(self) -> dict[str, Any]:
        """Twice the same password, and a good one."""
        told: dict[str, Any] = super().clean()
        if not self.errors:
            if told["password1"] != told["password2"]:
                self.add_error("password2", text("portal.account.not-the-same"))
            somebody = Person(email=told["email"], name=told["name"])
            try:
                password_validation.validate_password(told["password1"], somebody)
            except forms.ValidationError as error:
                self.add_error("password1", error)
        return told


@require_http_methods(["GET", "HEAD", "POST"])
def signup(request: HttpRequest) -> HttpResponse:
    """Ask to become a requester. The answer, and the work for it, is the same for every address: nobody learns here who
    has an account.
    """
    if request.user.is_authenticated:
        return redirect("home")
    form = RegistrationForm(request.POST or None)
    told = {"form": form, "login_url": _login_url(request)}
    if request.method == "POST" and form.is_valid():
        if not _may_register(request, form.cleaned_data["email"]):
            return render(request, "portal/message.html", {"title": text("portal.account.later")}, status=429)
        _keep(request, form.cleaned_data)
        return render(request, "portal/registered.html", told)
    return render(request, "account/signup.html", told)


def _may_register(request: HttpRequest, email: str) -> bool:
    daily = "registration_by_letter" if settings.PORTAL_HOME.mail else "registration"
    key = by_visitor(request, email)
    return all(ratelimit.consume(request, action=each, key=key) for each in ("signup", daily, "registration_again"))


def _keep(request: HttpRequest, given: dict[str, Any]) -> None:
    email = given["email"].lower()
    visitor = salted_hmac(_SALT, by_visitor(request, email), algorithm="sha256").hexdigest()
    Registration.objects.create(
        email=email,
        name=given["name"],
        password=make_password(given["password1"]),
        language=request.language,
        visitor=visitor,
    )
    Registration.objects.drop_oldest(_MOST_OF_A_VISITOR, email=email, visitor=visitor)
    Registration.objects.drop_oldest(_MOST_OF_AN_ADDRESS, email=email)
    Registration.objects.drop_oldest(_MOST_WAITING)
    if settings.PORTAL_HOME.mail:
        _write(request, email)


def _write(request: HttpRequest, email: str) -> None:
    """A letter by which the address can be proved, or that says that it has an account. Every letter proves the address
    for whoever waits with it, so that none is missing where the limit lets no further one go.
    """
    if not all(ratelimit.consume(request, action=each, key=key) for each, key in letter_limits(request, email)):
        return
    told = {"agency": AgencySettings.current().name or "Biombo"}
    home = settings.PORTAL_HOME.address
    if _has_account(email):
        write_to("account-there", email, request.language, link=f"{home}{reverse('account_login')}", **told)
    else:
        path = reverse("account_confirm_email", args=[signing.dumps(email, salt=_SALT)])
        write_to("address", email, request.language, link=f"{home}{path}", days=_LINK_DAYS, **told)


def _has_account(email: str) -> bool:
    """Is there one that somebody has proved, or has been in?"""
    found = Person.objects.filter(email__iexact=email).difference(Person.objects.unproved(email))
    return bool(found.exists())


def _login_url(request: HttpRequest) -> str:
    """Where somebody logs in, and then goes on to where they wanted to."""
    wanted = request.GET.get("next", "")
    is_ours = wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, allowed_hosts=None)
    return f"{reverse('account_login')}?{urlencode({'next': wanted})}" if is_ours else str(reverse("account_login"))


class ProofForm(forms.Form):
    """The password of one's own registration."""

    password = forms.CharField(strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].label = text("portal.account.chosen-password")


@require_http_methods(["GET", "HEAD", "POST"])
def prove_address(request: HttpRequest, key: str) -> HttpResponse:
    """The page that a letter leads to: the account is that of whoever reads the letter and knows its password."""
    email = _address_behind(key)
    if email is None or _has_account(email):
        return _over(request)
    form = ProofForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        if not ratelimit.consume(request, action="prove_address"):
            return ratelimit.respond_429(request)
        found = _chosen(email, form.cleaned_data["password"])
        if found is None:
            form.add_error("password", text("portal.account.no-such-registration"))
        else:
            return _let_in(request, found)
    told = {"form": form, "email": email}
    return render(request, "portal/prove_address.html", told, status=422 if form.errors else 200)


def _address_behind(key: str) -> str | None:
    try:
        return str(signing.loads(key, salt=_SALT, max_age=_LINK_DAYS * 24 * 3600))
    except signing.BadSignature:
        return None


def _chosen(email: str, password: str) -> Registration | None:
    """The registration that was made with a password; of several the last."""
    waiting = Registration.objects.filter(email=email).order_by("-made_at", "-pk")[:_MOST_OF_AN_ADDRESS]
    return next((each for each in waiting if check_password(password, each.password)), None)


def _let_in(request: HttpRequest, registration: Registration) -> HttpResponse:
    with transaction.atomic():
        taken, _ = Registration.objects.filter(pk=registration.pk).delete()
        if not taken:
            return _over(request)
        Person.objects.unproved(registration.email).delete()
        made = Person.objects.approved(registration)
        Registration.objects.filter(email=registration.email).delete()
    TrailEntry.add("registered", made)
    log_in(request, made, backend="allauth.account.auth_backends.AuthenticationBackend")
    return redirect("home")


def _over(request: HttpRequest) -> HttpResponse:
    return render(request, "portal/link_over.html", status=410)
