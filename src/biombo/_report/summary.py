"""What a manager reads first: how exposed people are, in plain words, and what to do about it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl
from markupsafe import Markup

from biombo._attack import AttributeInference, Reidentification, Risk
from biombo._i18n import integer, text
from biombo._report.blocks import Drawing, Figure, Table, numbers, words
from biombo._report.charts.hundred import hundred
from biombo._report.charts.style import ACCENT, WARNING
from biombo._report.charts.svg import drawn
from biombo._report.findings import Fall, Findings, guessing, picking
from biombo._report.names import Names, displayed, marked
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


def summary(risk: Risk, names: Names) -> Summary:
    """The summary on one table."""
    if risk.attribute_inference is None:
        return _of_picking(risk, names)
    attack = risk.attribute_inference
    findings = {target: guessing(attack, target) for target in attack.sensitive}
    target = most_exposed(attack, findings)
    found = findings[target]
    return Summary(
        lead=(_guess_lead(target, found, len(attack.quasi), names),),
        squares=squares(found.prior, found.posterior, len(found.strongest["quasi"])),
        facts=(_certain(attack, target, found), _unique(risk.reidentification)),
        used=used(risk, names),
        steps=tuple(_steps(found, _strongest_adversary(attack.adversaries(), target), names)),
        overview=_overview(findings, names) if len(findings) > 1 else None,
    )


def most_exposed(attack: AttributeInference, findings: dict[str, Findings]) -> str:
    """The sensitive column, taken alone, about which an adversary gains most."""
    alone = attack.evidence.question.sensitive
    return max(alone, key=lambda target: findings[target].leakage)


def _of_picking(risk: Risk, names: Names) -> Summary:
    attack = risk.reidentification
    found = picking(attack)
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
        steps=tuple(_steps(found, _strongest_adversary(attack.adversaries(), None), names)),
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
    words = counted("report.summary.unique", row["size"], share=row["unique"] / attack.rows)
    return Fact(integer(row["unique"]), words)


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


def _strongest_adversary(adversaries: pl.DataFrame, target: str | None) -> dict[str, object] | None:
    rows = adversaries if target is None else adversaries.filter(pl.col("sensitive") == target)
    return None if rows.is_empty() else rows.sort("posterior").row(-1, named=True)


def _steps(found: Findings, adversary: dict[str, object] | None, names: Names) -> Iterator[Markup]:
    yield _what_matters(found, names)
    idle = [fall.column for fall in found.falls if fall.fall == 0]
    if idle and len(idle) < len(found.falls):
        yield counted("report.step.idle", len(idle), columns=names.told(idle))
    yield who_could_know(adversary)
    yield rich("report.step.again")


def _what_matters(found: Findings, names: Names) -> Markup:
    """Which column to start with: the one without which the attack falls most, and what comes next."""
    first, second = _equally_decisive(found.falls), _equally_decisive(found.falls, nth=1)
    fall = first[0]
    values = {"posterior": found.posterior, "left": fall.posterior, "column": _told(first, names)}
    if fall.fall == 0:
        return rich("report.step.none-alone", posterior=found.posterior)
    if len(found.falls) == 1:
        return rich("report.step.only", **values)
    if len(first) > 1:
        return rich("report.step.tied", **values)
    if second[0].fall == 0:
        return rich("report.step.first", **values)
    next_ones = {"second": _told(second, names), "second_left": second[0].posterior}
    return counted("report.step.then", len(second), **values, **next_ones)


def _equally_decisive(falls: Sequence[Fall], nth: int = 0) -> list[Fall]:
    """The columns without which the attack falls most, or next to most, and so on."""
    steps = sorted({fall.fall for fall in falls}, reverse=True)
    return [fall for fall in falls if nth < len(steps) and fall.fall == steps[nth]]


def _told(falls: Sequence[Fall], names: Names) -> Markup:
    return names.told(fall.column for fall in falls)


def who_could_know(adversary: dict[str, object] | None) -> Markup:
    """The advice to think about who could attack."""
    if adversary is None:
        return rich("report.step.name-adversaries")
    name = marked(displayed(str(adversary["adversary"])))
    return rich("report.step.adversary", adversary=name, known=adversary["size"], posterior=adversary["posterior"])
