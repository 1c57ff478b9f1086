"""A quasi column with the generalisations that it may take."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._cells import Codes, Counts, LevelledColumn, recoded, tallied
from biombo._data import Column, Dataset, written
from biombo._hierarchy import Answer, Hierarchy, HierarchyCodes
from biombo._plan import Generalise
from biombo._search.called_levels import CalledLevels


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
    counts: Counts | None
    """How many records each row of codes stands for; None: one each."""

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
    ) -> "QuasiColumn":
        """Read a column through its hierarchy.

        Where that does not bring all values together, a level at which all are ``*`` is added: then there is a plan for
        every k that is no larger than the table.
        """
        column = data[name]
        values = written(column.values).to_list()
        counts = tallied(column.codes, column.cardinality, data.counts, keep).tolist()
        apart = tuple(value for value in data.schema[name].invalid if value is not None)
        recoded = hierarchy.recode(values, counts=counts, missing=missing, apart=apart, column=name)
        if not recoded.single_top:
            hierarchy = hierarchy.with_top()
            recoded = hierarchy.recode(values, counts=counts, missing=missing, apart=apart, column=name)
        lowest, highest = CalledLevels(name, hierarchy, recoded).within(bounds)
        return cls(name, hierarchy, recoded, column.codes, missing, apart, lowest, highest, data.counts)

    @property
    def height(self) -> int:
        """The highest level of the hierarchy."""
        return self.at_levels.height

    @cached_property
    def all_levels(self) -> LevelledColumn:
        """The column at every level of the hierarchy, for measures."""
        codes = self.at_levels.codes.astype(np.int64)
        leaves = np.array([of_label[codes[level]] for level, of_label in enumerate(self.at_levels.leaves)])
        return LevelledColumn(self.name, self.codes, codes, leaves, self.at_levels.domain)

    @property
    def allowed_levels(self) -> LevelledColumn:
        """The column at the levels allowed, for the lattice."""
        whole = self.all_levels
        allowed = slice(self.lowest, self.highest + 1)
        return LevelledColumn(whole.name, whole.codes, whole.levels[allowed], whole.leaves[allowed], whole.domain)

    def example(self, level: int) -> tuple[str, str] | None:
        """A value and what it becomes at ``level``: the most frequent one that changes, where any does.

        A frequent value tells nothing about anyone; so does what becomes of it.
        """
        labels = [self.at_levels.labels[0], self.at_levels.labels[level]]
        records = tallied(self.codes, self.at_levels.codes.shape[1], self.counts)
        for code in np.argsort(-records, kind="stable"):
            before, after = labels[0][self.at_levels.codes[0, code]], labels[1][self.at_levels.codes[level, code]]
            if before is not None and after is not None and before != after:
                return before, after
        return None

    def generalised(self, level: int) -> Column:
        """The column at ``level``."""
        labels = self.at_levels.labels[level]
        codes = recoded(self.codes, self.at_levels.codes[level].tolist(), len(labels))
        return Column(self.name, codes, pl.Series(self.name, labels, pl.String))

    def at_level(self, level: int) -> Generalise:
        """The operation that brings the column to ``level``."""
        return Generalise(self.name, self.hierarchy, level, missing=self.missing, apart=self.apart)
