"""How strong the strongest attack still is when one column is missing (document 000, Table 3).

The document heads its table "leakage" but prints posteriors; here both are given and named.
"""

from collections.abc import Callable, Mapping, Sequence

from biombo._attack import Findings, Part, columns_by_fall
from biombo._i18n import percent, text
from biombo._report.blocks import Drawing, Figure, Heading, Table, numbers, words
from biombo._report.charts.bars import Bar, Rule, bars
from biombo._report.charts.strip import strip
from biombo._report.charts.svg import drawn
from biombo._report.names import Names
from biombo._report.subsets import prior_text
from biombo._report.words import percentage, points, rich


def without_figure(found: Findings, names: Names, axis_title: str) -> Figure:
    """A bar for each column of one table: the strongest attack without it."""
    title = text("report.without.title")
    rules = [
        Rule(found.prior, prior_text(found), align="right"),
        Rule(found.posterior, text("report.without.posterior", posterior=found.posterior), align="left"),
    ]
    remaining = [
        Bar(names.columns[fall.column], fall.posterior, percent(fall.posterior), stands_out=nth == 0 and fall.fall > 0)
        for nth, fall in enumerate(found.falls)
    ]
    worst = found.falls[0]
    description = text(
        "report.without.description",
        column=names.columns[worst.column],
        posterior=found.posterior,
        remaining=worst.posterior,
    )
    drawing = Drawing(drawn(bars(remaining, axis_title, rules), title, description))
    return Figure(title, (drawing,), rich("report.without.caption"), _numbers_behind(found, names))


def _numbers_behind(found: Findings, names: Names) -> Table:
    headings = [words("missing"), words("strongest-left"), *map(numbers, ("posterior", "leakage", "fall"))]
    rows = [
        [
            names.columns[fall.column],
            names.listed(fall.quasi),
            percentage(fall.posterior),
            points(fall.posterior - found.prior),
            points(fall.fall),
        ]
        for fall in found.falls
    ]
    return Table.of(text("report.without.table"), headings, rows)


def falls_figure(found: Mapping[Part, Findings], names: Names) -> Figure:
    """A row of dots for each column: how far the strongest attack on each part falls without it."""
    order = columns_by_fall(found.values())
    falls = {
        column: [100 * fall.fall for f in found.values() for fall in f.falls if fall.column == column]
        for column in order
    }
    title = text("report.without.strip-title")
    chart = strip({names.columns[column]: row for column, row in falls.items()}, text("report.axis.fall"))
    description = text("report.without.strip-description", column=names.columns[order[0]], parts=len(found))
    data = _per_part(text("report.without.leakage-table"), found, order, names, lambda f, left: points(left - f.prior))
    return Figure(title, (Drawing(drawn(chart, title, description)),), rich("report.without.strip-caption"), data)


def remaining_table(found: Mapping[Part, Findings], names: Names) -> Table:
    """What the strongest attack on each part still reaches without each column."""
    title = text("report.without.posterior-table")
    return _per_part(title, found, columns_by_fall(found.values()), names, lambda _, left: percentage(left))


def _per_part(
    title: str,
    found: Mapping[Part, Findings],
    order: Sequence[str],
    names: Names,
    written: Callable[[Findings, float], str],
) -> Table:
    headings = [words("part"), numbers("with-all"), *(Heading(names.columns[column]) for column in order)]
    rows = []
    for part, findings in found.items():
        left = {fall.column: written(findings, fall.posterior) for fall in findings.falls}
        rows.append([names.parts[part], written(findings, findings.posterior), *(left.get(c, "–") for c in order)])
    return Table.of(title, headings, rows)
