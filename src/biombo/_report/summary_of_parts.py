"""The first page of a report on several parts."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from biombo._attack import Findings, Part
from biombo._i18n import integer, text
from biombo._report.blocks import Table, numbers, words
from biombo._report.names import Names, enumerated, marked
from biombo._report.records_used import used_of_parts
from biombo._report.shown import Shown
from biombo._report.summary import Fact, Summary, squares
from biombo._report.words import counted, per_hundred, percentage, points, rich

MOST_NAMED = 3
"""The most parts that a piece of advice names."""

Outcomes = Mapping[Part, Findings]


def summary_of_parts(shown: Shown, names: Names) -> Summary:
    """The summary on all parts that are shown."""
    attacks = shown.risk.attribute_inference
    if attacks is None:
        found: Outcomes = {
            part: Findings.of_reidentification(risk.reidentification) for part, risk in shown.risk.parts.items()
        }
        return _summary(shown, None, found, None, names)
    first = next(iter(attacks.parts.values()))
    outcomes = {
        target: {part: Findings.of_inference(attack, target) for part, attack in attacks.parts.items()}
        for target in first.sensitive
    }
    target = max(first.evidence.question.sensitive, key=lambda name: max(f.leakage for f in outcomes[name].values()))
    overview = _overview(outcomes, names) if len(outcomes) > 1 else None
    return _summary(shown, target, outcomes[target], overview, names)


def _summary(shown: Shown, target: str | None, found: Outcomes, overview: Table | None, names: Names) -> Summary:
    order = sorted(found, key=lambda part: -found[part].leakage)
    most = found[order[0]]
    return Summary(
        lead=tuple(_lead(target, found, order, names)),
        squares=squares(most.prior, most.posterior, most.strongest["size"], names.parts[order[0]]),
        facts=(_unique(shown), Fact(integer(len(found)), rich("report.summary.parts", by=names.told(shown.risk.by)))),
        used=used_of_parts(shown, names),
        steps=tuple(_steps(found, order, names)),
        overview=overview,
    )


def _lead(target: str | None, found: Outcomes, order: Sequence[Part], names: Names) -> Iterator[Markup]:
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


def _unique(shown: Shown) -> Fact:
    best = [risk.reidentification.best().row(-1, named=True) for risk in shown.risk.parts.values()]
    unique, rows = sum(row["unique"] for row in best), sum(risk.rows for risk in shown.risk.parts.values())
    size = max(row["size"] for row in best)
    return Fact(integer(unique), counted("report.summary.unique-in-part", size, share=unique / rows))


def _steps(found: Outcomes, order: Sequence[Part], names: Names) -> Iterator[Markup]:
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


def _overview(outcomes: Mapping[str, Outcomes], names: Names) -> Table:
    """For each sensitive column, the part where the adversary gains most about it."""
    headings = [words("sensitive"), words("part-most"), *map(numbers, ("prior", "posterior", "leakage", "facts"))]
    rows = []
    for target, found in outcomes.items():
        part = max(found, key=lambda part: found[part].leakage)
        most = found[part]
        shares = [percentage(most.prior), percentage(most.posterior), points(most.leakage)]
        rows.append([names.columns[target], names.parts[part], *shares, integer(most.strongest["size"])])
    return Table.of(text("report.summary.overview"), headings, rows)
