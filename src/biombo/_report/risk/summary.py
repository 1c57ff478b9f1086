"""What a manager reads first: how exposed people are, in plain words, and what to do about it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl
from markupsafe import Markup

from biombo._attack import AttributeInference, Fall, Findings, Part, Reidentification, Risk, RiskByPart, Row
from biombo._i18n import integer, text
from biombo._report.blocks import Drawing, Figure, Table, numbers, words
from biombo._report.charts.squares import hundred
from biombo._report.charts.style import ACCENT, WARNING
from biombo._report.charts.svg import drawn
from biombo._report.risk.records import used
from biombo._report.risk.spread import HIGH
from biombo._report.wording import Names, counted, displayed, enumerated, marked, per_hundred, percentage, points, rich

MOST_NAMED = 3
"""The most parts that a piece of advice names."""

Outcomes = Mapping[Part, Findings]


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
    alone = attack.evidence.scope.sensitive
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


def summary_of_parts(shown: RiskByPart, names: Names) -> Summary:
    """The summary on all parts that are shown."""
    attacks = shown.attribute_inference
    if attacks is None:
        found: Outcomes = {
            part: Findings.of_reidentification(risk.reidentification) for part, risk in shown.parts.items()
        }
        return _of_parts(shown, None, found, None, names)
    first = next(iter(attacks.parts.values()))
    outcomes = {
        target: {part: Findings.of_inference(attack, target) for part, attack in attacks.parts.items()}
        for target in first.sensitive
    }
    target = max(first.evidence.scope.sensitive, key=lambda name: max(f.leakage for f in outcomes[name].values()))
    overview = _overview_of_parts(outcomes, names) if len(outcomes) > 1 else None
    return _of_parts(shown, target, outcomes[target], overview, names)


def _of_parts(shown: RiskByPart, target: str | None, found: Outcomes, overview: Table | None, names: Names) -> Summary:
    order = sorted(found, key=lambda part: -found[part].leakage)
    most = found[order[0]]
    return Summary(
        lead=tuple(_lead_of_parts(target, found, order, names)),
        squares=squares(most.prior, most.posterior, most.strongest["size"], names.parts[order[0]]),
        facts=(
            _unique_in_parts(shown),
            Fact(integer(len(found)), rich("report.summary.parts", by=names.told(shown.by))),
        ),
        used=used(shown, names),
        steps=tuple(_steps_of_parts(found, order, names)),
        overview=overview,
    )


def _lead_of_parts(target: str | None, found: Outcomes, order: Sequence[Part], names: Names) -> Iterator[Markup]:
    """Where the facts help most, and where least."""
    most, least = found[order[0]], found[order[-1]]
    kind = "pick" if target is None else "guess"
    sensitive = marked(names.columns[target]) if target else ""
    yield counted(
        f"report.summary.{kind}-most",
        most.strongest["size"],
        part=marked(names.parts[order[0]]),
        columns=names.told(most.strongest["quasi"]),
        sensitive=sensitive,
        posterior=per_hundred(most.posterior),
        prior=per_hundred(most.prior),
    )
    if len(order) > 1:
        yield rich(
            "report.summary.least",
            part=marked(names.parts[order[-1]]),
            posterior=per_hundred(least.posterior),
            prior=per_hundred(least.prior),
        )


def _unique_in_parts(shown: RiskByPart) -> Fact:
    best = [risk.reidentification.best().row(-1, named=True) for risk in shown.parts.values()]
    unique, rows = sum(row["unique"] for row in best), shown.rows
    size = max(row["size"] for row in best)
    return Fact(integer(unique), counted("report.summary.unique-in-part", size, share=unique / rows))


def _steps_of_parts(found: Outcomes, order: Sequence[Part], names: Names) -> Iterator[Markup]:
    decisive = Counter(findings.falls[0].column for findings in found.values() if findings.falls[0].fall > 0)
    if decisive:
        column, parts = decisive.most_common(1)[0]
        most = found[order[0]]
        left = next(fall.posterior for fall in most.falls if fall.column == column)
        yield rich(
            "report.step.in-parts",
            column=marked(names.columns[column]),
            parts=parts,
            all=len(found),
            part=marked(names.parts[order[0]]),
            posterior=most.posterior,
            left=left,
        )
    if len(order) > MOST_NAMED:
        yield rich("report.step.begin", parts=enumerated([names.parts[part] for part in order[:MOST_NAMED]]))
    yield rich("report.step.name-adversaries")
    yield rich("report.step.again")


def _overview_of_parts(outcomes: Mapping[str, Outcomes], names: Names) -> Table:
    """For each sensitive column, the part where the adversary gains most about it."""
    headings = [words("sensitive"), words("part-most"), *map(numbers, ("prior", "posterior", "leakage", "facts"))]
    rows = []
    for target, found in outcomes.items():
        part = max(found, key=lambda part: found[part].leakage)
        most = found[part]
        shares = [percentage(most.prior), percentage(most.posterior), points(most.leakage)]
        rows.append([names.columns[target], names.parts[part], *shares, integer(most.strongest["size"])])
    return Table.of(text("report.summary.overview"), headings, rows)


def advice(found: Findings, adversary: Row | None, names: Names) -> Iterator[Markup]:
    """One piece of advice after the other; ``adversary`` is the strongest of those that the schema names."""
    yield what_matters(found, names)
    idle = [fall.column for fall in found.falls if fall.fall == 0]
    if idle and len(idle) < len(found.falls):
        yield counted("report.step.idle", len(idle), columns=names.told(idle))
    yield _who_could_know(adversary)
    yield rich("report.step.again")


def what_matters(found: Findings, names: Names) -> Markup:
    """Which column to start with: the one without which the attack falls most, and what comes next."""
    first, second = _equally_decisive(found.falls), _equally_decisive(found.falls, nth=1)
    fall = first[0]
    values = {"posterior": found.posterior, "left": fall.posterior, "column": _told_columns(first, names)}
    if found.leakage <= 0:
        return rich("report.step.no-gain")
    if fall.fall == 0:
        return rich("report.step.none-alone", posterior=found.posterior)
    if len(found.falls) == 1:
        return rich("report.step.only", **values)
    if len(first) > 1:
        return rich("report.step.tied", **values)
    if second[0].fall == 0:
        return rich("report.step.first", **values)
    next_ones = {"second": _told_columns(second, names), "second_left": second[0].posterior}
    return counted("report.step.then", len(second), **values, **next_ones)


def _equally_decisive(falls: Sequence[Fall], nth: int = 0) -> list[Fall]:
    """The columns without which the attack falls most, or next to most, and so on."""
    steps = sorted({fall.fall for fall in falls}, reverse=True)
    return [fall for fall in falls if nth < len(steps) and fall.fall == steps[nth]]


def _told_columns(falls: Sequence[Fall], names: Names) -> Markup:
    return names.told(fall.column for fall in falls)


def _who_could_know(adversary: Row | None) -> Markup:
    if adversary is None:
        return rich("report.step.name-adversaries")
    name = marked(displayed(adversary["adversary"]))
    return rich("report.step.adversary", adversary=name, known=adversary["size"], posterior=adversary["posterior"])
