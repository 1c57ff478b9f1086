"""Process 6: apply what was accepted, or answer a proposal; the TG that was last spoken of is filled in."""

from collections.abc import Iterator
from typing import ClassVar

from django import forms

from biombo._negotiate import Act, CarryOut, NegotiationRecord, Prepare, Propose, SetCondition, Suggest
from biombo._portal.acts.form import ActForm


def level_spoken_of(record: NegotiationRecord, *by: type[Propose | Suggest]) -> int | None:
    """The TG that was proposed or suggested last, since groups were checked last."""
    for event in reversed(record.events):
        if isinstance(event.fact, Prepare | CarryOut):
            return None
        if isinstance(event.fact, by) and event.fact.k is not None:
            return int(event.fact.k)
    return None


class CarryOutForm(ActForm):
    """The manager applies what was accepted, with the TG that was suggested for it."""

    kind: ClassVar[type[Act]] = CarryOut

    def told_fields(self) -> Iterator[tuple[str, forms.Field]]:
        """Only levels that count here; a TG that the requester proposed is never filled in by itself."""
        dimension = self.state.request.dimension
        shown = {
            "k": self.state.name == "applying" and dimension != "structure",
            "l": self.state.name == "rewording",
            "epsilon": dimension != "truth",
        }
        for name, field in super().told_fields():
            if name == "k":
                field.initial = level_spoken_of(self.record, Suggest)
            if shown.get(name, True):
                yield name, field


class SetConditionForm(ActForm):
    """The manager offers the TG that the requester proposed, on a condition."""

    kind: ClassVar[type[Act]] = SetCondition

    def told_fields(self) -> Iterator[tuple[str, forms.Field]]:
        """With the TG that was proposed."""
        for name, field in super().told_fields():
            if name == "k":
                field.initial = level_spoken_of(self.record, Propose)
            yield name, field
