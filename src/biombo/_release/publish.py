"""``publish``: from a table to a release that proves itself."""

import time
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from biombo._data import Progress, Schema
from biombo._engine import LOCAL, Engine, engine_of
from biombo._measures import LossDomain, check_loss_domain
from biombo._plan import Plan, Privacy
from biombo._release.contents import About, Contents, OnStage
from biombo._release.decision import ReleaseModel
from biombo._release.errors import RefusedError
from biombo._release.estimate import learn_from
from biombo._release.making import Making, SmallGroups, decided
from biombo._release.readiness import Format, ready_to_publish
from biombo._release.release import Release
from biombo._release.six_steps import SixSteps
from biombo._release.staging import staged
from biombo._release.verify.verification import refuse_false
from biombo._report import RequestedFact
from biombo._search import LocalPlan, RankedPlan
from biombo._secrets import KeyPlace, PublicKey
from biombo._watch import begin as say_stage
from biombo._watch import instead, stop_if_cancelled


def publish(
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
    format: Format = "csv",
    model: ReleaseModel | None = None,
    override: str | None = None,
    review: date | None = None,
    pdf: bool = False,
    predict: str | None = None,
    loss_domain: LossDomain = "data",
    title: str | None = None,
    key: KeyPlace | None = None,
    vault_key: KeyPlace | None = None,
    plan_keys: KeyPlace | Iterable[KeyPlace] | None = None,
    filename: str | None = None,
    database: str | None = None,
    sheet: str | None = None,
    requested: RequestedFact | None = None,
    population: Any = None,
    before_noise: Callable[[Privacy], object] | None = None,
    progress: Progress | None = None,
    stage: OnStage | None = None,
    engine: Engine | str = LOCAL,
) -> Release:
    """Publish a table as ``plan`` leaves it: data, dictionary, report and a signed manifest, in a new folder.

    The six steps of Moraes et al. (2025): columns are selected and classified, identifiers dropped, trace ids added,
    records protected, and the result is reported and published. Columns that nobody has decided on are left out. Those
    that go out as they are are measured: what puts people into small groups, or tells a value that was done away with,
    is refused. What links trace ids to original records is sealed in the private folder. The release appears whole or
    not at all, and only after it was verified.

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
        loss_domain: Over which values the private report tells loss, as for :func:`biombo.search`. The public one tells
            it over all values of hierarchies: which of them occur may be about one person.
        title: What the release is called in its reports, dictionary and manifest; by default as its folder.
        key: The key to sign with; by default a new one, in the private folder.
        vault_key: The key that seals the vault; by default a new one, in the private folder.
        plan_keys: The keys that the plan asks for.
        filename: A pattern that takes columns from the files' names.
        database: The database that the query ``source`` is for.
        sheet: Which table of a file that has several: a sheet of a workbook, or a file in a zip archive.
        requested: How the release was negotiated and for whom, where somebody asked for it. It stands in the private
            report; no file of the release has any of it.
        population: A table of everybody of whom the people of the table are some, where criteria of the plan are
            counted in it. Records of groups that fail these are dropped, whatever ``small_groups`` says: nobody in the
            population looks like a masked record.
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
    check_loss_domain(loss_domain)
    begun = time.monotonic()
    engine = engine_of(engine)
    source = engine.reached(source, filename=filename, database=database, sheet=sheet)
    ready = ready_to_publish(
        source,
        plan.plan if isinstance(plan, RankedPlan | LocalPlan) else plan,
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
        sheet=sheet,
        population=population,
        held=True,
        engine=engine,
    )
    begin = instead(stage, say_stage)
    making = Making.of(ready, plan, small_groups, source, engine, format, key, vault_key, plan_keys)
    places, table = ready.places, ready.table
    making.steps.tell("select", "classify")
    with staged(*places) as staging:
        begin("protecting")
        making.steps.tell("identifiers", "trace-ids", "protect")
        made = making.measured(staging, begin, before_noise, progress)
        carried, measured = made.carried, made.measured
        measured.refuse(carried)
        decision = decided(made, model, override)
        if decision is not None and not decision.allowed:
            raise RefusedError("release.above-threshold", decision=" ".join(decision.sentences()))
        hidden = [name for name in table.columns if name not in measured.pairs.columns]
        taken = SixSteps.of(table.columns, carried.plan, ready.declared, table.label)
        taken.tell("publish")
        about = About(
            decision,
            ready.protection,
            measured,
            hidden,
            review,
            pdf,
            made.original,
            made.released,
            ready.target,
            loss_domain,
            title,
            taken.all,
            requested,
        )
        manifest, headlines = Contents(carried, staging, made.keys, about, *places).write(begin)
        begin("verifying")
        refuse_false(staging.public, PublicKey.of(made.keys.signing), engine)
        stop_if_cancelled()
        carried.given.keep()
    if ready.estimate is not None and engine is LOCAL and predict is None:
        learn_from(ready.estimate, time.monotonic() - begun, pdf=pdf)
    return Release(
        *places,
        carried.plan,
        carried.in_place(*places),
        manifest,
        decision,
        ready.protection,
        measured,
        tuple(hidden),
        headlines,
        kind=table.kind,
    )
