"""A quasi column with the generalisations that it may take."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._cells import Codes, Counts, LevelledColumn, recoded, tallied
from biombo._data import Column, Dataset, coded_alike, parse_numbers, read_off, written
from biombo._hierarchy import Answer, Branch, Hierarchy, HierarchyCodes, branches_of
from biombo._measures import LossDomain, occurring_leaves
from biombo._plan import Generalise
from biombo._search.level_bounds import CalledLevels


@dataclass(frozen=True, eq=False)
class QuasiColumn:
    """A column's values at all levels of its hierarchy, and which levels are allowed."""

    name: str
    hierarchy: Hierarchy
    at_levels: HierarchyCodes
    codes: Codes
    missing: Answer
    apart: tuple[str, ...]
    lowest: int
    highest: int
    held: Counts
    """How many records hold each value, by code."""
    loss_domain: LossDomain = "data"
    """Over which values its loss is told."""
    hopeless: int = 0
    """How many of the levels allowed are below the lowest: no plan with them is within the limit."""

    @classmethod
    def of(
        cls,
        data: Dataset,
        name: str,
        hierarchy: Hierarchy,
        *,
        missing: Answer = "stop",
        bounds: Any = None,
        keep: NDArray[np.bool_] | None = None,
        loss_domain: LossDomain = "data",
    ) -> "QuasiColumn":
        """Read a column through its hierarchy.

        Where that does not bring all values together, a level at which all are ``*`` is added: then there is a plan for
        every k that is no larger than the table.
        """
        hierarchy = read_off(data, name, hierarchy)
        column = data[name]
        values = written(column.values).to_list()
        held = tallied(column.codes, column.cardinality, data.counts, keep)
        counts = held.tolist()
        apart = tuple(value for value in data.schema[name].invalid if value is not None)
        recoded = hierarchy.recode(values, counts=counts, missing=missing, apart=apart, column=name)
        if not recoded.single_top:
            hierarchy = hierarchy.with_top()
            recoded = hierarchy.recode(values, counts=counts, missing=missing, apart=apart, column=name)
        lowest, highest = CalledLevels(name, hierarchy, recoded).within(bounds)
        return cls(name, hierarchy, recoded, column.codes, missing, apart, lowest, highest, held, loss_domain)

    @property
    def height(self) -> int:
        """The highest level of the hierarchy."""
        return self.at_levels.height

    @cached_property
    def all_levels(self) -> LevelledColumn:
        """The column at every level of the hierarchy, for measures."""
        codes = self.at_levels.codes.astype(np.int64)
        if self.loss_domain == "data":
            return LevelledColumn(self.name, self.codes, codes, *occurring_leaves(codes, self.held > 0))
        leaves = np.array([of_label[codes[level]] for level, of_label in enumerate(self.at_levels.leaves)])
        return LevelledColumn(self.name, self.codes, codes, leaves, self.at_levels.domain)

    @cached_property
    def constant_from(self) -> int:
        """The lowest level at which all records have the same value; above the highest where there is none."""
        occurring = self.at_levels.codes[:, self.held > 0]
        constant = (occurring == occurring[:, :1]).all(axis=1)
        return int(constant.argmax()) if constant.any() else self.height + 1

    @property
    def allowed_levels(self) -> LevelledColumn:
        """The column at the levels allowed, for the lattice."""
        whole = self.all_levels
        allowed = slice(self.lowest, self.highest + 1)
        return LevelledColumn(whole.name, whole.codes, whole.levels[allowed], whole.leaves[allowed], whole.domain)

    def allowed_beside(self, both: "QuasiColumn") -> LevelledColumn:
        """The same with the values that only the population has, as :meth:`beside` gives them: these stand for nothing
        that is lost.
        """
        own, wide = self.allowed_levels, both.allowed_levels
        leaves = np.zeros_like(wide.levels)
        for level, group in enumerate(wide.levels):
            of_group = np.zeros(group.max() + 1, np.int64)
            of_group[group[: own.levels.shape[1]]] = own.leaves[level]
            leaves[level] = of_group[group]
        return replace(wide, leaves=leaves, domain=own.domain)

    @property
    def frequencies(self) -> NDArray[np.int64]:
        """How many records have each of the values that occur."""
        return self.held[self.held > 0]

    @property
    def values(self) -> LevelledColumn:
        """The column with each value once, for whoever needs nothing but :attr:`held`."""
        return replace(self.all_levels, codes=np.arange(len(self.held)))  # type: ignore[arg-type]

    def without_hopeless(self, k: int, limit: int) -> "QuasiColumn":
        """The column without the lowest levels at which more than ``limit`` records share their value with fewer than
        ``k``: whatever other columns do, their groups are no larger. The highest level allowed stays.
        """
        for lowest in range(self.lowest, self.highest):
            sizes = tallied(self._told_apart(lowest, self.highest), len(self.held), self.held)
            if sizes[sizes < k].sum() <= limit:
                return replace(self, lowest=lowest, hopeless=lowest - self.lowest)
        return replace(self, lowest=self.highest, hopeless=self.highest - self.lowest)

    @property
    def standing_for_others(self) -> Codes:
        """By code: the same code for all values that no level from the lowest on tells apart; one of them."""
        group = self._told_apart(self.lowest, self.height)
        first = np.unique(group, return_index=True)[1]
        return recoded(group, first.tolist(), len(self.held))

    def _told_apart(self, lowest: int, highest: int) -> NDArray[np.intp]:
        """By code: a number for the values that any of these levels tells apart."""
        levels = self.at_levels.codes[lowest : highest + 1]
        return np.unique(levels, axis=1, return_inverse=True)[1].ravel()

    def branches(self, most: int) -> tuple[tuple[Branch, ...], int]:
        """The first ``most`` branches of each node of the hierarchy as people read it, and how many more at its top.

        Numbers come by their value, then texts, then a missing value.
        """
        values = pl.Series("text", self.at_levels.labels[0], pl.String)
        sortable = pl.DataFrame({"number": parse_numbers(values), "text": values}).with_row_index("place")
        order = sortable.sort("number", "text", nulls_last=True)["place"].cast(pl.Int64).to_numpy()
        in_order = replace(self.at_levels, codes=self.at_levels.codes[:, order])
        return branches_of(in_order, None, self.hierarchy.name_of, most)

    def example(self, level: int) -> tuple[str, str] | None:
        """A value and what it becomes at ``level``: the most frequent one that changes, where any does.

        A frequent value tells nothing about anyone; so does what becomes of it.
        """
        labels = [self.at_levels.labels[0], self.at_levels.labels[level]]
        for code in np.argsort(-self.held, kind="stable"):
            before, after = labels[0][self.at_levels.codes[0, code]], labels[1][self.at_levels.codes[level, code]]
            if before is not None and after is not None and before != after:
                return before, after
        return None

    def mapping(self, level: int) -> pl.DataFrame:
        """Each value that a record has, what it becomes at ``level``, and how many records have it; in the order of the
        values. Private: it lists the values of the table.
        """
        held = np.flatnonzero(self.held)
        values, labels = self.at_levels.labels[0], self.at_levels.labels[level]
        told = {
            "value": [values[code] for code in self.at_levels.codes[0, held]],
            "released": [labels[code] for code in self.at_levels.codes[level, held]],
        }
        mapped = pl.DataFrame(told, schema=dict.fromkeys(told, pl.String)).with_columns(records=self.held[held])
        return mapped.select(pl.lit(self.name).alias("column"), pl.all()).sort("value", nulls_last=True)

    def generalised(self, level: int) -> Column:
        """The column at ``level``."""
        labels = self.at_levels.labels[level]
        codes = recoded(self.codes, self.at_levels.codes[level].tolist(), len(labels))
        return Column(self.name, codes, pl.Series(self.name, labels, pl.String))

    def beside(self, own: Column, other: Column) -> tuple["QuasiColumn", Codes]:
        """The column with the values that only ``other``, the same column of the population, has behind those of
        ``own``, the column as it was read; and the codes of ``other``.
        """
        both, codes = coded_alike(own, other)
        held = np.concatenate([self.held, np.zeros(both.cardinality - len(self.held), np.int64)])
        people = (held + tallied(codes, both.cardinality)).tolist()
        asked = {"counts": people, "missing": self.missing, "apart": self.apart, "column": self.name}
        recoded = self.hierarchy.recode(both.values.to_list(), **asked)
        return replace(self, at_levels=recoded, codes=both.codes, held=held), codes

    def at_level(self, level: int) -> Generalise:
        """The operation that brings the column to ``level``."""
        return Generalise(self.name, self.hierarchy, level, missing=self.missing, apart=self.apart)
