"""A table that is a part of a population, searched by brute force: who looks like a group is counted one by one."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from plain_generalising import Group, Levels, PlainColumn, Value
from plain_search import TOLERANCE, PlainSearch

import biombo as bb

COUNTED: list[bb.Criterion] = [
    bb.KMap(2),
    bb.KMap(4),
    bb.Presence(0.3),
    bb.Presence(0.6),
    bb.Presence(0.5, over="table"),
    bb.Absence(0.5),
    bb.Absence(0.8),
]
Person = tuple[Value, ...]


class ColumnOfBoth(PlainColumn):
    """A column that has a single top for the population as well."""

    def __init__(self, own: PlainColumn, hierarchy: dict[str, tuple[str, ...]], there: Sequence[Value]) -> None:
        super().__init__(hierarchy, [*own.values, *there], own.loss_domain)
        self._both, self.values, self._own_domain = self.values, own.values, own.domain

    @property
    def domain(self) -> list[Value]:
        """Who is not in the table loses nothing."""
        return self._own_domain

    @property
    def constant_from(self) -> int:
        """The lowest level at which everybody looks the same, those of the population included."""
        shown = [{self.paths[value][level] for value in self._both} for level in range(self.height + 1)]
        return min((level for level, labels in enumerate(shown) if len(labels) == 1), default=self.height + 1)


@dataclass
class PlainPopulationSearch(PlainSearch):
    """The same with criteria that are counted in the population."""

    population: Sequence[Person] = ()
    _levels: Levels = field(default=(), init=False)

    def _kept(self, levels: Levels) -> list[Group]:
        self._levels = levels
        return super()._kept(levels)

    def _holds(self, criterion: bb.Criterion, group: Group) -> bool:
        if not criterion.against_population:
            return super()._holds(criterion, group)
        look_so = self._people_at(self._levels)[self._shown(group, self._levels)]
        if isinstance(criterion, bb.KMap):
            return look_so >= criterion.k
        assert isinstance(criterion, bb.Presence)
        return Fraction(self._members(group), look_so) <= criterion.max + TOLERANCE

    def _table_holds(self, levels: Levels) -> bool:
        counted = [each for each in self.criteria if each.against_population and each.scope == "table"]
        others = PlainSearch(**{**vars_of(self), "criteria": [each for each in self.criteria if each not in counted]})
        others.__dict__["costs"] = self.costs
        kept = self.costs[levels].kept
        return others._table_holds(levels) and all(self._bounded(each, kept, levels) for each in counted if kept)

    def _bounded(self, criterion: bb.Criterion, kept: Sequence[Group], levels: Levels) -> bool:
        people, members = self._people_at(levels), {self._shown(g, levels): self._members(g) for g in kept}
        if isinstance(criterion, bb.Absence):
            least = min(Fraction(members.get(look, 0), number) for look, number in people.items())
            return 1 - least <= criterion.max + TOLERANCE
        assert isinstance(criterion, bb.Presence)
        likely = sum((Fraction(f * f, people[look]) for look, f in members.items()), Fraction(0))
        return likely / sum(members.values()) <= criterion.max + TOLERANCE

    def _shown(self, group: Group, levels: Levels) -> Person:
        """What the records of a group show."""
        return self._looks([column.values[group[0]] for column in self.columns], levels)

    def _people_at(self, levels: Levels) -> Counter[Person]:
        """How many people of the population show what."""
        return Counter(self._looks(person, levels) for person in self.population)

    def _looks(self, values: Sequence[Value], levels: Levels) -> Person:
        of_columns = zip(self.columns, values, levels, strict=True)
        return tuple(column.paths[value][level] for column, value, level in of_columns)


def vars_of(search: PlainSearch) -> dict[str, object]:
    """What a search by brute force was made with."""
    return {name: getattr(search, name) for name in PlainSearch.__dataclass_fields__}
