"""What subsets of the columns give away, and how much is left without one of them.

See Gonze et al. (2024), Fig. 2 and Table 3, which is headed "leakage" but prints posteriors; here both are given and
named.
"""

from collections.abc import Callable, Mapping, Sequence

import polars as pl
from markupsafe import Markup

from biombo._attack import AttributeInference, AttributeInferenceByPart, Findings, Part, Row, columns_by_fall
from biombo._i18n import integer, number, percent, text
from biombo._report.blocks import Drawing, Figure, Heading, Table, numbers, words
from biombo._report.charts.bars import Bar, Rule, bars
from biombo._report.charts.dots import MOST_POINTS, Point, strip, subset_dots
from biombo._report.charts.svg import drawn
from biombo._report.wording import Names, percentage, points, rich

MOST_ROWS = 255
"""The most subsets that the table behind the chart lists."""

MOST_PANELS = 6
"""The most parts that have a panel of their own."""


def subsets_figure(attack: AttributeInference, target: str, found: Findings, names: Names) -> Figure:
    """All subsets of one table."""
    subsets = _subsets_for(attack, target)
    return Figure(
        text("report.subsets.title"),
        (Drawing(_drawn(subsets, found, axis_end(found.posterior), prior_text(found), width=580, height=280)),),
        with_thinning(rich("report.subsets.caption"), len(subsets)),
        _every_subset(subsets, names),
    )


def subsets_panels(
    attacks: AttributeInferenceByPart, target: str, found: Mapping[Part, Findings], names: Names
) -> Figure:
    """A panel for each of the parts where the adversary gains most."""
    chosen = sorted(found, key=lambda part: -found[part].leakage)[:MOST_PANELS]
    tables = {part: _subsets_for(attacks[part], target) for part in chosen}
    top = axis_end(max(found[part].posterior for part in chosen))
    drawings = [
        Drawing(_drawn(tables[p], found[p], top, "", width=190, height=150), names.parts[p], prior_text(found[p]))
        for p in chosen
    ]
    title = text("report.subsets.panels-title") if len(chosen) < len(found) else text("report.subsets.title")
    rows = [[names.parts[part], *row] for part, table in tables.items() for row in _ranges(table, found[part].prior)]
    headings = [words("part"), *map(numbers, ("size", "prior", "lowest", "median", "highest"))]
    data = Table.of(text("report.subsets.ranges"), headings, rows)
    caption = with_thinning(rich("report.subsets.caption"), max(map(len, tables.values())))
    return Figure(title, tuple(drawings), caption, data)


def _subsets_for(attack: AttributeInference, target: str) -> pl.DataFrame:
    return attack.subsets.filter(pl.col("sensitive") == target)


def prior_text(found: Findings) -> str:
    """The prior, for a label."""
    return text("report.subsets.prior", prior=found.prior)


def _drawn(subsets: pl.DataFrame, found: Findings, top: float, label: str, *, width: int, height: int) -> Markup:
    every = [Point(*row) for row in subsets.select("size", "posterior").iter_rows()]
    chart = subset_dots(every, found.prior, label, text("report.axis.right"), width, height, top)
    values = {"subsets": len(every), "prior": found.prior, "posterior": found.posterior}
    return drawn(chart, text("report.subsets.title"), text("report.subsets.description", **values))


def axis_end(highest: float) -> float:
    """Where the axis ends: the next full tenth."""
    return min(1.0, int(highest * 10 + 1) / 10)


def with_thinning(caption: Markup, subsets: int) -> Markup:
    """The caption, and that points are missing from the chart where there are too many of them."""
    return caption if subsets <= MOST_POINTS else caption + " " + rich("report.subsets.thinned")


def _every_subset(subsets: pl.DataFrame, names: Names) -> Table:
    title, listed = strongest_listed(subsets)
    return Table.of(title, gain_headings(), [gain_row(row, names) for row in listed])


def strongest_listed(subsets: pl.DataFrame, most: int = MOST_ROWS) -> tuple[str, list[Row]]:
    """A title and the strongest subsets, as many as a table lists."""
    listed = subsets.sort("posterior", descending=True, maintain_order=True).head(most)
    key = "report.subsets.table" if len(listed) == len(subsets) else "report.subsets.table-cut"
    return text(key, listed=len(listed), subsets=len(subsets)), list(listed.to_dicts())


def _ranges(subsets: pl.DataFrame, prior: float) -> list[list[str]]:
    posterior = pl.col("posterior")
    by_size = subsets.group_by("size", maintain_order=True).agg(
        posterior.min().alias("low"), posterior.median().alias("middle"), posterior.max().alias("high")
    )
    return [
        [integer(size), *map(percentage, (prior, low, middle, high))] for size, low, middle, high in by_size.iter_rows()
    ]


def gain_headings() -> list[Heading]:
    """The heads of :func:`gain_row`."""
    return [numbers("size"), words("columns"), *map(numbers, ("posterior", "leakage", "multiplicative", "groups"))]


def gain_row(row: Row, names: Names) -> list[str]:
    """One subset."""
    return [
        integer(row["size"]),
        names.listed(row["quasi"]),
        percentage(row["posterior"]),
        points(row["leakage"]),
        number(row["multiplicative"], 2),
        integer(row["groups"]),
    ]


def best_table(found: Findings, names: Names) -> Table:
    """The strongest subset for each number of columns (Gonze et al. 2024, Table 2)."""
    rows = [gain_row(row, names) for row in found.best]
    return Table.of(text("report.best.title"), gain_headings(), rows, rich("report.best.note"))


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
    told = {"column": names.columns[worst.column], "posterior": found.posterior, "remaining": worst.posterior}
    key = "description" if found.helps(worst.fall) else "description-none"
    description = text(f"report.without.{key}", **told)
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
