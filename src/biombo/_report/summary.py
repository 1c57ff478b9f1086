"""What a manager reads first: how exposed people are, in plain words, and what to do about it."""

from dataclasses import dataclass

import polars as pl
from markupsafe import Markup

from biombo._attack import AttributeInference, Findings, Reidentification, Risk, Row
from biombo._i18n import integer, text
from biombo._report.advice import advice
from biombo._report.blocks import Drawing, Figure, Table, numbers, words
from biombo._report.charts.hundred import hundred
from biombo._report.charts.style import ACCENT, WARNING
from biombo._report.charts.svg import drawn
from biombo._report.names import Names, marked
from biombo._report.records_used import used
from biombo._report.spread import HIGH
from biombo._report.words import counted, per_hundred, percentage, points, rich


@dataclass(frozen=True)
class Fact:
    """One number that deserves large type, and what it counts."""

    number: str
    words: Markup


@dataclass(frozen=True)
class Summary:
    """The first page."""

    lead: tuple[Markup, ...]
    squares: Figure
    facts: tuple[Fact, ...]
    used: Markup
    steps: tuple[Markup, ...]
    overview: Table | None = None
    """Where several columns are sensitive: all of them."""
    members: Markup | str = ""
    """Where the table is a sample: how much it tells about who is in it."""


def summary(risk: Risk, names: Names) -> Summary:
    """The summary on one table."""
    if risk.attribute_inference is None:
        return _of_picking(risk, names)
    attack = risk.attribute_inference
    findings = {target: Findings.of_inference(attack, target) for target in attack.sensitive}
    target = _most_exposed(attack, findings)
    found = findings[target]
    return Summary(
        lead=(_guess_lead(target, found, len(attack.quasi), names),),
        squares=squares(found.prior, found.posterior, len(found.strongest["quasi"])),
        facts=(_certain(attack, target, found), _unique(risk.reidentification)),
        used=used(risk, names),
        steps=tuple(advice(found, _strongest_adversary(attack.adversaries(), target), names)),
        overview=_overview(findings, names) if len(findings) > 1 else None,
    )


def _most_exposed(attack: AttributeInference, findings: dict[str, Findings]) -> str:
    """The sensitive column, taken alone, about which an adversary gains most."""
    alone = attack.evidence.question.sensitive
    return max(alone, key=lambda target: findings[target].leakage)


def _of_picking(risk: Risk, names: Names) -> Summary:
    attack = risk.reidentification
    found = Findings.of_reidentification(attack)
    strongest = found.strongest
    lead = counted(
        "report.summary.pick",
        strongest["size"],
        columns=names.told(strongest["quasi"]),
        posterior=per_hundred(found.posterior),
        rows=risk.rows,
    )
    groups = Fact(integer(strongest["groups"]), counted("report.summary.groups", strongest["size"]))
    return Summary(
        lead=(lead,),
        squares=squares(found.prior, found.posterior, strongest["size"]),
        facts=(_unique(attack), groups),
        used=used(risk, names),
        steps=tuple(advice(found, _strongest_adversary(attack.adversaries(), None), names)),
    )


def _guess_lead(target: str, found: Findings, columns: int, names: Names) -> Markup:
    sensitive = marked(names.columns[target])
    if found.leakage <= 0:
        return rich("report.summary.no-gain", sensitive=sensitive, prior=per_hundred(found.prior), columns=columns)
    return counted(
        "report.summary.guess",
        found.strongest["size"],
        columns=names.told(found.strongest["quasi"]),
        sensitive=sensitive,
        posterior=per_hundred(found.posterior),
        prior=per_hundred(found.prior),
    )


def squares(prior: float, posterior: float, facts: int, part: str = "") -> Figure:
    """Two times a hundred squares: before and after the facts are known."""
    before, after = text("report.summary.before"), str(counted("report.summary.after", facts))
    drawings = tuple(
        Drawing(drawn(hundred(share, colour), heading, per_hundred(share)), heading, per_hundred(share))
        for heading, share, colour in ((before, prior, ACCENT), (after, posterior, WARNING))
    )
    rows = [[before, percentage(prior)], [after, percentage(posterior)]]
    data = Table.of(text("report.summary.squares"), [words("known"), numbers("right")], rows)
    return Figure(text("report.summary.squares"), drawings, part, data)


def _certain(attack: AttributeInference, target: str, found: Findings) -> Fact:
    spread = attack.distribution(found.strongest["quasi"], target)
    count = spread.count_above(HIGH)
    return Fact(integer(count), rich("report.summary.certain", share=count / attack.rows, high=HIGH))


def _unique(attack: Reidentification) -> Fact:
    row = attack.best().row(-1, named=True)
    share = row["unique"] / attack.rows
    return Fact(integer(row["unique"]), counted("report.summary.unique", row["size"], share=share))


def _overview(findings: dict[str, Findings], names: Names) -> Table:
    headings = [words("sensitive"), *map(numbers, ("prior", "posterior", "leakage", "facts"))]
    rows = [
        [
            names.columns[target],
            percentage(found.prior),
            percentage(found.posterior),
            points(found.leakage),
            integer(found.strongest["size"]),
        ]
        for target, found in findings.items()
    ]
    return Table.of(text("report.summary.overview"), headings, rows)


def _strongest_adversary(adversaries: pl.DataFrame, target: str | None) -> Row | None:
    rows = adversaries if target is None else adversaries.filter(pl.col("sensitive") == target)
    return None if rows.is_empty() else rows.sort("posterior").row(-1, named=True)
