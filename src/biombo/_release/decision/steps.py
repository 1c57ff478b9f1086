"""The ten steps of an anonymisation, and what was done in each (PDPC 2018, 15.2)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from biombo._data import Schema
from biombo._i18n import text
from biombo._plan import Plan, schema_in_use
from biombo._release.decision.decision import Decision
from biombo._release.decision.wording import (
    attempt_worded,
    factors_worded,
    risk_worded,
    threshold_worded,
    utility_worded,
)

StepStatus = Literal["done", "open", "not-needed", "overridden"]

_Found = tuple[StepStatus, str]


@dataclass(frozen=True)
class ReleaseStep:
    """One of the ten steps."""

    number: int
    """From 1 to 10."""
    name: str
    status: StepStatus
    sentence: str
    """What was done or is still to do."""

    @property
    def title(self) -> str:
        """What the step is, in the language in use."""
        return text(f"decision.step.{self.name}")

    def __str__(self) -> str:
        return text(
            "decision.step-line",
            number=self.number,
            title=self.title,
            status=text(f"decision.status.{self.status}"),
            sentence=self.sentence,
        )

    def as_json(self) -> dict[str, Any]:
        """The step as plain values."""
        return {"number": self.number, "name": self.name, "status": self.status, "sentence": self.sentence}


def ten_steps(
    plan: Plan,
    decision: Decision,
    *,
    schema: Schema | None = None,
    left_out: Iterable[str] = (),
    untouched: Iterable[str] = (),
    utility_assessed: bool = False,
    documented_in: str | None = None,
) -> tuple[ReleaseStep, ...]:
    """What was done in each of the guide's ten steps, and what is still open. Worded in the language in use.

    Args:
        plan: What was done to the table.
        decision: The risk of the result beside its threshold.
        schema: What the columns are, as far as the plan does not say it.
        left_out: Columns that were not released, because nobody said what they are.
        untouched: Columns that are released as they are.
        utility_assessed: Was it measured what the data are still good for?
        documented_in: Where all of this is on record, such as a private report or a register.

    >>> import biombo as bb
    >>> plan = bb.Plan([bb.SuppressColumn("name")], quasi=["age"], identifiers=["cpf"])
    >>> for step in ten_steps(plan, bb.Decision(bb.PublicRelease(harm="low"), 5))[2:4]:
    ...     print(step)
    3. Classify the columns (done): identifiers: cpf; quasi: age; sensitive: none.
    4. Remove columns that are not needed (done): not released: cpf, name.
    """
    columns = _Columns(plan, schema_in_use(plan, schema or Schema()), tuple(left_out), tuple(untouched))
    found: dict[str, _Found] = {
        "model": ("done", " ".join([attempt_worded(decision), *factors_worded(decision)])),
        "threshold": ("done", " ".join([_capitalised(threshold_worded(decision)), *utility_worded(decision)])),
        "classify": _classified(columns),
        "remove": _removed(columns),
        "anonymise": _anonymised(plan),
        "risk": ("done", risk_worded(decision)),
        "more": _more(decision, plan),
        "evaluate": _evaluated(decision, utility_assessed),
        "controls": _controlled(decision),
        "document": _documented(plan, documented_in),
    }
    return tuple(ReleaseStep(place, name, *found[name]) for place, name in enumerate(found, start=1))


def _either(done: bool, key: str, **values: Any) -> _Found:
    return ("done", text(f"decision.did.{key}", **values)) if done else ("open", text(f"decision.open.{key}"))


@dataclass(frozen=True)
class _Columns:
    """What the columns are, and what became of them."""

    plan: Plan
    used: Schema
    left_out: tuple[str, ...]
    untouched: tuple[str, ...]

    @property
    def further(self) -> list[str]:
        """Those that are released as they are though nobody is thought to know or want them."""
        return [name for name in self.untouched if self.used[name].role == "other"]

    @property
    def identifiers(self) -> list[str]:
        """Those that tell by themselves who somebody is."""
        named = [name for name, role in self.plan.roles.items() if role == "identifier"]
        declared = self.used.with_role("identifier")
        return [name for name in dict.fromkeys([*named, *declared]) if name not in self.left_out]

    @property
    def removed(self) -> list[str]:
        """Those that are not released."""
        operations = self.plan.operations
        kept = {column for operation in operations for column in operation.releases}
        hidden = [name for name in self.identifiers if name not in kept]
        dropped = [column for operation in operations for column in operation.removes]
        return list(dict.fromkeys([*hidden, *dropped, *self.left_out]))


def _classified(columns: _Columns) -> _Found:
    used = columns.used
    named = {
        "identifiers": _listed(columns.identifiers),
        "quasi": _listed(used.quasi),
        "sensitive": _listed(used.sensitive),
    }
    return _either(bool(used.quasi), "classify", **named)


def _removed(columns: _Columns) -> _Found:
    if columns.further:
        return "open", text("decision.open.further", columns=_listed(columns.further))
    return _either(bool(columns.removed), "remove", columns=_listed(columns.removed))


def _anonymised(plan: Plan) -> _Found:
    operations = dict.fromkeys(operation.title for operation in plan.operations)
    return _either(bool(operations), "anonymise", operations=_listed(operations))


def _more(decision: Decision, plan: Plan) -> _Found:
    status, sentence = _further(decision)
    waived = [
        text("decision.waived", criterion=each.criterion, who=each.accepted_by, reason=each.reason)
        for each in plan.waived
    ]
    return status, " ".join([sentence, *waived])


def _further(decision: Decision) -> _Found:
    if decision.passes:
        return "not-needed", text("decision.passes")
    if decision.override is not None:
        return "overridden", text("decision.overridden", reason=decision.override)
    return "open", text("decision.open.more")


def _evaluated(decision: Decision, assessed: bool) -> _Found:
    status, sentence = _either(assessed, "utility")
    return status, " ".join([sentence, *utility_worded(decision)])


def _controlled(decision: Decision) -> _Found:
    model = decision.model
    if model.name == "public":
        return "not-needed", text("decision.did.no-controls")
    controls = [*(text(f"decision.control.{name}") for name in model.controls), *model.measures]
    return _either(bool(controls), "controls", controls="; ".join(controls))


def _documented(plan: Plan, place: str | None) -> _Found:
    return _either(place is not None, "document", place=place, hash=plan.hash)


def _listed(names: Any) -> str:
    return ", ".join(names) or text("decision.none")


def _capitalised(sentence: str) -> str:
    return f"{sentence[:1].upper()}{sentence[1:]}."
