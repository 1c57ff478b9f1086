"""The original, the synthetic and the control records with the same codes, and amounts on the same scale."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._data import written
from biombo._engine import Randomness, numbered
from biombo._synthesis.gauge import gauge_of

Side = Literal["original", "synthetic", "control"]
SIDES: tuple[Side, ...] = ("original", "synthetic", "control")
Codes = NDArray[np.int64]
Floats = NDArray[np.floating]
Records = NDArray[np.integer]

HARDLY = 1e-6
"""Distances that differ by less are equal."""


@dataclass(frozen=True, eq=False)
class SharedColumn:
    """A column of all three tables."""

    name: str
    codes: Mapping[Side, Codes]
    """Amounts are numbered in their order, which missing ones follow."""
    amounts: Floats | None
    """By code, from 0 to 1; not a number for a missing value. None where values are names."""
    units: Floats | None
    """By code: the amounts as they are."""
    cardinality: int

    def distances(self, targets: Codes, candidates: Codes) -> Floats:
        """By target and candidate, as Gower (1971) has it: how far amounts are apart, and 1 for other values."""
        there, place = np.unique(targets, return_inverse=True)
        to_codes = self._to_codes(there).astype(np.float32)
        return np.asarray(np.take(to_codes, candidates, axis=1)[place])

    def _to_codes(self, codes: Codes) -> Floats:
        every = np.arange(self.cardinality)
        if self.amounts is None:
            return np.asarray(codes[:, None] != every[None, :], np.float64)
        a, b = self.amounts[codes][:, None], self.amounts[None, :]
        both_missing = np.isnan(a) & np.isnan(b)
        return np.where(both_missing, 0.0, np.nan_to_num(np.abs(a - b), nan=1.0))


@dataclass(frozen=True, eq=False)
class ThreeTables:
    """What attacks read."""

    columns: Mapping[str, SharedColumn]
    sizes: Mapping[Side, int]
    random: Randomness

    def some(self, side: Side, at_most: int) -> Records:
        """The places of so many records, drawn."""
        return self.random.order(self.sizes[side])[:at_most]

    def codes(self, side: Side, columns: Sequence[str], records: Records | None = None) -> Codes:
        """A row for each record, a column for each column."""
        found = [self.columns[name].codes[side] for name in columns]
        return np.stack([codes if records is None else codes[records] for codes in found], axis=1)

    def tuples(self, side: Side, columns: Sequence[str]) -> tuple[Codes, Records, Records]:
        """The distinct tuples, which of them each record has, and how many records have each."""
        shared = [self.columns[name] for name in columns]
        codes = [column.codes[side].astype(np.uint32) for column in shared]
        of_record, size = numbered(codes, [column.cardinality for column in shared])
        first = np.empty(size, np.int64)
        first[of_record] = np.arange(len(of_record))
        return self.codes(side, columns, first), of_record, np.bincount(of_record, minlength=size)

    def nearest(self, side: Side, targets: Records, columns: Sequence[str]) -> tuple[Records, Floats]:
        """For each target the synthetic record that is nearest by ``columns``, drawn from all that are as near, and how
        far that is. Distances are taken to each distinct tuple once.
        """
        tuples, of_record, counts = self.tuples("synthetic", columns)
        wanted = self.codes(side, columns, targets)
        distances = distances_between([self.columns[name] for name in columns], wanted, tuples)
        lowest = distances.min(axis=1)
        order, first = np.argsort(of_record, kind="stable"), np.cumsum(counts) - counts
        found = np.empty(len(targets), np.int64)
        luck = self.random.uniform(len(targets))
        for place, row in enumerate(distances):
            ties = np.flatnonzero(row <= lowest[place] + HARDLY)
            up_to = np.cumsum(counts[ties])
            turn = int(luck[place] * up_to[-1])
            tie = int(np.searchsorted(up_to, turn, side="right"))
            found[place] = order[first[ties[tie]] + turn - (up_to[tie - 1] if tie else 0)]
        return found, lowest


def distances_between(columns: Sequence[SharedColumn], targets: Codes, candidates: Codes) -> Floats:
    """The sum over columns, by target and candidate."""
    found = np.zeros((len(targets), len(candidates)), np.float32)
    for place, column in enumerate(columns):
        found += column.distances(targets[:, place], candidates[:, place])
    return found


def compared(original: pl.DataFrame, synthetic: pl.DataFrame, control: pl.DataFrame, random: Randomness) -> ThreeTables:
    """The columns of the synthetic table in all three."""
    frames: dict[Side, pl.DataFrame] = {"original": original, "synthetic": synthetic, "control": control}
    columns = {name: _shared(name, [frames[side][name] for side in SIDES]) for name in synthetic.columns}
    return ThreeTables(columns, {side: frame.height for side, frame in frames.items()}, random)


def _shared(name: str, parts: Sequence[pl.Series]) -> SharedColumn:
    same = all(part.dtype == parts[0].dtype for part in parts)
    every = pl.concat(parts if same else [written(part) for part in parts])
    distinct = every.unique()
    gauge = gauge_of(distinct, np.ones(len(distinct), np.int64))
    keys = written(every) if gauge is None else gauge.units(every)
    ranks = keys.rank("dense")
    cardinality = int(ranks.max() or 0) + 1  # type: ignore[arg-type]
    codes = (ranks.fill_null(cardinality) - 1).cast(pl.Int64).to_numpy()
    ends = np.cumsum([0, *(len(part) for part in parts)])
    by_side = {side: codes[ends[place] : ends[place + 1]] for place, side in enumerate(SIDES)}
    if gauge is None:
        return SharedColumn(name, by_side, None, None, cardinality)
    units = np.full(cardinality, np.nan)
    numbers = keys.cast(pl.Float64).fill_null(np.nan).to_numpy()
    units[codes] = numbers
    low, high = np.nanmin(units), np.nanmax(units)
    return SharedColumn(name, by_side, (units - low) / max(high - low, 1.0), units, cardinality)
