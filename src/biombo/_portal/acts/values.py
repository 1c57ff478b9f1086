"""Processes 7 to 11: diversity, its waiver, and synonyms."""

from collections.abc import Iterator
from typing import Any, ClassVar
from urllib.parse import quote, unquote

from django import forms

from biombo._i18n import text
from biombo._negotiate import Act, GiveSynonyms, Waive
from biombo._portal.acts.form import ActForm
from biombo._portal.models import Job
from biombo._portal.typed import Words

_VALUE = "value:"
_DEGREES = ("low", "medium", "high")


def _field_of(column: str, value: str) -> str:
    """What the field for a value is called: both can be told from it, whatever letters they have."""
    return f"{_VALUE}{quote(column, safe='')}:{quote(value, safe='')}"


def _told_by(field: str) -> tuple[str, str]:
    column, _, value = field.removeprefix(_VALUE).partition(":")
    return unquote(column), unquote(value)


class WaiveForm(ActForm):
    """The manager does without QMASG: each value concerned is looked at first."""

    kind: ClassVar[type[Act]] = Waive
    template: ClassVar[str] = "portal/acts/waive.html"

    def told_fields(self) -> Iterator[tuple[str, forms.Field]]:
        """QMASG, the reason, and how sensitive each value is, once they have been looked up."""
        asked = self._looked_up()
        yield "l", forms.IntegerField(min_value=2, initial=asked.get("l", self.state.levels.l or 2))
        yield "reason", Words(max_length=4000, widget=forms.Textarea(attrs={"rows": 3}))
        yield "public_reason", forms.CharField(max_length=400, required=False)
        degrees = [(each, text(f"portal.degree.{each}")) for each in _DEGREES]
        for column, values in asked.get("values", {}).items():
            for value in values:
                yield _field_of(column, value), forms.ChoiceField(choices=degrees, label=f"{column}: {value}")

    def _looked_up(self) -> dict[str, Any]:
        """What a worker found in the groups, for the last event."""
        jobs = Job.objects.filter(case=self.case, kind="values", status=Job.DONE, seen=self.record.head)
        job = jobs.first()
        return {} if job is None else dict(job.asked)

    @property
    def is_looked_up(self) -> bool:
        """Are the values known?"""
        return "values" in self._looked_up()

    def entries(self) -> dict[str, Any]:
        """By column, each value with its sensitivity."""
        values: dict[str, dict[str, str]] = {}
        for name, degree in self.cleaned_data.items():
            if name.startswith(_VALUE):
                column, value = _told_by(name)
                values.setdefault(column, {})[value] = degree
        told = {name: self.cleaned_data[name] for name in ("l", "reason", "public_reason")}
        return {**told, "values": values}


class GiveSynonymsForm(ActForm):
    """The requester gives two or more words for each value of list 9."""

    kind: ClassVar[type[Act]] = GiveSynonyms

    def told_fields(self) -> Iterator[tuple[str, forms.Field]]:
        """One line for each value."""
        for column, values in self.state.listed.items():
            for value in values:
                yield (
                    _field_of(column, value),
                    forms.CharField(
                        max_length=1000, label=f"{column}: {value}", help_text=text("portal.synonyms.commas")
                    ),
                )

    def entries(self) -> dict[str, Any]:
        """By column, for each value its synonyms."""
        given: dict[str, dict[str, list[str]]] = {}
        for name, typed in self.cleaned_data.items():
            column, value = _told_by(name)
            words = [word.strip() for word in str(typed).split(",") if word.strip()]
            given.setdefault(column, {})[value] = words
        return {"synonyms": given}
