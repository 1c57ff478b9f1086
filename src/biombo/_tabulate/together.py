"""A new table beside earlier ones of the same source: what all of them together must leave open."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from biombo._errors import ColumnError, InputError, UsageError
from biombo._tabulate.additions import Additions
from biombo._tabulate.atoms import Value
from biombo._tabulate.bounds import EXACT
from biombo._tabulate.classification import Classification, Places
from biombo._tabulate.counting import Counting
from biombo._tabulate.cube import Contributions, Cube, Numbers, Range, counted
from biombo._tabulate.doubts import Aim, Doubt, Joined, Joining
from biombo._tabulate.earlier import EarlierTable
from biombo._tabulate.linked import LinkedTable, LinkedTables
from biombo._tabulate.rules import RECORDS, Marks, Measure, Rules, column_of, known_floor, rests

Leaves = Mapping[str, Sequence[frozenset[Value]]]


@dataclass(frozen=True, eq=False)
class Together:
    """The tables of one source."""

    counting: Counting
    state: str
    """The fingerprint of the records."""
    cube: Cube
    leaves: Leaves
    """By column of the new table: the values of each category without parts."""
    rules: Rules
    earlier: Sequence[EarlierTable]
    _states: dict[str, int] = field(init=False)
    """By fingerprint: the place in the order of states, which is the one in which they came on record."""

    def __post_init__(self) -> None:
        order = dict.fromkeys([*(table.state for table in self.earlier), self.state])
        object.__setattr__(self, "_states", {state: number for number, state in enumerate(order)})
        for table in self.earlier:
            refuse_less(self.rules, self.counting.person, table)
            late = self._states[table.state] > self._states[self.state]
            for column in sorted(set(table.shown.values).intersection(self.cube.sums) if late else ()):
                raise ColumnError("tabulate.sum-late", column=column, release=table.release)

    @cached_property
    def recounted(self) -> list[Cube]:
        """Each earlier table as it would be now. Raises where the records cannot be those that it was made of, with
        others besides.
        """
        found = [_recounted(self.counting, table, self._added_up(table)) for table in self.earlier]
        for table, cube in zip(self.earlier, found, strict=True):
            since = self._states[self.state] - self._states[table.state]
            more = (cube.records - table.shown.values[RECORDS])[~table.shown.hidden]
            about = {"source": self.counting.data.label, "release": table.release}
            if (since >= 0 and (more < 0).any()) or (since <= 0 and (more > 0).any()):
                raise InputError("tabulate.not-grown", **about)
            for name, sums in cube.sums.items():
                less = table.shown.values[name] - sums.totals
                if np.nanmax(less, initial=0.0) > EXACT * float(sums.totals.max()):
                    raise InputError("tabulate.sum-not-grown", column=name, **about)
        return found

    def _added_up(self, table: EarlierTable) -> list[str]:
        """The columns that an earlier table of the same state adds up, or one of another state and the new one both."""
        sums = [name for name in table.shown.values if name != RECORDS]
        return [name for name in sums if table.state == self.state or name in self.cube.sums]

    @cached_property
    def linked(self) -> LinkedTables:
        """All tables, the new one last."""
        values = self._scaled(self.cube.records, {name: sums.totals for name, sums in self.cube.sums.items()})
        trees = self.cube.classifications
        leaves = tuple(tuple(self.leaves[tree.column]) for tree in trees)
        none = np.zeros(self.cube.shape, bool)
        is_shown = self.rules.zeros == "shown"
        floor = known_floor(trees, self.rules.k, zeros_shown=is_shown)
        new = LinkedTable(self._states[self.state], trees, leaves, values, none, is_shown, floor)
        columns = [tree.column for table in self.earlier for tree in table.shown.classifications]
        known = {name: self.counting.values(name) for name in [*(tree.column for tree in trees), *columns]}
        return LinkedTables([*map(self._linked, self.earlier), new], known, self.rules.k)

    @cached_property
    def public(self) -> Marks:
        """The cells of the new table that an earlier one of the same state shows."""
        known = {
            places.tobytes()
            for table, cells in zip(self.linked.tables[:-1], self.linked.cells, strict=False)
            for places, out in zip(cells, table.hidden.ravel(), strict=True)
            if table.state == self.linked.new.state and not out
        }
        same = [places.tobytes() in known for places in self.linked.cells[-1]]
        return np.array(same, bool).reshape(self.cube.shape)

    def joined(self, hidden: Marks) -> Joined:
        """What is left out besides, so that all tables together leave what must stay open."""
        weights = np.log2(self.cube.records + 1.0) + 1
        return Joining(self.linked, weights).joined(hidden, self.doubts(hidden))

    def doubts(self, hidden: Marks) -> dict[str, list[Doubt]]:
        """By measure: what must stay possible beside the new table, in which these cells are ``hidden``."""
        _ = self.recounted
        records = [*self._groups(), *self._left_out_before(), *self._growth()]
        found: dict[str, list[Doubt]] = {RECORDS: records}
        for measure, aims in (*self._sensitive(), *self._sums_of_groups()):
            found.setdefault(measure, []).extend((aim,) for aim in aims)
        for column in self.cube.sums:
            found[column].extend(self._additions(column).doubts(hidden))
        return found

    def _groups(self) -> Iterator[Doubt]:
        """Every group of fewer than k that tables tell apart may have k, also an empty one where it must not be known
        that it is. Whatever consists of such groups may then have k as well.
        """
        group = self._group_of_tuples()
        people = self.counting.people_in(group, self.linked.groups)
        records = np.bincount(group, self.counting.records, self.linked.groups)
        few = people < self.rules.k
        for number in np.flatnonzero(few & (people > 0) if self.rules.zeros == "shown" else few):
            bound = max(float(self.rules.k), records[number] + (records[number] >= self.rules.k))
            if len(places := self.linked.of_group(int(number), self.linked.new.state)):
                yield (Aim(places, bound),)

    def _group_of_tuples(self) -> Places:
        _, *names = self.linked.atoms.columns
        at = [self.counting.numbered(name, self.linked.atoms.columns[name]) for name in names]
        return np.ravel_multi_index(at, self.linked.atoms.shape[1:]).astype(np.int64)

    def _left_out_before(self) -> Iterator[Doubt]:
        """What tables of other states left out may have k still; those that have more do so anyway."""
        for table, linked, cells in zip(self.earlier, self.linked.tables, self.linked.cells, strict=False):
            if linked.state != self.linked.new.state:
                for cell in np.flatnonzero(linked.hidden & linked.without_parts):
                    yield (Aim(cells[cell], float(table.rules.k)),)

    def _growth(self) -> list[Doubt]:
        """From one state to a later one nobody came to a cell, as far as anybody can tell, or k; totals first, with
        which it mostly holds of their parts.
        """
        found = {
            places.tobytes(): places
            for before, after in combinations(range(self.linked.states), 2)
            for table in self.linked.tables
            if table.state in (before, after)
            for places in self.linked.grown(table, before, after)
            if len(places)
        }
        k = float(self.rules.k)
        cells = sorted(found.values(), key=len, reverse=True)
        return [*((Aim(places, 0.0, upwards=False), Aim(places, k)) for places in cells), *self._arrivals()]

    def _arrivals(self) -> Iterator[Doubt]:
        """Of every group that tables tell apart, those who were there first, and those who came with each later state,
        may be k; or it is known that there are none. Whoever came to several such groups, or in several states, may
        then be k as well, or nobody is known to have come. How many were there earlier is on no record, but nobody was
        where nobody is by now.
        """
        if self.linked.states == 1:
            return
        is_shown, now = self.rules.zeros == "shown", self.linked.new.state
        people = self.counting.people_in(self._group_of_tuples(), self.linked.groups)
        for arrived in range(self.linked.states):
            skips_empty = arrived <= now and (arrived > 0 or is_shown)
            for number in np.flatnonzero(people > 0) if skips_empty else range(self.linked.groups):
                places = self.linked.of_group(int(number), arrived, since=arrived)
                if len(places):
                    yield (Aim(places, float(self.rules.k), or_nobody=arrived > 0 or is_shown),)

    def _sensitive(self) -> Iterator[tuple[str, list[Aim]]]:
        """By measure: how far the cells of tables of this state that tell too much must be in doubt."""
        for cells, cube, rules in self._of_this_state():
            sensitive = np.flatnonzero(rules.sensitive(cube))
            for measure in rules.measures(cube):
                scale = self._scales.get(measure.name, 1.0)
                yield measure.name, [aim for cell in sensitive for aim in _aims(measure, int(cell), cells[cell], scale)]

    def _sums_of_groups(self) -> Iterator[tuple[str, list[Aim]]]:
        """By measure: the same of every group that tables tell apart, whether one shows it or not. Nobody has more than
        a group that they are in. So whatever tables tell of several groups together, it may be of each person that they
        have more than what they have by that share.
        """
        numbers, cube = self._counted_groups
        for column, sums in cube.sums.items():
            rules = replace(self.rules, percent=self._percent(column))
            tells = rules.tells_first(sums.totals, sums.largest) | rules.tells_few(sums.likeness, cube.people)
            groups = [
                (int(at), self.linked.of_group(int(numbers[at]), self.linked.new.state))
                for at in np.flatnonzero(tells[:-1])
            ]
            for measure in rules.measures(cube):
                if measure.name != RECORDS and column_of(measure.name) == column:
                    scale = self._scales[measure.name]
                    yield measure.name, [aim for at, places in groups for aim in _aims(measure, at, places, scale)]

    @cached_property
    def _counted_groups(self) -> tuple[Places, Cube]:
        """The groups that tables tell apart and in which somebody is, by number, with what each of them has."""
        numbers, group = np.unique(self._group_of_tuples(), return_inverse=True)
        amounts = {name: self.counting.amounts(name, is_mean=False) for name in self._ranges}
        given = Contributions([group.astype(np.int64)], self.counting.records, self.counting.people, amounts)
        apart = Classification.of_levels("", [[""] * len(numbers)], [])
        return numbers, counted([apart], given, self.rules.largest)

    def _additions(self, column: str) -> Additions:
        """What was added to the sums of a column from state to state."""
        cubes = dict(enumerate([*self.recounted, self.cube]))
        now = {place: cube for place, cube in cubes.items() if column in cube.sums}
        return Additions(self.linked, now, column, self._scales[column], self._percent(column), self.rules.zeros)

    def _percent(self, column: str) -> float:
        """The largest share of the p% rule that a table asks for which adds up a column."""
        cubes, rules = [*self.recounted, self.cube], [*(table.rules for table in self.earlier), self.rules]
        return max(rule.percent for cube, rule in zip(cubes, rules, strict=True) if column in cube.sums)

    def _of_this_state(self) -> Iterator[tuple[list[Places], Cube, Rules]]:
        """The cells, numbers and rules of each table of the same records."""
        cubes = [*self.recounted, self.cube]
        rules = [*(table.rules for table in self.earlier), self.rules]
        for table, cells, cube, rule in zip(self.linked.tables, self.linked.cells, cubes, rules, strict=True):
            if table.state == self.linked.new.state:
                yield cells, cube, rule

    def _linked(self, table: EarlierTable) -> LinkedTable:
        shown, trees = table.shown, table.shown.classifications
        sums = {name: shown.values[name] for name in self._added_up(table)}
        values = self._scaled(shown.values[RECORDS], sums)
        leaves = tuple(table.leaves[tree.column] for tree in trees)
        state = self._states[table.state]
        return LinkedTable(state, trees, leaves, values, shown.hidden, shown.zeros_shown, shown.floor)

    def _scaled(self, records: NDArray[Any], sums: Mapping[str, Numbers]) -> dict[str, Numbers]:
        """The numbers of a table by measure, so that no sum is above one."""
        numbers = {RECORDS: records.astype(np.float64), **self._amounts(records, sums)}
        return {measure: values / self._scales.get(measure, 1.0) for measure, values in numbers.items()}

    def _amounts(self, records: NDArray[Any], sums: Mapping[str, Numbers]) -> dict[str, Numbers]:
        """Sums, and what is left of each."""
        left = (rests(name, records, totals, self._ranges[name]) for name, totals in sums.items())
        return {**sums, **{rest: values for each in left for rest, values in each.items()}}

    @cached_property
    def _ranges(self) -> dict[str, Range]:
        """By column that is added up in a table of this state: what a record has."""
        return {name: sums.each for cube in (*self.recounted, self.cube) for name, sums in cube.sums.items()}

    @cached_property
    def _scales(self) -> dict[str, float]:
        """By sum, or what is left of it: the largest number of all tables."""
        found: dict[str, float] = {}
        for cube in (*self.recounted, self.cube):
            sums = {name: each.totals for name, each in cube.sums.items()}
            for measure, values in self._amounts(cube.records, sums).items():
                found[measure] = max(found.get(measure, 1e-9), float(values.max()))
        return found


def refuse_less(rules: Rules, person: str | None, table: EarlierTable) -> None:
    """Raise where a table would protect less than an earlier one of the same source."""
    if rules.k < table.rules.k:
        raise UsageError("tabulate.lower-k", k=rules.k, before=table.rules.k, release=table.release)
    if rules.zeros == "shown" and table.rules.zeros == "protected":
        raise UsageError("tabulate.zeros-protected", release=table.release)
    if table.person not in (None, person):
        raise UsageError("tabulate.other-person", column=table.person, release=table.release)


def _aims(measure: Measure, cell: int, places: Places, scale: float) -> Iterator[Aim]:
    value, up, down = (each.flat[cell] / scale for each in (measure.values, measure.up, measure.down))
    yield Aim(places, value + up)
    if down > 0:
        yield Aim(places, value - down, upwards=False)


def _recounted(counting: Counting, table: EarlierTable, names: Sequence[str]) -> Cube:
    """The cells of an earlier table, of the records that are there now and have a category in it, with some sums."""
    trees = table.shown.classifications
    leaves = [counting.numbered(tree.column, _numbers(table.leaves[tree.column])) for tree in trees]
    there = np.all([leaf >= 0 for leaf in leaves], axis=0)
    given = Contributions(
        [leaf[there] for leaf in leaves],
        counting.records[there],
        None if counting.people is None else counting.people[there],
        {name: counting.amounts(name, is_mean=name in table.shown.means)[there] for name in names},
    )
    return counted(trees, given, table.rules.largest)


def _numbers(leaves: Sequence[frozenset[Value]]) -> dict[Value, int]:
    return {value: number for number, leaf in enumerate(leaves) for value in leaf}
