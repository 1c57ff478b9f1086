"""The people of a table, each once, by their categories: what only the desk sees."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from biombo._data import Dataset, identifiers_among, written
from biombo._errors import ColumnError
from biombo._hierarchy import Hierarchy
from biombo._query.categories import Categories, public_categories
from biombo._query.members import Members
from biombo._query.sums import Amounts
from biombo._tabulate import Counting, Places


@dataclass(frozen=True, eq=False)
class Inside:
    """A table that stays inside. Where nobody tells people apart, each record is taken for somebody else."""

    data: Dataset
    person: str | None

    def __post_init__(self) -> None:
        if self.person is not None and (written(self.data[self.person].values).fill_null("") == "").any():
            raise ColumnError("query.nobody", column=self.person)

    @property
    def _rows(self) -> Places:
        """By person: a row of the table."""
        if self.person is not None:
            return np.unique(self.data[self.person].codes, return_index=True)[1].astype(np.int64)
        counts = np.ones(self.data.rows, np.int64) if self.data.counts is None else self.data.counts.astype(np.int64)
        return np.repeat(np.arange(self.data.rows), counts)

    def categories(self, column: str, hierarchy: Hierarchy | None, k: int) -> Categories:
        """The categories of a column that has none yet."""
        schema = self.data.schema[column]
        public = public_categories(schema, column, hierarchy)
        if public is not None:
            return public
        if schema.role == "undecided" and self._seems_to_tell_who(column):
            raise ColumnError("query.seems-identifier", column=column)
        values = written(self.data[column].values).to_list()
        return Categories.found(column, values, hierarchy, k, self._people(column))

    def refuse_mean(self, column: str) -> None:
        """Raise where a column seems to tell who somebody is: its numbers are no amounts."""
        if self._seems_to_tell_who(column):
            raise ColumnError("query.mean-identifier", column=column)

    def _seems_to_tell_who(self, column: str) -> bool:
        """Do its name or its values say so? That everybody has a value of their own does not: amounts are like that."""
        mine = replace(self.data[column], codes=self.data[column].codes[self._rows])
        alone = replace(self.data, columns={column: mine}, rows=len(mine.codes), counts=None)
        return any(is_named for _, is_named in identifiers_among(alone).values())

    def _people(self, column: str) -> Callable[[Places], Places]:
        codes = self._one_each(column, self.data[column].codes.astype(np.int64))
        return lambda group: np.bincount(group[codes], minlength=int(group.max(initial=-1)) + 1)

    def _one_each(self, column: str, codes: Places) -> Places:
        """By person: their code; raises where somebody has several."""
        mine = codes[self._rows]
        if self.person is not None:
            whose = np.unique(self.data[self.person].codes, return_inverse=True)[1]
            if (mine[whose] != codes).any():
                raise ColumnError("query.several", column=column, person=self.person)
        return mine

    def leaves(self, categories: Categories) -> list[str]:
        """By person: the leaf that they are in."""
        column = categories.column
        places = [categories.of(value) for value in written(self.data[column].values)]
        numbers = {leaf: number for number, leaf in enumerate(dict.fromkeys(places))}
        leaf_of = np.array([numbers[place] for place in places], np.int64)
        names = [*numbers]
        return [names[code] for code in self._one_each(column, leaf_of[self.data[column].codes])]

    def kinds(self, members: Members, categories: Mapping[str, Categories]) -> Places:
        """By person: of which kind they are."""
        leaves = {column: self.leaves(categories[column]) for column in members.atoms.columns}
        return members.kinds(leaves, len(self._rows))

    def amounts(self, column: str, kinds: Places, decimals: int) -> Amounts:
        """By person: what they have in a column, in all."""
        given = Counting(self.data, None).amounts(column, is_mean=True)
        if self.person is None:
            return Amounts(kinds, given[self._rows], decimals)
        whose = np.unique(self.data[self.person].codes, return_inverse=True)[1]
        counts = 1 if self.data.counts is None else self.data.counts
        return Amounts(kinds, np.bincount(whose, given * counts).astype(np.float64), decimals)
