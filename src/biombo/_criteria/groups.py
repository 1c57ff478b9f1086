"""The groups of a table, held against what is asked of them, and how they stand to each criterion."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from biombo import _kernel
from biombo._cells import CodedColumn, Codes, Counts, GroupValues, PopulationRows, Rule, TargetColumn, judge_groups
from biombo._criteria.base import Criterion
from biombo._criteria.targets import Ask
from biombo._criteria.whole_table import KeptGroups, KeptPresence
from biombo._data import Dataset, coded_alike
from biombo._errors import ColumnError, InputError


@dataclass(frozen=True, eq=False)
class JudgedGroups:
    """The groups of some quasi columns and how they stand to everything asked. Small ones are personal data."""

    codes: NDArray[np.uint32]
    """Per group and quasi column."""
    size: NDArray[np.int64]
    """Records."""
    top: NDArray[np.int64]
    """Per group and target: records with its most frequent value."""
    value: NDArray[np.float64]
    """Per group and ask, in the unit of the criterion."""
    meets: NDArray[np.bool_]
    """Per group and ask."""
    members: NDArray[np.int64]
    """People where some ask counts these, else records."""
    population: NDArray[np.int64] | None
    """People of the population who look so, where something is asked about it."""
    absent: int
    """Groups of the population that no record is in."""


@dataclass(frozen=True, eq=False)
class Case:
    """What is asked of the groups of one set of quasi columns."""

    data: Dataset
    quasi: tuple[str, ...]
    asks: tuple[Ask, ...]
    targets: tuple[TargetColumn, ...]
    keep: NDArray[np.bool_] | None
    """The rows that count at all; all where it is missing."""
    suppressed: NDArray[np.bool_] | None
    """Rows that count for what is known beforehand, but are in no group."""

    def groups(self, quasi: Sequence[str]) -> JudgedGroups:
        """The groups of ``quasi``, one group where there are no columns."""
        columns, population = self._beside_population(quasi)
        rules = [ask.rule for ask in self.asks if ask.rule is not None]
        people = next((ask.people for ask in self.asks if ask.people is not None), None)
        rules += [] if people is None else [Rule(people, "distinct", 1)]
        asked = self.targets, self.data.rows, rules, self.keep, self.data.counts, population
        found = judge_groups([_Released(self.data.rows, self.suppressed), *columns], *asked)
        members = found.size if people is None else found.values[:, -1].astype(np.int64)
        value, meets = self._held_against(found, members)
        here = found.codes[:, 0] == _Released.CODE
        if found.population is not None and (members > found.population)[here].any():
            refuse_outsiders(self.data, quasi)
        return JudgedGroups(
            found.codes[here, 1:],
            found.size[here],
            found.top[here],
            value[here],
            meets[here],
            members[here],
            None if found.population is None else found.population[here],
            0 if found.absent is None else len(found.absent),
        )

    def _beside_population(self, quasi: Sequence[str]) -> tuple[list[CodedColumn], PopulationRows | None]:
        """The columns, and the rows of the population in the same codes, where something is asked about it."""
        whole = self.data.population
        if whole is None or not any(ask.criterion.against_population for ask in self.asks):
            return [self.data[name] for name in quasi], None
        released: Codes = np.full(whole.rows, _Released.CODE, np.uint8)
        alike = [coded_alike(self.data[name], whole[name]) for name in quasi]
        people = np.ones(whole.rows, np.int64) if whole.counts is None else whole.counts
        return [column for column, _ in alike], PopulationRows([released, *(codes for _, codes in alike)], people)

    @property
    def there(self) -> NDArray[np.bool_]:
        """Which rows are in groups: those that count and are not suppressed."""
        there: NDArray[np.bool_] = np.ones(self.data.rows, bool) if self.keep is None else self.keep
        return there if self.suppressed is None else there & ~self.suppressed

    def rows_of(self, codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """Which rows lie in the groups of ``quasi`` with these codes, of those that count and are not suppressed."""
        columns = [self.data[name] for name in self.quasi]
        with_groups: list[Codes] = [
            np.concatenate([column.codes, codes[:, place].astype(column.codes.dtype)])
            for place, column in enumerate(columns)
        ]
        rows = self.data.rows
        numbers, groups = _kernel.row_groups(with_groups, [c.cardinality for c in columns], rows + len(codes))
        marked = np.zeros(groups, bool)
        marked[numbers.ravel()[rows:]] = True
        found: NDArray[np.bool_] = marked[numbers.ravel()[:rows]] & self.there
        return found

    def _held_against(self, found: GroupValues, members: Counts) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Per group and ask: the value in the unit of the criterion, and whether it will do."""
        value = np.empty((len(found.size), len(self.asks)))
        meets = np.empty(value.shape, bool)
        rule = 0
        for place, ask in enumerate(self.asks):
            if ask.rule is None:
                value[:, place] = ask.criterion.of_members(found.size, ask.prior)
                meets[:, place] = found.size >= ask.least
                continue
            values, meets[:, place] = found.values[:, rule], found.holds[:, rule]
            if ask.rule.kind == "presence":
                value[:, place] = ask.criterion.of_presence(values)
            elif ask.people is None or ask.rule.kind == "population":
                value[:, place] = ask.criterion.measured(values, ask.prior)
            else:
                value[:, place] = ask.criterion.of_members(members, ask.prior)
            rule += 1
        return value, meets


class _Released:
    """A column that parts the rows that are released from those that are suppressed."""

    CODE = 1
    name = "released"
    cardinality = 2

    def __init__(self, rows: int, suppressed: NDArray[np.bool_] | None) -> None:
        self.codes = np.full(rows, self.CODE, np.uint8) if suppressed is None else (~suppressed).astype(np.uint8)


@dataclass(frozen=True, eq=False)
class Standing:
    """How the groups of some quasi columns stand to one criterion."""

    value: NDArray[np.float64]
    """Per group: its value, the worst one where several sensitive columns count."""
    ask: NDArray[np.intp]
    """Per group: the place of the ask that it is from."""
    fails: NDArray[np.bool_]
    """Per group; never with a table-level criterion, which no single group breaks."""
    achieved: float | None
    """The worst value of any group, or the table's; none where there is no group."""
    holds: bool
    records: int
    """Records in the groups that fail."""


def standing_of(criterion: Criterion, asks: Sequence[Ask], found: JudgedGroups) -> Standing:
    """What was ``found``, as far as it concerns one criterion of those whose ``asks`` these are."""
    places = np.array([place for place, ask in enumerate(asks) if ask.criterion is criterion])
    values = found.value[:, places]
    worst = values.argmin(axis=1) if criterion.lowest_is_worst else values.argmax(axis=1)
    value = np.take_along_axis(values, worst[:, None], axis=1)[:, 0]
    fails: NDArray[np.bool_] = np.any(~found.meets[:, places], axis=1)
    if criterion.scope == "table":
        fails = np.zeros_like(fails)
        achieved, holds = _of_table([asks[place] for place in places], found)
    else:
        achieved, holds = _worst(criterion, value), not fails.any()
    return Standing(value, places[worst], fails, achieved, holds, int(found.size[fails].sum()))


def _worst(criterion: Criterion, values: NDArray[np.float64]) -> float | None:
    if not len(values):
        return None
    return float(values.min() if criterion.lowest_is_worst else values.max())


def _of_table(asks: Sequence[Ask], found: JudgedGroups) -> tuple[float | None, bool]:
    """The highest of what is asked of the table as a whole, and whether all of it will do."""
    if not len(found.size):
        return None, True
    kept = _added_up(found)
    values, holds = [], True
    for ask in asks:
        assert ask.bound is not None
        value = ask.bound.value(kept)
        values.append(ask.criterion.measured(value, ask.prior)[0])
        holds &= bool(ask.bound.holds(kept)[0])
    return float(max(values)), holds


def _added_up(found: JudgedGroups) -> KeptGroups:
    size, members = found.size, found.members
    return KeptGroups(
        records=np.array([size.sum()]),
        unique=np.array([size[members == 1].sum()]),
        picked=np.array([(size / members).sum()]),
        tops=found.top.sum(axis=0, keepdims=True),
        sizes=[np.unique(members, return_counts=True)],
        present=None if found.population is None else _present(members, found.population, found.absent),
    )


def _present(members: Counts, population: Counts, absent: int) -> KeptPresence:
    chances = members / population
    least = 0.0 if absent else float(chances.min())
    return KeptPresence(np.array([(members * chances).sum()]), np.array([members.sum()]), np.array([least]))


def refuse_outsiders(data: Dataset, quasi: Sequence[str]) -> NoReturn:
    """Raise since there are more people in some group of the table than in the population: who is in the one must be in
    the other. No value is told, since few may have it.
    """
    assert data.population is not None
    told = {"source": data.label, "population": data.population.label}
    for name in quasi:
        both, codes = coded_alike(data[name], data.population[name])
        if len(np.setdiff1d(both.codes, codes)):
            raise ColumnError("criteria.not-in-population", column=name, **told)
    raise InputError("criteria.more-than-population", columns=", ".join(quasi), **told)
