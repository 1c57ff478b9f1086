"""How people come in, and what they are told where something is not there."""

from typing import Any

from allauth.account.views import PasswordResetView
from allauth.core import ratelimit
from django import forms
from django.conf import settings
from django.contrib.auth import login as log_in
from django.contrib.auth import password_validation
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from biombo._i18n import speaking, text
from biombo._portal.accounts import by_visitor, letter_limits, refuse_odd_address, refuse_odd_name
from biombo._portal.middleware import API, LANGUAGE_COOKIE
from biombo._portal.models import Invitation, Person, TrailEntry
from biombo._portal.typed import Line

_YEAR = 365 * 24 * 3600
_LONGEST_ADDRESS = 2000
_FIRST_PAGE = {
    "requester": "my-requests",
    "manager": "inbox",
    "committee": "votes",
    "auditor": "all-requests",
    "administrator": "people",
}


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Whatever somebody comes for first."""
    return redirect(_FIRST_PAGE[request.user.role])


@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """Does it answer, with its database?"""
    Person.objects.exists()
    return HttpResponse("ok", content_type="text/plain")


@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """The reader's language from now on, on this device."""
    code = "en" if request.POST.get("language") == "en" else "pt"
    back = request.POST.get("next", "/")[:_LONGEST_ADDRESS]
    if not back.startswith("/") or not url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        back = "/"
    answer = HttpResponseRedirect(back)
    answer.set_cookie(LANGUAGE_COOKIE, code, max_age=_YEAR, httponly=True, samesite="Lax", secure=request.is_secure())
    if request.user.is_authenticated:
        Person.objects.filter(pk=request.user.pk).update(language=code)
    return answer


@require_safe
def font(request: HttpRequest, name: str) -> HttpResponse:
    """The letters that reports use too."""
    from biombo._report import font_file

    content = font_file(name)
    if content is None:
        raise Http404
    answer = HttpResponse(content, content_type="font/woff2")
    answer.headers["Cache-Control"] = f"public, max-age={_YEAR}"
    return answer


class InvitationForm(forms.Form):
    """A new account of somebody who was invited."""

    name = Line(max_length=200, validators=[refuse_odd_name])
    email = forms.EmailField(validators=[refuse_odd_address])
    password = forms.CharField(widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self.fields:
            self.fields[name].label = text(f"portal.account.{name}")

    def clean_email(self) -> str:
        """An address that nobody has."""
        email = str(self.cleaned_data["email"]).lower()
        if Person.objects.filter(email__iexact=email).difference(Person.objects.unproved(email)).exists():
            raise forms.ValidationError(text("portal.account.taken"))
        return email

    def clean_password(self) -> str:
        """A password that is long enough and not among the usual ones."""
        password = str(self.cleaned_data["password"])
        password_validation.validate_password(password)
        return password


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Make the account that an invitation is for, once."""
    found = Invitation.behind(token)
    if found is None:
        return render(request, "portal/message.html", {"title": text("portal.invitation.over")}, status=410)
    form = InvitationForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            used = Invitation.objects.filter(pk=found.pk, used_at=None).update(used_at=timezone.now())
            if not used:
                raise Http404
            told = form.cleaned_data
            Person.objects.unproved(told["email"]).delete()
            made = Person.objects.create_user(
                told["email"],
                told["password"],
                name=told["name"],
                role=found.role,
                department=found.department,
                language=getattr(request, "language", "pt"),
            )
        TrailEntry.add("joined", made, new_role=found.role)
        log_in(request, made, backend="allauth.account.auth_backends.AuthenticationBackend")
        return redirect("home")
    return render(request, "portal/invitation.html", {"form": form, "role": found.role})


class _Reset(PasswordResetView):
    """A letter with a link to another password."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Not too often by one visitor for one address, whether or not it has an account: whoever has it is not the one
        who has to wait. Others who ask for the same address count together, as where they register with it.
        """
        email = form.cleaned_data["email"]
        by_one, by_all = letter_limits(self.request, email)
        for action, key in (by_one, ("reset_password_again", by_visitor(self.request, email)), by_all):
            if too_often := ratelimit.consume_or_429(self.request, action=action, key=key):
                return too_often
        return super().form_valid(form)


@require_http_methods(["GET", "HEAD", "POST"])
def forgotten_password(request: HttpRequest) -> HttpResponse:
    """A letter with a link to another password; where no letters are sent, whom to ask for one."""
    if settings.PORTAL_HOME.mail:
        return _Reset.as_view()(request)
    return render(request, "account/password_reset.html", status=200 if request.method != "POST" else 409)


@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """One's own account: password, second factor, provider."""
    told = {"tokens": request.user.tokens.all(), "connected": request.user.socialaccount_set.exists()}
    return render(request, "portal/account.html", told)


def not_taken(request: HttpRequest, exception: Any = None) -> HttpResponse:
    """What is too long for a form, or is none."""
    del exception
    return _told(request, "not-taken", 400)


def not_found(request: HttpRequest, exception: Any = None) -> HttpResponse:
    """What is not there, or not for this reader."""
    del exception
    return _told(request, "not-found", 404)


def too_often(request: HttpRequest) -> HttpResponse:
    """What was tried more often than anybody needs."""
    return _told(request, "too-often", 429)


def refused(request: HttpRequest, exception: Any = None, reason: str = "") -> HttpResponse:
    """What was refused; forms without their token too."""
    del exception, reason
    return _told(request, "refused", 403)


def failed(request: HttpRequest) -> HttpResponse:
    """What went wrong here; nothing of it is told. The page needs no database: that may be what fails."""
    with speaking(getattr(request, "language", "pt")):
        return HttpResponse(text("portal.error.failed"), status=500, content_type="text/plain; charset=utf-8")


def _told(request: HttpRequest, key: str, status: int) -> HttpResponse:
    if not hasattr(request, "user"):
        with speaking("pt"):
            return HttpResponse(text(f"portal.error.{key}"), status=status, content_type="text/plain; charset=utf-8")
    with speaking(getattr(request, "language", "pt")):
        if request.path.startswith(API):
            return JsonResponse({"error": text(f"portal.error.{key}")}, status=status)
        return render(request, "portal/message.html", {"title": text(f"portal.error.{key}")}, status=status)
