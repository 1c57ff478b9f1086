"""Subsets of the columns as rows of a table: what is known, and what it gives away about a sensitive column."""

from biombo._attack import Findings, Row
from biombo._i18n import integer, number, text
from biombo._report.blocks import Heading, Table, numbers, words
from biombo._report.names import Names
from biombo._report.words import percentage, points, rich


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
    """The strongest subset for each number of columns (document 000, Table 2)."""
    rows = [gain_row(row, names) for row in found.best]
    return Table.of(text("report.best.title"), gain_headings(), rows, rich("report.best.note"))
