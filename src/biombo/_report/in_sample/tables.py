"""The individual attack, and the measure that document 002 publishes: counts and shares, no positions."""

from biombo._attack import Findings, Membership
from biombo._i18n import integer, number, text
from biombo._report.blocks import Table, numbers, words
from biombo._report.names import Names
from biombo._report.words import of_records, rich


def individual_table(attack: Membership, found: Findings, names: Names) -> Table:
    """What becomes of the people who are alone in the sample, for the strongest subset of each size."""
    kinds = ("unique-in-sample", "unique-found", "unique-not-found", "reidentified")
    rows = [
        [
            integer(row["size"]),
            names.listed(row["quasi"]),
            of_records(row["unique"], attack.sampled),
            integer(row["unique_found"]),
            integer(row["unique"] - row["unique_found"]),
            of_records(row["unique_both"], attack.sampled),
        ]
        for row in found.best
    ]
    headings = [numbers("size"), words("columns"), *map(numbers, kinds)]
    return Table.of(text("report.members.individual"), headings, rows, rich("report.members.individual-note"))


def published_table(found: Findings, names: Names) -> Table:
    """The expected degradation beside what may be compared with it."""
    rows = [
        [
            integer(row["size"]),
            names.listed(row["quasi"]),
            number(row["expected_degradation"], 4),
            number(row["multiplicative"], 4),
        ]
        for row in found.best
    ]
    headings = [numbers("size"), words("columns"), *map(numbers, ("degradation", "multiplicative"))]
    return Table.of(text("report.members.published"), headings, rows, rich("report.members.published-note"))
