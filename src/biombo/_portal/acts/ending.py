"""Terms, the report, and what is handed in later."""

from collections.abc import Iterator
from typing import Any, ClassVar

from django import forms

from biombo._i18n import text
from biombo._negotiate import WAYS, AcceptTerms, Act, MakeAvailable, RecordVisit, WriteReport, unkept
from biombo._portal.acts.form import ActForm
from biombo._portal.typed import Line

_ACCEPTED = "accept:"


class AcceptTermsForm(ActForm):
    """The requester accepts the terms as they were shown."""

    kind: ClassVar[type[Act]] = AcceptTerms
    template: ClassVar[str] = "portal/acts/terms.html"

    def told_fields(self) -> Iterator[tuple[str, forms.Field]]:
        """A box to tick; which terms, is told by their hash."""
        yield "read", forms.BooleanField(label=text("portal.terms.read"))
        yield "terms", forms.CharField(widget=forms.HiddenInput, initial=self.record.terms.hash)

    def entries(self) -> dict[str, Any]:
        """The hash."""
        return {"terms": self.cleaned_data["terms"]}


class MakeAvailableForm(ActForm):
    """The manager says how the requester gets the data; what the decision counts on is said with each way."""

    kind: ClassVar[type[Act]] = MakeAvailable

    def told_fields(self) -> Iterator[tuple[str, forms.Field]]:
        """The ways, of which one that keeps what the decision counts on is chosen first; and a message."""
        lost = {way: unkept(self._counted_on, way) for way in WAYS}
        first = next((way for way in WAYS if not lost[way]), WAYS[0])
        choices = [(way, _way_told(way, lost[way])) for way in WAYS]
        yield "way", forms.ChoiceField(choices=choices, initial=first, widget=forms.RadioSelect)
        yield "message", forms.CharField(max_length=4000, required=False, widget=forms.Textarea(attrs={"rows": 3}))

    @property
    def _counted_on(self) -> tuple[str, ...]:
        preparation = self.state.preparation
        return () if preparation is None else tuple(preparation.model.get("control") or ())

    def clean_message(self) -> str:
        """Why, where the way does not keep what the decision counts on."""
        said, way = str(self.cleaned_data.get("message") or ""), self.cleaned_data.get("way")
        if way in WAYS and unkept(self._counted_on, way) and not said.strip():
            raise forms.ValidationError(text("portal.way.say-why"))
        return said


def _way_told(way: str, lost: tuple[str, ...]) -> str:
    told = text(f"portal.way.{way}")
    if not lost:
        return told
    return f"{told} {text('portal.way.lacks', controls=', '.join(text(f'decision.control.{each}') for each in lost))}"


class RecordVisitForm(ActForm):
    """The manager writes a visit down, as a rule of whoever asked."""

    kind: ClassVar[type[Act]] = RecordVisit

    def told_fields(self) -> Iterator[tuple[str, forms.Field]]:
        """Who is the requester, unless the manager says otherwise."""
        for name, field in super().told_fields():
            if name == "visitor":
                field.initial = self.state.request.requester.name
            yield name, field


class WriteReportForm(ActForm):
    """The manager has the report written; columns that go out whatever they tell are accepted with a reason."""

    kind: ClassVar[type[Act]] = WriteReport

    def told_fields(self) -> Iterator[tuple[str, forms.Field]]:
        """Department, title, and a reason for each column that is released as it is."""
        yield (
            "department",
            Line(
                max_length=200,
                initial=self.case.data_set.department,
                widget=forms.TextInput(attrs={"list": "departments"}),
            ),
        )
        yield "title", Line(max_length=200, required=False)
        preparation = self.state.preparation
        schema = None if preparation is None else preparation.declared
        for column in () if schema is None else (*schema.sensitive, *schema.with_role("other")):
            yield (
                f"{_ACCEPTED}{column}",
                forms.CharField(
                    max_length=1000,
                    required=False,
                    label=text("portal.report.accept", column=column),
                    help_text=text("portal.report.accept-help"),
                ),
            )

    def entries(self) -> dict[str, Any]:
        """Only columns for which a reason was given are accepted."""
        told = self.cleaned_data
        accept = {
            name.removeprefix(_ACCEPTED): said for name, said in told.items() if name.startswith(_ACCEPTED) and said
        }
        return {"department": told["department"], "title": told.get("title") or "", "accept": accept}
