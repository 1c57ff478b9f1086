"""What a manager reads first: how exposed people are, in plain words, and what to do about it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl
from markupsafe import Markup

from biombo._attack import AttributeInference, Fall, Findings, Part, Reidentification, Risk, RiskByPart, Row, Together
from biombo._i18n import integer, text
from biombo._report.blocks import Drawing, Figure, Table, numbers, words
from biombo._report.charts.squares import hundred
from biombo._report.charts.style import ACCENT, WARNING
from biombo._report.charts.svg import drawn
from biombo._report.risk.headline import Headline, Outcomes, PartsHeadline, most_exposed, risk_headline
from biombo._report.risk.records import used
from biombo._report.risk.spread import HIGH
from biombo._report.wording import Names, counted, enumerated, marked, per_hundred, percentage, points, rich

MOST_NAMED = 3
"""The most parts that a piece of advice names."""


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
    attack, headline = risk.attribute_inference, risk_headline(risk, names)
    if attack is None:
        return _of_picking(risk, headline, names)
    findings = {target: Findings.of_inference(attack, target) for target in attack.sensitive}
    target = most_exposed(attack, findings)
    found = findings[target]
    return Summary(
        lead=headline.sentences,
        squares=squares_of(headline),
        facts=(_certain(attack, target, found), _unique(risk.reidentification)),
        used=used(risk, names),
        steps=tuple(advice(found, _strongest_adversary(attack.adversaries(), target), names)),
        overview=_overview(findings, names) if len(findings) > 1 else None,
    )


def _of_picking(risk: Risk, headline: Headline, names: Names) -> Summary:
    attack = risk.reidentification
    found = Findings.of_reidentification(attack)
    groups = Fact(integer(found.strongest["groups"]), counted("report.summary.groups", found.strongest["size"]))
    return Summary(
        lead=headline.sentences,
        squares=squares_of(headline),
        facts=(_unique(attack), groups),
        used=used(risk, names),
        steps=tuple(advice(found, _strongest_adversary(attack.adversaries(), None), names)),
    )


def squares_of(headline: Headline) -> Figure:
    """Two times a hundred squares: without the facts of the headline, and with them."""
    return squares(headline.prior, headline.facts.share, len(headline.facts.quasi))


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
    headline = PartsHeadline.of(shown)
    most, by = headline.most, rich("report.summary.parts", by=names.told(shown.by))
    return Summary(
        lead=tuple(headline.sentences(names)),
        squares=squares(most.prior, most.posterior, most.strongest["size"], names.parts[headline.order[0]]),
        facts=(_unique_in_parts(shown), Fact(integer(len(headline.found)), by)),
        used=used(shown, names),
        steps=tuple(steps_of_parts(headline, names)),
        overview=_overview_of_parts(headline.outcomes, names) if len(headline.outcomes) > 1 else None,
    )


def _unique_in_parts(shown: RiskByPart) -> Fact:
    best = [risk.reidentification.best().row(-1, named=True) for risk in shown.parts.values()]
    unique, rows = sum(row["unique"] for row in best), shown.rows
    size = max(row["size"] for row in best)
    return Fact(integer(unique), counted("report.summary.unique-in-part", size, share=unique / rows))


def steps_of_parts(headline: PartsHeadline, names: Names) -> Iterator[Markup]:
    """One piece of advice after the other."""
    found, order = headline.found, headline.order
    decisive = Counter(each.falls[0].column for each in found.values() if each.helps(each.falls[0].fall))
    if decisive:
        column, parts = decisive.most_common(1)[0]
        part, left = _first_helped(column, found, order)
        yield rich(
            "report.step.in-parts",
            column=marked(names.columns[column]),
            parts=parts,
            all=len(found),
            part=marked(names.parts[part]),
            posterior=found[part].posterior,
            left=left,
        )
    elif together := found[order[0]].together:
        where = rich("report.step.in-part", part=marked(names.parts[order[0]]))
        yield where + " " + _changed_together(found[order[0]], together, names)
    if len(order) > MOST_NAMED:
        yield rich("report.step.begin", parts=enumerated([names.parts[part] for part in order[:MOST_NAMED]]))
    yield rich("report.step.name-adversaries")
    yield rich("report.step.again")


def _first_helped(column: str, found: Outcomes, order: Sequence[Part]) -> tuple[Part, float]:
    """The most exposed part whose strongest attack falls clearly without ``column``, and what is left of that."""
    falls = {part: next(fall for fall in found[part].falls if fall.column == column) for part in order}
    part = next(part for part in order if found[part].helps(falls[part].fall))
    return part, falls[part].posterior


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
    yield _who_could_know(adversary, names)
    yield rich("report.step.again")


def what_matters(found: Findings, names: Names) -> Markup:
    """Which column to start with: the one without which the attack falls most, and what comes next."""
    first, second = _equally_decisive(found.falls), _equally_decisive(found.falls, nth=1)
    fall = first[0]
    values = {"posterior": found.posterior, "left": fall.posterior, "column": _told_columns(first, names)}
    if found.leakage <= 0:
        return rich("report.step.no-gain")
    if found.together is not None:
        return _changed_together(found, found.together, names)
    if not found.helps(fall.fall):
        return rich("report.step.none-alone", posterior=found.posterior)
    if len(found.falls) == 1:
        return rich("report.step.only", **values)
    if len(first) > 1:
        return rich("report.step.tied", **values)
    if not found.helps(second[0].fall):
        return rich("report.step.first", **values)
    next_ones = {"second": _told_columns(second, names), "second_left": second[0].posterior}
    return counted("report.step.then", len(second), **values, **next_ones)


def _changed_together(found: Findings, together: Together, names: Names) -> Markup:
    told = {"posterior": found.posterior, "left": together.posterior, "columns": names.told(together.columns)}
    sentence = rich("report.step.together", **told)
    return sentence if together.smallest else sentence + " " + rich("report.step.not-smallest")


def _equally_decisive(falls: Sequence[Fall], nth: int = 0) -> list[Fall]:
    """The columns without which the attack falls most, or next to most, and so on."""
    steps = sorted({fall.fall for fall in falls}, reverse=True)
    return [fall for fall in falls if nth < len(steps) and fall.fall == steps[nth]]


def _told_columns(falls: Sequence[Fall], names: Names) -> Markup:
    return names.told(fall.column for fall in falls)


def _who_could_know(adversary: Row | None, names: Names) -> Markup:
    if adversary is None:
        return rich("report.step.name-adversaries")
    name = marked(names.adversary(adversary["adversary"]))
    return rich("report.step.adversary", adversary=name, known=adversary["size"], posterior=adversary["posterior"])
