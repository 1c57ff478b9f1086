"""Columns that go out as they are: what they tell besides what the criteria are about."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from biombo._cells import tallied
from biombo._data import Column, Dataset, Schema, written
from biombo._engine import Paired, Pairs, numbered
from biombo._i18n import percent, text
from biombo._plan import Generalise, GroupNoise, MaskGroups, Operation, Plan, RowOperation
from biombo._release.measure.dependence import Codes, Hidden, is_told_by, says_the_same
from biombo._release.measure.people_by_group import PeopleByGroup
from biombo._report import displayed

_LOOKED_AT = 20_000
"""Records by which it shows what one column tells of another; of more, so many are drawn."""


@dataclass(frozen=True)
class Finding:
    """Something that a column tells though it goes out as it is."""

    column: str
    kind: Literal["small-groups", "tells"]
    beside: str | None = None
    """For groups: the other column that makes them; else the column whose values are told."""
    share: float | None = None
    """For groups: how many of the people are in groups below k."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that go out as they are and must be accepted."""
        pair = self.kind == "small-groups" and self.beside is not None
        return (self.column, str(self.beside)) if pair else (self.column,)

    def sentence(self, k: int) -> str:
        """In words, in the language in use."""
        column, beside = displayed(self.column), self.beside and displayed(self.beside)
        if self.kind == "tells":
            return text("release.untouched.tells", column=column, told=beside)
        shown = percent(self.share or 0.0, 1)
        if beside is None:
            return text("release.untouched.alone", column=column, share=shown, k=k)
        return text("release.untouched.pair", column=column, beside=beside, share=shown, k=k)

    def as_json(self) -> dict[str, Any]:
        """As plain values."""
        return {"column": self.column, "kind": self.kind, "beside": self.beside, "share": self.share}


@dataclass(frozen=True, eq=False)
class Untouched:
    """What goes out as it is, found in the released records beside their own originals."""

    pairs: Pairs
    """With the originals of all columns that somebody spoke of."""
    plan: Plan
    used: Schema
    k: int

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The released columns that say of every record what the original says."""
        both = [name for name in self.pairs.columns if name in self.pairs.originals]
        return tuple(name for name in both if self._goes_out_as_it_is(name))

    @cached_property
    def constant(self) -> tuple[str, ...]:
        """The released columns that say the same of everybody."""
        return tuple(name for name in self.pairs.columns if self._released([name])[name].cardinality < 2)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What is told that nobody may have thought of."""
        return (*self._small_groups(), *self._told())

    def smallest_group(self) -> int | None:
        """People in the smallest group of whoever knows the ``other`` columns besides the quasi ones; none where
        there are no such columns.
        """
        if not self._others:
            return None
        quasi = [name for name in self.used.quasi if name in self.pairs.columns]
        return int(self._people_by([*quasi, *self._others]).sizes.min())

    def _released(self, names: Sequence[str]) -> Dataset:
        return self.pairs.counted(names).released

    def _goes_out_as_it_is(self, name: str) -> bool:
        both = self.pairs.counted([name], [name])
        return says_the_same(both.released[name], both.own[name])

    @property
    def _masks(self) -> bool:
        return any(isinstance(each, MaskGroups) for each in self.plan.operations)

    @property
    def _others(self) -> list[str]:
        return [name for name in self._measured if self.used[name].role == "other"]

    @cached_property
    def _measured(self) -> list[str]:
        """The ``other`` and sensitive columns whose values are those of their record, however precise, or mostly: where
        noise is drawn for groups that fail alone.
        """
        drawing = [each for each in self.plan.operations if not _follows_a_rule(each)]
        drawn = {name for each in drawing if not isinstance(each, GroupNoise) for name in each.columns}
        pseudonyms = {name for each in self.plan.operations for name in each.releases}
        about = [name for name in self.pairs.columns if self.used[name].role in ("other", "sensitive")]
        return [name for name in about if name not in drawn | pseudonyms]

    @property
    def _person(self) -> str | None:
        """The column that says who a record is about, where it is known."""
        return self.used.person if self.used.person in self.pairs.originals else None

    def _small_groups(self) -> Iterator[Finding]:
        """Columns of the role ``other``, alone and in pairs, that put too many people into groups below k."""
        limit = self.plan.max_suppression or 0.0
        alone = {name: self._share_in_small([name]) for name in self._others}
        yield from (Finding(name, "small-groups", None, share) for name, share in alone.items() if share > limit)
        for first, second in combinations([name for name, share in alone.items() if share <= limit], 2):
            share = self._share_in_small([first, second])
            if share > limit:
                yield Finding(first, "small-groups", second, share)

    def _share_in_small(self, names: Sequence[str]) -> float:
        return self._people_by(names).share_below(self.k)

    def _people_by(self, names: Sequence[str]) -> PeopleByGroup:
        found = self.pairs.counted(names, [] if self._person is None else [self._person])
        columns = [found.released[name] for name in names]
        group, groups = numbered([each.codes for each in columns], [each.cardinality for each in columns])
        if self._person is None:
            return PeopleByGroup(tallied(group, groups, found.released.counts))
        return PeopleByGroup.of(group, groups, found.own[self._person].codes)

    def _told(self) -> Iterator[Finding]:
        if not self._measured:
            return
        some = self._once_each(self.pairs.some(_LOOKED_AT))
        for hidden in self._hidden(some):
            for name in self._measured:
                if name != hidden.name and is_told_by(hidden, some.released[name]):
                    yield Finding(name, "tells", hidden.name)

    def _once_each(self, some: Paired) -> Paired:
        """One record for each person: what is said of somebody once more is no further proof."""
        if self._person is None:
            return some
        rows = np.sort(np.unique(some.own[self._person].codes, return_index=True)[1])
        return Paired(*(_taken(data, rows) for data in (some.released, some.own)))

    def _hidden(self, some: Paired) -> Iterator[Hidden]:
        """The columns that were left out, masked, or changed in any way."""
        changing = {name: each for each in self.plan.operations for name in each.columns}
        for name, original in some.own.columns.items():
            operation = changing.get(name)
            is_masked = self._masks and name in self.used.quasi
            if name in some.released.columns and operation is None and not is_masked:
                continue
            shown = some.released.columns.get(name) if operation is None or _follows_a_rule(operation) else None
            finer = tuple(_finer(original, operation)) if isinstance(operation, Generalise) else ()
            yield Hidden(name, original, shown, finer)


def _follows_a_rule(operation: Operation) -> bool:
    """Is what is released of the column a function of what it was?"""
    return isinstance(operation, RowOperation) and operation.repeatable


def _finer(original: Column, operation: Generalise) -> Iterator[Codes]:
    """By level below the one released: a number for each record."""
    above = [None if value is None else operation.hierarchy.ancestors(value) for value in written(original.values)]
    for level in range(operation.level - 1):
        number_of: dict[str, int] = {}
        numbers = [-1 if each is None else number_of.setdefault(each[level], len(number_of)) for each in above]
        yield np.array(numbers, np.int64)[original.codes]


def _taken(data: Dataset, rows: NDArray[np.intp]) -> Dataset:
    columns = {name: Column(name, each.codes[rows], each.values) for name, each in data.columns.items()}
    return replace(data, columns=columns, rows=len(rows))
