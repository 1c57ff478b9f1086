"""``rehearse``: publishing up to the point where something would be published."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biombo._data import Schema
from biombo._engine import LOCAL, Engine, engine_of
from biombo._glance import Glance, Result
from biombo._measures import ConstantColumn, LossDomain
from biombo._plan import Applied, Plan
from biombo._release.decision import Decision, ReleaseModel, cheapest_change
from biombo._release.dictionary import labels_in_use
from biombo._release.making import Making, SmallGroups, decided
from biombo._release.measure.comparison import Comparison
from biombo._release.measure.unchanged_columns import Finding
from biombo._release.readiness import ready_to_publish
from biombo._release.staging import staged
from biombo._report import ReportPart, utility_part
from biombo._search import LocalPlan, RankedPlan
from biombo._secrets import KeyPlace
from biombo._utility import Prediction, Utility, utility_verdict
from biombo._watch import begin


@dataclass(frozen=True, eq=False, repr=False)
class Rehearsal(Result):
    """What publishing would come to, measured on the records that would go out. Made by
    :meth:`biombo.PublishRequest.rehearse`.

    It tells about the original: keep it private.
    """

    plan: Plan
    """The plan that fits, with the roles of the schema: publishing it gives what was rehearsed."""
    applied: Applied
    """What the plan did. What it wrote is gone."""
    decision: Decision | None
    """Whether the risk is acceptable; none where no release model was given. It may forbid publishing."""
    findings: tuple[Finding, ...]
    """What columns tell too much that go out as they are, as far as nobody has accepted it."""
    k: int
    """The fewest people that columns may tell of."""
    utility: Utility | None
    not_compared: str
    """Why there is no utility, where it is so."""
    predicted: Prediction | None
    constant: tuple[ConstantColumn, ...]
    """Columns that the plan changes and that tell nothing any more, or next to nothing."""
    labels: Mapping[str, str]
    """What columns are called, where it is not by their own name."""

    @property
    def telling(self) -> tuple[str, ...]:
        """The columns that must be accepted, or done something about, before this can be published."""
        return tuple(dict.fromkeys(each.column for each in self.findings))

    @property
    def allowed(self) -> bool:
        """Would it be published as it was asked for?"""
        return not self.findings and (self.decision is None or self.decision.allowed)

    def told(self) -> tuple[str, ...]:
        """What columns tell too much, a sentence for each finding."""
        return tuple(each.sentence(self.k) for each in self.findings)

    def verdict(self) -> list[str]:
        """What would be lost, in at most five lines."""
        return [self.not_compared] if self.utility is None else utility_verdict(self.utility)

    def part(self) -> ReportPart:
        """All that would be lost, for a page of somebody else."""
        return utility_part(self.utility, self.predicted, labels=self.labels, not_compared=self.not_compared)

    def _glance(self) -> Glance:
        lines = self.verdict()
        return Glance(lines[0] if lines else "")

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        change = None if self.decision is None else cheapest_change(self.decision)
        return {
            "plan_hash": self.plan.hash,
            "allowed": self.allowed,
            "records": self.applied.rows,
            "decision": None if self.decision is None else self.decision.as_json(),
            "cheapest_change": None if change is None else str(change),
            "findings": [each.as_json() for each in self.findings],
            "utility": None if self.utility is None else self.utility.as_json(),
        }


def rehearse(
    source: Any,
    plan: Plan | RankedPlan | LocalPlan | str | Path,
    out: str | Path,
    *,
    private: str | Path | None = None,
    schema: Schema | str | Path | None = None,
    other: Iterable[str] = (),
    accept: Mapping[str, str] | None = None,
    unprotected: str | None = None,
    small_groups: SmallGroups = "mask",
    model: ReleaseModel | None = None,
    override: str | None = None,
    predict: str | None = None,
    loss_domain: LossDomain = "data",
    plan_keys: KeyPlace | Iterable[KeyPlace] | None = None,
    population: Any = None,
    engine: Engine | str = LOCAL,
) -> Rehearsal:
    """Carry a plan out as :func:`biombo.publish` would, measure what comes of it, and keep nothing but that.

    What publishing refuses for a reason that somebody may accept, such as a risk above the threshold, is told and not
    raised. What nobody can accept is raised. The arguments are those of :func:`biombo.publish`; ``out`` is where the
    release would be: what is carried out lies beside it meanwhile, for the user alone.

    >>> import tempfile, biombo as bb
    >>> plan = bb.Plan([bb.MaskGroups()], [bb.KAnonymity(3)], quasi=["city"], sensitive=["disease"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model = bb.PublicRelease(harm="medium")
    ...     tried = rehearse(bb.samples.clinic(), plan, f"{folder}/clinic", model=model)
    ...     tried.allowed, tried.decision.smallest_group, list(Path(folder).iterdir())
    (False, 6, [])
    """
    place = engine_of(engine)
    source = place.reached(source)
    ready = ready_to_publish(
        source,
        plan.plan if isinstance(plan, RankedPlan | LocalPlan) else plan,
        out,
        private=private,
        schema=schema,
        other=other,
        accept=accept,
        unprotected=unprotected,
        model=model,
        override=override,
        predict=predict,
        plan_keys=plan_keys,
        population=population,
        held=True,
        engine=place,
    )
    making = Making.of(ready, plan, small_groups, source, place, "csv", None, None, plan_keys)
    with staged(*ready.places, only_tried=True) as staging:
        begin("protecting")
        made = making.measured(staging, begin)
        carried, measured = made.carried, made.measured
        measured.refuse_for_good(carried)
        decision = decided(made, model, override)
        begin("comparing")
        lost = Comparison.of(
            made.original, measured.pairs, carried.plan, carried.used, carried.applied.outcome, loss_domain
        )
        target = ready.target
        return Rehearsal(
            plan=carried.plan,
            applied=carried.applied,
            decision=decision,
            findings=measured.open_findings,
            k=measured.untouched.k,
            utility=lost.utility,
            not_compared=lost.not_compared,
            predicted=Prediction.of(target, measured.pairs, carried.plan, carried.declared) if target else None,
            constant=measured.became_constant,
            labels=labels_in_use(carried.used),
        )
