"""Scales: the places that a column has in a model, values or intervals, and what is drawn at each of them."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._cells import Counts
from biombo._data import Column, ColumnSchema, written
from biombo._engine import Randomness
from biombo._synthesis.gauge import ClockGauge, Gauge, Units, gauge_of

Places = NDArray[np.int64]
"""By record: where it is on a scale; −1 where it has no place."""

_GRID = 200
"""Steps, at most, between the ends of a scale of intervals: edges are round numbers, and no single person's value."""


_TIMES_K = 10
"""So many times k people, about, are in an interval: fewer would let pairs of columns follow single people."""


class Scale(ABC):
    """The places of a column."""

    size: int

    @abstractmethod
    def placed(self, values: pl.Series) -> Places:
        """The place of each of some values."""

    @abstractmethod
    def drawn(self, places: Places, random: Randomness) -> pl.Series:
        """A value for each place."""


@dataclass(frozen=True, eq=False)
class Listed(Scale):
    """Some values, each a place of its own; a missing one may be among them."""

    values: pl.Series

    @property
    def size(self) -> int:  # type: ignore[override]
        """How many there are."""
        return len(self.values)

    def placed(self, values: pl.Series) -> Places:
        """By how values are written."""
        at = {value: place for place, value in enumerate(written(self.values).to_list())}
        return np.array([at.get(value, -1) for value in written(values).to_list()], np.int64)

    def drawn(self, places: Places, random: Randomness) -> pl.Series:  # noqa: ARG002
        """The values themselves."""
        return self.values.gather(places)


@dataclass(frozen=True, eq=False)
class Intervals(Scale):
    """Intervals of amounts from edge to edge; a value is drawn from all of its interval alike. What lies beyond the
    ends counts to the outermost interval, so that nothing as extreme comes out. Others than amounts follow as listed.
    """

    gauge: Gauge
    edges: Units
    """One more than there are intervals; each but the last belongs to the interval that it begins."""
    apart: Listed

    @property
    def size(self) -> int:  # type: ignore[override]
        """Intervals and listed values."""
        return len(self.edges) - 1 + self.apart.size

    def placed(self, values: pl.Series) -> Places:
        """The interval, or the place behind all of these."""
        listed = self.apart.placed(values)
        units = self.gauge.units(values)
        inside = np.searchsorted(self.edges[1:-1], units.fill_null(0).to_numpy(), side="right")
        amounts = np.where(units.is_null().to_numpy(), -1, inside)
        return np.where(listed >= 0, listed + len(self.edges) - 1, amounts)

    def drawn(self, places: Places, random: Randomness) -> pl.Series:
        """Somewhere in each interval."""
        last = len(self.edges) - 2
        within = np.minimum(places, last)
        width = (self.edges[within + 1] - self.edges[within]).astype(np.float64)
        units = self.edges[within] + np.floor(random.uniform(len(places)) * width).astype(np.int64)
        amounts = self.gauge.values(units)
        if not self.apart.size:
            return amounts
        beside = self.apart.values.cast(amounts.dtype).gather(np.maximum(places - last - 1, 0))
        return beside.zip_with(pl.Series(places > last), amounts)


@dataclass(frozen=True, eq=False)
class Fitted:
    """A column on its scale."""

    name: str
    scale: Scale
    places: Places
    rare: int
    """Records with a value that fewer than k people have, which is never drawn."""
    beyond: int
    """Records beyond the ends of the scale: the extremes of fewer than k people on either side."""


def fitted(column: Column, schema: ColumnSchema, people: Counts | None, k: int, bins: int) -> Fitted:
    """The scale of a column as its own records have it: without any value, and beyond no end, of fewer than k people.

    ``people`` numbers the person of each record; none where each record is a person's only one.
    """
    holders = holders_of(column.codes, people, column.cardinality)
    apart = (column.values.is_null() | written(column.values).is_in(_invalid(schema))).to_numpy()
    gauge = _gauge(column, schema, holders, apart, k)
    enough = holders >= k
    if gauge is None or int((~apart & (holders > 0)).sum()) <= bins:
        scale: Scale = Listed(column.values.filter(pl.Series(enough)))
        places = scale.placed(column.values)[column.codes]
        return Fitted(column.name, scale, places, int((places < 0).sum()), 0)
    listed = Listed(column.values.filter(pl.Series(apart & enough)))
    units = gauge.units(column.values).fill_null(0).to_numpy()[column.codes]
    told = ~apart[column.codes]
    edges, beyond = _edges(units[told], None if people is None else people[told], k, bins)
    if len(edges) < 2:
        places = listed.placed(column.values)[column.codes]
        return Fitted(column.name, listed, places, int((places < 0).sum()), 0)
    found = Intervals(gauge, edges, listed)
    at_value = np.where(apart & ~enough, -1, found.placed(column.values))
    places = at_value[column.codes]
    return Fitted(column.name, found, places, int((places < 0).sum()), beyond)


def _invalid(schema: ColumnSchema) -> list[str]:
    return [value for value in schema.invalid if value is not None]


def _gauge(column: Column, schema: ColumnSchema, records: Counts, apart: NDArray[np.bool_], k: int) -> Gauge | None:
    """By what the values look like; a column that a person calls categorical holds names, unless these are times."""
    told = ~apart & (records > 0)
    gauge = gauge_of(column.values.filter(pl.Series(told)), records[told], k)
    is_name = schema.role != "undecided" and schema.type == "categorical" and not isinstance(gauge, ClockGauge)
    return None if is_name else gauge


def holders_of(codes: NDArray[np.integer], people: Counts | None, size: int) -> Counts:
    """How many people have each code."""
    if people is not None and len(codes):
        several = np.unique(codes.astype(np.int64) * (int(people.max()) + 1) + people)
        codes = several // (int(people.max()) + 1)
    return np.bincount(codes, minlength=size).astype(np.int64)


def _edges(units: Units, people: Counts | None, k: int, bins: int) -> tuple[Units, int]:
    """Round edges of about equally many records, from the k-th lowest person's value to the k-th highest's, with at
    least k people in each interval; and how many records lie beyond the ends. No edges where there are too few people.
    """
    order = np.argsort(units, kind="stable")
    ranked, persons = units[order], np.arange(len(units)) if people is None else people[order]
    if (there := len(np.unique(persons))) < k:
        return np.empty(0, np.int64), 0
    bins = min(bins, max(2, there // (_TIMES_K * k)))
    low, high = ranked[_reached(persons, k)], ranked[len(ranked) - 1 - _reached(persons[::-1], k)]
    if low > high:
        low, high = high, low
    step = _round_step(int(high - low) / _GRID)
    ends = low // step * step, (high // step + 1) * step
    inner = ranked[np.linspace(0, len(ranked) - 1, bins + 1)[1:-1].astype(int)] // step * step
    edges = np.unique(np.clip(np.array([ends[0], *inner, ends[1]]), *ends))
    beyond = int(((units < ends[0]) | (units >= ends[1])).sum())
    return _merged(edges, units, people, k), beyond


def _reached(persons: NDArray[np.integer], k: int) -> int:
    """The place at which the k-th different person comes."""
    _, first = np.unique(persons, return_index=True)
    return int(np.sort(first)[k - 1])


def _round_step(least: float) -> int:
    """The smallest of 1, 2, 5, 10, 20, … that is not below ``least``.

    >>> [_round_step(each) for each in (0, 1.5, 3, 70)]
    [1, 2, 5, 100]
    """
    power = 1
    while True:
        for digit in (1, 2, 5):
            if digit * power >= least:
                return digit * power
        power *= 10


def _merged(edges: Units, units: Units, people: Counts | None, k: int) -> Units:
    """The edges without those that part fewer than k people from the rest."""
    kept: list[int] = [int(edges[0])]
    for edge in edges[1:-1]:
        if _people_in(units, people, kept[-1] if len(kept) > 1 else None, int(edge)) >= k:
            kept.append(int(edge))
    while len(kept) > 1 and _people_in(units, people, kept[-1], None) < k:
        kept.pop()
    return np.array([*kept, int(edges[-1])], np.int64)


def _people_in(units: Units, people: Counts | None, low: int | None, high: int | None) -> int:
    inside = np.ones(len(units), bool)
    if low is not None:
        inside &= units >= low
    if high is not None:
        inside &= units < high
    return int(inside.sum()) if people is None else len(np.unique(people[inside]))


def listed_scale(values: Sequence[str | None], dtype: pl.DataType) -> Listed:
    """The scale of values that are stated as text, as a column of ``dtype`` has them."""
    return Listed(pl.Series(values, dtype=pl.String).cast(dtype, strict=False))
