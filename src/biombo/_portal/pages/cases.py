"""Requests: lists, the form of process 1, and the page on which one is negotiated."""

import hashlib
import re
from pathlib import Path
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import BadRequest
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from biombo._errors import BiomboError
from biombo._i18n import text
from biombo._negotiate import (
    DataRequest,
    NegotiationRecord,
    Requester,
    permission,
    plain_fact,
    sentence_of,
)
from biombo._portal.acts import form_of, offered_acts
from biombo._portal.acts.manipulations import agreed_examples, choices, examples, hierarchies
from biombo._portal.asking import check_act, check_document, check_number, is_busy, jobs_seen, shown_document
from biombo._portal.deliveries import open_archive
from biombo._portal.jobs import ask_for
from biombo._portal.models import Attachment, Case, CatalogueEntry, DataSet, Job, random_name
from biombo._portal.pictures import frontier
from biombo._portal.records import record_of, verified_record
from biombo._portal.sentences import worded_error
from biombo._portal.shown import BLOCKED, seen_by_requester, shown
from biombo._portal.unlisted import ask_agency, why_it_ended
from biombo._portal.work import actor_of

_MOST_ATTACHED = 10 * 1024**2
_MOST_FILES = 5
_ATTACHED = (".pdf", ".png", ".jpg", ".jpeg")
_BEGINNINGS = {".pdf": b"%PDF-", ".png": b"\x89PNG", ".jpg": b"\xff\xd8\xff", ".jpeg": b"\xff\xd8\xff"}
_WANTED_ROWS = 12
OTHER = "other"
"""Stands in the list of tables for all that is not in it."""
HASH = re.compile("[0-9a-f]{64}")
"""What the hash of an event looks like."""
_FIRST_ROWS = 8
"""Rows that are seen at once; the others are folded away."""


# Lists


@require_safe
def my_requests(request: HttpRequest) -> HttpResponse:
    """The requester's own."""
    own = Case.objects.filter(requester=request.user)
    turns = (own.filter(owner="requester"), own.exclude(owner__in=("requester", "")), own.filter(owner=""))
    return _listed(request, "my-requests", *turns)


@require_safe
def inbox(request: HttpRequest) -> HttpResponse:
    """What waits for the manager, by day; then what waits for others, whose day may pass as well."""
    waits, others = Case.objects.filter(owner="manager"), Case.objects.filter(owner__in=_OTHERS)
    return _listed(request, "inbox", waits, others, stuck=_stuck(request.user))


def _stuck(manager: Any) -> list[tuple[Case, str | None]]:
    """Requests that did not begin, and why: without somebody who looks they would wait for ever."""
    found = Case.objects.filter(state="sending", folder="", forgotten_at=None).exclude(data_set=None)
    last = [(case, case.jobs.filter(kind="begin").first()) for case in found.select_related("data_set", "requester")]
    return [(case, worded_error(job, manager)) for case, job in last if job is not None and job.status == Job.FAILED]


@require_POST
def begin_again(request: HttpRequest, number: int) -> HttpResponse:
    """For the manager: have a request begin that could not."""
    if request.case.pk not in {case.pk for case, _ in _stuck(request.user)}:
        raise Http404
    ask_for("begin", case=request.case, person=request.case.requester)
    return redirect("inbox")


@require_safe
def all_requests(request: HttpRequest) -> HttpResponse:
    """All of them."""
    return _listed(request, "all-requests", Case.objects.all())


@require_safe
def votes(request: HttpRequest) -> HttpResponse:
    """Reports that wait for the committee."""
    return _listed(request, "votes", Case.objects.filter(owner="committee"))


def _listed(request: HttpRequest, which: str, *lists: Any, **more: Any) -> HttpResponse:
    """One list, or several by whose turn it is; each begins with what is due first."""
    shown_lists = [
        (name, found.select_related("data_set", "requester").order_by(_BY_DAY, "-changed_at")[:_MOST_LISTED])
        for name, found in zip(("yours", "others", "over"), lists, strict=False)
    ]
    told = {"lists": [each for each in shown_lists if each[1]], "which": which, "now": timezone.now(), **more}
    return render(request, "portal/cases.html", told)


_BY_DAY = F("due").asc(nulls_last=True)
_OTHERS = ("requester", "committee", "system")
_MOST_LISTED = 500


# Process 1


class _SeveralFiles(forms.ClearableFileInput):
    allow_multiple_selected = True


class Attachments(forms.FileField):
    """Some files: PDFs or pictures, by their beginnings too, and not too large."""

    widget = _SeveralFiles

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        """All of them."""
        given = data if isinstance(data, list | tuple) else [data]
        found = [super(Attachments, self).clean(each, initial) for each in given]
        files = [_checked_attachment(each) for each in found if each]
        if sum(each.size for each in files) > _MOST_ATTACHED:
            raise forms.ValidationError(text("portal.request.attachment-kind"))
        if len(files) > _MOST_FILES or len({Path(each.name).name[:100] for each in files}) != len(files):
            raise forms.ValidationError(text("portal.request.several", most=_MOST_FILES))
        return files


def _checked_attachment(given: Any) -> Any:
    suffix = Path(given.name).suffix.lower()
    if given.size > _MOST_ATTACHED or suffix not in _ATTACHED:
        raise forms.ValidationError(text("portal.request.attachment-kind"))
    if not given.read(8).startswith(_BEGINNINGS[suffix]):
        raise forms.ValidationError(text("portal.request.attachment-kind"))
    given.seek(0)
    return given


class RequestForm(forms.Form):
    """Who asks for which data, for what, and what must be kept of them."""

    data_set = forms.ChoiceField(choices=())
    kind = forms.ChoiceField(choices=())
    address = forms.CharField(max_length=300)
    document_type = forms.CharField(max_length=60, initial="CPF")
    document = forms.CharField(max_length=60)
    dimension = forms.ChoiceField(choices=(), widget=forms.RadioSelect, initial="truth")
    purpose = forms.CharField(max_length=4000, widget=forms.Textarea(attrs={"rows": 4}))
    selection = forms.CharField(max_length=1000, required=False)
    predict = forms.CharField(max_length=200, required=False)
    needed_by = forms.DateField(required=False, widget=forms.DateInput(attrs={"type": "date"}))
    attachment = Attachments(required=False)

    def __init__(self, *args: Any, person: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person
        self.fields["data_set"].choices = [
            ("", text("portal.unlisted.choose")),
            *((str(each.pk), each.name) for each in DataSet.objects.filter(is_offered=True)),
            (OTHER, text("portal.unlisted.other")),
        ]
        self.fields["data_set"].help_text = text("portal.unlisted.help")
        kinds, dimensions = ("public-institution", "private-institution"), ("truth", "structure", "hybrid")
        self.fields["kind"].choices = [(each, text(f"portal.kind.{each}")) for each in kinds]
        self.fields["dimension"].choices = [(each, text(f"portal.dimension.{each}")) for each in dimensions]
        for name, field in self.fields.items():
            field.label = text(f"portal.request.{name}")
        for number in range(_WANTED_ROWS):
            for part in ("label", "meaning"):
                called = text(f"portal.request.{part}", number=number + 1)
                typed = forms.TextInput(attrs={"placeholder": called})
                self.fields[f"{part}_{number}"] = forms.CharField(
                    max_length=300, required=False, label=called, widget=typed
                )
        self.made: DataRequest | None = None

    @property
    def first_rows(self) -> list[tuple[Any, Any]]:
        """Label and meaning, row by row."""
        return [(self[f"label_{number}"], self[f"meaning_{number}"]) for number in range(_FIRST_ROWS)]

    @property
    def more_rows(self) -> list[tuple[Any, Any]]:
        """The rest of them."""
        return [(self[f"label_{number}"], self[f"meaning_{number}"]) for number in range(_FIRST_ROWS, _WANTED_ROWS)]

    @property
    def plain_fields(self) -> list[Any]:
        """All others, in order."""
        return [field for field in self if not field.name.startswith(("label_", "meaning_"))]

    def clean_data_set(self) -> DataSet | None:
        """One of the list; none where it is not in it."""
        chosen = self.cleaned_data["data_set"]
        return None if chosen == OTHER else DataSet.objects.filter(pk=chosen, is_offered=True).first()

    def clean_document(self) -> str:
        """The document of earlier requests."""
        typed = str(self.cleaned_data["document"])
        try:
            check_document(self.person, typed, str(self.cleaned_data.get("document_type", "")))
        except BiomboError as error:
            raise forms.ValidationError(str(error)) from None
        return typed

    def clean(self) -> dict[str, Any]:
        """Make the request; what is wrong with it is said in its own words."""
        told: dict[str, Any] = super().clean()
        if self.errors:
            return told
        wanted = {
            told[f"label_{number}"]: told.get(f"meaning_{number}") or told[f"label_{number}"]
            for number in range(_WANTED_ROWS)
            if told.get(f"label_{number}")
        }
        try:
            self.made = self._request(told, wanted)
        except BiomboError as error:
            self.add_error(None, str(error))
        return told

    def _request(self, told: dict[str, Any], wanted: dict[str, str], **more: Any) -> DataRequest:
        return DataRequest(
            requester=Requester(
                kind=told["kind"],
                name=self.person.name,
                address=told["address"],
                document=told["document"],
                document_type=told["document_type"],
                attachments={name: sha for each in told["attachment"] for name, sha in _hash_of(each).items()},
            ),
            wanted=wanted,
            dimension=told["dimension"],
            purpose=told["purpose"],
            selection=told.get("selection") or "",
            predict=told.get("predict") or None,
            needed_by=told.get("needed_by"),
            **more,
        )


def _hash_of(given: Any) -> dict[str, str]:
    digest = hashlib.sha256()
    for chunk in given.chunks():
        digest.update(chunk)
    given.seek(0)
    return {Path(given.name).name[:100]: digest.hexdigest()}


@require_http_methods(["GET", "HEAD", "POST"])
def new_request(request: HttpRequest) -> HttpResponse:
    """Ask for data, of a data set, or in more detail than a release of the catalogue has."""
    with_vault = CatalogueEntry.objects.filter(withdrawn_at=None, holds=True).exclude(private="")
    origin = with_vault.filter(slug=request.GET.get("release", "")).first()
    first = {"data_set": request.GET.get("data", origin.data_set_id if origin is not None else None)}
    first["document"] = shown_document(request.user)
    form = RequestForm(request.POST or None, request.FILES or None, person=request.user, initial=first)
    if request.method == "POST" and form.is_valid():
        assert form.made is not None
        try:
            check_number(request.user)
        except BiomboError as error:
            return render(request, "portal/message.html", {"title": str(error)}, status=429)
        case = _sent(request.user, form.cleaned_data["data_set"], form.made, origin)
        for each in form.cleaned_data["attachment"]:
            _keep(each, case, request.user)
        if case.data_set is not None:
            ask_for("begin", case=case, person=request.user)
        return redirect("case", number=case.pk)
    return render(request, "portal/new_request.html", {"form": form, "origin": origin})


def _sent(person: Any, data_set: DataSet | None, made: DataRequest, origin: CatalogueEntry | None) -> Case:
    asked = made.to_tree()
    if data_set is None:
        return ask_agency(person, asked)
    if origin is not None and origin.data_set_id == data_set.pk:
        asked["origin"] = {"release": origin.slug}
    case: Case = Case.objects.create(data_set=data_set, requester=person, asked=asked)
    return case


def _keep(given: Any, case: Case, person: Any) -> None:
    ((name, sha256),) = _hash_of(given).items()
    slug = random_name()
    place = settings.PORTAL_HOME.uploads / slug
    with place.open("xb") as file:
        place.chmod(0o600)
        for chunk in given.chunks():
            file.write(chunk)
    Attachment.objects.create(slug=slug, case=case, person=person, name=name, sha256=sha256, size=given.size)


# The page of one request


@require_safe
def case(request: HttpRequest, number: int) -> HttpResponse:
    """Whose turn it is, until when, what is expected; then what was measured; then what was said."""
    return _page(request, request.case)


def _page(request: HttpRequest, case: Case, filled: Any = None, status: int = 200) -> HttpResponse:
    if case.data_set is None:
        return shown_before_it_begins(request, case)
    waiting = jobs_seen(case, request.user).filter(status__in=(Job.WAITING, Job.RUNNING)).first()
    last = Job.objects.filter(case=case, person=request.user).exclude(kind="values").first()
    told: dict[str, Any] = {
        "case": case,
        "job": waiting,
        "failed": worded_error(last, request.user) if last is not None and last.status == Job.FAILED else None,
        "attachments": case.attachments.filter(removed_at=None),
        "deliveries": case.deliveries.all(),
        "archive": open_archive(case),
    }
    if case.folder:
        record = record_of(case)
        first, further = offered_acts(record, case, request.user.role)
        if filled is not None:
            first = [filled if each.name == filled.name else each for each in first]
            further = [filled if each.name == filled.name else each for each in further]
        view = record.view(actor_of(request.user))
        told |= {
            "record": record,
            "view": view,
            "first": first,
            "further": further,
            "filled": filled,
            "said": _said(record, view),
            **shown(view, request.user.role),
            "plans": _plans_found(case, record).get("plans") if request.user.role == "manager" else None,
            "agreed": agreed_examples(record) if record.state.metrics is not None else [],
            "sees": seen_by_requester(record) if request.user.role != "requester" else {},
        }
    return render(request, f"portal/case_{_face_of(request.user)}.html", told, status=status)


def shown_before_it_begins(request: HttpRequest, case: Case, filled: Any = None, status: int = 200) -> HttpResponse:
    """A request for data that nobody has listed: what was asked for, and what can be done about it."""
    from biombo._portal.pages.unlisted import ReasonForm, TableForm

    table, reason = TableForm(), ReasonForm()
    told = {
        "case": case,
        "asked": DataRequest.from_tree(case.asked),
        "attachments": case.attachments.all(),
        "table": filled if isinstance(filled, TableForm) else table,
        "reason": filled if isinstance(filled, ReasonForm) else reason,
        "why": why_it_ended(case),
    }
    return render(request, "portal/case_unlisted.html", told, status=status)


def _face_of(person: Any) -> str:
    return "requester" if person.role == "requester" else "agency"


def _said(record: NegotiationRecord, view: Any) -> list[dict[str, Any]]:
    """What happened, in sentences, as far as the viewer may see it; the last first."""
    facts = {event.number: event for event in record.events}
    told = []
    for each in view.said:
        event = facts[each.number]
        if event.fact is not None:
            who = event.actor.name if event.actor is not None and each.role != "system" else ""
            told.append(
                {
                    "number": each.number,
                    "at": each.at,
                    "role": each.role,
                    "who": who,
                    "process": each.process,
                    "act": each.act,
                    "sentence": sentence_of(event.fact),
                }
            )
    return told[::-1]


def _plans_found(case: Case, record: NegotiationRecord) -> dict[str, Any]:
    """What the manager has had searched for, as the negotiation stands."""
    found = Job.objects.filter(case=case, kind="plans", status=Job.DONE, seen=record.head).first()
    return {} if found is None else dict(found.asked)


@require_POST
def act(request: HttpRequest, number: int, act: str) -> HttpResponse:
    """Do something: checked by its form, allowed by the table of rules, done by a worker."""
    case, made = request.case, form_of(act)
    if made is None or not case.folder:
        raise Http404
    record = record_of(case)
    if permission(record.state.name, request.user.role, act) is None:
        return _page(request, case, status=409)
    if is_busy(case, request.user):
        return _page(request, case, status=409)
    form = made(request.POST, request.FILES, record=record, case=case)
    if not form.is_valid():
        return _page(request, case, filled=form, status=422)
    assert form.made is not None
    try:
        check_act(request.user, act)
    except BiomboError as error:
        return render(request, "portal/message.html", {"title": str(error)}, status=429)
    seen = request.POST.get("head", record.head)
    if not HASH.fullmatch(seen):
        raise BadRequest
    ask_for("act", case=case, person=request.user, asked=dict(plain_fact(form.made)), seen=seen)
    return redirect("case", number=case.pk)


@require_safe
def example(request: HttpRequest, number: int) -> HttpResponse:
    """What a choice in the editor does to made-up values."""
    if not request.case.folder:
        raise Http404
    trees = hierarchies(record_of(request.case))
    column = next((name for name in request.GET if name.startswith("column:")), "")
    tree = trees.get(column.removeprefix("column:"))
    if tree is None:
        raise Http404
    choice = request.GET.get(column, "")
    if choice not in {"", *(value for value, _ in choices(tree))}:
        raise BadRequest
    return render(request, "portal/parts/examples.html", {"examples": examples(tree, choice)})


@require_safe
def job(request: HttpRequest, number: int, job: int) -> HttpResponse:
    """How far a job is; once it is over the page is asked for anew."""
    found = jobs_seen(request.case, request.user).filter(pk=job).first()
    if found is None:
        raise Http404
    answer = render(request, "portal/parts/job.html", {"job": found, "case": request.case})
    if found.is_over:
        answer.headers["HX-Refresh"] = "true"
    return answer


@require_POST
def plans(request: HttpRequest, number: int) -> HttpResponse:
    """For the manager: have plans searched for, or values looked up before a waiver."""
    if not request.case.folder:
        raise Http404
    head = record_of(request.case).head
    if "l" in request.POST:
        try:
            asked: dict[str, Any] = {"l": forms.IntegerField(min_value=2, max_value=1000).clean(request.POST["l"])}
        except forms.ValidationError as error:
            return render(request, "portal/message.html", {"title": error.messages[0]}, status=422)
        ask_for("values", case=request.case, person=request.user, asked=asked, seen=head)
    else:
        ask_for("plans", case=request.case, person=request.user, asked={"share": 0.05}, seen=head)
    return redirect("case-offers" if "offers" in request.POST else "case", number=number)


@require_safe
def offers(request: HttpRequest, number: int) -> HttpResponse:
    """All rounds side by side."""
    if not request.case.folder:
        raise Http404
    record = record_of(request.case)
    view, best = record.view(actor_of(request.user)), _plans_found(request.case, record).get("best", [])
    told = {
        "case": request.case,
        "offers": view.offers,
        "record": record,
        "best": best,
        "picture": frontier(view.offers, best),
        "sees": seen_by_requester(record),
        "job": Job.objects.filter(case=request.case, status__in=(Job.WAITING, Job.RUNNING)).first(),
        "is_blocked": record.state.name in BLOCKED,
    }
    return render(request, "portal/offers.html", told)


@require_safe
def trail(request: HttpRequest, number: int) -> HttpResponse:
    """Everything that happened, with whether the chain is whole."""
    if not request.case.folder:
        raise Http404
    record, sought = verified_record(request.case), request.GET.get("q", "").strip()[:200]
    said = _said(record, record.view(actor_of(request.user)))[::-1]
    told = {
        "case": request.case,
        "said": [each for each in said if _has(each, sought)],
        "sought": sought,
        "events": len(record.events),
        "now": timezone.now(),
        "faults": record.verify(),
        "head": record.head,
        "files": request.case.trailentry_set.all()[:200],
    }
    return render(request, "portal/case_trail.html", told)


def _has(said: dict[str, Any], sought: str) -> bool:
    """Does it say what somebody looks for, in whichever letters?"""
    role, process = text(f"portal.role.{said['role']}"), text("portal.process", number=said["process"])
    words = " ".join((said["sentence"], said["who"], role, process)).casefold()
    return all(word in words for word in sought.casefold().split())
