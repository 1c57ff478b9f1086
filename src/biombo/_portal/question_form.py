"""The form of the search: what must hold. Whether that makes sense the library says."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any, get_args

import polars as pl
from django import forms

from biombo._criteria import (
    AverageRisk,
    BetaLikeness,
    Deassociation,
    DeltaDisclosure,
    LDiversity,
    Leakage,
    PopulationUniqueness,
    Presence,
    TCloseness,
    Uniqueness,
    Vulnerability,
)
from biombo._data import Schema
from biombo._errors import BiomboError
from biombo._hierarchy import Hierarchy
from biombo._i18n import language, text
from biombo._portal.acts.form import Share, said
from biombo._portal.acts.manipulations import AS_IT_IS, examples
from biombo._portal.bench_fields import Bounded, Lines, People, Slider, bound_of
from biombo._portal.workbench import question
from biombo._requests import SearchRequest
from biombo._search import POLICIES, Policy, RecodingName

_WEIGHTS = (("", "usual"), ("4", "much"), ("0.25", "little"))
_CHOICES = {
    "recoding": get_args(RecodingName),
    "l_kind": ("distinct", "entropy", "recursive"),
    "t_kind": ("equal", "ordered", "hierarchical"),
    "beta_kind": ("enhanced", "basic"),
    "over": ("group", "table"),
    "small_groups": ("mask", "drop"),
}
"""The first of them is usual."""
_FIRST = ("k", "max_suppression", "l", "t")
_MORE = {
    "counted": ("l_kind", "c", "t_kind"),
    "values": ("alpha", "alpha_values", "beta", "beta_kind", "delta_disclosure", "max_vulnerability", "max_leakage"),
    "table": ("over", "max_average_risk", "max_uniqueness"),
    "population": ("population_size", "k_map", "max_presence", "max_population_uniqueness"),
}
"""What few ask for, by what it is about."""
_RANKING = ("prefer", "small_groups")
_BY_COLUMN = ("l", "t", "alpha", "beta", "delta_disclosure", "max_vulnerability", "max_leakage")
"""What may be asked of each sensitive column with a number of its own."""
_BLAMED = {
    "usage.no-population": "population_size",
    "usage.no-population-size": "population_size",
    "usage.alpha-values": "alpha",
    "criteria.values-column": "alpha_values",
    "search.local-policy": "prefer",
}
"""The field beside which an error of the request is said; others are about several."""


def hierarchies(schema: Schema) -> dict[str, Hierarchy]:
    """By quasi column: how it may be generalised; what cannot be read is told by the search."""
    found = {}
    for name in schema.quasi:
        told = schema[name].hierarchy
        try:
            found[name] = (Hierarchy.all_or_nothing() if told is None else Hierarchy.told(told)).with_top()
        except BiomboError:
            continue
    return found


def example_values(schema: Schema, plan: Mapping[str, Any]) -> list[tuple[str, list[tuple[str, str]]]]:
    """What becomes, or may become, of made-up values by a plan, column by column."""
    found = ((name, _becoming(tree, plan["levels"].get(name, 0))) for name, tree in hierarchies(schema).items())
    return [(name, pairs) for name, pairs in found if pairs]


def _becoming(tree: Hierarchy, levels: int | Mapping[str, int]) -> list[tuple[str, str]]:
    """Made-up values, and what becomes of them at the one level of a column, or at each of those that groups have."""
    if isinstance(levels, int):
        return examples(tree, str(levels))
    if set(levels) <= {AS_IT_IS}:
        return []
    told = {value: dict.fromkeys(tree.generalised(value, int(each)) for each in levels) for value in tree.examples}
    return [(value, text("portal.bench.or").join(found)) for value, found in told.items()]


class QuestionForm(forms.Form):
    """What must hold, and how a plan for it is searched for."""

    k = forms.IntegerField(min_value=2, max_value=100_000, initial=10, widget=Slider(2, 100, 1))
    max_suppression = Share(initial="5")
    l = forms.IntegerField(min_value=2, max_value=1000, required=False)  # noqa: E741
    t = Bounded(bound_of(TCloseness, "t"))
    recoding = forms.ChoiceField(choices=(), required=False, widget=forms.RadioSelect)
    prefer = forms.ChoiceField(choices=(), required=False)
    small_groups = forms.ChoiceField(choices=(), required=False)
    l_kind = forms.ChoiceField(choices=(), required=False)
    c = Bounded(bound_of(LDiversity, "c"))
    t_kind = forms.ChoiceField(choices=(), required=False)
    alpha = Bounded(bound_of(Deassociation, "alpha"))
    alpha_values = Lines(max_length=4000, required=False)
    beta = Bounded(bound_of(BetaLikeness, "beta"))
    beta_kind = forms.ChoiceField(choices=(), required=False)
    delta_disclosure = Bounded(bound_of(DeltaDisclosure, "delta"))
    max_vulnerability = Bounded(bound_of(Vulnerability, "max"))
    max_leakage = Bounded(replace(bound_of(Leakage, "max"), high=1))
    over = forms.ChoiceField(choices=(), required=False)
    max_average_risk = Bounded(bound_of(AverageRisk, "max"))
    max_uniqueness = Bounded(bound_of(Uniqueness, "max"))
    population_size = People(min_value=1, max_value=10**11, required=False)
    k_map = forms.IntegerField(min_value=2, max_value=100_000, required=False)
    max_presence = Bounded(bound_of(Presence, "max"))
    max_population_uniqueness = Bounded(bound_of(PopulationUniqueness, "max"))

    def __init__(self, *args: Any, schema: Schema, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.schema = schema
        self.fields["max_suppression"].widget = Slider(0, 30, 0.5, decimal=True)
        for name, kinds in _CHOICES.items():
            self.fields[name].choices = [(each, text(f"portal.bench.{name}-{each}")) for each in kinds]
        self.fields["recoding"].initial = _CHOICES["recoding"][0]
        measures = sorted(POLICIES.values(), key=lambda policy: policy.name != "loss")
        measures += [Policy.predicting(column) for column in (*schema.sensitive, *schema.with_role("other"))]
        self.fields["prefer"].choices = [(str(policy), policy.label) for policy in measures]
        for name, field in self.fields.items():
            field.label = text(f"portal.bench.field-{name}")
            field.help_text = said(f"bench.help-{name}", "")
        self._columns = list(hierarchies(schema).items())
        for number, (column, tree) in enumerate(self._columns):
            self._add_limits(number, column, tree)
        self._sensitive = list(enumerate(schema.sensitive)) if len(schema.sensitive) > 1 else []
        for number, _ in self._sensitive:
            for name in _BY_COLUMN:
                self.fields[f"{name}_of_{number}"] = deepcopy(self.base_fields[name])
                self.fields[f"{name}_of_{number}"].label = text(f"portal.bench.of-{name}")

    def _add_limits(self, number: int, column: str, tree: Hierarchy) -> None:
        levels = [(str(level), tree.level_label(level)) for level in range(tree.height + 1)]
        for limit in ("least", "most"):
            self.fields[f"{limit}_{number}"] = forms.ChoiceField(
                choices=[("", text("portal.bench.any")), *levels],
                required=False,
                label=text(f"portal.bench.{limit}-of", column=column),
            )
        self.fields[f"weight_{number}"] = forms.ChoiceField(
            choices=[(weight, text(f"portal.weight.{name}")) for weight, name in _WEIGHTS],
            required=False,
            label=text("portal.bench.weight-of", column=column),
        )

    @classmethod
    def filled(cls, answers: Mapping[str, Any], schema: Schema) -> "QuestionForm":
        """With what was asked last."""
        told = dict(answers)
        if told.get("max_suppression") is not None:
            told["max_suppression"] = _typed(100 * told["max_suppression"])
        told["prefer"] = (answers.get("prefer") or [""])[0]
        form = cls(schema=schema)
        for number, (column, _) in enumerate(form._columns):
            least, most = (answers.get("level") or {}).get(column) or (None, None)
            told |= {f"least_{number}": _or_empty(least), f"most_{number}": _or_empty(most)}
            told[f"weight_{number}"] = f"{weight:g}" if (weight := (answers.get("weights") or {}).get(column)) else ""
        for name in _BY_COLUMN:
            if isinstance(asked := answers.get(name), dict):
                told |= {name: None, **{f"{name}_of_{number}": asked.get(each) for number, each in form._sensitive}}
        return cls(schema=schema, initial={name: value for name, value in told.items() if value is not None})

    @property
    def first(self) -> list[Any]:
        """What everybody answers."""
        return [self[name] for name in _FIRST]

    @property
    def more(self) -> list[tuple[str, list[Any]]]:
        """What few do, by what it is about."""
        return [(about, [self[name] for name in names]) for about, names in _MORE.items()]

    @property
    def is_more_told(self) -> bool:
        """Is one of these answered in another way than usual?"""
        return any(self._is_told(name) for names in _MORE.values() for name in names)

    @property
    def ranking(self) -> list[Any]:
        """What makes one plan better than another, and what becomes of small groups."""
        return [self[name] for name in _RANKING]

    @property
    def is_ranking_told(self) -> bool:
        """Is one of these answered in another way than usual?"""
        return any(self._is_told(name) for name in _RANKING)

    def _is_told(self, name: str) -> bool:
        usual = {each: kinds[0] for each, kinds in _CHOICES.items()} | {"prefer": "loss"}
        return self[name].value() not in (None, "", [], usual.get(name)) or bool(self[name].errors)

    @property
    def by_column(self) -> list[tuple[str, list[Any]]]:
        """What is asked of each sensitive column by itself, where there are several."""
        return [(column, [self[f"{name}_of_{number}"] for name in _BY_COLUMN]) for number, column in self._sensitive]

    @property
    def is_by_column_told(self) -> bool:
        """Is something asked of single ones?"""
        return any(self._is_told(each.name) for _, fields in self.by_column for each in fields)

    @property
    def rows(self) -> list[tuple[str, Any, Any, Any]]:
        """Column, lowest level, highest level, how much it counts."""
        parts = ("least", "most", "weight")
        return [
            (column, *(self[f"{part}_{number}"] for part in parts)) for number, (column, _) in enumerate(self._columns)
        ]

    @property
    def is_limited(self) -> bool:
        """Is something said of single columns?"""
        return any(field.value() for _, *fields in self.rows for field in fields)

    def answers(self) -> dict[str, Any]:
        """As a draft keeps them."""
        told = self.cleaned_data
        limits, weights = {}, {}
        for number, (column, _) in enumerate(self._columns):
            levels = [_level(told.get(f"{limit}_{number}")) for limit in ("least", "most")]
            if levels != [None, None]:
                limits[column] = levels
            if told.get(f"weight_{number}"):
                weights[column] = float(told[f"weight_{number}"])
        plain = {name: told.get(name) for name in self.base_fields if name != "prefer"}
        plain |= {name: self._asked_of_values(name) for name in _BY_COLUMN}
        return plain | {"prefer": [told.get("prefer") or "loss"], "level": limits, "weights": weights}

    def _asked_of_values(self, name: str) -> Any:
        """One number for all sensitive columns, or, where one has a number of its own, one for each."""
        of_all = self.cleaned_data.get(name)
        apart = {column: self.cleaned_data.get(f"{name}_of_{number}") for number, column in self._sensitive}
        if all(number is None for number in apart.values()):
            return of_all
        by_column = {column: of_all if number is None else number for column, number in apart.items()}
        return {column: number for column, number in by_column.items() if number is not None}

    def clean(self) -> dict[str, Any]:
        """What makes no sense together is said by the request, which looks at the columns alone."""
        super().clean()
        if not self.errors:
            header = pl.DataFrame(schema=dict.fromkeys(self.schema.columns, pl.String))
            try:
                SearchRequest(schema=self.schema.to_tree(), **question(self.answers())).check(header)
            except BiomboError as error:
                field = _BLAMED.get(error.key)
                said_here = f"bench.refused-{error.key.rpartition('.')[2]}"
                self.add_error(field, said(said_here, str(error)))
        return dict(self.cleaned_data)


def _level(chosen: str | None) -> int | None:
    return int(chosen) if chosen else None


def _or_empty(level: int | None) -> str:
    return "" if level is None else str(level)


def _typed(percents: float) -> str:
    """As people of the language type it."""
    shown = f"{percents:g}"
    return shown.replace(".", ",") if language() == "pt" else shown
