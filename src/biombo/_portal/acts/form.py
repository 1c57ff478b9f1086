"""A form that makes an act; where the act is plain, its fields are those of the form."""

from collections.abc import Iterator, Mapping
from dataclasses import Field, fields
from datetime import date
from types import UnionType
from typing import Any, ClassVar, get_args, get_type_hints

from django import forms

from biombo._errors import BiomboError
from biombo._i18n import has_text, language, text
from biombo._negotiate import Act, NegotiationRecord, State
from biombo._portal.typed import Words

_LONG = ("text", "reason", "message")
"""Fields that take sentences."""


class Share(forms.DecimalField):
    """A share of the records, typed in percent: 20 or 20,5 or 20%."""

    def __init__(self, **told: Any) -> None:
        super().__init__(min_value=0, max_value=100, widget=forms.TextInput(attrs={"inputmode": "decimal"}), **told)

    def to_python(self, value: Any) -> Any:
        """The share itself, from 0 to 1."""
        typed = str(value or "").strip().removesuffix("%").strip().replace(",", ".")
        return super().to_python(typed or None)

    def clean(self, value: Any) -> float | None:
        """Checked as percents, given as a share."""
        percents = super().clean(value)
        return None if percents is None else float(percents) / 100


class Real(forms.FloatField):
    """A number, with a comma or a point."""

    widget = forms.TextInput(attrs={"inputmode": "decimal"})

    def to_python(self, value: Any) -> Any:
        """The number."""
        return super().to_python(str(value or "").strip().replace(",", ".") or None)

    def prepare_value(self, value: Any) -> Any:
        """As the language writes it."""
        return str(value).replace(".", ",") if isinstance(value, float) and language() == "pt" else value


class ActForm(forms.Form):
    """Fills one act. ``record`` is the negotiation that it is about."""

    kind: ClassVar[type[Act]]
    template: ClassVar[str] = "portal/acts/plain.html"

    def __init__(self, data: Any = None, files: Any = None, *, record: NegotiationRecord, case: Any) -> None:
        super().__init__(data, files, prefix=None, auto_id=f"{self.kind.name}-%s")
        self.record, self.case = record, case
        self.made: Act | None = None
        for name, field in self.told_fields():
            self.fields[name] = field
        for name, field in self.fields.items():
            field.label = field.label or said(f"field.{name}", name)
            field.help_text = field.help_text or said(f"help.{self.kind.name}.{name}", "")

    @property
    def state(self) -> State:
        """How far the negotiation is."""
        return self.record.state

    @property
    def name(self) -> str:
        """What the act is called."""
        return self.kind.name

    def told_fields(self) -> Iterator[tuple[str, forms.Field]]:
        """The fields of the form: those of the act."""
        hints = get_type_hints(self.kind)
        for each in fields(self.kind):
            made = _plain_field(each, hints[each.name])
            if made is not None:
                yield each.name, made

    def entries(self) -> Mapping[str, Any]:
        """What the act is made of, from what was typed."""
        return {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}

    def clean(self) -> dict[str, Any]:
        """Make the act: what it refuses is said here, in its own words."""
        super().clean()
        if not self.errors:
            try:
                self.made = self.kind(**self.entries())
            except BiomboError as error:
                self.add_error(None, str(error))
        return dict(self.cleaned_data)


def said(key: str, otherwise: str) -> str:
    """A text of the portal, where there is one."""
    return text(f"portal.{key}") if has_text(f"portal.{key}") else otherwise


def _plain_field(field: "Field[Any]", hint: Any) -> forms.Field | None:
    """What takes a value of this type; none where no single field can."""
    options = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    needed = bool(field.metadata.get("needed")) or (type(None) not in options and not _has_default(field))
    told: dict[str, Any] = {"required": needed}
    if bool in options:
        choices = [
            ("yes", said(f"said-yes.{field.name}", text("portal.yes"))),
            ("no", said(f"said-no.{field.name}", text("portal.no"))),
        ]
        return forms.TypedChoiceField(
            choices=choices, coerce=lambda value: value == "yes", widget=forms.RadioSelect, **told | {"required": True}
        )
    if field.name == "max_suppression":
        return Share(**told)
    if date in options:
        return forms.DateField(widget=forms.DateInput(attrs={"type": "date"}), **told)
    if int in options:
        return forms.IntegerField(min_value=1, max_value=1_000_000, **told)
    if float in options:
        return Real(**told)
    if str in options:
        wide = {"widget": forms.Textarea(attrs={"rows": 3})} if field.name in _LONG else {}
        return Words(max_length=4000, **{"widget": forms.TextInput()} | wide | told)
    return None


def _has_default(field: "Field[Any]") -> bool:
    from dataclasses import MISSING

    return field.default is not MISSING or field.default_factory is not MISSING
