"""How a column may be generalised, typed into a form: it makes a hierarchy as a schema holds it."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from django import forms

from biombo._errors import BiomboError
from biombo._files import text_in
from biombo._hierarchy import Hierarchy, TableHierarchy, plain
from biombo._i18n import language, text
from biombo._portal.acts.form import Real

Document = str | Mapping[str, Any] | None
"""A hierarchy as a schema holds it: the name of a built-in one, or its entries."""

MOST_VALUES = 10_000
"""Of a tree of one's own: all of it stands in the schema, which every page reads."""
_MOST_BYTES = 2 * 1024**2
KEEP, PROPOSED, NONE = "keep", "proposed", "none"
BUILT_IN, INTERVAL, BOUNDS, PREFIX, DATE, TREE = "built-in", "interval", "bounds", "prefix", "date", "tree"
_PERIODS = ("month", "quarter", "year", "5 years", "10 years")
_WRITTEN = ("YYYY-MM-DD", "DD/MM/YYYY", "YYYYMMDD", "DDMMYYYY", "YYYY-MM", "MM/YYYY", "YYYYMM", "YYYY")
_NUMBER = re.compile(r"-?[0-9]{1,15}([.,][0-9]{1,9})?")
_STAYING = {
    INTERVAL: ("decimal", "thousands", "unit"),
    BOUNDS: ("decimal", "thousands", "unit", "labels", "lowest", "highest"),
    DATE: ("keep_type",),
}
"""Entries that no field has, and that stay as they were when the others are changed."""


class HierarchyForm(forms.Form):
    """One of several kinds, with the fields of each; only those of the kind that was chosen count."""

    kind = forms.ChoiceField(widget=forms.RadioSelect)
    name = forms.ChoiceField(required=False)
    widths = forms.CharField(max_length=200, required=False)
    origin = Real(required=False)
    bottom = Real(required=False)
    top = Real(required=False)
    lowest = Real(required=False)
    highest = Real(required=False)
    whole = forms.BooleanField(required=False)
    bounds = forms.CharField(max_length=4000, required=False, widget=forms.Textarea(attrs={"rows": 3}))
    lengths = forms.CharField(max_length=200, required=False)
    pad = forms.BooleanField(required=False)
    separators = forms.CharField(max_length=10, required=False)
    digits = forms.IntegerField(min_value=1, max_value=100, required=False)
    periods = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple)
    written = forms.ChoiceField(required=False)
    tree = forms.CharField(
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "class": "code", "spellcheck": "false"}),
    )
    tree_file = forms.FileField(required=False)

    OF_KIND: Mapping[str, tuple[str, ...]] = {
        BUILT_IN: ("name",),
        INTERVAL: ("widths", "origin", "bottom", "top", "lowest", "highest", "whole"),
        BOUNDS: ("bounds",),
        PREFIX: ("lengths", "pad", "separators", "digits"),
        DATE: ("periods", "written"),
        TREE: ("tree", "tree_file"),
    }

    def __init__(
        self, *args: Any, now: Document, proposed: Document = None, shown: Document = None, **kwargs: Any
    ) -> None:
        """``now``: the hierarchy of the schema; ``shown``: the one that the fields are filled with."""
        self.now, self.proposed = now, proposed
        self.document: Document = shown if shown is not None else now
        super().__init__(*args, initial=_as_typed(self.document), **kwargs)
        is_kept = now is not None and _as_typed(now)["kind"] == KEEP
        is_offered = proposed is not None and proposed != now
        if is_offered and self.document == proposed:
            self.initial["kind"] = PROPOSED
        kinds = [*[KEEP] * is_kept, *[PROPOSED] * is_offered, NONE, *self.OF_KIND]
        self.fields["kind"].choices = [(each, text(f"portal.columns.kind-{each}")) for each in kinds]
        self.fields["name"].choices = sorted(_built_in_labels().items(), key=lambda pair: pair[1])
        self.fields["periods"].choices = [(each, _period(each)) for each in _PERIODS]
        self.fields["written"].choices = [(each, _shown_format(each)) for each in _WRITTEN]
        for name, field in self.fields.items():
            field.label = text(f"portal.columns.field-{name}")
        for name in ("widths", "bottom", "highest", "bounds", "lengths", "separators", "tree", "tree_file"):
            self.fields[name].help_text = text(f"portal.columns.help-{name}")

    @property
    def groups(self) -> list[tuple[str, list[Any]]]:
        """The fields of each kind, as the template shows them."""
        return [(kind, [self[name] for name in names]) for kind, names in self.OF_KIND.items()]

    def clean_tree_file(self) -> Any:
        """Not more than anybody would look through."""
        given = self.cleaned_data["tree_file"]
        if given is not None and given.size > _MOST_BYTES:
            raise forms.ValidationError(text("portal.columns.too-many", most=MOST_VALUES))
        return given

    def clean(self) -> dict[str, Any]:
        """Make the document; what the library refuses is told in its words."""
        told = dict(super().clean() or self.cleaned_data)
        kind = told.get("kind")
        if kind is None or any(name in self.errors for name in self.OF_KIND.get(kind, ())):
            return told
        try:
            self.document = self._made(kind, told)
            if self.document is not None:
                Hierarchy.told(self.document)
        except forms.ValidationError as error:
            self.add_error(None, error)
        except BiomboError as error:
            self.add_error(None, str(error))
        return told

    def _made(self, kind: str, told: Mapping[str, Any]) -> Document:
        if kind in (KEEP, PROPOSED, NONE):
            return {KEEP: self.now, PROPOSED: self.proposed, NONE: None}[kind]
        if kind == BUILT_IN:
            return str(told["name"])
        if kind == TREE:
            return _tree(told).to_tree()
        made = {"kind": kind, **self._staying(kind), **_MADE[kind](told)}
        return Hierarchy.told({name: value for name, value in made.items() if value not in (None, "")}).to_tree()

    def _staying(self, kind: str) -> dict[str, Any]:
        now = self.now if isinstance(self.now, Mapping) and self.now.get("kind") == kind else {}
        return {name: now[name] for name in _STAYING.get(kind, ()) if name in now}


def _interval(told: Mapping[str, Any]) -> dict[str, Any]:
    widths = _numbers(told["widths"])
    if not widths or widths[0] <= 0 or any((each / widths[0]).denominator != 1 for each in widths):
        raise forms.ValidationError(text("portal.columns.no-widths"))
    ends = {name: told[name] for name in ("origin", "bottom", "top", "lowest", "highest") if told[name] is not None}
    multiples = [int(each / widths[0]) for each in widths[1:]]
    labels = "inclusive" if told["whole"] else None
    return {"width": _plain(widths[0]), "multiples": multiples or None, **ends, "labels": labels}


def _bounds(told: Mapping[str, Any]) -> dict[str, Any]:
    levels = [[_plain(each) for each in _numbers(line)] for line in told["bounds"].splitlines() if line.strip()]
    if not levels:
        raise forms.ValidationError(text("portal.columns.no-bounds"))
    return {"levels": levels}


_LONGEST = 100
"""Characters of a code."""


def _prefix(told: Mapping[str, Any]) -> dict[str, Any]:
    lengths = _numbers(told["lengths"])
    if not lengths or any(each.denominator != 1 or not 0 <= each <= _LONGEST for each in lengths):
        raise forms.ValidationError(text("portal.columns.no-lengths"))
    pad = "*" if told["pad"] else ""
    chosen = {"pad": pad, "separators": told["separators"], "digits": told["digits"]}
    return {"lengths": [int(each) for each in lengths], **chosen}


def _date(told: Mapping[str, Any]) -> dict[str, Any]:
    if not told["periods"]:
        raise forms.ValidationError(text("portal.columns.no-periods"))
    return {"levels": [each for each in _PERIODS if each in told["periods"]], "format": told["written"]}


_MADE: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    INTERVAL: _interval,
    BOUNDS: _bounds,
    PREFIX: _prefix,
    DATE: _date,
}


def _tree(told: Mapping[str, Any]) -> TableHierarchy:
    """From the file where there is one, else from what was typed."""
    given = told["tree_file"]
    typed = told["tree"] if given is None else text_in(given.read())
    if sum(1 for line in typed.splitlines() if line.strip()) > MOST_VALUES:
        raise forms.ValidationError(text("portal.columns.too-many", most=MOST_VALUES))
    if "\0" in typed:
        raise forms.ValidationError(text("portal.columns.no-text"))
    return Hierarchy.from_text(typed)


def _numbers(typed: str) -> list[Fraction]:
    """Numbers as people type several: ``5; 10; 20``, or ``5, 10, 20``. A comma between digits is a decimal mark where
    the language has it so.
    """
    is_decimal = language() == "pt" and re.search(r"\d,\d+,\d", typed) is None
    parts = [part for part in re.split(r"[;\s]+|,\s+|,$" if is_decimal else r"[;,\s]+", typed.strip()) if part]
    if not all(map(_NUMBER.fullmatch, parts)):
        raise forms.ValidationError(text("portal.columns.no-numbers"))
    return [Fraction(part.replace(",", ".")) for part in parts]


def _plain(number: Fraction) -> float:
    return plain(int(number) if number.denominator == 1 else float(number), "width")


def _as_typed(now: Document) -> dict[str, Any]:
    """The fields as they would have been filled for the hierarchy that there is; ``keep`` where none fit."""
    usual = {"periods": ["month", "year"], "written": _WRITTEN[0], "whole": True}
    if now is None or now == {"kind": "all-or-nothing"}:
        return {**usual, "kind": NONE}
    if isinstance(now, str):
        return {**usual, "kind": BUILT_IN, "name": now}
    told = _typed_entries(now)
    return {**usual, "kind": KEEP} if told is None else {**usual, **told, "kind": now.get("kind", TREE)}


def _typed_entries(now: Mapping[str, Any]) -> dict[str, Any] | None:
    kind, hierarchy = now.get("kind"), Hierarchy.told(now)
    if {"only", "missing", "with-top", "with_top"} & now.keys():
        return None
    if kind in (TREE, None) and isinstance(hierarchy, TableHierarchy):
        return _typed_tree(hierarchy)
    entries = hierarchy.to_tree()
    whole = entries.get("labels") == "inclusive"
    if kind == INTERVAL:
        widths = [Fraction(str(entries["width"])) * each for each in (1, *entries.get("multiples", ()))]
        ends = {name: entries.get(name) for name in ("origin", "bottom", "top", "lowest", "highest")}
        return {**ends, "widths": _listed(widths), "whole": whole}
    if kind == BOUNDS:
        return {"bounds": "\n".join(_listed([Fraction(str(each)) for each in level]) for level in entries["levels"])}
    if kind == PREFIX:
        told = {name: entries.get(name) for name in ("separators", "digits")}
        return {**told, "lengths": "; ".join(map(str, entries["lengths"])), "pad": entries.get("pad") == "*"}
    if kind == DATE:
        levels = [{"decade": "10 years"}.get(each, each) for each in getattr(hierarchy, "levels", ())]
        written = entries.get("format", _WRITTEN[0])
        fits = set(levels) <= set(_PERIODS) and written in _WRITTEN
        return {"periods": levels, "written": written} if fits else None
    return None


def _typed_tree(hierarchy: TableHierarchy) -> dict[str, Any] | None:
    """None where a label has line breaks, or spaces that would be lost."""
    typed = hierarchy.to_text()
    try:
        return {"tree": typed} if Hierarchy.from_text(typed) == hierarchy else None
    except BiomboError:
        return None


def _listed(numbers: list[Fraction]) -> str:
    mark = "," if language() == "pt" else "."
    return "; ".join(str(each) if each.denominator == 1 else str(float(each)).replace(".", mark) for each in numbers)


def _built_in_labels() -> dict[str, str]:
    """What people call the hierarchies that come with Biombo: the name, and its levels."""
    found = {}
    for name in Hierarchy.built_in_sources():
        hierarchy = Hierarchy.built_in(name)
        levels = " › ".join(hierarchy.level_label(level) for level in range(1, hierarchy.height + 1))
        found[name] = f"{text(f'portal.built-in.{name}')}: {levels}"
    return found


def _period(name: str) -> str:
    return Hierarchy.by_date([name]).level_label(1)


def _shown_format(written: str) -> str:
    example = Hierarchy.by_date(["year"], format=written).examples[0]
    return f"{written.replace('Y', 'A') if language() == 'pt' else written} ({example})"
