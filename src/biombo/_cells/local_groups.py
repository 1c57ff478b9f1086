"""Groups of records that are released alike, each at levels of its own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from biombo import _kernel
from biombo._cells.codes import Counts, tallied
from biombo._cells.lattice import LevelledColumn
from biombo._cells.rules import Requirement, TargetColumn

_SMALL, _LARGE = 1 << 15, 1 << 17
"""Distinct tuples: up to the first all is looked at closely, beyond the second only what is nearest."""
_MOST_RENEWALS = 3 << 14
_MOST_STEPS = (1 << 64) - 1

LocalRecoding = Literal["local", "strict", "relaxed"]
"""How groups come about: gathered from records that are near each other, or as regions cut from the top down. In strict
ones a record's region follows from its values; relaxed ones may overlap."""


@dataclass(frozen=True, eq=False)
class LocalGroups:
    """Who is in which group, and at which level each column is there. All of it is personal data."""

    kind: NDArray[np.int64]
    """By row: records of the same kind are alike in all that was asked; -1 where a row is in no group."""
    of_kind: NDArray[np.int64]
    """By share: the kind that it is a share of, in ascending order."""
    group: NDArray[np.int64]
    """By share: the group that it is in."""
    count: Counts
    """By share: how many records."""
    levels: NDArray[np.uint8]
    """Per group and column."""
    meets: NDArray[np.bool_]
    """By group: is it what it must be?"""
    steps: int
    """How many were made after the first groups, to make them better."""
    is_cut: bool
    """Were there more to make?"""

    @cached_property
    def sizes(self) -> Counts:
        """By group: how many records are in it."""
        return np.bincount(self.group, self.count, len(self.levels)).astype(np.int64)

    @cached_property
    def row_of_kind(self) -> NDArray[np.intp]:
        """By kind: the first row of it."""
        kinds, first = np.unique(self.kind, return_index=True)
        return first[kinds >= 0]

    @cached_property
    def row_of_group(self) -> NDArray[np.intp]:
        """By group: a row of one of its records."""
        first = np.unique(self.group, return_index=True)[1]
        return self.row_of_kind[self.of_kind[first]]


def local_groups(
    columns: Sequence[LevelledColumn],
    costs: Sequence[NDArray[np.float64]],
    targets: Sequence[TargetColumn],
    requirement: Requirement,
    rows: NDArray[np.intp],
    *,
    ranks: Sequence[NDArray[np.int64]] | None = None,
    counts: Counts | None = None,
    keep: NDArray[np.bool_] | None = None,
    recoding: LocalRecoding = "local",
    steps: int | None = None,
    seconds: float = 0,
    progress: Callable[[float], object] | None = None,
) -> LocalGroups:
    """Put the records of ``rows`` into groups that meet the requirement, so that little is lost.

    ``costs`` says, by column, what a record with a code loses at a level. Codes of targets may be in any order:
    ``ranks``, by target, says where each stands in that of the values. Rows that are alike in all columns may be in
    several groups. What targets are like as a whole is told by the rows that ``keep`` marks. The same records with the
    same codes and ranks give the same groups, in whatever order they come.

    Groups are made better for so many ``seconds``, 0 for as long as it is worth it, or by so many ``steps``: whoever
    gives the steps that were made in some time gets the same groups.
    """
    all_rows = len(columns[0].codes)
    weight = np.ones(all_rows, np.int64) if counts is None else counts
    quasi = [column.codes[rows] for column in columns]
    asked = [target.codes[rows] for target in targets] if requirement.rules else []
    cell, cells = _numbered(quasi)
    in_order = asked if ranks is None else [ranks[place][codes] for place, codes in enumerate(asked)]
    number, kinds = _numbered([cell, *in_order]) if asked else (cell, cells)
    first = np.unique(number, return_index=True)[1]
    first_of_cell = np.unique(cell, return_index=True)[1]
    found = _kernel.recode_locally(
        [codes[first_of_cell] for codes in quasi],
        [_nested(column.levels).tolist() for column in columns],
        [np.maximum.accumulate(cost, axis=0).tolist() for cost in costs],
        cell[first].astype(np.uint32),
        tallied(number, kinds, weight[rows]).astype(np.uint32),
        requirement.k,
        [rule.for_kernel for rule in requirement.rules],
        [codes[first] for codes in asked],
        [target.for_kernel(keep, counts) for target in targets] if requirement.rules else [],
        _effort(cells, requirement, _MOST_STEPS if steps is None else steps, seconds),
        getattr(_kernel.Recoding, recoding),
        progress=progress,
    )
    kind = np.full(all_rows, -1, np.int64)
    kind[rows] = number
    of_kind = found["element"].ravel().astype(np.int64)
    order = np.argsort(of_kind, kind="stable")
    return LocalGroups(
        kind,
        of_kind[order],
        found["group"].ravel().astype(np.int64)[order],
        found["count"].ravel().astype(np.int64)[order],
        found["levels"],
        found["meets"].ravel().astype(np.bool_),
        found["steps"],
        found["is_cut"],
    )


def _effort(cells: int, requirement: Requirement, steps: int, seconds: float) -> _kernel.LocalEffort:
    """How much is tried, by the number of distinct tuples: the larger a table, the less for each of them.

    Small groups are soon as good as they can be, and renewing large ones takes longer, as does judging rules: so about
    as much time is spent whatever is asked.
    """
    near = 48 if cells <= _SMALL else 24 if cells <= _LARGE else 16
    k = max(1, requirement.k)
    renewals = min(_MOST_RENEWALS, int(cells * min(k / 2, 1.5, 12.5 / k)))
    return _kernel.LocalEffort(near, near // 3, 3, renewals // 4 if requirement.rules else renewals, steps, seconds)


def _numbered(columns: Sequence[NDArray[Any]]) -> tuple[NDArray[np.int64], int]:
    """A number for each row, the same for rows with the same codes, in the order of these."""
    tuples = np.stack([codes.astype(np.uint32) for codes in columns], axis=1)
    order = np.lexsort(tuples.T[::-1])
    in_order = tuples[order]
    starts = np.ones(len(order), np.int64)
    starts[1:] = (in_order[1:] != in_order[:-1]).any(axis=1)
    numbers = np.empty(len(order), np.int64)
    numbers[order] = np.cumsum(starts) - 1
    return numbers, int(starts.sum())


def _nested(levels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Numbers that are the same only where those of all levels above are."""
    nested = np.empty_like(levels)
    above = np.zeros(levels.shape[1], np.int64)
    for level in range(len(levels) - 1, -1, -1):
        above = np.unique(np.stack([above, levels[level]]), axis=1, return_inverse=True)[1].ravel()
        nested[level] = above
    return nested
