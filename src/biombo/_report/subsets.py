"""Every subset as a point by its number of columns, for one table or for some parts (document 000, Fig. 2)."""

from collections.abc import Mapping

import polars as pl
from markupsafe import Markup

from biombo._attack import AttributeInference, AttributeInferenceByPart, Findings, Part, Row
from biombo._i18n import integer, text
from biombo._report.blocks import Drawing, Figure, Table, numbers, words
from biombo._report.charts.points import MOST_POINTS, Point, points
from biombo._report.charts.svg import drawn
from biombo._report.gains import gain_headings, gain_row
from biombo._report.names import Names
from biombo._report.words import percentage, rich

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
    chart = points(every, found.prior, label, text("report.axis.right"), width, height, top)
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
