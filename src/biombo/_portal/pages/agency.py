"""The administrator's and the auditor's pages: people, settings, the trail."""

import csv
from datetime import date
from typing import Any

from django import forms
from django.conf import settings
from django.core.paginator import Paginator
from django.core.validators import MaxValueValidator, MinValueValidator, validate_email
from django.db import transaction
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from biombo._data import escaped_text
from biombo._errors import BiomboError
from biombo._i18n import has_text, text
from biombo._portal.accounts import new_password_path, refuse_odd_address
from biombo._portal.letters import write_to
from biombo._portal.models import ROLES, AgencySettings, Case, Invitation, Person, Registration, TrailEntry
from biombo._portal.records import verified_record
from biombo._portal.typed import Line, one_line

_ON_A_PAGE = 100
_MOST = 3650
"""Days, votes, measurements: ten years, at most."""
_MAY_BE_NONE = ("votes", "measurements", "retention_days", "reminder_days")
"""Of these there may be none; negotiations need a day for each turn, and links one to be used."""
_MOST_CHAINS = 200
_DIGITS = 10
_LONGEST_SOUGHT = 200


@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """All accounts, and who waits for one."""
    return _people(request)


def _people(request: HttpRequest, **told: Any) -> HttpResponse:
    waiting = [] if settings.PORTAL_HOME.mail else list(Registration.objects.all())  # letters decide on them
    found = {
        "people": Person.objects.order_by("name"),
        "roles": ROLES,
        "staff_roles": [each for each in ROLES if each != "requester"],
        "registrations": waiting,
        "last_registration": max((each.pk for each in waiting), default=0),
    }
    return render(request, "portal/people.html", found | told)


@require_POST
def invite(request: HttpRequest) -> HttpResponse:
    """A one-time link for somebody of the agency; sent by a letter, or shown once."""
    role = request.POST.get("role", "")
    if role not in ROLES:
        raise Http404
    token = Invitation.make(role, department=one_line(request.POST.get("department", ""))[:200])
    TrailEntry.add("invited", request.user, new_role=role)
    link = f"{settings.PORTAL_HOME.address}/invitation/{token}"
    address = _address(request.POST.get("email", "").strip())
    if address and settings.PORTAL_HOME.mail:
        write_to("invitation", address, request.language, agency=AgencySettings.current().name or "Biombo", link=link)
        return _people(request, invited_by_letter=True)
    return _people(request, link=link)


def _address(typed: str) -> str:
    """An address to write to; nothing where none was typed, or what was typed is none."""
    try:
        validate_email(typed)
        refuse_odd_address(typed)
    except forms.ValidationError:
        return ""
    return typed


@require_POST
def person(request: HttpRequest, person: int) -> HttpResponse:
    """Close or open an account, or change its role and department; the last administrator stays."""
    found = get_object_or_404(Person, pk=person)
    active = request.POST.get("active", "yes" if found.is_active else "no") == "yes"
    role = request.POST.get("role", found.role)
    if role not in ROLES or (role == "requester") != (found.role == "requester"):
        return render(request, "portal/message.html", {"title": text("portal.people.apart")}, status=422)
    department = one_line(request.POST.get("department", found.department))[:200]
    if not _kept(found, is_active=active, role=role, department=department):
        return render(request, "portal/message.html", {"title": text("portal.people.last")}, status=422)
    if active != found.is_active:
        TrailEntry.add("account-opened" if active else "account-closed", request.user, account=found.pk)
    if role != found.role:
        TrailEntry.add("role-changed", request.user, account=found.pk, new_role=role)
    return redirect("people")


def _kept(found: Person, **told: Any) -> bool:
    """Keep what an account is from now on, unless no administrator were left; of two who close each other, one does."""
    administrators = Person.objects.filter(role="administrator", is_active=True)
    with transaction.atomic():
        left = {each.pk for each in administrators.select_for_update().order_by("pk")} - {found.pk}
        if not left and found.role == "administrator" and not (told["is_active"] and told["role"] == "administrator"):
            return False
        Person.objects.filter(pk=found.pk).update(**told)
    return True


@require_POST
def new_password(request: HttpRequest, person: int) -> HttpResponse:
    """A one-time link by which somebody sets another password: shown once, for the administrator to hand over."""
    found = get_object_or_404(Person, pk=person, is_active=True)
    TrailEntry.add("password-link-made", request.user, account=found.pk)
    link = f"{settings.PORTAL_HOME.address}{new_password_path(found)}"
    return _people(request, password_link=link, password_of=found)


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg, unused-ignore]
    """How the agency negotiates."""

    name = Line(max_length=200, required=False)

    class Meta:
        model = AgencySettings
        fields = (
            "name",
            "votes",
            "measurements",
            "answer_days",
            "extension_days",
            "appeal_days",
            "requester_days",
            "link_days",
            "retention_days",
            "reminder_days",
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label = text(f"portal.settings.{name}")
            if name != "name":
                least = 0 if name in _MAY_BE_NONE else 1
                field.validators += [MinValueValidator(least), MaxValueValidator(_MOST)]
                field.widget.attrs |= {"min": least, "max": _MOST}


@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: HttpRequest) -> HttpResponse:
    """For requests that begin from now on."""
    form = SettingsForm(request.POST or None, instance=AgencySettings.current())
    if request.method == "POST" and form.is_valid():
        form.save()
        TrailEntry.add("settings-changed", request.user, changed=sorted(form.changed_data))
        return redirect("settings")
    return render(request, "portal/settings.html", {"form": form})


@require_safe
def trail(request: HttpRequest) -> HttpResponse:
    """Everything that happened outside of negotiations; those have their own."""
    found = _sought(request)
    page = Paginator(found, _ON_A_PAGE).get_page(request.GET.get("page"))
    told = {name: _day(request, name) for name in ("first", "last")}
    told |= {"page": page, "sought": request.GET.get("q", "")[:_LONGEST_SOUGHT]}
    if "verify" in request.GET and request.user.role == "auditor":
        told["chains"] = _chains()
    return render(request, "portal/trail.html", told)


def _day(request: HttpRequest, name: str) -> Any:
    try:
        return date.fromisoformat(request.GET.get(name, ""))
    except ValueError:
        return None


def _chains() -> list[tuple[Case, int, list[str]]]:
    """The chains that changed last, each read and verified now: its request, how many events, and what is wrong."""
    found = []
    for case in Case.objects.exclude(folder="").order_by("-changed_at")[:_MOST_CHAINS]:
        try:
            record = verified_record(case)
            found.append((case, len(record.events), [each.sentence for each in record.verify()]))
        except BiomboError as error:
            found.append((case, 0, [str(error)]))
    return found


def _sought(request: HttpRequest) -> Any:
    found = TrailEntry.objects.select_related("person", "case")
    sought = request.GET.get("q", "").strip()[:_LONGEST_SOUGHT]
    first, last = _day(request, "first"), _day(request, "last")
    if sought:
        is_number = sought.isascii() and sought.isdigit() and len(sought) < _DIGITS
        named = Q(person__name__icontains=sought) | Q(person__email__icontains=sought)
        found = found.filter(named | Q(what__in=_called(sought)) | Q(case=int(sought) if is_number else None, pk__gt=0))
    if first is not None:
        found = found.filter(at__date__gte=first)
    return found if last is None else found.filter(at__date__lte=last)


def _called(sought: str) -> list[str]:
    """What happened, by the words that pages have for it."""
    known = TrailEntry.objects.order_by("what").values_list("what", flat=True).distinct()
    words = {each: text(f"portal.what.{each}") if has_text(f"portal.what.{each}") else each for each in known}
    return [each for each, word in words.items() if sought.casefold() in word.casefold() or sought == each]


@require_safe
def trail_export(request: HttpRequest) -> StreamingHttpResponse:
    """The same as a table."""

    class Line:
        def write(self, line: str) -> str:
            return line

    writer = csv.writer(Line())
    rows = (
        [each.at.isoformat(), each.person_id, escaped_text(each.role), escaped_text(each.what), each.case_id]
        for each in _sought(request)
    )
    header = [text(f"portal.{key}") for key in ("trail.at", "trail.who", "trail.role", "trail.what", "cases.number")]
    answer = StreamingHttpResponse((writer.writerow(row) for row in (header, *rows)), content_type="text/csv")
    answer.headers["Content-Disposition"] = 'attachment; filename="trail.csv"'
    return answer
