"""The facts of a release, gathered for its reports, and the reports as files."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

from biombo._criteria import Criterion, Disclosure, WaivedVerdict
from biombo._data import Schema, SourceTable
from biombo._engine import Table
from biombo._errors import ColumnError, UsageError
from biombo._i18n import LANGUAGES, Language, speaking, text
from biombo._measures import LossDomain
from biombo._plan import Applied, Operation, Plan, SelectRecords, schema_in_use
from biombo._release.claim_words import claim_title, claim_value
from biombo._release.claims import Claim
from biombo._release.decision import Decision, smallest_group, ten_steps
from biombo._release.dictionary import Dictionary, labels_in_use, told_names, worded
from biombo._release.execution import Carried
from biombo._release.measure import Measurement
from biombo._release.measure.comparison import Comparison
from biombo._release.measure.truth import perturbed_columns
from biombo._release.protection import Protection
from biombo._release.waived import NAME as WAIVED
from biombo._release.waived import waived_claims
from biombo._report import (
    ColumnFact,
    CriterionFact,
    DecisionFact,
    GoesOut,
    NoisedFact,
    OperationFact,
    PublicationStep,
    ReleaseFacts,
    RequestedFact,
    StepFact,
    ValueFact,
    WaivedDetail,
    WaivedFact,
    can_draw_pdf,
    release_headline,
    write_release_report,
)
from biombo._utility import Prediction, refuse_without_models
from biombo._watch import warn

HTML, PDF = "report.html", "report.pdf"
"""The reports, in both folders."""
Headlines = dict[Language, tuple[str, ...]]


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
    loss_domain: LossDomain = "data"
    title: str | None = None
    """What the release is called, where somebody said so."""
    steps: tuple[PublicationStep, ...] = ()
    """What was done, step by step."""
    requested: RequestedFact | None = None
    """How it was negotiated, for the private report alone."""
    keys: Mapping[str, date | None] = field(default_factory=dict)
    """By when the ciphers of keys are to be reviewed, for the private report alone."""


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
    if any(criterion.against_population for criterion in plan.judged):
        raise UsageError("release.predict-population")
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
    compared = Comparison.of(original, pairs, plan, used, applied.outcome, told.loss_domain)
    return ReleaseFacts(
        name=name,
        made_at=datetime.now().astimezone(),
        plan=plan,
        applied=applied,
        rule=Disclosure.of(plan.criteria),
        smallest_group=_smallest_group(applied, told.measured),
        told={kind: _claimed(told.claims, f"records-{kind}") for kind in ("masked", "suppressed")},
        noised=_noised(told),
        quasi=used.quasi,
        sensitive=used.sensitive,
        sets=_sets(plan, used),
        perturbed=perturbed_columns(plan),
        person=used.person,
        left_out=(*(_claimed(told.claims, "columns-left-out") or ()), *applied.unspoken),
        columns=tuple(_columns(told.dictionary)),
        operations=tuple(OperationFact(worded(each), _about(each), text(each.leaks)) for each in plan.operations),
        criteria=tuple(_criteria(told.claims)),
        attested=tuple(_attested(told.claims)),
        waived=tuple(_waived(told.claims, applied)),
        before=compared.before,
        own=compared.own,
        after=compared.after,
        utility=compared.utility,
        measures=compared.utility.measures if compared.utility else None,
        own_measures=compared.own_measures,
        not_compared=compared.not_compared,
        constant=told.measured.became_constant,
        goes_out=_goes_out(told),
        predicted=Prediction.of(told.predict, pairs, plan, carried.declared) if told.predict else None,
        decision=_decision(plan, used, told, applied.unspoken),
        review=told.review,
        labels=labels_in_use(used),
        title=told.title,
        steps=told.steps,
        requested=told.requested,
        keys=told.keys,
    )


def _about(operation: Operation) -> tuple[str, ...]:
    """The columns that an operation is about."""
    selected_by = operation.reads if isinstance(operation, SelectRecords) else ()
    return (*operation.columns, *operation.adds, *selected_by)


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


def _noised(told: Told) -> NoisedFact | None:
    exposure = told.measured.exposure
    if exposure is None:
        return None
    alone = _claimed(told.claims, "records-alone")
    return NoisedFact(exposure.columns, exposure.alone.records, alone, exposure.alone_and_true)


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
        yield ColumnFact(
            entry.column, entry.label, role, done, entry.masked_mark, entry.examples, told_names(entry.names)
        )


def _criteria(claims: Sequence[Claim]) -> Iterator[CriterionFact]:
    for claim in claims:
        if claim.name == "criterion":
            criterion = Criterion.from_tree(claim.about["criterion"])
            achieved = "–" if claim.value is None else criterion.worded_value(claim.value)
            by = tuple(claim.about["quasi"])
            yield CriterionFact(str(criterion), by, achieved, text(f"release.kind.{claim.kind}"))


def _waived(claims: Sequence[Claim], applied: Applied) -> Iterator[WaivedFact]:
    for claim, verdict in zip(waived_claims(claims), applied.waived, strict=True):
        values = tuple(map(_value, claim.values))
        yield WaivedFact(str(claim.criterion), claim.quasi, claim.reason, values, claim.further, _detail(verdict))


def _detail(verdict: WaivedVerdict) -> WaivedDetail:
    waiver = verdict.waiver
    values = tuple(
        ValueFact(_value(value), text(f"criteria.sensitivity.{how}"), verdict.values.get(value, 0))
        for value, how in waiver.values.items()
    )
    return WaivedDetail(str(verdict), waiver.accepted_by, waiver.column, values)


def _value(value: str) -> str:
    """A value as a page shows it: an empty text is a missing one."""
    return value or text("report.names.missing")


def _attested(claims: Sequence[Claim]) -> Iterator[tuple[str, str]]:
    for claim in claims:
        if claim.kind == "attested" and claim.name not in ("criterion", WAIVED, "plan"):  # whose hash is enough
            yield claim_title(claim.name), claim_value(claim)


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
            StepFact(f"{each.number}. {each.title}", text(f"decision.status.{each.status}"), _begun(each.sentence))
            for each in steps
        ),
    )


def _begun(sentence: str) -> str:
    """As it begins a line of its own."""
    return f"{sentence[:1].upper()}{sentence[1:]}"


def _outcome(decision: Decision) -> Iterator[str]:
    """To whom the data go, and whether the risk was accepted, without what tells how likely an attempt is."""
    yield text(f"release_report.decision.{decision.model.name}")
    if decision.measured is not None:
        yield text("release_report.decision.measured")
    yield text(f"release_report.decision.{'accepted' if decision.passes else 'exceeds'}")
    if decision.override is not None and not decision.passes:
        yield text("release_report.decision.overridden", reason=decision.override)


def headlines_of(facts: ReleaseFacts, carried: Carried, told: Told) -> Headlines:
    """What the private report begins with, a line for each sentence, by language: whoever reads it later may speak
    another than whoever published.
    """
    found: Headlines = {}
    for code in LANGUAGES:
        with speaking(code):
            found[code] = release_headline(_reworded(facts, carried, told))
    return found


def _reworded(facts: ReleaseFacts, carried: Carried, told: Told) -> ReleaseFacts:
    """The facts with those of the headline that are words already in the language in use; nothing is measured anew."""
    decision = _decision(carried.plan, carried.used, told, carried.applied.unspoken)
    waived = tuple(_waived(told.claims, carried.applied))
    return replace(facts, decision=decision, waived=waived, labels=labels_in_use(carried.used))


@dataclass(frozen=True)
class Reports:
    """The reports of a release as files, from the same facts."""

    facts: ReleaseFacts
    headlines: Headlines
    """What the private one begins with."""
    pdf: bool
    """As PDFs too, where what draws them is there."""

    def write(self, folder: Path, *, private: bool) -> None:
        """Put one of the two versions into its folder."""
        also = (folder / PDF,) if self.pdf and can_draw_pdf() else ()
        write_release_report(self.facts, folder / HTML, *also, private=private)
