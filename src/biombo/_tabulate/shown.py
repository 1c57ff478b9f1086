"""A table as it goes out: every cell, with its numbers or without; written to files, and read back from them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from biombo._engine import csv_text
from biombo._errors import InputError
from biombo._files import read_whole
from biombo._tabulate.audit import Intervals, intervals, kinds
from biombo._tabulate.classification import Classification
from biombo._tabulate.cube import Numbers
from biombo._tabulate.protection import SUPPRESS, Protection, protection_in
from biombo._tabulate.rules import RECORDS, Marks, known_floor

CELLS, STRUCTURE, INTERVALS = "table.csv", "table.json", "intervals.csv"

STATUS = "cell"
_SHOWN, _LEFT_OUT = "shown", "suppressed"
_MARK, _VERSION = "biombo-table", 2
"""Tables of the first version do not say which categories are public, and nothing can be said of what is known."""
_EXACT = 1e-6
"""How far numbers may be apart that are meant to be the same."""
_LAST = 1e-15
"""The same for a mean that was multiplied by its records and divided again."""


@dataclass(frozen=True, eq=False)
class ShownTable:
    """What everybody gets, and nothing else."""

    classifications: tuple[Classification, ...]
    values: Mapping[str, Numbers]
    """By what is shown, the records first: the number of each cell; not a number where it is left out."""
    means: tuple[str, ...]
    """Of these columns the mean is shown in the place of the sum."""
    k: int
    zeros_shown: bool
    protection: Protection | None = None
    """What protects it; none where cells are left out."""

    @property
    def shape(self) -> tuple[int, ...]:
        """How many categories each column has."""
        return tuple(map(len, self.classifications))

    @cached_property
    def hidden(self) -> Marks:
        """The cells that are left out."""
        return np.isnan(self.values[RECORDS])

    @property
    def floor(self) -> Numbers:
        """The records that each cell has at least, as everybody knows, where it is left out."""
        return known_floor(self.classifications, self.k, zeros_shown=self.zeros_shown)

    def evidence(self) -> dict[str, Intervals]:
        """How far the cells left out can be known, by whoever has this table."""
        return self._evidence

    @cached_property
    def _evidence(self) -> dict[str, Intervals]:
        return {
            name: intervals(
                self.classifications,
                values,
                self.hidden,
                self.floor if name == RECORDS else 0.0,
                whole=name == RECORDS,
            )
            for name, values in self.values.items()
        }

    @property
    def kinds(self) -> dict[str, int]:
        """How many of the cells left out are bounded exactly, by linear programs alone, and not at all."""
        return kinds(self.hidden, self.evidence()[RECORDS])

    def columns_of(self, tree: Classification) -> list[str]:
        """The columns that say which category a cell is of. Where there are several levels, the one
        that it is on stands beside it.
        """
        return [tree.column, *([level_column(tree.column)] if tree.height > 1 else [])]

    def frame(self) -> pl.DataFrame:
        """A row for each cell."""
        places = np.unravel_index(np.arange(self.hidden.size), self.shape)
        columns: list[pl.Series] = []
        for tree, at in zip(self.classifications, places, strict=True):
            which = (pl.Series(tree.labels).gather(at), pl.Series(tree.levels[at]))
            columns += [series.alias(name) for name, series in zip(self.columns_of(tree), which, strict=False)]
        records = self.values[RECORDS].ravel()
        for name, values in self.values.items():
            told = values.ravel() / np.maximum(records, 1) if name in self.means else values.ravel()
            series = pl.Series(mean_of(name) if name in self.means else name, told).fill_nan(None)
            columns.append(series.cast(pl.Int64) if name == RECORDS else series)
        shown = _SHOWN if self.protection is None else self.protection.status
        status = np.where(self.hidden.ravel(), _LEFT_OUT, shown)
        return pl.DataFrame([*columns, pl.Series(STATUS, status)])

    def is_as_told(self, folder: str | Path) -> bool:
        """Is no cell of fewer than k records shown or given away, and no sum of one that is left out, do totals add up,
        and have the files in ``folder`` just this table and the intervals that it leaves? Of numbers that are not the
        true ones: are they as their protection leaves them?
        """
        if not self._is_all_of(Path(folder)):
            return False
        if self.protection is not None:
            return self.protection.is_met_by(self) and self.protection.is_explained_in(Path(folder))
        records, evidence = self.values[RECORDS], self.evidence()
        small = (records > (0 if self.zeros_shown else -1)) & (records < self.k)
        found = evidence[RECORDS]
        known = self.hidden & ~((found.low < found.high) & (found.high >= self.k))
        for name, each in evidence.items():
            known |= self.hidden & (each.exact | ~np.isnan(self.values[name]))
        return not small.any() and not known.any() and self._adds_up() and self._tells(folder, evidence)

    def _is_all_of(self, folder: Path) -> bool:
        """Have the cells and the structure in a folder nothing else? Means may differ in their last digit; of the
        structure every byte is compared, since the same entry twice, or 5.0 for 5, is read as one and says another.
        """
        frame = self.frame()
        told, ours = (_as_read(each) for each in (read_whole(folder / CELLS), csv_text(frame).encode()))
        if read_whole(folder / STRUCTURE) != self._structure_text().encode() or told.columns != ours.columns:
            return False
        told.columns = ours.columns = frame.columns  # names that a spreadsheet would compute have a mark in the file
        means = [mean_of(name) for name in self.means]
        theirs, own = (each.select(means).cast(pl.Float64).fill_null(-1.0).to_numpy() for each in (told, ours))
        return bool(np.allclose(theirs, own, rtol=_LAST, atol=0)) and told.drop(means).equals(ours.drop(means))

    def _adds_up(self) -> bool:
        """Is every total, where it and all its parts are shown, their sum?"""
        for name, values in self.values.items():
            exact = 0.0 if name == RECORDS else _EXACT
            for axis, tree in enumerate(self.classifications):
                rest = values - tree.added_up(values, axis)
                wholes = np.take(rest, np.flatnonzero(tree.levels > 0), axis)
                if (np.abs(wholes) > exact * np.nanmax(values, initial=1.0)).any():
                    return False
        return True

    def _tells(self, folder: str | Path, evidence: Mapping[str, Intervals]) -> bool:
        files = (csv_text(self.intervals_frame(evidence)).encode(), read_whole(Path(folder) / INTERVALS))
        expected, told = (_as_read(each).cast(pl.Float64) for each in files)
        if told.columns != expected.columns or len(told) != len(expected):
            return False
        ours, theirs = (each.fill_null(-1.0).to_numpy() for each in (expected, told))
        return bool(np.allclose(ours, theirs, rtol=_EXACT, atol=_EXACT))

    @property
    def file_names(self) -> tuple[str, ...]:
        """What the files of the table are called."""
        return CELLS, STRUCTURE, *([INTERVALS] if self.protection is None else self.protection.files())

    def files(self) -> dict[str, str]:
        """By name: what stands in each file of the table."""
        files = {CELLS: csv_text(self.frame()), STRUCTURE: self._structure_text()}
        if self.protection is not None:
            return files | self.protection.files()
        return files | {INTERVALS: csv_text(self.intervals_frame(self.evidence()))}

    def _structure_text(self) -> str:
        return json.dumps(self.structure(), ensure_ascii=False, indent=1) + "\n"

    def structure(self) -> dict[str, Any]:
        """All but the numbers, as plain values."""
        return {
            _MARK: _VERSION,
            "k": self.k,
            "zeros": "shown" if self.zeros_shown else "protected",
            "protection": {"kind": SUPPRESS} if self.protection is None else self.protection.to_tree(),
            "shows": [*self.values],
            "means": [*self.means],
            "columns": [
                {
                    "column": tree.column,
                    "labels": tree.labels,
                    "levels": _plain(tree.levels),
                    "parents": _plain(tree.parents),
                    "frequent": _plain(tree.frequent),
                }
                for tree in self.classifications
            ],
        }

    @classmethod
    def of_structure(cls, tree: Mapping[str, Any], values: Mapping[str, Numbers]) -> "ShownTable":
        """The table of this structure whose cells have these numbers, one after the other. Raises what Python raises
        where it is none.
        """
        columns = tuple(_classification(entries) for entries in tree["columns"])
        shape = tuple(map(len, columns))
        if tree[_MARK] != _VERSION or tree["shows"][0] != RECORDS:
            raise ValueError
        shaped = {name: values[name].reshape(shape) for name in tree["shows"]}
        return cls(
            columns,
            shaped,
            tuple(tree["means"]),
            int(tree["k"]),
            tree["zeros"] == "shown",
            protection_in(tree.get("protection")),
        )

    def intervals_frame(self, evidence: Mapping[str, Intervals]) -> pl.DataFrame:
        """A row for each cell that is left out, by its number in the table: the least and the most that it can have.
        There is no most where nothing tells, and neither in blocks that are too large to be bounded.
        """
        cells = np.flatnonzero(self.hidden)
        columns = [pl.Series("row", cells + 1)]
        for name, found in evidence.items():
            ends = {"least": found.low.ravel()[cells], "most": found.high.ravel()[cells]}
            for end, values in ends.items():
                told = np.where(np.isfinite(values) & ~found.unbounded.ravel()[cells], values, np.nan)
                columns.append(pl.Series(f"{name}: {end}", told).fill_nan(None))
        return pl.DataFrame(columns)

    @classmethod
    def load(cls, folder: str | Path) -> "ShownTable":
        """The table in a folder, as its files have it."""
        path = Path(folder) / STRUCTURE
        try:
            tree = json.loads(read_whole(path))
            cells = _as_read(read_whole(Path(folder) / CELLS))
            first = cells.width - 1 - len(tree["shows"])
            values = {name: _numbers(cells.to_series(first + at)) for at, name in enumerate(tree["shows"])}
            for name in tree["means"]:
                values[name] = values[name] * np.maximum(values[RECORDS], 1)
            shown = cls.of_structure(tree, values)
            whole = shown.frame().shape == cells.shape
        except (ValueError, KeyError, TypeError, IndexError, pl.exceptions.PolarsError):
            raise InputError("tabulate.unreadable", path=str(path)) from None
        if not whole:
            raise InputError("tabulate.unreadable", path=str(path))
        return shown


def level_column(column: str) -> str:
    """The column that says on which level of ``column`` a category is."""
    return f"{column}: level"


def mean_of(column: str) -> str:
    """The column of means of ``column``."""
    return f"{column}: mean"


def _as_read(content: bytes) -> pl.DataFrame:
    """A file of the table, as text."""
    return pl.read_csv(content, infer_schema=False)


def _numbers(column: pl.Series) -> Numbers:
    numbers = column.cast(pl.Float64)
    if numbers.is_infinite().any():
        raise ValueError
    return numbers.fill_null(np.nan).to_numpy()


def _classification(entries: Mapping[str, Any]) -> Classification:
    levels, parents = (np.array(entries[name], np.int64) for name in ("levels", "parents"))
    labels = tuple(map(str, entries["labels"]))
    tops = np.append(levels[parents[:-1]] - levels[:-1], 1)
    if not len(labels) == len(levels) == len(parents) or parents[-1] != -1 or (tops != 1).any() or levels[0]:
        raise ValueError
    frequent = tuple(map(int, entries["frequent"]))
    if not set(frequent) <= set(range(len(labels) - 1)):
        raise ValueError
    return Classification(str(entries["column"]), labels, levels, parents, frequent)


def _plain(places: Any) -> list[int]:
    return [int(place) for place in places]
