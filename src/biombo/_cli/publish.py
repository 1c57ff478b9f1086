"""``biombo publish``: from a table to a release that proves itself."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from typer import Option

from biombo._cli.asked import (
    SEARCHING,
    Asked,
    C,
    Hierarchies,
    K,
    L,
    Level,
    LKind,
    MaxLeakage,
    MaxSuppression,
    MaxVulnerability,
    Missing,
    Over,
    Prefer,
    Quasi,
    Schema,
    Sensitive,
    T,
    TimeLimit,
    TKind,
    Weights,
    WithoutInvalid,
)
from biombo._cli.console import output, print_json, say
from biombo._cli.days import day_of
from biombo._cli.lists import names
from biombo._cli.options import Database, Filename, Files, Json, Lang
from biombo._cli.publication import Publication
from biombo._cli.publish_plan import Wanted
from biombo._cli.registering import Access, Department, Recipients, RegisterAt, Registering, Review, What
from biombo._cli.release_model import (
    DECIDING,
    Acquaintances,
    Breach,
    Control,
    Controls,
    Harm,
    Measure,
    ModelName,
    ModelOptions,
    Motivation,
    Prevalence,
    Threshold,
)
from biombo._cli.run import DONE, NOT_MET
from biombo._errors import UsageError
from biombo._i18n import text

if TYPE_CHECKING:
    from biombo._release import Release

Other = Annotated[str | None, Option("--other", metavar="a,b", help="cli.publish.other")]
AcceptColumn = Annotated[list[str] | None, Option("--accept-column", metavar="a,b", help="cli.publish.accept-column")]
Reason = Annotated[str | None, Option("--reason", metavar="cli.metavar.text", help="cli.publish.reason")]
Unprotected = Annotated[str | None, Option("--unprotected", metavar="cli.metavar.text", help="cli.publish.unprotected")]
PlanFile = Annotated[Path | None, Option("--plan", metavar="cli.metavar.plan", help="cli.publish.plan")]
SmallGroups = Annotated[
    Literal["mask", "drop"],
    Option("--small-groups", metavar="mask|drop", help="cli.publish.small-groups", rich_help_panel=SEARCHING),
]
Out = Annotated[Path, Option("--out", metavar="cli.metavar.folder", help="cli.publish.out")]
Private = Annotated[Path | None, Option("--private", metavar="cli.metavar.folder", help="cli.publish.private")]
Format = Annotated[Literal["csv", "parquet"], Option("--format", metavar="csv|parquet", help="cli.publish.format")]
Pdf = Annotated[bool, Option("--pdf", help="cli.publish.pdf")]
Predict = Annotated[str | None, Option("--predict", metavar="a", help="cli.publish.predict")]
Key = Annotated[str | None, Option("--key", metavar="cli.metavar.key", help="cli.publish.key")]
VaultKey = Annotated[str | None, Option("--vault-key", metavar="cli.metavar.key", help="cli.publish.vault-key")]
PlanKeys = Annotated[list[str] | None, Option("--plan-key", metavar="cli.metavar.key", help="cli.publish.plan-key")]
Override = Annotated[
    str | None,
    Option(
        "--override-reason", metavar="cli.metavar.text", help="cli.publish.override-reason", rich_help_panel=DECIDING
    ),
]


def publish(
    files: Files,
    out: Out,
    plan: PlanFile = None,
    k: K = None,
    l: L = None,  # noqa: E741
    l_kind: LKind = "distinct",
    c: C = None,
    t: T = None,
    t_kind: TKind = "equal",
    max_vulnerability: MaxVulnerability = None,
    max_leakage: MaxLeakage = None,
    over: Over = "group",
    schema: Schema = None,
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    other: Other = None,
    accept_column: AcceptColumn = None,
    reason: Reason = None,
    unprotected: Unprotected = None,
    max_suppression: MaxSuppression = 0.0,
    hierarchies: Hierarchies = None,
    prefer: Prefer = None,
    level: Level = None,
    weights: Weights = None,
    missing: Missing = "stop",
    drop_invalid: WithoutInvalid = False,
    time_limit: TimeLimit = 0.0,
    small_groups: SmallGroups = "mask",
    private: Private = None,
    format: Format = "csv",
    pdf: Pdf = False,
    predict: Predict = None,
    key: Key = None,
    vault_key: VaultKey = None,
    plan_key: PlanKeys = None,
    release_model: ModelName = None,
    harm: Harm = None,
    threshold: Threshold = None,
    motivation: Motivation = None,
    controls: Controls = None,
    acquaintances: Acquaintances = None,
    prevalence: Prevalence = None,
    breach: Breach = None,
    control: Control = None,
    measure: Measure = None,
    override_reason: Override = None,
    register: RegisterAt = None,
    what: What = None,
    department: Department = None,
    recipient: Recipients = None,
    access: Access = "online",
    review: Review = None,
    json: Json = False,
    filename: Filename = None,
    database: Database = None,
    _lang: Lang = None,
) -> int:
    """Write the release and its private part, and print what holds; exit code 1 where it is refused."""
    model = ModelOptions(
        release_model,
        harm,
        threshold,
        motivation,
        controls,
        acquaintances,
        prevalence,
        breach,
        control,
        measure,
        override_reason,
    ).model()
    day = None if review is None else day_of("--review", review)
    registering = Registering(register, what, department, tuple(recipient or ()), access, day)
    asked = Asked(
        schema=schema,
        quasi=quasi,
        sensitive=sensitive,
        hierarchies=hierarchies,
        k=k,
        l=l,
        l_kind=l_kind,
        c=c,
        t=t,
        t_kind=t_kind,
        max_vulnerability=max_vulnerability,
        max_leakage=max_leakage,
        over=over,
        max_suppression=max_suppression,
        prefer=prefer,
        level=level,
        weights=weights,
        missing=missing,
        drop_invalid=drop_invalid,
        time_limit=time_limit,
    )
    options = {
        "private": private,
        "schema": schema,
        "other": names(other) or (),
        "accept": _accepted(accept_column, reason),
        "unprotected": unprotected,
        "small_groups": small_groups,
        "format": format,
        "pdf": pdf,
        "predict": predict,
        "model": model,
        "override": override_reason,
        "review": day,
        "key": key,
        "vault_key": vault_key,
        "plan_keys": plan_key,
    }
    where = {"filename": filename, "database": database}
    publication = Publication(files, out, Wanted(plan, asked), registering, where, options)
    publication.look_through()
    release = publication.made()
    if release is None:
        return NOT_MET
    _show(release, json)
    registering.add(release)
    return DONE


def _accepted(columns: list[str] | None, reason: str | None) -> dict[str, str]:
    """The columns that are accepted, each with the reason."""
    accepted = [name for typed in columns or () for name in names(typed) or ()]
    if bool(accepted) is not bool(reason and reason.strip()):
        raise UsageError("release.accept-reason")
    return dict.fromkeys(accepted, reason or "")


def _show(release: "Release", json: bool) -> None:
    from biombo._cli.publish_views import print_release

    if json:
        print_json(release.as_json())
    else:
        print_release(release, output())
    if release.unspoken:
        say(text("release.left-out", columns=", ".join(release.unspoken)))
    if release.decision is None:
        say(text("release.not-decided"))
