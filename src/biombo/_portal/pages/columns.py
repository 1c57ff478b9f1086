"""What the columns of a table are: roles, how each may be generalised, and who knows what. All of it is the schema."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from biombo._attack import NAMED_ADVERSARIES, adversary_name
from biombo._data import ROLES, Schema, proposed_adversaries
from biombo._errors import BiomboError
from biombo._hierarchy import Hierarchy
from biombo._i18n import language, text
from biombo._portal.drawing import Drawing
from biombo._portal.jobs import ask_for
from biombo._portal.models import DataSet, Job, Person, TrailEntry
from biombo._portal.pages.hierarchy_form import Document, HierarchyForm
from biombo._portal.schemas import schema_of, yaml_of
from biombo._portal.sentences import worded_error
from biombo._portal.workbench import columns_changed

_SPARE = 1
"""Adversaries that can be added at once."""
_JOBS_LOOKED_AT = 200
_PROPOSING = ("inspect", "fetch", "propose-hierarchies")


class RolesForm(forms.Form):
    """What each column is."""

    def __init__(self, *args: Any, schema: Schema, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.schema = schema
        roles = [(role, text(f"portal.role-of-column.{role}")) for role in ROLES]
        for number, (name, column) in enumerate(schema.columns.items()):
            self.fields[f"role_{number}"] = forms.ChoiceField(
                choices=roles, initial=column.role, label=text("portal.columns.role-of", column=name)
            )

    @property
    def rows(self) -> list[tuple[str, Any, str]]:
        """Column, role, and why it was proposed."""
        return [
            (name, self[f"role_{number}"], column.why(language()))
            for number, (name, column) in enumerate(self.schema.columns.items())
        ]

    def changed_schema(self) -> Schema:
        """The schema with what was chosen; a role that a person chose needs no reason of the program's."""
        tree = self.schema.to_tree()
        for number, name in enumerate(self.schema.columns):
            entries = dict(tree["columns"][name] or {})
            if entries.get("role") != self.cleaned_data[f"role_{number}"]:
                entries.pop("reason", None)
            tree["columns"][name] = {**entries, "role": self.cleaned_data[f"role_{number}"]}
        known = {name for name, entries in tree["columns"].items() if entries["role"] == "quasi"}
        left = {who: [each for each in knows if each in known] for who, knows in self.schema.adversaries.items()}
        return Schema.from_tree(_with_adversaries(tree, left, self.schema))


def _with_adversaries(tree: Mapping[str, Any], knows: Mapping[str, list[str]], schema: Schema) -> dict[str, Any]:
    """The tree of a schema with these adversaries, those who know nothing left out, and the labels of those left."""
    left = {who: list(columns) for who, columns in knows.items() if columns}
    labels = {who: label for who, label in schema.adversary_labels.items() if who in left}
    others = {name: each for name, each in tree.items() if name not in ("adversaries", "adversary-labels")}
    return {**others, **({"adversaries": left} if left else {}), **({"adversary-labels": labels} if labels else {})}


class AdversariesForm(forms.Form):
    """Who might look for somebody, and which of the quasi columns they know. A line is left out by emptying it."""

    def __init__(self, *args: Any, schema: Schema, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.schema = schema
        now = schema.adversaries or proposed_adversaries(schema)
        self.is_proposed = bool(now) and not schema.adversaries
        self._names = [*now, *[""] * _SPARE]
        columns = [(name, name) for name in schema.quasi]
        for number, name in enumerate(self._names):
            self.fields[f"who_{number}"] = forms.CharField(
                max_length=100,
                required=False,
                initial=self._shown(name),
                label=text("portal.columns.who" if name else "portal.columns.who-new"),
                widget=forms.TextInput(attrs={"list": "known-adversaries", "autocomplete": "off"}),
            )
            self.fields[f"knows_{number}"] = forms.MultipleChoiceField(
                choices=columns,
                required=False,
                initial=list(now.get(name, ())),
                label=text("portal.columns.knows"),
                widget=forms.CheckboxSelectMultiple,
            )

    def _shown(self, name: str) -> str:
        return self.schema.adversaries_called(language()).get(name) or adversary_name(name) if name else ""

    @property
    def rows(self) -> list[tuple[Any, Any]]:
        """Who, and what they know."""
        return [(self[f"who_{number}"], self[f"knows_{number}"]) for number in range(len(self._names))]

    @property
    def known_names(self) -> list[str]:
        """Who can be chosen by a word that every language has."""
        return sorted(map(adversary_name, NAMED_ADVERSARIES))

    def changed_schema(self) -> Schema:
        """The schema with these adversaries."""
        chosen: dict[str, list[str]] = {}
        for number, before in enumerate(self._names):
            typed, knows = self.cleaned_data[f"who_{number}"], self.cleaned_data[f"knows_{number}"]
            if not typed:
                continue
            name = before if before and typed == self._shown(before) else _named(typed)
            if not knows:
                self.add_error(f"who_{number}", text("portal.columns.knows-none"))
            if name in chosen:
                self.add_error(f"who_{number}", text("portal.columns.who-twice"))
            chosen[name] = knows
        return Schema.from_tree(_with_adversaries(self.schema.to_tree(), chosen, self.schema))


def _named(typed: str) -> str:
    """The name that schemas have for an adversary who is called so here; what was typed where there is none."""
    known = {adversary_name(name).casefold(): name for name in NAMED_ADVERSARIES}
    return known.get(typed.casefold(), typed)


# Keeping what was chosen


def keep_schema(data_set: DataSet, schema: str, person: Person) -> bool:
    """Keep a description of the columns, unless somebody else has changed it meanwhile. Whatever was measured for a
    release before was measured for other columns.
    """
    with transaction.atomic():  # that somebody works with the table is known as soon as it is so
        if not DataSet.objects.filter(pk=data_set.pk, schema=data_set.schema).update(schema=schema):
            return False
        if schema != data_set.schema:
            columns_changed(data_set)
            TrailEntry.add("data-set-changed", person, data_set=data_set.pk)
            if data_set.takes_questions:
                ask_for("check-questions", data_set=data_set, person=person)
    return True


# Pages


def _data_set(number: int) -> DataSet:
    """A table that was looked at already."""
    found: DataSet = get_object_or_404(DataSet, pk=number)
    if not found.schema:
        raise Http404
    return found


@require_http_methods(["GET", "HEAD", "POST"])
def columns(request: HttpRequest, data_set: int) -> HttpResponse:
    """What each column is, how it may be generalised, who knows what."""
    found = _data_set(data_set)
    if request.method != "POST":
        return _page(request, found)
    form = RolesForm(request.POST, schema=schema_of(found))
    return _kept(request, found, form, "roles")


@require_POST
def adversaries(request: HttpRequest, data_set: int) -> HttpResponse:
    """Change who knows what."""
    found = _data_set(data_set)
    form = AdversariesForm(request.POST, schema=schema_of(found))
    return _kept(request, found, form, "adversaries")


def _kept(request: HttpRequest, found: DataSet, form: RolesForm | AdversariesForm, name: str) -> HttpResponse:
    if not form.is_valid():
        return _page(request, found, status=422, **{name: form})
    try:
        schema = form.changed_schema()
    except BiomboError as error:
        form.add_error(None, str(error))
    if form.errors:
        return _page(request, found, status=422, **{name: form})
    if request.POST.get("seen") != found.schema_hash or not keep_schema(found, yaml_of(schema), request.user):
        return _page(request, get_object_or_404(DataSet, pk=found.pk), status=409, behind=True)
    new = set(schema.quasi) - set(form.schema.quasi)
    if any(schema[each].hierarchy is None for each in new):
        ask_for("propose-hierarchies", data_set=found, person=request.user)
    return redirect("columns", data_set=found.pk)


def _page(request: HttpRequest, found: DataSet, status: int = 200, **filled: Any) -> HttpResponse:
    schema = schema_of(found)
    told = {
        "data_set": found,
        "seen": request.POST.get("seen", "") if status == 422 else found.schema_hash,
        "roles": RolesForm(schema=schema),
        "adversaries": AdversariesForm(schema=schema),
        "hierarchies": [
            (number, name, *_summary(found, name, schema[name].hierarchy))
            for number, name in enumerate(schema.columns)
            if schema[name].role == "quasi"
        ],
        **_last_job(request, found),
    }
    return render(request, "portal/columns.html", told | filled, status=status)


def _last_job(request: HttpRequest, found: DataSet) -> dict[str, Any]:
    last = Job.objects.filter(data_set=found, draft=None).first()
    return {
        "job": last if last is not None and not last.is_over else None,
        "failed": worded_error(last, request.user) if last is not None and last.status == Job.FAILED else None,
    }


def _summary(found: DataSet, column: str, document: Document) -> tuple[Drawing | None, Any]:
    """How a column may be generalised, and how that fits the table where somebody has checked."""
    if document is None:
        return None, None
    return Drawing(Hierarchy.told(document)), _fit(found, column, document)


def _fit(found: DataSet, column: str, document: Document) -> Any:
    """What a worker found last when it checked this hierarchy of this column."""
    for job in Job.objects.filter(data_set=found, kind="check-hierarchy", status=Job.DONE)[:_JOBS_LOOKED_AT]:
        if job.asked.get("column") == column and job.asked.get("hierarchy") == document:
            return job.asked.get("fit")
    return None


@require_http_methods(["GET", "HEAD", "POST"])
def hierarchy(request: HttpRequest, data_set: int, column: int) -> HttpResponse:
    """How one column may be generalised: chosen, drawn, checked against the table, kept."""
    found = _data_set(data_set)
    schema = schema_of(found)
    name = next((each for number, each in enumerate(schema.columns) if number == column), None)
    if name is None or schema[name].role != "quasi":
        raise Http404
    now, proposed = schema[name].hierarchy, _proposal(found, name)
    if request.method != "POST":
        form = HierarchyForm(now=now, proposed=proposed, shown=_checked(request, found, name, now))
        return _editor(request, found, column, name, form)
    form = HierarchyForm(request.POST, request.FILES, now=now, proposed=proposed)
    if not form.is_valid():
        return _editor(request, found, column, name, form, status=422)
    if request.POST.get("do") == "save":
        return _saved(request, found, column, name, form)
    if request.POST.get("do") == "check" and form.document is not None:
        asked = {"column": name, "hierarchy": form.document}
        job = ask_for("check-hierarchy", data_set=found, person=request.user, asked=asked)
        return redirect(f"{request.path}?check={job.pk}")
    return _editor(request, found, column, name, form)


def _checked(request: HttpRequest, found: DataSet, column: str, otherwise: Document) -> Document:
    """The hierarchy of a check that this page is about, else that of the schema."""
    number = request.GET.get("check", "")
    job = Job.objects.filter(pk=int(number) if number.isdecimal() and len(number) < 19 else 0, data_set=found).first()
    if job is not None and job.kind == "check-hierarchy" and job.asked["column"] == column:
        checked: Document = job.asked["hierarchy"]
        return checked
    return otherwise


def _saved(request: HttpRequest, found: DataSet, column: int, name: str, form: HierarchyForm) -> HttpResponse:
    tree = schema_of(found).to_tree()
    entries = {each: value for each, value in tree["columns"][name].items() if each != "hierarchy"}
    if form.document is not None:
        entries["hierarchy"] = form.document
    tree["columns"][name] = entries
    try:
        schema = yaml_of(Schema.from_tree(tree))
    except BiomboError as error:
        form.add_error(None, str(error))
        return _editor(request, found, column, name, form, status=422)
    if request.POST.get("seen") != found.schema_hash or not keep_schema(found, schema, request.user):
        form.add_error(None, text("portal.columns.behind"))
        return _editor(request, get_object_or_404(DataSet, pk=found.pk), column, name, form, status=409)
    if form.document is not None and _fit(found, name, form.document) is None:
        asked = {"column": name, "hierarchy": form.document}
        ask_for("check-hierarchy", data_set=found, person=request.user, asked=asked)
    return redirect("columns", data_set=found.pk)


def _proposal(found: DataSet, column: str) -> Document:
    """What was proposed for a column when its table was looked at."""
    for job in Job.objects.filter(data_set=found, kind__in=_PROPOSING, status=Job.DONE):
        if column in job.asked.get("hierarchies", {}):
            document: Document = job.asked["hierarchies"][column]
            return document
    return None


def _editor(
    request: HttpRequest, found: DataSet, number: int, name: str, form: HierarchyForm, status: int = 200
) -> HttpResponse:
    shown = None if form.errors else form.document
    told = {
        "data_set": found,
        "seen": request.POST.get("seen", "") if status == 422 else found.schema_hash,
        "number": number,
        "column": name,
        "why": schema_of(found)[name].why(language()),
        "form": form,
        "drawing": None if shown is None else Drawing(Hierarchy.told(shown)),
        "fit": None if shown is None else _fit(found, name, shown),
        **_last_job(request, found),
    }
    if request.htmx:  # only what is drawn, or why it is not
        return render(request, "portal/parts/drawing.html", {**told, "errors": form.errors.values()})
    return render(request, "portal/hierarchy.html", told, status=status)
