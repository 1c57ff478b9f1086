"""Tables of the agency, for managers: hand one in, say what its columns are, offer it, list its releases."""

from pathlib import Path
from typing import Any

import yaml
from django import forms
from django.conf import settings
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from biombo._data import KINDS_OF_FILES, Schema
from biombo._errors import BiomboError
from biombo._i18n import text
from biombo._portal.jobs import ask_for
from biombo._portal.models import CatalogueEntry, DataSet, Job, TrailEntry
from biombo._portal.on_record import withdraw
from biombo._portal.pages.columns import keep_schema
from biombo._portal.pages.questions import OpeningForm
from biombo._portal.schemas import schema_of
from biombo._portal.sentences import worded, worded_error
from biombo._portal.sources import is_readable, kept_upload, query_of, server_files
from biombo._portal.templatetags.portal import day
from biombo._portal.typed import Line, one_line
from biombo._release import MANIFEST

_UPLOAD, _FOLDER, _DATABASE = "upload", "folder", "database"
_NEEDED = {_UPLOAD: ("file",), _FOLDER: ("server_file",), _DATABASE: ("database", "query")}
_LONGEST_QUERY = 20_000


class DataSetForm(forms.Form):
    """A new table, and where it comes from."""

    name = Line(max_length=200)
    description = forms.CharField(max_length=4000, required=False, widget=forms.Textarea(attrs={"rows": 3}))
    department = Line(max_length=200, required=False, widget=forms.TextInput(attrs={"list": "departments"}))
    source = forms.ChoiceField(widget=forms.RadioSelect, required=False)
    file = forms.FileField(required=False)
    server_file = forms.ChoiceField(required=False)
    database = forms.ChoiceField(required=False)
    query = forms.CharField(
        max_length=_LONGEST_QUERY,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4, "class": "code", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label = text(f"portal.data.{name}")
        home = settings.PORTAL_HOME
        self.sources = [_UPLOAD, *[_FOLDER] * bool(home.shared_folders), *[_DATABASE] * bool(home.databases)]
        self.fields["source"].choices = [(each, text(f"portal.source.{each}")) for each in self.sources]
        self.fields["source"].initial = _UPLOAD
        self.fields["server_file"].choices = _listed_files()
        self.fields["database"].choices = [(each, each) for each in home.databases]
        self.fields["query"].help_text = text("portal.source.query-help")

    @property
    def common_fields(self) -> list[Any]:
        """What is asked wherever it comes from."""
        return [self[name] for name in ("name", "description", "department")]

    @property
    def from_fields(self) -> list[tuple[str, list[Any]]]:
        """What is asked by where it comes from."""
        return [(source, [self[name] for name in _NEEDED[source]]) for source in self.sources]

    def clean_file(self) -> Any:
        """A kind of file that Biombo reads; what is in it is looked at by a worker."""
        given = self.cleaned_data["file"]
        if given is not None and not is_readable(given.name):
            raise forms.ValidationError(text("portal.data.kind", kinds=", ".join(KINDS_OF_FILES)))
        return given

    def clean_query(self) -> str:
        """A query that reads, or a table."""
        typed = str(self.cleaned_data["query"])
        query = query_of(typed) if typed else ""
        if query is None:
            raise forms.ValidationError(text("portal.source.no-query"))
        return query

    def clean(self) -> dict[str, Any]:
        """What belongs to the source that was chosen is needed, and nothing else."""
        told = super().clean() or self.cleaned_data
        told["source"] = told.get("source") or _UPLOAD
        for name in _NEEDED[told["source"]]:
            if not told.get(name) and name not in self.errors:
                self.add_error(name, self.fields[name].error_messages["required"])
        return dict(told)

    @property
    def asked(self) -> dict[str, str]:
        """What a worker is to fetch; nothing where the browser brought it."""
        told = self.cleaned_data
        if told["source"] == _FOLDER:
            return {"file": told["server_file"]}
        return {"database": told["database"], "query": told["query"]} if told["source"] == _DATABASE else {}


def _listed_files() -> list[Any]:
    """The files of each folder under its name: what each is called, its size and its day."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for file in server_files():
        shown = f"{file.name} · {filesizeformat(file.size)} · {day(file.day)}"
        groups.setdefault(file.folder.name, []).append((file.key, shown))
    return [("", text("portal.source.choose")), *groups.items()]


class ColumnsForm(forms.Form):
    """What the columns are, and whether people may ask for them."""

    schema = forms.CharField(widget=forms.Textarea(attrs={"rows": 24, "class": "code", "spellcheck": "false"}))
    is_offered = forms.BooleanField(required=False)
    seen = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["schema"].label = text("portal.data.schema")
        self.fields["is_offered"].label = text("portal.data.is_offered")

    def clean_schema(self) -> str:
        """A schema that can be read, with the ends of lines that it is kept with: browsers send others."""
        typed = str(self.cleaned_data["schema"]).replace("\r\n", "\n").strip() + "\n"
        try:
            Schema.from_tree(yaml.safe_load(typed)).refuse_files()
        except BiomboError as error:
            raise forms.ValidationError(str(error)) from None
        except (yaml.YAMLError, ValueError, RecursionError):
            raise forms.ValidationError(text("portal.data.not-yaml")) from None
        return typed


class TableForm(forms.Form):
    """Which table of a file that has several: a sheet of a workbook, or a file in an archive."""

    table = forms.ChoiceField(widget=forms.RadioSelect)

    def __init__(self, *args: Any, tables: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["table"].label = text("portal.data.table")
        self.fields["table"].choices = [(each, each) for each in tables]


@require_safe
def data_sets(request: HttpRequest) -> HttpResponse:
    """All tables."""
    return render(request, "portal/data_sets.html", {"data_sets": DataSet.objects.all()})


@require_http_methods(["GET", "HEAD", "POST"])
def new_data_set(request: HttpRequest) -> HttpResponse:
    """Hand a table in: it is kept under a name that nobody chose, and looked at by a worker."""
    form = DataSetForm(request.POST, request.FILES) if request.method == "POST" else DataSetForm()
    if request.method == "POST" and form.is_valid():
        told, asked = form.cleaned_data, form.asked
        made = DataSet.objects.create(
            name=told["name"],
            description=told["description"],
            department=told["department"] or request.user.department,
            place="" if asked else str(kept_upload(told["file"])),
            added_by=request.user,
        )
        TrailEntry.add("data-set-added", request.user, data_set=made.pk, source=told["source"])
        ask_for("fetch" if asked else "inspect", data_set=made, person=request.user, asked=asked)
        return redirect("data-set", data_set=made.pk)
    return render(request, "portal/new_data_set.html", {"form": form})


@require_safe
def data_set(request: HttpRequest, data_set: int) -> HttpResponse:
    """One table: its columns, what was proposed and why."""
    return _shown(request, get_object_or_404(DataSet, pk=data_set))


def _shown(
    request: HttpRequest,
    found: DataSet,
    form: Any = None,
    status: int = 200,
    behind: str = "",
    table: TableForm | None = None,
) -> HttpResponse:
    last = Job.objects.filter(data_set=found).first()
    schema = schema_of(found)
    now = {"schema": found.schema, "is_offered": found.is_offered, "seen": found.schema_hash}
    told = {
        "data_set": found,
        "behind": behind,
        "columns": [(name, schema[name], schema[name].why(request.language)) for name in schema.columns],
        "form": form or ColumnsForm(initial=now),
        "job": last if last is not None and not last.is_over else None,
        "failed": worded_error(last, request.user) if last is not None and last.status == Job.FAILED else None,
        "is_gone": found.is_gone,
        "unfit": _unfit(found),
        "entries": CatalogueEntry.objects.filter(data_set=found),
        "opening": OpeningForm(initial={"takes_questions": found.takes_questions, "questions_k": found.questions_k}),
        "table": table or (TableForm(tables=tables) if (tables := _tables_to_choose(found)) else None),
        "to_list": list(_releases_to_list()) if request.user.role == "manager" else [],
    }
    return render(request, "portal/data_set.html", told, status=status)


def _unfit(found: DataSet) -> list[str]:
    """What is in the way of asking by columns, or for their means, while people may ask."""
    faults = [fault for use in ("by", "mean") for fault in found.unfit_for(use).values() if found.takes_questions]
    return [*dict.fromkeys(filter(None, (worded(fault, found) for fault in faults)))]


def _tables_to_choose(found: DataSet) -> list[str]:
    """The tables of a file that a worker has found to have several, until somebody has chosen one."""
    return [] if found.schema or not found.place or _is_worked_on(found) else _tables_of(found)


def _tables_of(found: DataSet) -> list[str]:
    """The tables of a file that a worker has found to have several."""
    looked = Job.objects.filter(data_set=found, kind__in=("inspect", "fetch"))
    return next((list(job.asked["tables"]) for job in looked if "tables" in job.asked), [])


def _is_worked_on(found: DataSet) -> bool:
    return bool(Job.objects.filter(data_set=found, status__in=(Job.WAITING, Job.RUNNING)).exists())


@require_POST
def choose_table(request: HttpRequest, data_set: int) -> HttpResponse:
    """Say which table of a file is meant."""
    with transaction.atomic():  # of two managers who choose at once, one is told
        found = get_object_or_404(DataSet.objects.select_for_update(), pk=data_set)
        form = TableForm(request.POST, tables=_tables_of(found))
        is_open = bool(_tables_to_choose(found))
        if is_open and form.is_valid():
            ask_for("inspect", data_set=found, person=request.user, asked={"sheet": form.cleaned_data["table"]})
            return redirect("data-set", data_set=found.pk)
    if not _tables_of(found):
        raise Http404
    if is_open:
        return _shown(request, found, status=422, table=form)
    return _shown(request, found, status=409, behind="data.table-chosen")


@require_POST
def edit(request: HttpRequest, data_set: int) -> HttpResponse:
    """Change what the columns are; offer the table, or not."""
    found = get_object_or_404(DataSet.objects.exclude(schema=""), pk=data_set)
    form = ColumnsForm(request.POST)
    if not form.is_valid():
        return _shown(request, found, form, status=422)
    told = form.cleaned_data
    if told["is_offered"] and not found.place:
        form.add_error("is_offered", text("portal.data.gone"))
        return _shown(request, found, form, status=422)
    if told["seen"] != found.schema_hash or not _changed(found, told, request.user):
        return _shown(request, get_object_or_404(DataSet, pk=found.pk), status=409, behind="columns.behind")
    return redirect("data-set", data_set=found.pk)


def _changed(found: DataSet, told: dict[str, Any], person: Any) -> bool:
    """Keep what a form says, unless somebody else was quicker, or the rule of retention."""
    with transaction.atomic():
        is_same = DataSet.objects.select_for_update().filter(pk=found.pk, place=found.place).exists()
        if not is_same or not keep_schema(found, told["schema"], person):
            return False
        if found.is_offered != told["is_offered"]:
            DataSet.objects.filter(pk=found.pk).update(is_offered=told["is_offered"])
            TrailEntry.add("data-set-changed", person, data_set=found.pk)
    return True


@require_safe
def job(request: HttpRequest, data_set: int, job: int) -> HttpResponse:
    """How far a job is."""
    found = get_object_or_404(Job, data_set=get_object_or_404(DataSet, pk=data_set), pk=job)
    answer = render(request, "portal/parts/job.html", {"job": found, "data_set": found.data_set})
    if found.is_over:
        answer.headers["HX-Refresh"] = "true"
    return answer


@require_POST
def list_release(request: HttpRequest, data_set: int) -> HttpResponse:
    """Take a release of this table, which lies in a folder of the server, into the catalogue."""
    found = get_object_or_404(DataSet, pk=data_set)
    folder = _releases_to_list().get(request.POST.get("folder", ""))
    title = one_line(request.POST.get("title", ""))[:200]
    if not title or folder is None:
        return render(request, "portal/message.html", {"title": text("portal.data.no-release")}, status=422)
    entry = CatalogueEntry.objects.create(title=title, data_set=found, folder="")
    TrailEntry.add("release-listed", request.user, entry=entry.pk)
    ask_for("list-release", data_set=found, person=request.user, asked={"entry": entry.pk, "folder": str(folder)})
    return redirect("data-set", data_set=found.pk)


def _releases_to_list() -> dict[str, Path]:
    """By name: the releases that the administrator has put where they may be listed from; links are not followed."""
    found = sorted(each for each in settings.PORTAL_HOME.to_list.iterdir() if each.is_dir() and not each.is_symlink())
    return {each.name: each for each in found if (each / MANIFEST).is_file()}


def _entry(slug: str) -> CatalogueEntry:
    found: CatalogueEntry | None = CatalogueEntry.objects.filter(slug=slug, withdrawn_at=None).first()
    if found is None:
        raise Http404
    return found


@require_POST
def withdraw_release(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a release out of the catalogue."""
    found = _entry(slug)
    CatalogueEntry.objects.filter(pk=found.pk).update(withdrawn_at=timezone.now())
    withdraw(found, request.user)
    TrailEntry.add("release-withdrawn", request.user, entry=found.pk)
    return redirect("data-sets")


@require_POST
def verify_release(request: HttpRequest, slug: str) -> HttpResponse:
    """Recompute what a release claims."""
    found = _entry(slug)
    ask_for("verify", data_set=found.data_set, person=request.user, asked={"entry": found.pk})
    return redirect("catalogue-entry", slug=slug)
