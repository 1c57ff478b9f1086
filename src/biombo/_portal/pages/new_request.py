"""Process 1: the form by which somebody asks for data."""

import hashlib
import json
from pathlib import Path
from typing import Any

from django import forms
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from biombo._errors import BiomboError
from biombo._i18n import text
from biombo._negotiate import DataRequest, Requester
from biombo._portal.asking import check_document, check_number, counted, shown_document
from biombo._portal.jobs import ask_for
from biombo._portal.models import Attachment, Case, CatalogueEntry, DataSet, random_name
from biombo._portal.typed import Line, Words, one_line
from biombo._portal.unlisted import ask_agency

_MOST_ATTACHED = 10 * 1024**2
_MOST_FILES = 5
_ATTACHED = (".pdf", ".png", ".jpg", ".jpeg")
_BEGINNINGS = {".pdf": b"%PDF-", ".png": b"\x89PNG", ".jpg": b"\xff\xd8\xff", ".jpeg": b"\xff\xd8\xff"}
_WANTED_ROWS = 12
_SECONDS_KNOWN = 3600
"""How long a form that was sent is known again."""
OTHER = "other"
"""Stands in the list of tables for all that is not in it."""
_FIRST_ROWS = 8
"""Rows that are seen at once; the others are folded away."""


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
    given.name = one_line(given.name)
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
    address = Line(max_length=300)
    document_type = Line(max_length=60, initial="CPF")
    document = Line(max_length=60)
    dimension = forms.ChoiceField(choices=(), widget=forms.RadioSelect, initial="truth")
    purpose = Words(max_length=4000, widget=forms.Textarea(attrs={"rows": 4}))
    selection = forms.CharField(max_length=1000, required=False)
    predict = forms.CharField(max_length=200, required=False)
    needed_by = forms.DateField(required=False, widget=forms.DateInput(attrs={"type": "date"}))
    attachment = Attachments(required=False)

    def __init__(self, *args: Any, person: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person
        self.fields["data_set"].choices = [
            ("", text("portal.unlisted.choose")),
            *((str(each.pk), each.name) for each in DataSet.objects.offered()),
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
        return None if chosen == OTHER else DataSet.objects.offered().filter(pk=chosen).first()

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
                name=self.person.called,
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
        known = _sent_before(request, form)
        if not cache.add(known, 0, _SECONDS_KNOWN):
            number = cache.get(known)
            return redirect("case", number=number) if number else redirect("my-requests")
        case = None
        try:
            with counted(request.user):
                check_number(request.user)
                case = _sent(request.user, form, origin)
        except BiomboError as error:
            return render(request, "portal/message.html", {"title": str(error)}, status=429)
        finally:
            cache.delete(known) if case is None else cache.set(known, case.pk, _SECONDS_KNOWN)
        return redirect("case", number=case.pk)
    told = {"form": form, "origin": origin, "most_attached": _MOST_ATTACHED}
    return render(request, "portal/new_request.html", told | {"once": request.POST.get("once") or random_name()})


def _sent_before(request: HttpRequest, form: RequestForm) -> str:
    """By what a form that is sent twice is known: it comes from one page, and says the same."""
    assert form.made is not None
    once = request.POST.get("once") or random_name()
    said = json.dumps([once, request.user.pk, request.POST["data_set"], form.made.to_tree()], default=str)
    return f"request-{hashlib.sha256(said.encode()).hexdigest()}"


def _sent(person: Any, form: RequestForm, origin: CatalogueEntry | None) -> Case:
    """The request, with what came with it; of a table it begins, for others it waits for a manager."""
    assert form.made is not None
    data_set, asked = form.cleaned_data["data_set"], form.made.to_tree()
    if data_set is not None and origin is not None and origin.data_set_id == data_set.pk:
        asked["origin"] = {"release": origin.slug}
    case: Case = (
        ask_agency(person, asked)
        if data_set is None
        else Case.objects.create(data_set=data_set, requester=person, asked=asked)
    )
    for each in form.cleaned_data["attachment"]:
        _keep(each, case, person)
    if data_set is not None:
        ask_for("begin", case=case, person=person)
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
