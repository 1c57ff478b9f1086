"""The administrator's pages beside accounts: who waits to be let in, departments, letters, retention, keys."""

from datetime import UTC, datetime
from itertools import groupby

from django.conf import settings
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from biombo._addresses import holds_password
from biombo._i18n import text
from biombo._portal.jobs import ask_for
from biombo._portal.keeping import ahead
from biombo._portal.letters import given_up, try_again, waiting, write_letter
from biombo._portal.models import AgencySettings, Department, Letter, Person, Registration
from biombo._portal.models import TrailEntry as Trail
from biombo._portal.typed import one_line
from biombo._release import RELEASE_KEY

_SHOWN = 100
_DIGITS = 18
"""Of a number that a database takes."""
_SHOWN_OF_A_RULE = 20


@require_POST
def decide(request: HttpRequest, registration: int) -> HttpResponse:
    """Let somebody in who registered, or not; where there are letters, these decide."""
    if settings.PORTAL_HOME.mail:
        raise Http404
    with transaction.atomic():
        found = get_object_or_404(Registration.objects.select_for_update(), pk=registration)
        approved = request.POST.get("approve") == "yes"
        if approved and found.is_taken:
            return render(request, "portal/message.html", {"title": text("portal.people.taken")}, status=422)
        if approved and holds_password(found.name):
            return render(request, "portal/message.html", {"title": text("portal.account.odd-name")}, status=422)
        made = Person.objects.approved(found) if approved else None
        found.delete()
    if made is not None:
        Trail.add("registered", made)
    Trail.add("registration-approved" if approved else "registration-declined", request.user)
    return redirect("people")


@require_POST
def decline_all(request: HttpRequest) -> HttpResponse:
    """Let nobody in who waited when the page was opened."""
    last = request.POST.get("last", "")
    if not (last.isascii() and last.isdigit() and len(last) < _DIGITS):
        raise Http404
    declined, _ = Registration.objects.filter(pk__lte=int(last)).delete()
    Trail.add("registrations-declined", request.user, count=declined)
    return redirect("people")


@require_POST
def departments(request: HttpRequest) -> HttpResponse:
    """Add a department, or take one out of the list; accounts and tables keep what they say."""
    name = one_line(request.POST.get("name", ""))[:200]
    if not name:
        raise Http404
    if request.POST.get("remove") == "yes":
        Department.objects.filter(name=name).delete()
    else:
        Department.objects.get_or_create(name=name)
    Trail.add("departments-changed", request.user)
    return redirect("people")


@require_safe
def letters(request: HttpRequest) -> HttpResponse:
    """What waits, what was sent, what could not be: to whom and when, not what they say."""
    told = {
        "mail": settings.PORTAL_HOME.mail,
        "waiting": waiting()[:_SHOWN],
        "given_up": given_up()[:_SHOWN],
        "sent": Letter.objects.exclude(sent_at=None).order_by("-sent_at")[:_SHOWN],
    }
    return render(request, "portal/letters.html", told)


@require_POST
def test_letter(request: HttpRequest) -> HttpResponse:
    """A letter to oneself."""
    if not settings.PORTAL_HOME.mail:
        raise Http404
    write_letter("test", request.user)
    return redirect("letters")


@require_POST
def try_letter(request: HttpRequest, letter: int) -> HttpResponse:
    """Try one again, at once."""
    try_again(get_object_or_404(Letter, pk=letter, sent_at=None))
    return redirect("letters")


@require_safe
def retention(request: HttpRequest) -> HttpResponse:
    """What will be removed by itself, and when."""
    due = sorted(ahead(), key=lambda each: each.rule)
    rules = []
    for rule, found in groupby(due, key=lambda each: each.rule):
        each = sorted(found, key=lambda one: one.on)
        rules.append((rule, each[:_SHOWN_OF_A_RULE], len(each)))
    told = {"rules": rules, "days": AgencySettings.current().retention_days, "now": datetime.now(UTC)}
    return render(request, "portal/retention.html", told)


@require_POST
def run_retention(request: HttpRequest) -> HttpResponse:
    """Have a worker remove what is due: the web does not reach originals."""
    ask_for("retention", person=request.user)
    Trail.add("retention-run", request.user)
    return render(request, "portal/message.html", {"title": text("portal.retention.removing"), "back": "retention"})


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """Which keys there are, and how old they are. None is ever shown."""
    home = settings.PORTAL_HOME
    places = (home.negotiations, home.folder / "published", home.drafts)
    signing = sum(len(list(place.rglob(RELEASE_KEY))) for place in places if place.is_dir())
    made = datetime.fromtimestamp(home.secret_place.stat().st_mtime, UTC)
    return render(request, "portal/keys.html", {"made": made, "signing": signing})


@require_POST
def rotate(request: HttpRequest) -> HttpResponse:
    """A new secret key: every session ends, and every link to a new password."""
    if request.POST.get("sure") != "yes":
        return render(request, "portal/message.html", {"title": text("portal.keys.unsure"), "back": "keys"}, status=422)
    settings.PORTAL_HOME.renew_secret()
    Trail.add("key-rotated", request.user)
    return render(request, "portal/message.html", {"title": text("portal.keys.rotated")})
