"""What ``biombo risk`` prints: tables for people, CSV for programs."""

from typing import Any

import polars as pl
from rich.console import Console
from rich.text import Text

from biombo._attack import AttributeInference, Reidentification, Risk, RiskByPart, part_key
from biombo._cli.console import cell, plain, table
from biombo._cli.dropped import print_dropped
from biombo._engine import csv_text
from biombo._i18n import integer, number, percent, text


def print_csv(subsets: pl.DataFrame) -> None:
    """One row per subset."""
    print(csv_text(subsets), end="")


def print_tables(found: Risk | RiskByPart, label: str, console: Console) -> None:
    """The strongest attacks, with the words to read them."""
    if isinstance(found, Risk):
        _print_risk(found, label, console)
    else:
        _print_parts(found, label, console)


def _print_risk(found: Risk, label: str, console: Console) -> None:
    kept = found.rows / (found.rows + found.dropped.rows)
    console.print(text("risk.records", label=plain(label), rows=found.rows, kept=kept), soft_wrap=True)
    print_dropped(found.dropped, console)
    for binning in found.reidentification.evidence.binnings:
        edges = "; ".join(number(edge, 2) for edge in binning.edges)
        line = text("risk.binned", column=plain(binning.column), intervals=binning.intervals, edges=edges)
        console.print(line, style="dim", soft_wrap=True)
    console.print()
    if found.attribute_inference is not None:
        _print_inference(found.attribute_inference, console)
    _print_reidentification(found.reidentification, console)


def _print_inference(inference: AttributeInference, console: Console) -> None:
    for name in inference.sensitive:
        prior = inference.priors[name]
        console.print(text("risk.prior", sensitive=plain(name), prior=prior), style="bold", soft_wrap=True)
        console.print()
        about = pl.col("sensitive") == name
        best = inference.best().filter(about)
        _print_table(console, "risk.best", {"size": best["size"].to_list()}, best)
        adversaries = inference.adversaries().filter(about)
        if len(adversaries):
            _print_table(console, "risk.adversaries", {"adversary": adversaries["adversary"].to_list()}, adversaries)
        missing = inference.without_each().filter(about)
        if len(missing):
            _print_table(console, "risk.missing", {"without": missing["without"].to_list()}, missing.drop("quasi"))


def _print_reidentification(reidentification: Reidentification, console: Console) -> None:
    best = reidentification.best()
    shown = table(text("risk.identity.title", prior=reidentification.prior))
    for key in ("size", "quasi", "groups", "unique", "posterior"):
        shown.add_column(text(f"risk.column.{key}"), justify="left" if key == "quasi" else "right", overflow="fold")
    for row in best.iter_rows(named=True):
        unique = f"{integer(row['unique'])} ({percent(row['unique'] / reidentification.rows)})"
        columns = cell(", ".join(row["quasi"]))
        shown.add_row(str(row["size"]), columns, integer(row["groups"]), unique, percent(row["posterior"], 2))
    console.print(shown)


def _print_table(console: Console, title: str, first: dict[str, list[Any]], rows: pl.DataFrame) -> None:
    """A table of attacks: what tells them apart, the columns known where they are given, and what they gain."""
    shown = table(text(f"{title}.title"))
    ((key, heads),) = first.items()
    shown.add_column(text(f"risk.column.{key}"), justify="right" if key == "size" else "left", overflow="fold")
    if "quasi" in rows.columns:
        shown.add_column(text("risk.column.quasi"), overflow="fold")
    for number_key in ("posterior", "leakage", "multiplicative"):
        shown.add_column(text(f"risk.column.{number_key}"), justify="right", no_wrap=True)
    for head, row in zip(heads, rows.iter_rows(named=True), strict=True):
        known = [cell(", ".join(row["quasi"]))] if "quasi" in row else []
        shown.add_row(cell(str(head)), *known, *_gains(row))
    console.print(shown)
    console.print()


def _gains(row: dict[str, Any]) -> list[Text]:
    points = text("risk.points", value=number(100 * row["leakage"], 2))
    return [Text(percent(row["posterior"], 2)), Text(points), Text(f"{number(row['multiplicative'], 2)}×")]


def _print_parts(found: RiskByPart, label: str, console: Console) -> None:
    by = ", ".join(found.by)
    console.print(text("risk.parts.intro", label=plain(label), parts=len(found.parts), by=plain(by)), soft_wrap=True)
    console.print()
    inference = found.attribute_inference
    if inference is None:
        _print_part_identities(found, console)
        return
    for name in inference.priors()["sensitive"].unique(maintain_order=True):
        _print_part_leakages(found, name, console)
        correlation = inference.correlation().filter(pl.col("sensitive") == name)
        if correlation.select(pl.any_horizontal(pl.col("records", "entropy").is_not_null()).any()).item():
            _print_correlation(correlation, console)


def _print_part_leakages(found: RiskByPart, sensitive: str, console: Console) -> None:
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


def _print_part_identities(found: RiskByPart, console: Console) -> None:
    shown = table(text("risk.parts.identity"))
    for key in ("part", "records", "groups", "unique"):
        shown.add_column(text(f"risk.column.{key}"), justify="left" if key == "part" else "right")
    for part, risk in found.parts.items():
        strongest = risk.reidentification.best().row(-1, named=True)
        numbers = (risk.rows, strongest["groups"], strongest["unique"])
        shown.add_row(cell(part_key(part)), *map(integer, numbers))
    console.print(shown)


def _print_correlation(correlation: pl.DataFrame, console: Console) -> None:
    shown = table(text("risk.correlation.title"))
    for key in ("size", "with-records", "with-entropy"):
        shown.add_column(text(f"risk.column.{key}"), justify="right")
    for row in correlation.iter_rows(named=True):
        shown.add_row(str(row["size"]), _coefficient(row["records"]), _coefficient(row["entropy"]))
    console.print(shown)
    console.print()


def _coefficient(value: float | None) -> str:
    return text("risk.correlation.undefined") if value is None else number(value, 2)
