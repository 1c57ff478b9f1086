"""The records of a release, made and measured where it is built: what publishing and its rehearsal have in common."""

import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from biombo._data import Column, Dataset, Progress, Schema, SourceTable
from biombo._engine import Engine, Table
from biombo._errors import UsageError
from biombo._plan import MaskGroups, Operation, Plan, Privacy, SuppressGroups
from biombo._release.contents import OnStage
from biombo._release.decision import Decision, ReleaseModel, smallest_group
from biombo._release.execution import Carried, CarryingOut
from biombo._release.keys import ReleaseKeys
from biombo._release.measure import Measurement
from biombo._release.measure.comparison import columns_to_compare
from biombo._release.readiness import Format, Readiness
from biombo._release.six_steps import SixSteps
from biombo._release.staging import Staging
from biombo._release.trace.fingerprints import Fingerprinting
from biombo._release.trace.origin import Origin
from biombo._release.trace.vault import NewVault
from biombo._release.verify.recount import Released
from biombo._search import LocalPlan, RankedPlan
from biombo._secrets import KeyPlace
from biombo._watch import advance, instead, tell_noise

SmallGroups = Literal["mask", "drop"]


@dataclass(frozen=True, eq=False)
class Made:
    """A plan that was carried out, and what was measured on the records that came out."""

    carried: Carried
    measured: Measurement
    original: Table
    released: Released
    keys: ReleaseKeys


@dataclass(frozen=True, eq=False)
class Making:
    """What records are made with."""

    ready: Readiness
    plans: tuple[Plan, ...]
    """To be tried one after the other."""
    coded: dict[str, Column]
    """Columns that are in this process already."""
    engine: Engine
    format: Format
    key: KeyPlace | None
    vault_key: KeyPlace | None
    plan_keys: KeyPlace | Iterable[KeyPlace] | None

    @classmethod
    def of(
        cls, ready: Readiness, plan: Any, small_groups: SmallGroups, source: Any, engine: Engine, *how: Any
    ) -> "Making":
        """By what is ready; of a plan that was searched, small groups are done with as asked."""
        plans = plans_to_try(plan.plan, small_groups) if isinstance(plan, RankedPlan | LocalPlan) else (ready.plan,)
        coded = dict(source.columns) if isinstance(source, Dataset) and not ready.table.selections else {}
        return cls(ready, plans, coded, engine, *how)

    @property
    def steps(self) -> SixSteps:
        """What is about to be done."""
        table = self.ready.table
        return SixSteps.of(table.columns, self.plans[0], self.ready.declared, table.label)

    def measured(
        self,
        staging: Staging,
        begin: OnStage,
        before_noise: Callable[[Privacy], object] | None = None,
        progress: Progress | None = None,
    ) -> Made:
        """Carry the first plan out that fits, and measure what came of it."""
        table, declared = self.ready.table, self.ready.declared
        keys = ReleaseKeys.of(staging.private, self.key, self.vault_key)
        compared = _to_compare(self.plans[0], declared, table)
        opened = self.engine.open(table, compared, self.coded)
        carried = CarryingOut(
            table,
            opened,
            declared,
            staging,
            _new_vault(table, opened, compared, keys),
            f"data.{self.format}",
            self.plan_keys,
            instead(before_noise, tell_noise),
            instead(progress, advance),
            self.ready.population,
        ).first_that_fits(self.plans)
        begin("reading")
        released = Released.of(carried.data, self.engine)
        pairs = carried.written.beside(released.read)
        begin("measuring")
        return Made(carried, Measurement.of(carried, pairs, self.ready.accepted), opened, released, keys)


def decided(made: Made, model: ReleaseModel | None, override: str | None) -> Decision | None:
    """Whether the risk is acceptable; none where nobody said how the data are released."""
    if model is None:
        return None
    carried, measured = made.carried, made.measured
    risk = measured.risk()
    if risk is not None:
        return Decision(model, override=override, measured=risk)
    assert carried.applied.judgement is not None  # without noise there is no model unless k is asked for
    group = measured.smallest_group(smallest_group(carried.applied.judgement))
    return Decision(model, group, override, measured.untouched.smallest_group())


def _new_vault(source: SourceTable, opened: Table, needed: Sequence[str], keys: ReleaseKeys) -> NewVault:
    release = secrets.token_hex(16)
    printed = opened.printed(Fingerprinting.of(keys.vault, release), needed)
    return NewVault(release, keys.vault, Origin.of(source, printed))


def _to_compare(plan: Plan, schema: Schema, table: SourceTable) -> list[str]:
    completed = plan.completed(schema)
    return columns_to_compare(completed, schema, table.columns)


def plans_to_try(plan: Plan, small_groups: SmallGroups) -> tuple[Plan, ...]:
    """The plan of a search with what is asked for instead of dropping small groups, the next where one is refused.

    Masked records must meet the criteria as one group. Where that takes more of them than the plan may mask, those of
    the small groups are dropped after all; and so they are where criteria are counted in the population, in which
    nobody looks like a masked record.
    """
    if small_groups not in get_args(SmallGroups):
        raise UsageError("release.small-groups", given=small_groups, answers=", ".join(get_args(SmallGroups)))
    if small_groups == "drop" or any(criterion.against_population for criterion in plan.judged):
        return (plan,)
    return (_with(plan, MaskGroups()), _with(plan, MaskGroups(if_failing="drop")))


def _with(plan: Plan, masking: MaskGroups) -> Plan:
    operations: tuple[Operation, ...] = tuple(
        masking if isinstance(each, SuppressGroups) else each for each in plan.operations
    )
    return replace(plan, operations=operations)
