"""What takes the numbers and values of the workbench's question: typed as people do, within the limits of criteria."""

import re
from dataclasses import fields
from math import inf
from typing import Any

from django import forms

from biombo._criteria import Criterion
from biombo._documents import Limit, limit_of
from biombo._i18n import text
from biombo._portal.acts.form import Real


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


def bound_of(criterion: type[Criterion], name: str) -> Limit:
    """What a number of a criterion may be."""
    (limit,) = (limit_of(each) for each in fields(criterion) if each.name == name)
    return limit


class Bounded(Real):
    """A number within the limit of a criterion; a share may be typed in percent."""

    def __init__(self, limit: Limit, **told: Any) -> None:
        super().__init__(required=False, **told)
        self.limit = limit

    def to_python(self, value: Any) -> Any:
        """The number: 0,05 and 5% are the same."""
        typed = str(value or "").strip()
        number = super().to_python(typed.removesuffix("%"))
        return number / 100 if number is not None and typed.endswith("%") else number

    def validate(self, value: Any) -> None:
        """Raise where it is not within the limit, which is told."""
        super().validate(value)
        if not self.limit.allows(value):
            kind = "above" if self.limit.above else "least"
            key = f"portal.bench.limit-{kind}{'' if self.limit.high == inf else '-to'}"
            raise forms.ValidationError(text(key, low=f"{self.limit.low:g}", high=f"{self.limit.high:g}"))


class People(forms.IntegerField):
    """How many people, typed with or without marks between thousands: 211.000.000."""

    widget = forms.TextInput(attrs={"inputmode": "numeric"})

    def to_python(self, value: Any) -> Any:
        """The number."""
        typed = str(value or "").strip()
        return super().to_python(
            re.sub(r"[.,\s]", "", typed) if re.fullmatch(r"\d{1,3}([.,\s]\d{3})+", typed) else typed
        )


class Lines(forms.CharField):
    """Several texts, one a line."""

    widget = forms.Textarea(attrs={"rows": 3})

    def clean(self, value: Any) -> list[str]:
        """Those that are not empty, each once."""
        return list(dict.fromkeys(line.strip() for line in super().clean(value).splitlines() if line.strip()))

    def prepare_value(self, value: Any) -> Any:
        """As they are typed."""
        return "\n".join(value) if isinstance(value, list) else value
