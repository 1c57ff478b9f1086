"""The form by which a release is published: what is accepted for which reason, and how the risk is decided on."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from django import forms
from django.utils import timezone

from biombo._data import Schema
from biombo._errors import BiomboError
from biombo._i18n import text
from biombo._portal.models import in_days
from biombo._portal.on_record import REVIEW_DAYS
from biombo._portal.typed import Line, Words
from biombo._portal.workbench import REHEARSED
from biombo._release import Decision, PublicRelease, changes_that_pass

HARMS = ("low", "medium", "high")


class PublishForm(forms.Form):
    """How it is published, and what is accepted for which reason."""

    title = Line(max_length=200)
    description = forms.CharField(max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 2}))
    department = Line(max_length=200)
    review = forms.DateField(widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    harm = forms.ChoiceField(choices=(), widget=forms.RadioSelect)
    override_reason = Words(max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 2}))
    accept_column = forms.MultipleChoiceField(choices=(), required=False, widget=forms.CheckboxSelectMultiple)
    reason = Words(max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 2}))
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
