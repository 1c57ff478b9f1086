"""``biombo risk``: what adversaries gain from a table."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from typer import Option

from biombo._cli.frame import DONE, NOT_MET
from biombo._cli.options import READING, Files, Force, Full, Json, Schema, Sensitive, Title
from biombo._cli.request import command
from biombo._cli.terminal import (
    cell,
    output,
    plain,
    print_dropped,
    print_json,
    print_lines,
    print_verdict,
    progress_shown,
    say,
    table,
)
from biombo._cli.typed import names, pairs
from biombo._errors import UsageError
from biombo._i18n import integer, number, percent, text
from biombo._requests import RiskRequest

if TYPE_CHECKING:
    import polars as pl
    from rich.console import Console
    from rich.text import Text

    from biombo._attack import (
        AttributeInference,
        Membership,
        MembershipByPart,
        PopulationRisk,
        Reidentification,
        Risk,
        RiskByPart,
    )
    from biombo._requests import RiskOutcome

_OPTIONS = {
    "files": Files,
    "schema": Schema,
    "quasi": Annotated[str | None, Option("--quasi", metavar="a,b,c", help="cli.option.quasi"), names],
    "sensitive": Sensitive,
    "max_size": Annotated[int | None, Option("--max-size", metavar="N", help="cli.risk.max-size")],
    "by": Annotated[str | None, Option("--by", metavar="a,b", help="cli.risk.by"), names],
    "max_posterior": Annotated[
        float | None, Option("--max-posterior", metavar="cli.metavar.share", help="cli.risk.max-posterior")
    ],
    "out": Annotated[Path | None, Option("--out", metavar="cli.metavar.folder", help="cli.risk.out")],
    "title": Title,
    "full": Full,
    "json": Json,
    "csv": Annotated[bool, Option("--csv", help="cli.risk.csv")],
    "through": Annotated[list[str] | None, Option("--through", metavar="cli.metavar.through", help="cli.risk.through")],
    "private": Annotated[Path | None, Option("--private", metavar="cli.metavar.folder", help="cli.risk.private")],
    "records": Annotated[str | None, Option("--records", metavar="a,b,c", help="cli.risk.records"), names],
    "target": Annotated[list[str] | None, Option("--target", metavar="a=1,b=2", help="cli.risk.target"), pairs],
    "population": Annotated[
        str | None, Option("--population", metavar="cli.metavar.files", help="cli.risk.population")
    ],
    "population_schema": Annotated[
        str | None, Option("--population-schema", metavar="cli.metavar.schema", help="cli.risk.population-schema")
    ],
    "repeated": Annotated[
        Literal["refuse", "count-once"], Option("--repeated", metavar="refuse|count-once", help="cli.risk.repeated")
    ],
    "fraction": Annotated[float | None, Option("--fraction", metavar="cli.metavar.share", help="cli.risk.fraction")],
    "weight": Annotated[str | None, Option("--weight", metavar="cli.metavar.column", help="cli.risk.weight")],
    "force": Force,
    **READING,
}


def _attacked(request: RiskRequest, full: bool, json: bool, csv: bool) -> int:
    """Print what adversaries gain; exit code 1 where that is more than they may."""
    if json and csv:
        raise UsageError("usage.json-and-csv")
    with progress_shown():
        outcome = request.run()
    _show(outcome, full, json, csv)
    if not outcome.holds and request.max_posterior is not None:
        found, limit = (percent(share, 2) for share in (outcome.risk.max_posterior, request.max_posterior))
        say(text("risk.above", found=found, limit=limit))
        return NOT_MET
    return DONE


risk = command(RiskRequest, _OPTIONS, _attacked)


def _show(outcome: "RiskOutcome", full: bool, json: bool, csv: bool) -> None:
    from biombo._engine import csv_text

    if json:
        print_json(outcome.as_json())
    elif csv:
        print(csv_text(outcome.as_table()), end="")
    else:
        if full:
            _print_all(outcome, output())
        if outcome.person is not None:
            print_lines([str(outcome.person)], output())
        print_verdict(outcome.verdict(), output(), full=full)


def _print_all(outcome: "RiskOutcome", console: "Console") -> None:
    print_tables(outcome.risk, console)
    _print_members(outcome, console)
    if outcome.estimate is not None:
        _print_estimates(outcome.estimate, console)
    console.print()


def _print_members(outcome: "RiskOutcome", console: "Console") -> None:
    from biombo._attack import Membership

    if isinstance(outcome.membership, Membership):
        _print_membership(outcome.membership, _sensitive(outcome.risk), console)
    elif outcome.membership is not None:
        _print_membership_by_part(outcome.membership, console)


def _sensitive(found: "Risk | RiskByPart") -> Sequence[str]:
    from biombo._attack import Risk

    return found.reidentification.evidence.scope.sensitive if isinstance(found, Risk) else ()


def print_tables(found: "Risk | RiskByPart", console: "Console") -> None:
    """The strongest attacks, with the words to read them."""
    from biombo._attack import Risk

    if isinstance(found, Risk):
        _print_risk(found, console)
    else:
        _print_parts(found, console)


def _print_risk(found: "Risk", console: "Console") -> None:
    print_dropped(found.dropped, console)
    for binning in found.reidentification.evidence.binnings:
        edges = "; ".join(number(edge, 2) for edge in binning.edges)
        line = text("risk.binned", column=plain(binning.column), intervals=binning.intervals, edges=edges)
        console.print(line, style="dim", soft_wrap=True)
    if found.attribute_inference is not None:
        _print_inference(found.attribute_inference, console)
    _print_reidentification(found.reidentification, console)


def _print_inference(inference: "AttributeInference", console: "Console") -> None:
    import polars as pl

    for name in inference.sensitive:
        prior = inference.priors[name]
        console.print(text("risk.prior", sensitive=plain(name), prior=prior), style="bold", soft_wrap=True)
        console.print()
        about = pl.col("sensitive") == name
        _print_table(console, "risk.best", "size", inference.best().filter(about))
        _print_table(console, "risk.adversaries", "adversary", _named(inference.adversaries().filter(about)))
        _print_table(console, "risk.missing", "without", inference.without_each().filter(about).drop("quasi"))


def _print_reidentification(reidentification: "Reidentification", console: "Console") -> None:
    import polars as pl

    best, certain = _short_of_all(reidentification.best(), "size", pl.col("unique") == reidentification.rows)
    shown = table(text("risk.identity.title", prior=reidentification.prior))
    for key in ("size", "quasi", "groups", "unique", "posterior"):
        shown.add_column(text(f"risk.column.{key}"), justify="left" if key == "quasi" else "right", overflow="fold")
    for row in best.iter_rows(named=True):
        unique = f"{integer(row['unique'])} ({percent(row['unique'] / reidentification.rows)})"
        columns = cell(", ".join(row["quasi"]))
        shown.add_row(str(row["size"]), columns, integer(row["groups"]), unique, percent(row["posterior"], 2))
    if len(best):
        console.print(shown)
    _print_certain("risk.identity", certain, console)


def _print_table(console: "Console", title: str, key: str, rows: "pl.DataFrame") -> None:
    """A table of attacks: what tells them apart, the columns known where they are given, and what they gain."""
    import polars as pl

    rows, certain = _short_of_all(rows, key, pl.col("posterior") == 1)
    shown = table(text(f"{title}.title"))
    shown.add_column(text(f"risk.column.{key}"), justify="right" if key == "size" else "left", overflow="fold")
    if "quasi" in rows.columns:
        shown.add_column(text("risk.column.quasi"), overflow="fold")
    for number_key in ("posterior", "leakage", "multiplicative"):
        shown.add_column(text(f"risk.column.{number_key}"), justify="right", no_wrap=True)
    for row in rows.iter_rows(named=True):
        known = [cell(", ".join(row["quasi"]))] if "quasi" in row else []
        shown.add_row(cell(str(row[key])), *known, *_gains(row))
    if len(rows):
        console.print(shown)
    _print_certain(title, certain, console)
    if len(rows) or certain:
        console.print()


def _named(adversaries: "pl.DataFrame") -> "pl.DataFrame":
    """The adversaries by their words in the language in use, where there are some."""
    import polars as pl

    from biombo._attack import adversary_name

    return adversaries.with_columns(
        pl.Series("adversary", list(map(adversary_name, adversaries["adversary"])), pl.String)
    )


def _short_of_all(rows: "pl.DataFrame", key: str, is_all: "pl.Expr") -> "tuple[pl.DataFrame, list[str]]":
    """The rows that tell more than that it happens to everybody, and what the others are called."""
    return rows.filter(~is_all), [str(each) for each in rows.filter(is_all)[key]]


def _print_certain(title: str, certain: "Sequence[str]", console: "Console") -> None:
    if certain:
        print_lines([text(f"{title}.all", which=", ".join(certain))], console)


def _gains(row: dict[str, Any]) -> "list[Text]":
    points = text("risk.points", value=number(100 * row["leakage"], 2))
    return [cell(percent(row["posterior"], 2)), cell(points), cell(f"{number(row['multiplicative'], 2)}×")]


def _print_parts(found: "RiskByPart", console: "Console") -> None:
    import polars as pl

    inference = found.attribute_inference
    if inference is None:
        _print_part_identities(found, console)
        return
    for name in inference.priors()["sensitive"].unique(maintain_order=True):
        _print_part_leakages(found, name, console)
        correlation = inference.correlation().filter(pl.col("sensitive") == name)
        if correlation.select(pl.any_horizontal(pl.col("records", "entropy").is_not_null()).any()).item():
            _print_correlation(correlation, console)


def _print_part_leakages(found: "RiskByPart", sensitive: str, console: "Console") -> None:
    import polars as pl

    from biombo._attack import part_key

    shown = table(text("risk.parts.title", sensitive=plain(sensitive)))
    for key in ("part", "records", "prior"):
        shown.add_column(text(f"risk.column.{key}"), justify="left" if key == "part" else "right")
    sizes = range(1, 1 + max(len(r.reidentification.best()) for r in found.parts.values()))
    for size in sizes:
        shown.add_column(str(size), justify="right", no_wrap=True)
    for part, risk in found.parts.items():
        inference = risk.attribute_inference
        assert inference is not None
        best = inference.best().filter(pl.col("sensitive") == sensitive)["leakage"]
        gains = [number(100 * leakage, 2) for leakage in best]
        shown.add_row(cell(part_key(part)), integer(risk.rows), percent(inference.priors[sensitive], 2), *gains)
    console.print(shown)
    console.print()


def _print_part_identities(found: "RiskByPart", console: "Console") -> None:
    from biombo._attack import part_key

    shown = table(text("risk.parts.identity"))
    for key in ("part", "records", "groups", "unique"):
        shown.add_column(text(f"risk.column.{key}"), justify="left" if key == "part" else "right")
    for part, risk in found.parts.items():
        strongest = risk.reidentification.best().row(-1, named=True)
        numbers = (risk.rows, strongest["groups"], strongest["unique"])
        shown.add_row(cell(part_key(part)), *map(integer, numbers))
    console.print(shown)


def _print_correlation(correlation: "pl.DataFrame", console: "Console") -> None:
    shown = table(text("risk.correlation.title"))
    for key in ("size", "with-records", "with-entropy"):
        shown.add_column(text(f"risk.column.{key}"), justify="right")
    for row in correlation.iter_rows(named=True):
        shown.add_row(str(row["size"]), _coefficient(row["records"]), _coefficient(row["entropy"]))
    console.print(shown)
    console.print()


def _coefficient(value: float | None) -> str:
    return text("risk.correlation.undefined") if value is None else number(value, 2)


def _print_membership(found: "Membership", sensitive: Sequence[str], console: "Console") -> None:
    """The most telling subsets, what they amount to, and what members then lose."""
    from biombo._attack import member_loss

    intro = text("risk.membership.intro", sampled=found.sampled, people=found.people, prior=found.prior)
    console.print()
    console.print(intro, style="bold", soft_wrap=True)
    console.print()
    console.print(_best(found))
    console.print()
    posterior = found.subsets["bayes_posterior"].max()
    console.print(text("risk.membership.bayes", prior=found.bayes_prior, posterior=posterior), soft_wrap=True)
    for name in sensitive:
        loss = member_loss(found, found.quasi, name)
        steps = {"membership": loss.membership, "attribute": loss.attribute, "both": loss.both}
        console.print(text("risk.membership.loss", sensitive=plain(name), **steps), soft_wrap=True)
    strangers = found.subsets["not_found"].max()
    if strangers:
        console.print(text("risk.membership.not-found", people=strangers), style="dim", soft_wrap=True)


def _print_membership_by_part(found: "MembershipByPart", console: "Console") -> None:
    """The most telling subset of each part."""
    from biombo._attack import part_key

    shown = table(text("risk.membership.by-part"))
    shown.add_column(text("risk.column.part"))
    for key in ("sampled", "people", "prior"):
        shown.add_column(text(f"risk.membership.{key}"), justify="right", no_wrap=True)
    shown.add_column(text("risk.column.quasi"), overflow="fold")
    for key in ("mean", "worst", "unique-both"):
        shown.add_column(text(f"risk.membership.{key}"), justify="right", no_wrap=True)
    for part, row in zip(found.parts, found.best().iter_rows(named=True), strict=True):
        shown.add_row(
            cell(part_key(part)),
            integer(row["sampled"]),
            integer(row["people"]),
            percent(row["prior"], 2),
            cell(", ".join(row["quasi"])),
            percent(row["posterior"], 2),
            percent(row["worst"], 2),
            integer(row["unique_both"]),
        )
    console.print()
    console.print(shown)


def _print_estimates(found: "PopulationRisk", console: "Console") -> None:
    """What the sample suggests about a population that nobody has."""
    estimate = found.estimate
    fraction = text("risk.estimate.intro", fraction=estimate.sample.fraction, uniques=estimate.sample_uniques)
    console.print()
    console.print(fraction, style="bold", soft_wrap=True)
    console.print()
    shown = table(text("risk.estimate.title"))
    shown.add_column(text("risk.estimate.measure"))
    shown.add_column(text("risk.estimate.value"), justify="right")
    rows = {
        "prosecutor": estimate.prosecutor.highest,
        "prosecutor-mean": estimate.prosecutor.mean,
        "journalist": estimate.journalist,
        "marketer": estimate.marketer,
        "dankar": estimate.dankar.share,
        "pitman": estimate.pitman.share,
        "snb": estimate.snb.share,
        "zayatz": estimate.zayatz.share,
    }
    for key, value in rows.items():
        words = text("risk.estimate.none") if value is None else percent(value, 2)
        shown.add_row(text(f"risk.estimate.{key}"), words)
    console.print(shown)


def _best(found: "Membership") -> object:
    shown = table(text("risk.membership.title"))
    shown.add_column(text("risk.column.size"), justify="right")
    shown.add_column(text("risk.column.quasi"), overflow="fold")
    for key in ("mean", "worst", "certain", "unique-both"):
        shown.add_column(text(f"risk.membership.{key}"), justify="right", no_wrap=True)
    for row in found.best().iter_rows(named=True):
        shown.add_row(
            str(row["size"]),
            cell(", ".join(row["quasi"])),
            percent(row["posterior"], 2),
            percent(row["worst"], 2),
            integer(row["certain"]),
            integer(row["unique_both"]),
        )
    return shown
