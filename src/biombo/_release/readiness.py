"""What comes before a release is made: all that the request and the columns of the table tell, checked."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from biombo._criteria import smallest_group_asked
from biombo._data import Schema, SourceTable, declared_schema
from biombo._engine import LOCAL, Engine
from biombo._errors import ColumnError, UsageError
from biombo._i18n import text
from biombo._plan import Plan, check_population, keys_for, schema_in_use, selected, spoken_of, warn_of_plan
from biombo._release.decision import ReleaseModel
from biombo._release.decision.arguments import check_override, checked_reasons
from biombo._release.estimate import PublishEstimate, estimate_of
from biombo._release.protection import (
    Protection,
    noised_quasi,
    refuse_after_noise,
    refuse_late_drops,
    refuse_unguarded,
)
from biombo._release.reports import column_to_predict
from biombo._release.staging import places_of, refuse_places
from biombo._report import can_draw_pdf
from biombo._secrets import KeyPlace, load_keys
from biombo._watch import warn

Format = Literal["csv", "parquet"]


@dataclass(frozen=True, eq=False)
class Readiness:
    """What a release is made with."""

    places: tuple[Path, Path]
    plan: Plan
    table: SourceTable
    declared: Schema
    """With the columns that a person wants to release as they are."""
    accepted: Mapping[str, str]
    protection: Protection
    target: str | None
    """The column to predict."""
    estimate: PublishEstimate | None
    population: Any = None
    """A table of the population, where criteria are counted in it."""


def ready_to_publish(
    source: Any,
    plan: Plan | str | Path,
    out: str | Path,
    *,
    private: str | Path | None = None,
    schema: Schema | str | Path | None = None,
    other: Iterable[str] = (),
    accept: Mapping[str, str] | None = None,
    unprotected: str | None = None,
    format: Format = "csv",
    model: ReleaseModel | None = None,
    override: str | None = None,
    pdf: bool = False,
    predict: str | None = None,
    key: KeyPlace | None = None,
    vault_key: KeyPlace | None = None,
    plan_keys: KeyPlace | Iterable[KeyPlace] | None = None,
    filename: str | None = None,
    database: str | None = None,
    sheet: str | None = None,
    population: Any = None,
    held: bool = False,
    engine: Engine = LOCAL,
) -> Readiness:
    """Raise whatever can be known before a release is made; nothing is. The arguments are those of
    :func:`biombo.publish`; where rows are not ``held``, those of a query or a stream are left alone.
    """
    _refuse_format(format)
    check_override(override)
    _warn_of_no_pdf(pdf)
    places = places_of(out, private)
    refuse_places(*places)
    loaded, said = Plan.load(plan), declared_schema(source, schema)
    accepted = checked_reasons(accept or {})
    protection = Protection.of(loaded, said, unprotected, decided=model is not None)
    _refuse_undecidable(loaded, said, model)
    whole = SourceTable.open(source, filename=filename, database=database, sheet=sheet)
    table = selected(whole, loaded.selections)
    estimate = estimate_of(table, pdf=pdf)
    if estimate is not None:
        estimate.refuse_full_disk(*places)
    load_keys([place for place in (key, vault_key) if place is not None])
    keys_for(loaded, plan_keys)
    table.check(list(accepted))
    table = table.held() if held else table
    declared = spoken_of(table, loaded, said, other, accepted)
    used = schema_in_use(loaded.completed(declared), declared)
    check_population(loaded, used, population, engine)
    warn_of_plan(loaded, used)
    refuse_late_drops(loaded)
    refuse_unguarded(loaded, used)
    refuse_after_noise(loaded, used)
    _refuse_kept_back(accepted, loaded.completed(declared), declared)
    target = column_to_predict(predict, table, loaded, declared)
    return Readiness(places, loaded, table, declared, accepted, protection, target, estimate, population)


def _refuse_undecidable(plan: Plan, schema: Schema, model: ReleaseModel | None) -> None:
    """The risk follows from the groups, or is measured where quasi columns are noised."""
    if model is not None and smallest_group_asked(plan.criteria) is None and not noised_quasi(plan, schema):
        raise UsageError("release.nothing-judged")


def _refuse_kept_back(accepted: Iterable[str], plan: Plan, schema: Schema) -> None:
    """Raise where somebody accepts a column that nobody releases: one of the two is a mistake."""
    used = schema_in_use(plan, schema)
    replaced = {name for operation in plan.operations for name in operation.releases}
    for name in accepted:
        if used[name].kept_back and name not in replaced:
            raise ColumnError("release.accept-kept-back", column=name)


def _refuse_format(given: str) -> None:
    if given not in get_args(Format):
        raise UsageError("release.format", given=given, answers=", ".join(get_args(Format)))


def _warn_of_no_pdf(wanted: bool) -> None:
    if wanted and not can_draw_pdf():
        warn(text("errors.release.no-pdf"))
