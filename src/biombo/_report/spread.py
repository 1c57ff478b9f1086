"""How the risk is spread over the records, for the best 1, 3 and all columns (document 000, Fig. 3)."""

from collections.abc import Sequence
from dataclasses import dataclass

from biombo._attack import AttributeInference, Distribution, Findings, Row
from biombo._i18n import integer, text
from biombo._report.blocks import Figure, Table, numbers, words
from biombo._report.histograms import Histogram, histogram_drawings, histogram_table
from biombo._report.names import Names
from biombo._report.words import counted, of_records, percentage, rich

HIGH = 0.9
"""Document 000 counts the records above this vulnerability."""


@dataclass(frozen=True)
class Spread:
    """One subset of one table or part, and how the risk is spread over its records."""

    label: str
    """The part; nothing for a whole table."""
    quasi: tuple[str, ...]
    vulnerability: Distribution
    """The group's top/size: what the adversary expects."""
    success: Distribution
    """Eq. 2: what happens to the record."""

    @classmethod
    def of(cls, attack: AttributeInference, target: str, subset: Sequence[str], label: str = "") -> "Spread":
        """Read off the cells."""
        quasi = tuple(subset)
        return cls(label, quasi, attack.distribution(quasi, target), attack.successes(quasi, target))

    @property
    def rows(self) -> int:
        """All records."""
        return int(self.vulnerability.records.sum())

    @property
    def heading(self) -> str:
        """Which part, how many columns."""
        size = how_many(self.quasi)
        return f"{self.label}: {size}" if self.label else size


def spreads(attack: AttributeInference, target: str, found: Findings, label: str = "") -> list[Spread]:
    """The best 1, 3 and all columns."""
    return [Spread.of(attack, target, row["quasi"], label) for row in some_sizes(found)]


def some_sizes(found: Findings) -> list[Row]:
    """The strongest subsets of 1, 3 and all columns."""
    sizes = {1, 3, found.best[-1]["size"]}
    return [row for row in found.best if row["size"] in sizes]


def how_many(columns: Sequence[str]) -> str:
    """The number of columns, in words."""
    return str(counted("report.spread.columns", len(columns)))


def spread_figure(every: Sequence[Spread], names: Names) -> Figure:
    """A histogram of top/size for each spread."""
    histograms = [_histogram(spread, names) for spread in every]
    title, axes = text("report.spread.title"), (text("report.axis.vulnerability"), text("report.axis.records"))
    return Figure(
        title,
        histogram_drawings(histograms, title, *axes),
        rich("report.spread.caption"),
        histogram_table(histograms, text("report.spread.table"), words("interval")),
    )


def _histogram(spread: Spread, names: Names) -> Histogram:
    share = spread.vulnerability.share_above(HIGH)
    description = text("report.spread.description", columns=names.listed(spread.quasi), share=share)
    return Histogram(spread.heading, spread.vulnerability, description)


def certainty_table(every: Sequence[Spread], names: Names) -> Table:
    """How many records are guessed with near certainty, in both senses of vulnerability."""
    parts = [words("part")] if every[0].label else []
    headings = [*parts, numbers("size"), words("columns"), *map(numbers, ("mean", "above", "sure", "never"))]
    rows = [
        [
            *([spread.label] if spread.label else []),
            integer(len(spread.quasi)),
            names.listed(spread.quasi),
            percentage(spread.vulnerability.mean),
            of_records(spread.vulnerability.count_above(HIGH), spread.rows),
            of_records(spread.success.count_above(HIGH), spread.rows),
            of_records(spread.rows - spread.success.count_above(0), spread.rows),
        ]
        for spread in every
    ]
    return Table.of(text("report.spread.certainty"), headings, rows, rich("report.spread.note"))
