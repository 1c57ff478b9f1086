"""How the risk is spread over the records, for the best 1, 3 and all columns (document 000, Fig. 3)."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from biombo._attack import AttributeInference, Distribution
from biombo._i18n import integer, percent, text
from biombo._report.blocks import Drawing, Figure, Heading, Table, numbers, words
from biombo._report.charts.columns import histogram
from biombo._report.charts.svg import drawn
from biombo._report.findings import Findings
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
        size = str(counted("report.spread.columns", len(self.quasi)))
        return f"{self.label}: {size}" if self.label else size


def spreads(attack: AttributeInference, target: str, found: Findings, label: str = "") -> list[Spread]:
    """The best 1, 3 and all columns."""
    sizes = {1, 3, found.best[-1]["size"]}
    return [Spread.of(attack, target, row["quasi"], label) for row in found.best if row["size"] in sizes]


def spread_figure(every: Sequence[Spread], names: Names) -> Figure:
    """A histogram of top/size for each spread."""
    histograms = [spread.vulnerability.histogram() for spread in every]
    top = max(share for table in histograms for share in table["share"])
    return Figure(
        text("report.spread.title"),
        tuple(_drawing(spread, table, top, names) for spread, table in zip(every, histograms, strict=True)),
        rich("report.spread.caption"),
        _numbers_behind(every, histograms),
    )


def _drawing(spread: Spread, table: pl.DataFrame, top: float, names: Names) -> Drawing:
    chart = histogram(table["share"].to_list(), text("report.axis.vulnerability"), text("report.axis.records"), top)
    description = text(
        "report.spread.description",
        columns=names.listed(spread.quasi),
        share=spread.vulnerability.share_above(HIGH),
    )
    return Drawing(drawn(chart, text("report.spread.title"), description), spread.heading)


def _numbers_behind(every: Sequence[Spread], histograms: Sequence[pl.DataFrame]) -> Table:
    headings = [words("interval"), *(Heading(spread.heading) for spread in every)]
    intervals = [
        f"{percent(low, 0)}–{percent(high, 0)}" for low, high in histograms[0].select("low", "high").iter_rows()
    ]
    counts = [
        [of_records(records, spread.rows) for records in table["records"]]
        for spread, table in zip(every, histograms, strict=True)
    ]
    return Table.of(text("report.spread.table"), headings, list(zip(intervals, *counts, strict=True)))


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
