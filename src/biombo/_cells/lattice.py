"""The generalisation lattice of a table: every combination of levels."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from biombo import _kernel
from biombo._cells.cells import CodedColumn
from biombo._cells.codes import Codes, Counts, counts_for_kernel, recoded, records_of
from biombo._cells.population import PopulationRows
from biombo._cells.rules import Requirement, Rule, TargetColumn, for_kernel


@dataclass(frozen=True, eq=False)
class LevelledColumn:
    """A column and its generalisations."""

    name: str
    codes: Codes
    levels: NDArray[np.int64]
    """Per level and code: a number that is the same for values that the level does not tell apart."""
    leaves: NDArray[np.int64]
    """Per level and code: how many values of the hierarchy's domain the code's group stands for."""
    domain: int
    """How many values the hierarchy's domain has, whether or not they occur."""

    @classmethod
    def ungeneralised(cls, column: CodedColumn) -> "LevelledColumn":
        """A column that stays as it is."""
        width = column.cardinality
        return cls(column.name, column.codes, np.arange(width)[None, :], np.ones((1, width), np.int64), width)

    @property
    def height(self) -> int:
        """The highest level."""
        return len(self.levels) - 1

    @cached_property
    def in_order(self) -> NDArray[np.intp]:
        """The codes in an order that keeps the values of a group together at every level."""
        return np.lexsort(tuple(self.levels))


class NodeState(IntEnum):
    """What is known of a node after a sweep."""

    UNKNOWN = 0
    """Not asked for, or time ran out."""
    CHECKED = 1
    HOPELESS = 2
    """It must suppress more than the limit under every requirement, and so must all below it; for the most part not
    checked, since a node above it does.
    """


@dataclass(frozen=True, eq=False)
class LatticeCounts:
    """What every node that was checked suppresses and keeps, under every requirement."""

    state: NDArray[np.uint8]
    """Per node: a :class:`NodeState`. Other numbers of a node that was not checked mean nothing."""
    suppressed: Counts
    groups: Counts
    """Groups kept."""
    unique: Counts
    """Records of kept groups that have one member."""
    picked: NDArray[np.float64]
    """Σ size / members over kept groups."""
    squares: NDArray[np.float64]
    """Σ size² over kept groups."""
    volume: NDArray[np.float64] | None
    """Per node and requirement: Σ size · volume over kept groups, where that was asked for. A group's volume is the
    share of all combinations of values that it might be."""
    density: NDArray[np.float64] | None
    """Per node and requirement: Σ size · log₂(size / volume) over kept groups, where that was asked for."""
    tops: Counts | None
    """Per node, requirement and target: Σ top count over kept groups, where that was asked for."""
    sizes: NDArray[np.object_] | None
    """Per node and requirement: the different sizes of kept groups, in members, and how many groups have each, as two
    arrays; nothing where a node suppresses more than the limit. Where that was asked for."""
    likely: NDArray[np.float64] | None
    """Per node and requirement: Σ members² / people of the population over kept groups, where that was asked for."""
    members: Counts | None
    """Per node and requirement: Σ members over kept groups, where presence was asked for."""
    least_present: NDArray[np.float64] | None
    """Per node and requirement: the lowest share of members in a group of the population, 0 where one has nobody who is
    kept; where presence was asked for."""
    suppressed_share: NDArray[np.float64] | None
    """Per node, requirement and column: Σ over suppressed records of the share of the domain under their value."""
    suppressed_entropy: NDArray[np.float64] | None
    """Per node, requirement and column: −Σ c(y) log₂(c(y)/suppressed) over the values y of suppressed records."""
    met: NDArray[np.bool_] | None = None
    """Per node and requirement: is what is asked of the table as a whole met? The kernel does not tell: whoever asks
    more than groups can say fills it in."""


@dataclass(frozen=True, eq=False)
class GroupValues:
    """The groups of a table, and what rules find in them. Small ones are personal data."""

    codes: NDArray[np.uint32]
    """Per group and column."""
    size: Counts
    values: NDArray[np.float64]
    """Per group and rule: what is compared with the rule's bound."""
    holds: NDArray[np.bool_]
    """Per group and rule."""
    top: Counts
    """Per group and target: records with the most frequent value."""
    population: Counts | None = None
    """Per group: people of the population who look so, where the table came with one."""
    absent: NDArray[np.uint32] | None = None
    """The codes of the groups of the population that no record is in, where the table came with one."""


@dataclass(frozen=True, eq=False)
class Lattice:
    """The distinct tuples of a table, ready to be generalised to any node.

    Memory: 8 bytes a tuple while all codes fit into 56 bits, for each level between the lowest node and the highest and
    for each thread, if no tuples became equal on the way; usually most do.
    """

    columns: tuple[LevelledColumn, ...]
    records: int
    _counted: _kernel.Lattice
    _order: tuple[int, ...]
    """The kernel's columns, as positions in ``columns``."""
    _targets: int

    @classmethod
    def count(
        cls,
        columns: Sequence[LevelledColumn],
        targets: Sequence[TargetColumn],
        rows: int,
        keep: NDArray[np.bool_] | None = None,
        counts: Counts | None = None,
        population: PopulationRows | None = None,
    ) -> "Lattice":
        """Count the rows of a table, or those that ``keep`` marks; each for as many records as ``counts`` says. What
        is asked about its ``population`` can be asked where that is there.
        """
        records, codes = records_of(rows, counts, keep), [target.codes for target in targets]
        values, mark = [target.for_kernel(keep, counts) for target in targets], -1
        if population is not None:
            columns = [replace(each, codes=population.below(each.codes, i)) for i, each in enumerate(columns)]
            codes, mark = [*map(population.without_values, codes), population.mark(rows)], len(codes)
            values.append(_kernel.TargetValues(2, [0.5, 0.5], [[0, 1]], []))
            keep, counts = population.keep(keep), population.counts(rows, counts)
            rows += len(population)
        order = tuple(sorted(range(len(columns)), key=lambda i: -columns[i].levels.shape[1]))
        stepped = [_Stepped.of(columns[i]) for i in order]
        counted = _kernel.count_lattice(
            [column.codes for column in stepped],
            [len(column.share[0]) for column in stepped],
            codes,
            values,
            rows,
            [column.up for column in stepped],
            [column.share for column in stepped],
            keep,
            counts_for_kernel(counts),
            population=mark,
        )
        return cls(tuple(columns), records, counted, order, len(targets))

    def __len__(self) -> int:
        """Distinct tuples at the lowest node."""
        return len(self._counted)

    @property
    def heights(self) -> NDArray[np.int64]:
        """The highest node: the highest level of each column."""
        return np.array([column.height for column in self.columns], np.int64)

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return prod(self._grid)

    @cached_property
    def nodes(self) -> NDArray[np.int64]:
        """Per node and column: the level, in the order of :meth:`sweep`. Memory: 8 bytes each."""
        nodes = np.indices(self._grid).reshape(len(self.columns), -1).T
        return nodes[:, self._places]

    @property
    def _grid(self) -> tuple[int, ...]:
        """The number of levels of the kernel's columns."""
        return tuple(self.columns[column].height + 1 for column in self._order)

    def places_of(self, nodes: NDArray[np.int64]) -> NDArray[np.intp]:
        """Where ``nodes``, a level for each column, stand in the order of :attr:`nodes`."""
        levels = tuple(nodes[:, column] for column in self._order)
        return np.asarray(np.ravel_multi_index(levels, self._grid), np.intp)

    def on_grid(self, per_node: NDArray[Any]) -> NDArray[Any]:
        """Values of nodes as an array with one axis for each column, so that a step up an axis is one up a column."""
        return per_node.reshape(self._grid).transpose(self._places)

    def off_grid(self, on_grid: NDArray[Any]) -> NDArray[Any]:
        """The reverse of :meth:`on_grid`."""
        return on_grid.transpose(self._order).ravel()

    def sweep(
        self,
        requirements: Sequence[Requirement],
        limit: int,
        *,
        describe: bool = True,
        tops: bool = False,
        people: int | None = None,
        sizes: bool = False,
        volumes: bool = False,
        presences: bool = False,
        wanted: NDArray[np.bool_] | None = None,
        hopeless: NDArray[np.bool_] | None = None,
        seconds: float = 0,
        progress: Callable[[float], object] | None = None,
    ) -> LatticeCounts:
        """Check nodes against every requirement; all, or the ``wanted`` ones, until ``seconds`` (if any) are over.

        Nodes that must suppress more than ``limit`` under every requirement are left out as far as that can be told
        beforehand; those that are known to be ``hopeless`` help. What the suppressed records would have been
        (``describe``) is told of nodes that suppress at most ``limit``. The members of groups are records, or the
        different values of the target ``people``.
        """
        named, rules = for_kernel(requirements)
        found = self._counted.sweep(
            named,
            rules,
            limit,
            describe=describe,
            tops=tops,
            people=-1 if people is None else people,
            sizes=sizes,
            volumes=volumes,
            presences=presences,
            wanted=wanted,
            hopeless=hopeless,
            seconds=seconds,
            progress=progress,
        )
        return self._counts(found, describe, tops, sizes, volumes, presences)

    def check(
        self,
        nodes: NDArray[np.int64],
        requirements: Sequence[Requirement],
        limit: int,
        *,
        below: NDArray[np.int64] | None = None,
        describe: bool = True,
        tops: bool = False,
        people: int | None = None,
        sizes: bool = False,
        volumes: bool = False,
        presences: bool = False,
        seconds: float = 0,
    ) -> LatticeCounts:
        """Check ``nodes``, a level for each column, against every requirement, until ``seconds`` (if any) are over.

        However many nodes there are in all, nothing is kept of the others. ``below`` names for each a node that it is
        nowhere above: those that follow each other and have the same one are looked at together, which costs less the
        fewer columns are lower than there. What is told, and of which nodes, is as in :meth:`sweep`; a node that was
        checked and found to be hopeless is called so.

        Memory: at most 60 bytes a tuple for each thread.
        """
        named, rules = for_kernel(requirements)
        heads = nodes if below is None else below
        begins = (
            np.flatnonzero(np.append(True, (heads[1:] != heads[:-1]).any(axis=1))) if len(nodes) else np.array([], int)
        )
        found = self._counted.check(
            self._for_kernel(heads[begins]),
            self._for_kernel(nodes),
            np.append(begins[1:], len(nodes))[: len(begins)].astype(np.int64),
            named,
            rules,
            limit,
            describe=describe,
            tops=tops,
            people=-1 if people is None else people,
            sizes=sizes,
            volumes=volumes,
            presences=presences,
            seconds=seconds,
        )
        return self._counts(found, describe, tops, sizes, volumes, presences)

    def _for_kernel(self, nodes: NDArray[np.int64]) -> NDArray[np.uint16]:
        return np.ascontiguousarray(nodes[:, list(self._order)], np.uint16)

    def _counts(
        self, found: Any, describe: bool, tops: bool, sizes: bool, volumes: bool, presences: bool
    ) -> LatticeCounts:
        nodes, asked = found["suppressed"].shape
        per_column = (nodes, asked, len(self.columns))
        return LatticeCounts(
            found["state"].ravel(),
            found["suppressed"].astype(np.int64),
            found["groups"].astype(np.int64),
            found["unique"].astype(np.int64),
            found["picked"],
            found["squares"],
            found["volume"] if volumes else None,
            found["density"] if volumes else None,
            found["tops"].astype(np.int64).reshape(nodes, asked, -1)[..., : self._targets] if tops else None,
            _sizes(found, nodes, asked) if sizes else None,
            found["likely"] if presences else None,
            found["members"].astype(np.int64) if presences else None,
            found["least_present"] if presences else None,
            found["suppressed_share"].reshape(per_column)[..., self._places] if describe else None,
            found["suppressed_entropy"].reshape(per_column)[..., self._places] if describe else None,
        )

    @property
    def _places(self) -> NDArray[np.intp]:
        """Where the kernel has each of our columns."""
        return np.argsort(self._order)


@dataclass(frozen=True, eq=False)
class _Stepped:
    """A column as the kernel wants it: codes in order, and the steps from each level to the next."""

    codes: Codes
    up: list[list[int]]
    share: list[list[float]]

    @classmethod
    def of(cls, column: LevelledColumn) -> "_Stepped":
        levels = column.levels[:, column.in_order]
        # A new number wherever a level or one above it changes, so that equal numbers mean equal all the way up.
        changes = np.logical_or.accumulate(np.diff(levels, axis=1)[::-1] != 0, axis=0)[::-1]
        numbers = np.zeros_like(levels)
        numbers[:, 1:] = np.cumsum(changes, axis=1)
        code_at = np.empty(levels.shape[1], np.int64)
        code_at[column.in_order] = numbers[0]
        leaves = column.leaves[:, column.in_order]
        share = [_by_number(own, leaves[level] / column.domain) for level, own in enumerate(numbers)]
        up = [_by_number(own, above) for own, above in pairwise(numbers)]
        return cls(recoded(column.codes, code_at.tolist(), levels.shape[1]), up, share)


def _sizes(found: Mapping[str, Any], nodes: int, asked: int) -> NDArray[np.object_]:
    """The sizes of kept groups as they are in :class:`LatticeCounts`."""
    ends, size, groups = (found[name].ravel().astype(np.int64) for name in ("size_ends", "sizes", "groups_of_size"))
    told = np.full(nodes * asked, None, object)
    for place, (start, end) in enumerate(pairwise([0, *ends.tolist()])):
        if start < end:
            told[place] = size[start:end], groups[start:end]
    return told.reshape(nodes, asked)


def _by_number(numbers: NDArray[np.int64], values: NDArray[Any]) -> list[Any]:
    """The value of each number; wherever a number stands, it has the same."""
    by_number = np.zeros(numbers[-1] + 1, values.dtype)
    by_number[numbers] = values
    return list(by_number.tolist())


def judge_groups(
    quasi: Sequence[CodedColumn],
    targets: Sequence[TargetColumn],
    rows: int,
    rules: Sequence[Rule],
    keep: NDArray[np.bool_] | None = None,
    counts: Counts | None = None,
    population: PopulationRows | None = None,
) -> GroupValues:
    """The groups that the quasi columns make of the rows that ``keep`` marks, and what ``rules`` find in them.

    Each row stands for one record, or for as many as ``counts`` says.
    """
    columns = [LevelledColumn.ungeneralised(column) for column in quasi]
    lattice = Lattice.count(columns, targets, rows, keep, counts, population)
    found = lattice._counted.judge([rule.for_kernel for rule in rules])
    size = found["size"].ravel().astype(np.int64)
    codes = found["codes"].reshape(len(size), len(quasi))[:, lattice._places]
    there = size > 0
    return GroupValues(
        codes[there],
        size[there],
        found["value"].reshape(len(size), len(rules))[there],
        found["holds"].reshape(len(size), len(rules)).astype(np.bool_)[there],
        found["top"].reshape(len(size), -1)[there, : len(targets)].astype(np.int64),
        None if population is None else found["population"].ravel().astype(np.int64)[there],
        None if population is None else codes[~there],
    )
