"""A bar for each part, the longest first."""

from collections.abc import Mapping

from markupsafe import Markup

from biombo._attack import Part
from biombo._i18n import percent, text
from biombo._report.blocks import Drawing, Figure, Table
from biombo._report.charts.bars import Bar, bars
from biombo._report.charts.svg import drawn
from biombo._report.names import Names
from biombo._report.words import rich

MOST_BARS = 40
"""The most parts that a chart shows; the table behind it has all."""


def part_bars(
    shares: Mapping[Part, float], title: str, axis_title: str, caption: Markup, data: Table, names: Names
) -> Figure:
    """A share of each part."""
    order = sorted(shares, key=lambda part: -shares[part])
    shown = [Bar(names.parts[part], shares[part], percent(shares[part])) for part in order[:MOST_BARS]]
    description = text(
        "report.part-bars.description",
        highest=names.parts[order[0]],
        most=shares[order[0]],
        lowest=names.parts[order[-1]],
        least=shares[order[-1]],
    )
    if len(shown) < len(order):
        caption += " " + rich("report.part-bars.cut", shown=len(shown), parts=len(order))
    return Figure(title, (Drawing(drawn(bars(shown, axis_title), title, description)),), caption, data)
