"""The facts of a release, gathered for its reports, and the reports as files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from biombo._criteria import Criterion, Disclosure
from biombo._data import Schema, SourceTable
from biombo._engine import Table
from biombo._errors import ColumnError, UsageError
from biombo._i18n import text
from biombo._plan import Applied, Plan, schema_in_use
from biombo._release.claims import Claim
from biombo._release.decision import Decision, smallest_group, ten_steps
from biombo._release.dictionary import Dictionary, labels_in_use, worded
from biombo._release.execution import Carried
from biombo._release.measure import Measurement
from biombo._release.measure.comparison import Comparison
from biombo._release.measure.truth import perturbed_columns
from biombo._release.protection import Protection
from biombo._report import (
    ColumnFact,
    CriterionFact,
    DecisionFact,
    GoesOut,
    OperationFact,
    ReleaseFacts,
    StepFact,
    can_draw_pdf,
    write_release_report,
)
from biombo._utility import Prediction, refuse_without_models
from biombo._watch import warn

HTML, PDF = "report.html", "report.pdf"
"""The reports, in both folders."""


@dataclass(frozen=True, eq=False)
class Told:
    """What a release says of itself, what was measured and what was decided."""

    claims: Sequence[Claim]
    dictionary: Dictionary
    decision: Decision | None
    protection: Protection
    measured: Measurement
    review: date | None
    predict: str | None = None
    """The column to predict from the others."""


def column_to_predict(name: str | None, table: SourceTable, plan: Plan, schema: Schema) -> str | None:
    """The column to predict, checked before long work; none where what predicts is not installed: a warning says so.

    Raises where it is not released.
    """
    if name is None:
        return None
    if name not in table.columns:
        raise ColumnError.missing(name, table.columns, table.label)
    if schema_in_use(plan.completed(schema), schema)[name].kept_back:
        raise ColumnError("release.predict-left-out", column=name)
    try:
        refuse_without_models()
    except UsageError as error:
        warn(str(error))
        return None
    return name


def facts_of(name: str, carried: Carried, told: Told, original: Table) -> ReleaseFacts:
    """All that the reports on the release ``name`` may need: the tables are attacked and compared here."""
    plan, applied, used = carried.plan, carried.applied, carried.used
    pairs = told.measured.pairs
    compared = Comparison.of(original, pairs, plan, used, applied.outcome)
    return ReleaseFacts(
        name=name,
        made_at=datetime.now().astimezone(),
        plan=plan,
        applied=applied,
        rule=Disclosure.of(plan.criteria),
        smallest_group=_smallest_group(applied, told.measured),
        told={kind: _claimed(told.claims, f"records-{kind}") for kind in ("masked", "suppressed")},
        quasi=used.quasi,
        sensitive=used.sensitive,
        sets=_sets(plan, used),
        perturbed=perturbed_columns(plan),
        person=used.person,
        left_out=tuple(_claimed(told.claims, "columns-left-out") or ()),
        columns=tuple(_columns(told.dictionary)),
        operations=tuple(
            OperationFact(worded(each), (*each.columns, *each.adds), text(each.leaks)) for each in plan.operations
        ),
        criteria=tuple(_criteria(told.claims)),
        before=compared.before,
        own=compared.own,
        after=compared.after,
        utility=compared.utility,
        measures=compared.utility.measures if compared.utility else None,
        own_measures=compared.own_measures,
        not_compared=compared.not_compared,
        goes_out=_goes_out(told),
        predicted=Prediction.of(told.predict, pairs, plan, used) if told.predict else None,
        decision=_decision(plan, used, told, applied.unspoken),
        review=told.review,
        labels=labels_in_use(used),
    )


def _sets(plan: Plan, used: Schema) -> tuple[tuple[str, ...], ...]:
    asked = [each for each in plan.criteria if each.group_size is not None]
    whole = any(each.quasi is None or {*each.quasi} >= {*used.quasi} for each in asked)
    return () if whole else tuple(tuple(each.quasi or ()) for each in asked)


def _goes_out(told: Told) -> GoesOut:
    measured = told.measured
    return GoesOut(
        protection=told.protection.kind,
        unprotected=told.protection.reason,
        untouched=measured.untouched.columns,
        constant=measured.untouched.constant,
        accepted=measured.accepted,
        findings=tuple(each.sentence(measured.untouched.k) for each in measured.findings),
    )


def _claimed(claims: Sequence[Claim], name: str) -> Any:
    return next(claim.value for claim in claims if claim.name == name)


def _smallest_group(applied: Applied, measured: Measurement) -> int | None:
    try:
        judged = None if applied.judgement is None else smallest_group(applied.judgement)
        return None if judged is None else measured.smallest_group(judged)
    except UsageError:  # k-anonymity was not asked for
        return None


def _columns(dictionary: Dictionary) -> Iterator[ColumnFact]:
    for entry in dictionary.entries:
        role = text(f"release.role.{entry.role}")
        done = " ".join(entry.done) or "–"
        yield ColumnFact(entry.column, entry.label, role, done, entry.masked_mark, entry.examples)


def _criteria(claims: Sequence[Claim]) -> Iterator[CriterionFact]:
    for claim in claims:
        if claim.name == "criterion":
            criterion = Criterion.from_tree(claim.about["criterion"])
            achieved = "–" if claim.value is None else criterion.worded_value(claim.value)
            by = tuple(claim.about["quasi"])
            yield CriterionFact(str(criterion), by, achieved, text(f"release.kind.{claim.kind}"))


def _decision(plan: Plan, used: Schema, told: Told, unspoken: tuple[str, ...]) -> DecisionFact | None:
    decision = told.decision
    if decision is None:
        return None
    controls = [*(text(f"decision.control.{name}") for name in decision.model.controls), *decision.model.measures]
    steps = ten_steps(
        plan,
        decision,
        schema=used,
        left_out=unspoken,
        untouched=told.measured.untouched.columns,
        utility_assessed=True,
        documented_in=text("release.documented-in"),
    )
    return DecisionFact(
        outcome=tuple(_outcome(decision)),
        grounds=decision.sentences(),
        controls=tuple(controls),
        steps=tuple(
            StepFact(f"{each.number}. {each.title}", text(f"decision.status.{each.status}"), each.sentence)
            for each in steps
        ),
    )


def _outcome(decision: Decision) -> Iterator[str]:
    """To whom the data go, and whether the risk was accepted, without what tells how likely an attempt is."""
    yield text(f"release_report.decision.{decision.model.name}")
    yield text(f"release_report.decision.{'accepted' if decision.passes else 'exceeds'}")
    if decision.override is not None and not decision.passes:
        yield text("release_report.decision.overridden", reason=decision.override)


@dataclass(frozen=True)
class Reports:
    """The reports of a release as files, from the same facts."""

    facts: ReleaseFacts
    pdf: bool
    """As PDFs too, where what draws them is there."""

    def write(self, folder: Path, *, private: bool) -> None:
        """Put one of the two versions into its folder."""
        also = (folder / PDF,) if self.pdf and can_draw_pdf() else ()
        write_release_report(self.facts, folder / HTML, *also, private=private)
