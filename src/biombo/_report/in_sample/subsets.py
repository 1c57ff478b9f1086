"""Every subset by how much it tells about who is in the sample, and the most exposing ones."""

from biombo._attack import Findings, Membership, Row
from biombo._i18n import integer, number, text
from biombo._report.blocks import Drawing, Figure, Heading, Table, numbers, words
from biombo._report.charts.points import Point, points
from biombo._report.charts.svg import drawn
from biombo._report.names import Names
from biombo._report.subsets import axis_end, prior_text, strongest_listed, with_thinning
from biombo._report.words import of_records, percentage, rich
from biombo._report.words import points as percentage_points

MOST_EXPOSING = 10


def members_subsets_figure(attack: Membership, found: Findings, names: Names) -> Figure:
    """Each subset as a point by its number of columns, the prior as a rule."""
    title = text("report.members.subsets")
    every = [Point(*row) for row in attack.subsets.select("size", "posterior").iter_rows()]
    chart = points(
        every, found.prior, prior_text(found), text("report.axis.certainty"), 580, 280, axis_end(found.posterior)
    )
    values = {"subsets": len(every), "prior": found.prior, "posterior": found.posterior}
    description = text("report.members.subsets-description", **values)
    caption = with_thinning(rich("report.members.subsets-caption"), len(every))
    table_title, listed = strongest_listed(attack.subsets)
    data = Table.of(table_title, _headings(), [_row(row, attack.sampled, names) for row in listed])
    return Figure(title, (Drawing(drawn(chart, title, description)),), caption, data)


def exposing_table(attack: Membership, names: Names) -> Table:
    """The subsets that tell most."""
    _, listed = strongest_listed(attack.subsets, MOST_EXPOSING)
    rows = [_row(row, attack.sampled, names) for row in listed]
    return Table.of(text("report.members.exposing"), _headings(), rows, rich("report.members.exposing-note"))


def _headings() -> list[Heading]:
    kinds = ("mean-chance", "leakage", "multiplicative", "worst", "certain", "reidentified")
    return [numbers("size"), words("columns"), *map(numbers, kinds)]


def _row(row: Row, sampled: int, names: Names) -> list[str]:
    return [
        integer(row["size"]),
        names.listed(row["quasi"]),
        percentage(row["posterior"]),
        percentage_points(row["leakage"]),
        number(row["multiplicative"], 2),
        percentage(row["worst"]),
        of_records(row["certain"], sampled),
        of_records(row["unique_both"], sampled),
    ]
