"""How the risk is spread over the records, for the best 1, 3 and all columns (Gonze et al. 2024, Fig. 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from biombo._attack import AttributeInference, Distribution, Findings, Row
from biombo._i18n import integer, percent, text
from biombo._report.blocks import Drawing, Figure, Heading, Table, numbers, words
from biombo._report.charts.bars import histogram
from biombo._report.charts.svg import drawn
from biombo._report.wording import Names, counted, of_records, percentage, rich

HIGH = 0.9
"""Gonze et al. (2024) count the records above this vulnerability."""


@dataclass(frozen=True)
class Histogram:
    """One distribution, what stands above it, and its description for those who do not see it."""

    heading: str
    spread: Distribution
    description: str

    @cached_property
    def bins(self) -> pl.DataFrame:
        """Counts and shares in tenths."""
        return self.spread.histogram()

    @property
    def total(self) -> int:
        """All records or people."""
        return int(self.spread.records.sum())


def histogram_drawings(found: Sequence[Histogram], title: str, x_title: str, y_title: str) -> tuple[Drawing, ...]:
    """A picture for each, all on the same scale."""
    top = max(share for each in found for share in each.bins["share"])
    return tuple(
        Drawing(
            drawn(histogram(each.bins["share"].to_list(), x_title, y_title, top), title, each.description), each.heading
        )
        for each in found
    )


def histogram_table(found: Sequence[Histogram], title: str, interval: Heading) -> Table:
    """The counts behind the pictures."""
    intervals = [
        f"{percent(low, 0)}–{percent(high, 0)}" for low, high in found[0].bins.select("low", "high").iter_rows()
    ]
    counts = [[of_records(records, each.total) for records in each.bins["records"]] for each in found]
    headings = [interval, *(Heading(each.heading) for each in found)]
    return Table.of(title, headings, list(zip(intervals, *counts, strict=True)))


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
