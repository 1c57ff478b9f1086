"""What an adversary who knows somebody's quasi values knows of where they are in a release, and in two together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import cast

import numpy as np
import polars as pl

from biombo._attack import stacked
from biombo._cells import Codes
from biombo._data import Column, Dataset
from biombo._engine import Paired, numbered
from biombo._plan import MaskGroups
from biombo._release.joint.side import Rows, Side
from biombo._release.joint.sources import Sources
from biombo._release.measure.truth import columns_of_truth, in_intervals, truth_of


@dataclass(frozen=True, eq=False)
class Seen:
    """A number for each record that is seen, and below them for what is true of each target: the same for those whose
    values are the same.
    """

    codes: Codes
    cardinality: int
    records: int
    """How many are seen."""

    @classmethod
    def of(cls, columns: Sequence[Column], records: int, targets: int) -> "Seen":
        """By the values of all ``columns``; one number for everybody where there are none."""
        if not columns:
            return cls(np.zeros(records + targets, np.uint8), 1, records)
        codes, groups = numbered([each.codes for each in columns], [each.cardinality for each in columns])
        return cls(codes, groups, records)

    @property
    def seen(self) -> Codes:
        """By record."""
        return self.codes[: self.records]

    @property
    def true(self) -> Codes:
        """By target."""
        return self.codes[self.records :]

    @property
    def column(self) -> Column:
        """As a column of all of them."""
        return Column("", self.codes, pl.Series(np.arange(self.cardinality)))

    def among(self, rows: Rows) -> "Seen":
        """Only some of the records, in this order, and all targets."""
        return replace(self, codes=np.concatenate([self.seen[rows], self.true]), records=len(rows))

    def with_(self, other: "Seen") -> "Seen":
        """By both: they are of the same records and targets."""
        codes, groups = numbered([self.codes, other.codes], [self.cardinality, other.cardinality])
        return Seen(codes, groups, self.records)


@dataclass(frozen=True, eq=False)
class Knowledge:
    """A release and what is true of the people who are in another one as well, its targets."""

    side: Side
    rows: Rows
    """By target: its record."""
    truth: Dataset
    """By target: what is true of it, as whoever looks for it in the release has to write it."""

    @classmethod
    def of(cls, side: Side, rows: Rows, sources: Sources, known: Sequence[Side]) -> "Knowledge":
        """``known`` are the releases whose synonyms the adversary knows."""
        plans = [each.plan for each in known]
        truth = _own(side, rows, sources) if side.drawn else _taken(side.data, rows)
        whole = replace(side, data=truth)
        return cls(side.understood(*plans), rows, whole.understood(*plans).data)

    def value(self, name: str) -> Seen:
        """A column, by the values that are released and those that are true."""
        column = self._column(name)
        return Seen(column.codes, column.cardinality, self.side.data.rows)

    @cached_property
    def groups(self) -> list[Seen]:
        """By the quasi columns. Where some were drawn, in several ways to look true values up: as they are written,
        near ones, and by the other columns alone.
        """
        plain = {name: self._column(name) for name in self.side.quasi}
        undrawn = {name: column for name, column in plain.items() if name not in self.side.drawn}
        ways = [plain] if not self.side.drawn_quasi else [plain, {**plain, **dict(self._near())}, undrawn]
        records, targets = self.side.data.rows, len(self.rows)
        return [Seen.of(list(way.values()), records, targets) for way in ways]

    def _column(self, name: str) -> Column:
        """Over all records, and then over the targets as it is true."""
        released = self.side.data[name]
        if name in self.side.drawn:
            return stacked(released, self.truth[name])
        return _extended(released, self.rows)

    def _near(self) -> Iterator[tuple[str, Column]]:
        marks = frozenset(each.with_ for each in self.side.plan.operations if isinstance(each, MaskGroups))
        for name in self.side.drawn_quasi:
            found = in_intervals(self.side.data[name], self.truth[name], marks)
            if found is not None:
                codes = np.concatenate([each.codes for each in found])
                yield name, Column(name, cast(Codes, codes), found[0].values)


def together(first: Knowledge, second: Knowledge) -> list[Seen]:
    """By the quasi columns of both releases: the targets' records, each with its own record of the other release, for
    whoever can tell which ones belong together.
    """
    ways = product(first.groups, second.groups)
    return [one.among(first.rows).with_(other.among(second.rows)) for one, other in ways]


def _extended(column: Column, rows: Rows) -> Column:
    codes = np.concatenate([column.codes, column.codes[rows]])
    return replace(column, codes=cast(Codes, codes))


def _taken(data: Dataset, rows: Rows) -> Dataset:
    columns = {name: replace(column, codes=column.codes[rows]) for name, column in data.columns.items()}
    return replace(data, columns=columns, rows=len(rows))


def _own(side: Side, rows: Rows, sources: Sources) -> Dataset:
    """What is true of the targets, by their own originals."""
    asked = [name for name in columns_of_truth(side.plan, side.drawn) if name in sources.columns]
    own = _taken(sources.read(asked), side.places[rows])
    return truth_of(Paired(_taken(side.data, rows), own), side.plan, side.schema)
