"""``publish``: from a table to a release that proves itself."""

import json
import secrets
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Literal, get_args

import polars as pl

from biombo._data import Dataset, Schema, read
from biombo._data.source_table import Progress, SourceTable
from biombo._errors import BiomboWarning, UsageError
from biombo._files import PRIVATE, write_whole
from biombo._i18n import text
from biombo._plan import Applied, Plan, Privacy, SuppressionError
from biombo._plan.applying import apply_to_table
from biombo._plan.columns_in_use import schema_in_use
from biombo._plan.key_places import KeyPlace, load_key
from biombo._plan.keys import Key
from biombo._release.claims import Claim, claims_of, released_data
from biombo._release.classifying import Classified
from biombo._release.decision import Decision, ReleaseModel, decide
from biombo._release.dictionary import Dictionary, labels_in_use
from biombo._release.errors import RefusedError
from biombo._release.manifest import Manifest, hashed
from biombo._release.release import Release
from biombo._release.reporting import Reports, Told, facts_of
from biombo._release.signing import PublicKey
from biombo._release.small_groups import SmallGroups, plans_to_try
from biombo._release.staging import Staging, places_of, refuse_places, staged
from biombo._release.trace_ids import Links
from biombo._release.vault import write_vault
from biombo._release.verifying import refuse_false
from biombo._report.masthead import software_version
from biombo._report.release import can_draw_pdf, columns_to_compare
from biombo._search import RankedPlan

Format = Literal["csv", "parquet"]

KEY, PUBLIC_KEY, PLAN, RESULT = "release.key", "public.key", "plan.yaml", "result.json"
"""What is in the private folder besides the vault and the report."""


def publish(
    source: Any,
    plan: Plan | RankedPlan | str | Path,
    out: str | Path,
    *,
    private: str | Path | None = None,
    schema: Schema | str | Path | None = None,
    other: Iterable[str] = (),
    small_groups: SmallGroups = "mask",
    format: Format = "csv",
    model: ReleaseModel | None = None,
    override: str | None = None,
    review: date | None = None,
    pdf: bool = False,
    key: KeyPlace | None = None,
    vault_key: KeyPlace | None = None,
    plan_keys: KeyPlace | Iterable[KeyPlace] | None = None,
    filename: str | None = None,
    database: str | None = None,
    before_noise: Callable[[Privacy], object] | None = None,
    progress: Progress | None = None,
) -> Release:
    """Publish a table as ``plan`` leaves it: data, dictionary, report and a signed manifest, in a new folder.

    The six steps of document 001: columns are selected and classified, identifiers dropped, trace ids added, records
    protected, and the result is reported and published. Columns that neither plan nor schema speaks of are left out.
    What links trace ids to original records is sealed in the private folder. The release appears whole or not at all,
    and only after it was verified.

    Args:
        source: Whatever :func:`biombo.read` takes, or what it gave.
        plan: The plan, its YAML file, or one that :func:`biombo.search` found.
        out: The folder of the release, which must not exist yet.
        private: The folder that stays at home; by default ``out`` with ``.private`` added.
        schema: What the plan does not say about columns; by default that of ``source``.
        other: Further columns to release as they are: neither quasi nor sensitive.
        small_groups: With a plan that was searched: ``mask`` or ``drop`` the records that are still in small groups.
        format: ``csv`` or ``parquet``.
        model: How the data are released, by which it is decided whether the risk is acceptable.
        override: Why to publish even if it is not.
        review: When the risk is to be looked at again, for the reports.
        pdf: The reports as PDFs too, where ``pip install 'biombo[pdf]'`` was done; else a warning says so.
        key: The key to sign with; by default a new one, in the private folder.
        vault_key: The key that seals the vault; by default a new one, in the private folder.
        plan_keys: The keys that the plan asks for.
        filename: A pattern that takes columns from the files' names.
        database: The database that the query ``source`` is for.
        before_noise: Called with what noise costs and guarantees before any is drawn, where the plan adds some.
        progress: Called now and then with the rows read and the rows expected, once more for each pass.

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
    _refuse_format(format)
    _warn_of_no_pdf(pdf)
    places = places_of(out, private)
    refuse_places(*places)
    if isinstance(source, Dataset):
        schema = source.schema if schema is None else schema
        source = pl.DataFrame([column.decoded() for column in source.columns.values()])
    plans = plans_to_try(plan.plan, small_groups) if isinstance(plan, RankedPlan) else (Plan.load(plan),)
    declared = Schema.load(schema)
    table = SourceTable.open(source, filename=filename, database=database)
    classified = Classified.of(table.columns, plans[0], declared, other)
    with staged(*places) as staging:
        keys = _Keys.of(staging, key, vault_key)
        carrying_out = _CarryingOut(table, classified.schema, staging, f"data.{format}", plan_keys)
        carried = carrying_out.first_that_fits(plans, before_noise, progress)
        decision = _decided(carried, model, override)
        compared = columns_to_compare(carried.plan, carried.used, table.columns)
        original = read(source, carried.used, columns=compared, filename=filename, database=database)
        about = _About(decision, review, pdf, original)
        manifest = _Writing(carried, staging, keys, about, *places).everything()
        refuse_false(staging.public, PublicKey.of(keys.signing))
    applied = _in_place(carried, *places)
    return Release(*places, carried.plan, applied, manifest, decision, classified.unspoken)


@dataclass(frozen=True)
class _Keys:
    signing: Key
    vault: Key

    @classmethod
    def of(cls, staging: Staging, signing: KeyPlace | None, vault: KeyPlace | None) -> "_Keys":
        """The keys that are given, and a new one in the private folder for what none is given for."""
        given = [None if place is None else load_key(place) for place in (signing, vault)]
        if None not in given:
            return cls(*filter(None, given))
        new = Key.new()
        write_whole(staging.private / KEY, new.written(), mode=PRIVATE)
        return cls(*(each or new for each in given))


@dataclass(frozen=True)
class _Carried:
    """A plan that was carried out."""

    plan: Plan
    applied: Applied
    used: Schema
    links: Links
    data: Path


@dataclass(frozen=True)
class _CarryingOut:
    table: SourceTable
    schema: Schema
    staging: Staging
    data: str
    plan_keys: KeyPlace | Iterable[KeyPlace] | None

    def first_that_fits(
        self,
        plans: tuple[Plan, ...],
        before_noise: Callable[[Privacy], object] | None,
        progress: Progress | None,
    ) -> _Carried:
        """The first plan that does not mask more than it may, carried out; refused when the criteria are not met."""
        *earlier, last = plans
        for plan in earlier:
            try:
                return self._carried(plan, before_noise, progress)
            except SuppressionError:
                continue
        return self._carried(last, before_noise, progress)

    def _carried(
        self, plan: Plan, before_noise: Callable[[Privacy], object] | None, progress: Progress | None
    ) -> _Carried:
        links = Links()
        applied = apply_to_table(
            self.table,
            plan,
            self.staging.public / self.data,
            self.schema,
            key=self.plan_keys,
            private=self.staging.private,
            before_noise=before_noise,
            progress=progress,
            last=links.writer,
        )
        if not applied.holds:
            raise RefusedError("release.not-met", verdict=str(applied.judgement))
        completed = plan.completed(self.schema)
        used = schema_in_use(completed, self.schema)
        return _Carried(completed, applied, used, links, self.staging.public / self.data)


@dataclass(frozen=True, eq=False)
class _About:
    """What is to be reported besides what the plan did."""

    decision: Decision | None
    review: date | None
    pdf: bool
    original: Dataset


@dataclass(frozen=True)
class _Writing:
    """Writes what belongs to a release besides its data."""

    carried: _Carried
    staging: Staging
    keys: _Keys
    about: _About
    out: Path
    private: Path

    def everything(self) -> Manifest:
        """The private part first, and the manifest last."""
        release = secrets.token_hex(16)
        carried = self.carried
        released = released_data(carried.data)
        claims = list(claims_of(carried.applied, carried.plan.criteria, carried.used, released))
        labels = labels_in_use(carried.used)
        dictionary = Dictionary.of(carried.plan, carried.used, labels, released, carried.data.name)
        reports = self._reports(claims, dictionary, released)
        self._write_private(release, reports)
        dictionary.write(self.staging.public)
        reports.write(self.staging.public, private=False)
        manifest = self._manifest(release, claims)
        manifest.write(self.staging.public)
        return manifest

    def _reports(self, claims: list[Claim], dictionary: Dictionary, released: Dataset) -> Reports:
        carried, about = self.carried, self.about
        told = Told(claims, dictionary, about.decision, about.review)
        facts = facts_of(self.out.name, carried.plan, carried.applied, carried.used, told, about.original, released)
        return Reports(facts, about.pdf)

    def _write_private(self, release: str, reports: Reports) -> None:
        folder, carried = self.staging.private, self.carried
        write_vault(folder, carried.links, release, self.keys.vault)
        write_whole(folder / PLAN, carried.plan.to_yaml(), mode=PRIVATE)
        reports.write(folder, private=True)
        write_whole(folder / PUBLIC_KEY, PublicKey.of(self.keys.signing).written(), mode=PRIVATE)
        result = {
            "release": release,
            "applied": _in_place(carried, self.out, self.private).as_json(),
            "decision": None if self.about.decision is None else self.about.decision.as_json(),
        }
        write_whole(folder / RESULT, json.dumps(result, ensure_ascii=False, indent=2) + "\n", mode=PRIVATE)

    def _manifest(self, release: str, claims: list[Claim]) -> Manifest:
        content = {
            "id": release,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "software": f"biombo {software_version()}",
            "data": self.carried.data.name,
            "files": {path.name: hashed(path) for path in sorted(self.staging.public.iterdir())},
            "claims": [claim.to_tree() for claim in claims],
        }
        return Manifest.signed(content, self.keys.signing)


def _in_place(carried: _Carried, out: Path, private: Path) -> Applied:
    """What the plan did, with its files where they are by now."""
    tables = tuple(private / path.name for path in carried.applied.identity_tables)
    return replace(carried.applied, out=out / carried.data.name, identity_tables=tables)


def _decided(carried: _Carried, model: ReleaseModel | None, override: str | None) -> Decision | None:
    """Whether the risk is acceptable. Raises where it is not, and nobody says why to publish all the same."""
    if model is None:
        return None
    if carried.applied.judgement is None:
        raise UsageError("release.nothing-judged")
    decision = decide(model, carried.applied.judgement, override=override)
    if not decision.allowed:
        raise RefusedError("release.above-threshold", decision=" ".join(decision.sentences()))
    return decision


def _refuse_format(given: str) -> None:
    if given not in get_args(Format):
        raise UsageError("release.format", given=given, answers=", ".join(get_args(Format)))


def _warn_of_no_pdf(wanted: bool) -> None:
    if wanted and not can_draw_pdf():
        warnings.warn(text("errors.release.no-pdf"), BiomboWarning, stacklevel=3)
