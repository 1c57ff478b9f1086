"""The groups of a table that are released alike."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._cells import LevelledColumn, LocalGroups, Requirement, Rule, local_groups, recoded
from biombo._criteria import Criterion, Demand, KeptGroups, TableBound, demand
from biombo._data import Column, Dataset, written
from biombo._hierarchy import Hierarchy
from biombo._measures import LocalCosts, LossDomain
from biombo._plan.recoding.levelled_values import LevelledValues, Preference, Regions
from biombo._plan.recoding.recoded_column import RecodedColumn
from biombo._watch import advance_share

Rows = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Recoding:
    """Who is released alike, and as what. Private: it says of single people at which level they are told."""

    columns: tuple[LevelledValues, ...]
    groups: LocalGroups

    @classmethod
    def of(
        cls,
        data: Dataset,
        columns: Sequence[RecodedColumn],
        criteria: Sequence[Criterion],
        *,
        preference: Preference = "loss",
        loss_domain: LossDomain = "data",
        regions: Regions = "free",
        out: Rows | None = None,
        keep: Rows | None = None,
        quasi: Sequence[str] | None = None,
        sensitive: Sequence[str] | None = None,
        steps: int | None = None,
        seconds: float = 0,
    ) -> "Recoding":
        """Groups of the records of ``data`` that are not ``out`` which meet the criteria, made better by so many
        ``steps``, or in so many ``seconds``.

        All criteria are asked of these groups, also those about some of the columns or about the table as a whole:
        groups by fewer columns are made of whole groups, and what holds in each of these holds in them.
        """
        there = np.ones(data.rows, bool) if keep is None else keep.copy()
        if out is not None:
            there &= ~out
        levelled = tuple(LevelledValues.of(data, column, there, loss_domain) for column in columns)
        # Whoever does not come out decides nothing, not even what values are like as a whole.
        asked = demand(data, criteria, sensitive=sensitive, keep=there)
        about = dict.fromkeys(name for each in criteria for name in (each.quasi or quasi or data.schema.quasi))
        fixed = _Fixed.of(data, [name for name in about if name not in {each.name for each in levelled}], there)
        found = local_groups(
            [*(column.levelled for column in levelled), *fixed.columns],
            [*(column.costs(preference) for column in levelled), *fixed.costs],
            asked.targets,
            _requirement(asked, data.records_in(there)),
            np.flatnonzero(there),
            ranks=[_ranks(data[target.name]) for target in asked.targets],
            counts=data.counts,
            keep=there,
            recoding="local" if regions == "free" else regions,
            steps=steps,
            seconds=seconds,
            progress=advance_share,
        )
        return cls(levelled, _together(levelled, replace(found, levels=found.levels[:, : len(levelled)])))

    @cached_property
    def labels(self) -> dict[str, list[str | None]]:
        """By column and group: what is released."""
        return _labels(self.columns, self.groups)

    @property
    def mappings(self) -> pl.DataFrame:
        """Per column: each value that records have, what they become, and how many do; in the order of the values."""
        shares = self.groups
        rows = shares.row_of_kind[shares.of_kind]
        found = []
        for each in self.columns:
            own = np.array(each.labels[0], object)[each.at_levels.codes[0][each.codes[rows]]]
            shown = np.array(self.labels[each.name], object)[shares.group]
            told = {"value": pl.Series(own, dtype=pl.String), "released": pl.Series(shown, dtype=pl.String)}
            counted = pl.DataFrame(told | {"records": shares.count}).group_by("value", "released").sum()
            found.append(counted.select(pl.lit(each.name).alias("column"), pl.all()))
        return pl.concat(found).sort("column", "value", "released", nulls_last=True)

    def decided_by_values(self, k: int) -> int:
        """How many records are in groups that could be told more precisely if only their size counted: where a part of
        ``k`` records is alike one level further down in some column, and as many are left. That it was not done tells
        whoever knows how groups are formed something about the sensitive values there (minimality: Wong et al. 2007).
        """
        shares, sizes = self.groups, self.groups.sizes
        rows, group = shares.row_of_kind[shares.of_kind], shares.group
        decided = np.zeros(len(sizes), bool)
        for place, each in enumerate(self.columns):
            level = shares.levels[group, place].astype(np.int64)
            below = each.at_levels.codes[np.maximum(level - 1, 0), each.codes[rows]]
            parts, part = np.unique(np.stack([group, below.astype(np.int64)]), axis=1, return_inverse=True)
            size = np.bincount(part.ravel(), shares.count)
            told = (size >= k) & (sizes[parts[0]] - size >= k) & (shares.levels[parts[0], place] > 0)
            decided[parts[0][told]] = True
        return int(sizes[decided].sum())

    def released(self, data: Dataset) -> Dataset:
        """The records of ``data``, which this is about, as they are released: a row for each share of a group."""
        shares = self.groups
        taken = data.take(shares.row_of_kind[shares.of_kind])
        recoded = {name: _coded(name, each, shares.group) for name, each in self.labels.items()}
        return replace(taken, columns={**taken.columns, **recoded}, counts=shares.count)

    def costs(self) -> LocalCosts:
        """What it costs that all records are released so."""
        shares = self.groups
        rows = shares.row_of_kind[shares.of_kind]
        columns = [replace(each.levelled, codes=each.codes[rows]) for each in self.columns]
        return LocalCosts.of(columns, shares.levels, shares.group, shares.count)


@dataclass(frozen=True, eq=False)
class _Fixed:
    """Columns that criteria are about and that stay as they are: nobody is put together who differs in them, unless
    there is nobody else.
    """

    columns: tuple[LevelledColumn, ...]

    @classmethod
    def of(cls, data: Dataset, names: Sequence[str], there: Rows) -> "_Fixed":
        """The columns with these names."""
        found = [RecodedColumn(name, Hierarchy.all_or_nothing()) for name in names]
        return cls(tuple(LevelledValues.of(data, each, there, "data").levelled for each in found))

    @property
    def costs(self) -> list[NDArray[np.float64]]:
        """So much for each record that no group is worth it."""
        return [np.array([[0.0], [1e6]]) * np.ones(column.levels.shape[1]) for column in self.columns]


def _ranks(column: Column) -> NDArray[np.int64]:
    """By code: where its value stands in the order of the values, as they are written."""
    return written(column.values).fill_null("").rank("ordinal").to_numpy().astype(np.int64) - 1


def _labels(columns: Sequence[LevelledValues], groups: LocalGroups) -> dict[str, list[str | None]]:
    rows = groups.row_of_group
    return {each.name: each.called(rows, groups.levels[:, place]) for place, each in enumerate(columns)}


def _coded(name: str, labels: list[str | None], group: NDArray[np.int64]) -> Column:
    """A column with the label of each row's group."""
    of_label: dict[str | None, int] = {}
    codes = np.array([of_label.setdefault(label, len(of_label)) for label in labels], np.int64)
    return Column(name, recoded(group, codes.tolist(), len(of_label)), pl.Series(name, list(of_label), pl.String))


def _together(columns: Sequence[LevelledValues], groups: LocalGroups) -> LocalGroups:
    """The same with groups that are called alike as one."""
    called = list(zip(*_labels(columns, groups).values(), strict=True))
    first: dict[tuple[str | None, ...], int] = {}
    number = np.array([first.setdefault(labels, len(first)) for labels in called], np.int64)
    if len(first) == len(called):
        return groups
    levels = np.zeros((len(first), groups.levels.shape[1]), np.uint8)
    np.maximum.at(levels, number, groups.levels)  # what one is called at its level, the other is there too
    meets = np.bincount(number, ~groups.meets, len(first)) == 0
    return replace(groups, group=number[groups.group], levels=levels, meets=meets)


def _requirement(asked: Demand, records: int) -> Requirement:
    """What each group must satisfy, so that all that is asked holds, of the table as well: what is so in each group is
    so on average.
    """
    rules, k = list(asked.rules), asked.k
    for bound in asked.table:
        if bound.target is not None:
            rules.append(Rule(bound.target, "top-share", bound.highest))
        elif asked.people is not None:
            rules.append(Rule(asked.people, "distinct", _members(bound, records)))
        else:
            k = max(k, _members(bound, records))
    return Requirement(k, tuple(dict.fromkeys(rules)))


def _members(bound: TableBound, records: int) -> int:
    """The fewest members of groups, all alike, that keep a bound for the table; all records where none do."""
    return next((size for size in range(1, records) if bound.holds(_all_of_size(size, records))[0]), records)


def _all_of_size(size: int, records: int) -> KeptGroups:
    unique, groups = records if size == 1 else 0, max(1, records // size)
    sizes = np.array([size]), np.array([groups])
    return KeptGroups(np.array([records]), np.array([unique]), np.array([records / size]), None, [sizes])
