"""The forms of the workbench: what must hold, and how it is published. Whether that makes sense the library says."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from django import forms
from django.utils import timezone

from biombo._data import Schema
from biombo._errors import BiomboError
from biombo._hierarchy import Hierarchy
from biombo._i18n import language, text
from biombo._portal.acts.form import Real, Share
from biombo._portal.acts.manipulations import examples
from biombo._portal.models import in_days
from biombo._portal.on_record import REVIEW_DAYS
from biombo._portal.workbench import REHEARSED, question
from biombo._release import Decision, PublicRelease, changes_that_pass
from biombo._requests import SearchRequest
from biombo._search import POLICIES, Policy

HARMS = ("low", "medium", "high")
_WEIGHTS = (("", "usual"), ("4", "much"), ("0.25", "little"))
_ALSO = ("l_kind", "c", "t_kind", "max_vulnerability", "max_leakage", "over", "prefer", "small_groups")
_CHOICES = {
    "l_kind": ("distinct", "entropy", "recursive"),
    "t_kind": ("equal", "ordered", "hierarchical"),
    "over": ("group", "table"),
    "small_groups": ("mask", "drop"),
}


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
    """What becomes of made-up values by a plan, column by column."""
    found = ((name, examples(tree, str(plan["levels"].get(name, 0)))) for name, tree in hierarchies(schema).items())
    return [(name, pairs) for name, pairs in found if pairs]


class Slider(forms.NumberInput):
    """A number beside which a script shows a slider; without one it is typed."""

    template_name = "portal/parts/slider.html"

    def __init__(self, least: float, most: float, step: float, *, decimal: bool = False) -> None:
        super().__init__({"min": least, "inputmode": "decimal" if decimal else "numeric"})
        self.input_type = "text" if decimal else "number"
        self.slider = {"min": str(least), "max": str(most), "step": str(step)}

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        """With what the slider is like."""
        return {**super().get_context(name, value, attrs), "slider": self.slider}


class QuestionForm(forms.Form):
    """What must hold, and how a plan for it is searched for."""

    k = forms.IntegerField(min_value=2, max_value=100_000, initial=10, widget=Slider(2, 100, 1))
    max_suppression = Share(initial="5")
    l = forms.IntegerField(min_value=2, max_value=1000, required=False)  # noqa: E741
    t = Real(min_value=0, max_value=1, required=False)
    prefer = forms.ChoiceField(choices=(), required=False)
    small_groups = forms.ChoiceField(choices=(), required=False)
    l_kind = forms.ChoiceField(choices=(), required=False)
    c = Real(min_value=0, required=False)
    t_kind = forms.ChoiceField(choices=(), required=False)
    max_vulnerability = Real(min_value=0, max_value=1, required=False)
    max_leakage = Real(min_value=0, max_value=1, required=False)
    over = forms.ChoiceField(choices=(), required=False)

    def __init__(self, *args: Any, schema: Schema, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.schema = schema
        self.fields["max_suppression"].widget = Slider(0, 30, 0.5, decimal=True)
        for name, kinds in _CHOICES.items():
            self.fields[name].choices = [(each, text(f"portal.bench.{name}-{each}")) for each in kinds]
        measures = sorted(POLICIES.values(), key=lambda policy: policy.name != "loss")
        measures += [Policy.predicting(column) for column in (*schema.sensitive, *schema.with_role("other"))]
        self.fields["prefer"].choices = [(str(policy), policy.label) for policy in measures]
        for name, field in self.fields.items():
            field.label = text(f"portal.bench.field-{name}")
        self._columns = list(hierarchies(schema).items())
        for number, (column, tree) in enumerate(self._columns):
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
        return cls(schema=schema, initial={name: value for name, value in told.items() if value is not None})

    @property
    def first(self) -> list[Any]:
        """What everybody answers."""
        return [self[name] for name in ("k", "max_suppression", "l", "t")]

    @property
    def also(self) -> list[Any]:
        """What few do."""
        return [self[name] for name in _ALSO]

    @property
    def is_also_told(self) -> bool:
        """Is one of these answered in another way than usual?"""
        usual = {name: kinds[0] for name, kinds in _CHOICES.items()} | {"prefer": "loss"}
        told = ((self[name].value() or "", usual.get(name, "")) for name in _ALSO)
        return any(value not in ("", as_usual) for value, as_usual in told) or any(self[name].errors for name in _ALSO)

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
        return plain | {"prefer": [told.get("prefer") or "loss"], "level": limits, "weights": weights}

    def clean(self) -> dict[str, Any]:
        """What makes no sense together is said by the request."""
        super().clean()
        if not self.errors:
            try:
                _ = SearchRequest(schema=self.schema.to_tree(), **question(self.answers())).criteria
            except BiomboError as error:
                self.add_error(None, str(error))
        return dict(self.cleaned_data)


class PublishForm(forms.Form):
    """How it is published, and what is accepted for which reason."""

    title = forms.CharField(max_length=200)
    description = forms.CharField(max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 2}))
    department = forms.CharField(max_length=200)
    review = forms.DateField(widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    harm = forms.ChoiceField(choices=(), widget=forms.RadioSelect)
    override_reason = forms.CharField(max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 2}))
    accept_column = forms.MultipleChoiceField(choices=(), required=False, widget=forms.CheckboxSelectMultiple)
    reason = forms.CharField(max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 2}))
    plan_hash = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    schema_hash = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, rehearsed: Mapping[str, Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rehearsed = rehearsed
        self.findings = rehearsed.get("findings", [])
        columns = dict.fromkeys(name for each in self.findings for name in each["columns"])
        self.fields["harm"].choices = [(each, text(f"portal.degree.{each}")) for each in HARMS]
        self.fields["accept_column"].choices = [(name, name) for name in columns]
        for name, field in self.fields.items():
            field.label = "" if name in REHEARSED else text(f"portal.bench.field-{name}")
        if not columns:
            del self.fields["accept_column"]
            del self.fields["reason"]
        if all(each["allowed"] for each in decisions(rehearsed)):
            del self.fields["override_reason"]

    @classmethod
    def filled(cls, draft: Any, rehearsed: Mapping[str, Any]) -> "PublishForm":
        """With what was said before, or what is usual."""
        usual = {
            "title": draft.data_set.name,
            "description": draft.data_set.description,
            "department": draft.data_set.department,
            "review": timezone.localdate(in_days(REVIEW_DAYS)).isoformat(),
            "harm": "medium",
        }
        told = {name: value for name, value in draft.answers.items() if value not in (None, "")}
        return cls(initial=usual | told | {name: rehearsed[name] for name in REHEARSED}, rehearsed=rehearsed)

    def answers(self) -> dict[str, Any]:
        """As a draft keeps them; what is not asked any more is not answered either."""
        told = {"accept_column": [], "reason": "", "override_reason": "", **self.cleaned_data}
        told["review"] = told["review"].isoformat()
        return {name: value for name, value in told.items() if name not in REHEARSED}

    def decided(self) -> dict[str, Any]:
        """What is to be published, for a worker: of which rehearsal, with which answers."""
        return {**{name: self.cleaned_data[name] for name in REHEARSED}, "answers": self.answers()}

    def clean_review(self) -> date:
        """A day that is still to come."""
        day: date = self.cleaned_data["review"]
        if day <= timezone.localdate():
            raise forms.ValidationError(text("portal.bench.review-past"))
        return day

    def clean(self) -> dict[str, Any]:
        """What the library would refuse is said before anything is made."""
        told = super().clean() or self.cleaned_data
        accepted = told.get("accept_column") or []
        open_ = [each for each in self.findings if not any(name in accepted for name in each["columns"])]
        if open_:
            self.add_error("accept_column", text("portal.bench.not-accepted"))
        if accepted and not (told.get("reason") or "").strip():
            self.add_error("reason", text("portal.bench.no-reason"))
        if "harm" in told:
            self._refuse_risk(told)
        return dict(told)

    def _refuse_risk(self, told: Mapping[str, Any]) -> None:
        try:
            decision = decision_of(self.rehearsed, told["harm"], told.get("override_reason") or None)
        except BiomboError as error:
            self.add_error("override_reason", str(error))
            return
        if not decision.allowed:
            self.add_error("override_reason", text("portal.bench.above"))


def decision_of(rehearsed: Mapping[str, Any], harm: Any, override: str | None = None) -> Decision:
    """Is the risk acceptable that was measured in the rehearsal?"""
    return Decision(PublicRelease(harm=harm), rehearsed["smallest_group"], override, rehearsed["with_others"])


def decisions(rehearsed: Mapping[str, Any]) -> list[dict[str, Any]]:
    """For each harm: the risk, the threshold, whether it may be published, and what would bring it down."""
    found = []
    for harm in HARMS:
        decision = decision_of(rehearsed, harm)
        found.append(
            {
                "harm": harm,
                "risk": decision.reidentification,
                "threshold": decision.threshold,
                "allowed": decision.allowed,
                "changes": [str(each) for each in changes_that_pass(decision)],
                "sentences": decision.sentences(),
            }
        )
    return found


def predictable(schema: Schema) -> Iterator[str]:
    """Columns that go out, and so can be predicted from the others."""
    yield from (name for name in schema.columns if schema[name].role in ("quasi", "sensitive", "other"))


def _level(chosen: str | None) -> int | None:
    return int(chosen) if chosen else None


def _or_empty(level: int | None) -> str:
    return "" if level is None else str(level)


def _typed(percents: float) -> str:
    """As people of the language type it."""
    shown = f"{percents:g}"
    return shown.replace(".", ",") if language() == "pt" else shown
