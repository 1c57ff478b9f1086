"""How the certainty d/n is spread over the people of the sample, for the best 1, 3 and all columns."""

from biombo._attack import Findings, Membership, Row
from biombo._i18n import text
from biombo._report.blocks import Figure, words
from biombo._report.histograms import Histogram, histogram_drawings, histogram_table
from biombo._report.names import Names
from biombo._report.spread import HIGH, how_many, some_sizes
from biombo._report.words import rich


def members_spread_figure(attack: Membership, found: Findings, names: Names) -> Figure:
    """A histogram of d/n for each."""
    title, axes = text("report.members.spread"), (text("report.axis.chance"), text("report.axis.people"))
    histograms = [_histogram(attack, row, names) for row in some_sizes(found)]
    return Figure(
        title,
        histogram_drawings(histograms, title, *axes),
        rich("report.members.spread-caption"),
        histogram_table(histograms, text("report.members.spread-table"), words("chance")),
    )


def _histogram(attack: Membership, row: Row, names: Names) -> Histogram:
    spread = attack.distribution(row["quasi"])
    values = {"columns": names.listed(row["quasi"]), "share": spread.share_above(HIGH)}
    return Histogram(how_many(row["quasi"]), spread, text("report.members.spread-description", **values))
