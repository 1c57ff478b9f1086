"""The six steps of publishing on one's own initiative (Moraes and others, about 2025), in words, as they are taken."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from biombo._data import Role, Schema
from biombo._i18n import text
from biombo._plan import Plan, released_columns, schema_in_use
from biombo._release.dictionary import done_to, worded
from biombo._report import PublicationStep
from biombo._watch import remark

STEPS = ("select", "classify", "identifiers", "trace-ids", "protect", "publish")
"""In their order."""


@dataclass(frozen=True)
class SixSteps:
    """What is done in each step, by the columns alone: no count of records, so that everybody may read it."""

    columns: tuple[str, ...]
    """Of the table."""
    plan: Plan
    used: Schema
    label: str

    @classmethod
    def of(cls, columns: Sequence[str], plan: Plan, declared: Schema, label: str) -> "SixSteps":
        """The steps by which a table with these ``columns`` is published."""
        completed = plan.completed(declared)
        return cls(tuple(columns), completed, schema_in_use(completed, declared), label)

    def tell(self, *names: str) -> None:
        """Say to whoever waits that these steps are taken now."""
        for step in (each for name, each in zip(STEPS, self.all, strict=True) if name in names):
            remark(text("release.step.told", number=step.number, title=step.title, sentence=step.sentence))

    @cached_property
    def all(self) -> tuple[PublicationStep, ...]:
        """All of them, in their order."""
        sentences: dict[str, Callable[[], str]] = {
            "select": self._selected,
            "classify": self._classified,
            "identifiers": self._dropped,
            "protect": self._protected,
        }
        return tuple(
            PublicationStep(
                number,
                text(f"release.step.{name}.title"),
                sentences[name]() if name in sentences else text(f"release.step.{name}.done"),
            )
            for number, name in enumerate(STEPS, start=1)
        )

    @cached_property
    def _released(self) -> list[str]:
        added = [name for operation in self.plan.operations for name in operation.adds]
        return released_columns(self.plan, dict.fromkeys([*self.columns, *added]), self.used, self.label)

    def _selected(self) -> str:
        """All that go out are counted with the trace id, as wherever the columns of a release are."""
        released, of = len(self._released), len(self.columns)
        columns = text("release.step.select.done", released=released, columns=of, all=released + 1)
        return " ".join([columns, *map(worded, self.plan.selections)])

    def _classified(self) -> str:
        roles: tuple[Role, ...] = ("quasi", "sensitive", "other")
        by_role = {role: [name for name in self._released if self.used[name].role == role] for role in roles}
        told = [
            text(f"release.step.classify.{role}", columns=", ".join(by_role[role])) for role in roles if by_role[role]
        ]
        return " ".join(told)

    def _dropped(self) -> str:
        identifiers = [
            name for name in self.columns if self.used[name].role == "identifier" and name not in self._released
        ]
        if not identifiers:
            return text("release.step.identifiers.none")
        return text("release.step.identifiers.done", columns=", ".join(identifiers))

    def _protected(self) -> str:
        """What is done to the columns that go out, those alike together."""
        done = done_to(self._released, self.plan, self.used)
        if not done:
            return text("release.step.protect.nothing")
        return " ".join(f"{', '.join(columns)}: {sentence}" for sentence, columns in done.items())
