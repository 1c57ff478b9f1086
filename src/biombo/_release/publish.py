"""``publish``: from a table to a release that proves itself."""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Literal, get_args

from biombo._data import Dataset, Progress, Schema, SourceTable
from biombo._engine import LOCAL, Engine, Table, engine_of
from biombo._errors import UsageError
from biombo._plan import MaskGroups, Operation, Plan, Privacy, SuppressGroups
from biombo._release.contents import About, Contents, OnStage
from biombo._release.decision import Decision, ReleaseModel, decide
from biombo._release.errors import RefusedError
from biombo._release.execution import Carried, CarryingOut
from biombo._release.keys import ReleaseKeys
from biombo._release.measure import Measurement
from biombo._release.measure.comparison import columns_to_compare
from biombo._release.readiness import Format, ready_to_publish
from biombo._release.release import Release
from biombo._release.staging import staged
from biombo._release.trace.fingerprints import Fingerprinting
from biombo._release.trace.origin import Origin
from biombo._release.trace.vault import NewVault
from biombo._release.verify.recount import Released
from biombo._release.verify.verification import refuse_false
from biombo._search import RankedPlan
from biombo._secrets import KeyPlace, PublicKey
from biombo._watch import advance, instead, stop_if_cancelled, tell_noise
from biombo._watch import begin as say_stage

SmallGroups = Literal["mask", "drop"]


def publish(
    source: Any,
    plan: Plan | RankedPlan | str | Path,
    out: str | Path,
    *,
    private: str | Path | None = None,
    schema: Schema | str | Path | None = None,
    other: Iterable[str] = (),
    accept: Mapping[str, str] | None = None,
    unprotected: str | None = None,
    small_groups: SmallGroups = "mask",
    format: Format = "csv",
    model: ReleaseModel | None = None,
    override: str | None = None,
    review: date | None = None,
    pdf: bool = False,
    predict: str | None = None,
    key: KeyPlace | None = None,
    vault_key: KeyPlace | None = None,
    plan_keys: KeyPlace | Iterable[KeyPlace] | None = None,
    filename: str | None = None,
    database: str | None = None,
    before_noise: Callable[[Privacy], object] | None = None,
    progress: Progress | None = None,
    stage: OnStage | None = None,
    engine: Engine | str = LOCAL,
) -> Release:
    """Publish a table as ``plan`` leaves it: data, dictionary, report and a signed manifest, in a new folder.

    The six steps of document 001: columns are selected and classified, identifiers dropped, trace ids added, records
    protected, and the result is reported and published. Columns that nobody has decided on are left out. Those that go
    out as they are are measured: what puts people into small groups, or tells a value that was done away with, is
    refused. What links trace ids to original records is sealed in the private folder. The release appears whole or not
    at all, and only after it was verified.

    Args:
        source: Whatever :func:`biombo.read` takes, or what it gave.
        plan: The plan, its YAML file, or one that :func:`biombo.search` found.
        out: The folder of the release, which must not exist yet.
        private: The folder that stays at home; by default ``out`` with ``.private`` added.
        schema: What the plan does not say about columns; by default that of ``source``.
        other: Further columns to release as they are: neither quasi nor sensitive.
        accept: Columns that go out as they are whatever they tell, each with the reason, which stands in the reports.
        unprotected: Why a plan is published that has neither criteria nor noise with a guarantee.
        small_groups: With a plan that was searched: ``mask`` or ``drop`` the records that are still in small groups.
        format: ``csv`` or ``parquet``.
        model: How the data are released, by which it is decided whether the risk is acceptable.
        override: Why to publish even if it is not.
        review: When the risk is to be looked at again, for the reports.
        pdf: The reports as PDFs too, where ``pip install 'biombo[pdf]'`` was done; else a warning says so.
        predict: A released column to predict from the others, for the reports: how well that works in the original, in
            the release, and for people who are not in it. Needs ``pip install 'biombo[utility]'``; else a warning
            says so.
        key: The key to sign with; by default a new one, in the private folder.
        vault_key: The key that seals the vault; by default a new one, in the private folder.
        plan_keys: The keys that the plan asks for.
        filename: A pattern that takes columns from the files' names.
        database: The database that the query ``source`` is for.
        before_noise: Called with what noise costs and guarantees before any is drawn, where the plan adds some.
        progress: Called now and then with the rows read and the rows expected, once more for each pass.
        stage: Called with each stage as it begins: ``protecting``, ``reading``, ``measuring``, ``comparing``,
            ``reporting`` and ``verifying``.
        engine: What carries the plan out, or its name, such as ``spark:local[*]``; by default this process.

    >>> import tempfile, biombo as bb
    >>> plan = bb.Plan(
    ...     operations=[bb.MaskGroups()],
    ...     criteria=[bb.KAnonymity(3)],
    ...     quasi=["city"],
    ...     sensitive=["disease"],
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     release = bb.publish(bb.samples.clinic(), plan, f"{folder}/clinic")
    ...     release.data.columns, bb.verify(release.out).holds
    (['trace_id', 'city', 'disease'], True)
    """
    engine = engine_of(engine)
    source = engine.reached(source, filename=filename, database=database)
    ready = ready_to_publish(
        source,
        plan.plan if isinstance(plan, RankedPlan) else plan,
        out,
        private=private,
        schema=schema,
        other=other,
        accept=accept,
        unprotected=unprotected,
        format=format,
        model=model,
        override=override,
        pdf=pdf,
        predict=predict,
        key=key,
        vault_key=vault_key,
        plan_keys=plan_keys,
        filename=filename,
        database=database,
        held=True,
    )
    plans = plans_to_try(plan.plan, small_groups) if isinstance(plan, RankedPlan) else (ready.plan,)
    places, table, declared, accepted = ready.places, ready.table, ready.declared, ready.accepted
    coded = source.columns if isinstance(source, Dataset) else {}
    begin, progress = instead(stage, say_stage), instead(progress, advance)
    with staged(*places) as staging:
        keys = ReleaseKeys.of(staging.private, key, vault_key)
        begin("protecting")
        compared = _to_compare(plans[0], declared, table)
        opened = engine.open(table, compared, coded)
        vault = _new_vault(table, opened, compared, keys)
        carried = CarryingOut(
            table,
            opened,
            declared,
            staging,
            vault,
            f"data.{format}",
            plan_keys,
            instead(before_noise, tell_noise),
            progress,
        ).first_that_fits(plans)
        begin("reading")
        released = Released.of(carried.data, engine)
        pairs = carried.written.beside(released.read)
        begin("measuring")
        measured = Measurement.of(carried, pairs, accepted)
        measured.refuse(carried)
        decision = _decided(carried, measured, model, override)
        hidden = [name for name in table.columns if name not in pairs.columns]
        about = About(decision, ready.protection, measured, hidden, review, pdf, opened, released, ready.target)
        manifest = Contents(carried, staging, keys, about, *places).write(begin)
        begin("verifying")
        refuse_false(staging.public, PublicKey.of(keys.signing), engine)
        stop_if_cancelled()
    return Release(
        *places, carried.plan, carried.in_place(*places), manifest, decision, ready.protection, measured, tuple(hidden)
    )


def _new_vault(source: SourceTable, opened: Table, needed: Sequence[str], keys: ReleaseKeys) -> NewVault:
    release = secrets.token_hex(16)
    printed = opened.printed(Fingerprinting.of(keys.vault, release), needed)
    return NewVault(release, keys.vault, Origin.of(source, printed))


def _to_compare(plan: Plan, schema: Schema, table: SourceTable) -> list[str]:
    completed = plan.completed(schema)
    return columns_to_compare(completed, schema, table.columns)


def _decided(
    carried: Carried, measured: Measurement, model: ReleaseModel | None, override: str | None
) -> Decision | None:
    """Whether the risk is acceptable. Raises where it is not, and nobody says why to publish all the same."""
    if model is None or carried.applied.judgement is None:  # there is one where there is a model
        return None
    judged = decide(model, carried.applied.judgement, override=override)
    group = measured.smallest_group(judged.smallest_group)
    decision = replace(judged, smallest_group=group, with_others=measured.untouched.smallest_group())
    if not decision.allowed:
        raise RefusedError("release.above-threshold", decision=" ".join(decision.sentences()))
    return decision


def plans_to_try(plan: Plan, small_groups: SmallGroups) -> tuple[Plan, ...]:
    """The plan of a search with what is asked for instead of dropping small groups, the next where one is refused.

    Masked records must meet the criteria as one group. Where that takes more of them than the plan may mask, those of
    the small groups are dropped after all.
    """
    if small_groups not in get_args(SmallGroups):
        raise UsageError("release.small-groups", given=small_groups, answers=", ".join(get_args(SmallGroups)))
    if small_groups == "drop":
        return (plan,)
    return (_with(plan, MaskGroups()), _with(plan, MaskGroups(if_failing="drop")))


def _with(plan: Plan, masking: MaskGroups) -> Plan:
    operations: tuple[Operation, ...] = tuple(
        masking if isinstance(each, SuppressGroups) else each for each in plan.operations
    )
    return replace(plan, operations=operations)
