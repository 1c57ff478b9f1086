"""Distributions over records or people as histograms beside each other, and the numbers behind them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from biombo._attack import Distribution
from biombo._i18n import percent
from biombo._report.blocks import Drawing, Heading, Table
from biombo._report.charts.columns import histogram
from biombo._report.charts.svg import drawn
from biombo._report.words import of_records


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
