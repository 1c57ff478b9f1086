"""A column of a table at every level of its hierarchy: what records lose there, and what they are called."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._cells import Codes, Counts, LevelledColumn, narrowest, tallied
from biombo._data import Column, Dataset, written
from biombo._hierarchy import TOP, Hierarchy, HierarchyCodes
from biombo._measures import LossDomain, occurring_leaves
from biombo._plan.recoding.recoded_column import RecodedColumn

Preference = Literal["loss", "precision", "entropy"]
"""What is to be lost as little as possible: share of the domain, levels, or bits."""

Regions = Literal["free", "strict", "relaxed"]
"""Which records may be a group: any, or those of regions that are cut from the top down, strict ones or such that may
overlap."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LevelledValues:
    """The values of a column in an order that is their own, so that it does not matter in which order rows came."""

    name: str
    codes: Codes
    """By row."""
    at_levels: HierarchyCodes
    hierarchy: Hierarchy
    held: Counts
    """By code: how many records have it."""
    weight: float
    loss_domain: LossDomain

    @classmethod
    def of(
        cls, data: Dataset, column: RecodedColumn, there: NDArray[np.bool_], loss_domain: LossDomain
    ) -> "LevelledValues":
        """The values of the rows that are ``there``, read through the hierarchy, with ``*`` above all of them."""
        found = data[column.column]
        values, codes = _in_order(found, there)
        held = tallied(codes, len(values), data.counts, there)
        hierarchy = column.hierarchy
        asked = {"counts": held.tolist(), "missing": column.missing, "apart": column.apart, "column": column.column}
        at_levels = hierarchy.recode(values, **asked)
        if not at_levels.single_top:
            at_levels = hierarchy.with_top().recode(values, **asked)
        return cls(column.column, codes, at_levels, hierarchy, held, float(column.weight), loss_domain)

    @cached_property
    def levelled(self) -> LevelledColumn:
        """The column at every level, for the kernel and for measures."""
        codes = self.at_levels.codes.astype(np.int64)
        if self.loss_domain == "data":
            return LevelledColumn(self.name, self.codes, codes, *occurring_leaves(codes, self.held > 0))
        leaves = np.array([of_label[codes[level]] for level, of_label in enumerate(self.at_levels.leaves)])
        return LevelledColumn(self.name, self.codes, codes, leaves, self.at_levels.domain)

    def costs(self, preference: Preference) -> Floats:
        """Per level and code: what a record with it loses there, the same for all codes that are alike there. What
        counts is how much more that is than at level 0; a weight at most.
        """
        column = self.levelled
        if preference == "precision":
            relative = np.arange(column.height + 1) / max(column.height, 1)
            return np.asarray(self.weight * np.repeat(relative[:, None], column.levels.shape[1], axis=1))
        if preference == "entropy":
            return np.asarray(self.weight * self._bits / max(1.0, float(np.log2(max(1, self.held.sum())))))
        return np.asarray(self.weight * (column.leaves - 1).clip(0) / max(1, column.domain - 1))

    @property
    def _bits(self) -> Floats:
        """log₂ of how many records have a value under the label.

        What is lost of a value is that less the same of the value itself: −log₂ of the share that records with the
        value have among all that are under its label. Prasser, Bild and Kuhn (2016), whose measure is told of the
        result, count among those that show the label; by Gibbs' inequality that is never more, and the same where
        records of all these values are shown so alike.
        """
        with_label = np.array([np.bincount(level, self.held)[level] for level in self.at_levels.codes])
        return np.asarray(np.log2(np.maximum(with_label, 1)))

    @cached_property
    def labels(self) -> tuple[tuple[str | None, ...], ...]:
        """Per level and code of the level: what is released. Where a hierarchy lists its values, a label that a lower
        level has for others has its level behind it: that follows from the hierarchy alone, whichever values occur.
        """
        called = [
            tuple(self._other_names.get((level, label), label) if label is not None else None for label in labels)
            for level, labels in enumerate(self.at_levels.labels)
        ]
        return tuple(called)

    @cached_property
    def _other_names(self) -> dict[tuple[int, str], str]:
        """By level and label: what is released in its place."""
        listed = {value: self.hierarchy.ancestors(value) or () for value in self.hierarchy.values or ()}
        taken = {*listed, *(label for above in listed.values() for label in above)}
        first: dict[str, frozenset[str]] = {value: frozenset([value]) for value in listed}
        found: dict[tuple[int, str], str] = {}
        for level in range(1, self.hierarchy.height + 1):
            under: dict[str, set[str]] = {}
            for value, above in listed.items():
                under.setdefault(above[level - 1], set()).add(value)
            for label, values in sorted(under.items()):
                if label != TOP and first.setdefault(label, frozenset(values)) != values:
                    found[level, label] = _another_name(f"{label} [{level}]", taken)
        return found

    @cached_property
    def _number_of(self) -> dict[str | None, int]:
        return {
            label: place for place, label in enumerate(dict.fromkeys(each for level in self.labels for each in level))
        }

    def label_number(self, label: str | None) -> int:
        """A number for what is released, the same at all levels; -1 for what no value becomes."""
        return self._number_of.get(label, -1)

    @cached_property
    def label_numbers(self) -> list[NDArray[np.int64]]:
        """Per level and code: the number of what is released."""
        by_level = zip(self.labels, self.at_levels.codes, strict=True)
        return [np.array([self._number_of[each] for each in labels], np.int64)[codes] for labels, codes in by_level]

    @cached_property
    def values_under(self) -> dict[str | None, tuple[str | None, ...]]:
        """By what is released: the values that it stands for, where these are several and ``*`` is not all that is
        told.
        """
        found: dict[str | None, tuple[str | None, ...]] = {}
        values = np.array(self.labels[0], object)[self.at_levels.codes[0]]
        for labels, codes in zip(self.labels[1:], self.at_levels.codes[1:], strict=True):
            for code, label in enumerate(labels):
                if label not in (None, TOP):
                    found.setdefault(label, tuple(values[codes == code]))
        return {label: under for label, under in found.items() if len(under) > 1}

    def called(self, rows: NDArray[np.intp], levels: NDArray[np.uint8]) -> list[str | None]:
        """What is released of some rows, each at its level."""
        codes = self.codes[rows]
        at_level = zip(levels.tolist(), self.at_levels.codes[levels, codes].tolist(), strict=True)
        return [self.labels[level][code] for level, code in at_level]


def _another_name(label: str, taken: set[str]) -> str:
    while label in taken:
        label += "'"
    taken.add(label)
    return label


def _in_order(column: Column, there: NDArray[np.bool_]) -> tuple[list[str | None], Codes]:
    """The values that rows have, in their order, and the codes of these for each row; those of others mean nothing."""
    texts = written(column.values)
    occurs = np.zeros(len(texts), bool)
    occurs[np.unique(column.codes[there])] = True
    places = np.flatnonzero(occurs)
    order = texts.gather(pl.Series(places, dtype=pl.UInt32)).arg_sort(nulls_last=True).to_numpy()
    rank = np.zeros(len(texts), np.int64)
    rank[places[order]] = np.arange(len(order))
    codes: Codes = rank.astype(narrowest(max(1, len(order))))[column.codes]  # type: ignore[assignment]
    return [texts[int(place)] for place in places[order]], codes
