"""Counting a table into cells, and reading groups off them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from biombo import _kernel
from biombo._cells.codes import Codes, Counts, counts_for_kernel
from biombo._cells.subsets import by_size_then_columns, kernel_order, members_of


class CodedColumn(Protocol):
    """A column as cells need it."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def codes(self) -> Codes:
        """One code for each row."""

    @property
    def cardinality(self) -> int:
        """A number larger than every code."""


@dataclass(frozen=True, eq=False)
class SubsetCounts:
    """What one sweep finds for every subset of the quasi columns, the empty one left out.

    Subsets come by size, then in the order of the columns, as ``itertools.combinations`` gives them.
    """

    members: NDArray[np.bool_]
    """Per subset and quasi column: is it in?"""
    groups: Counts
    """Per subset and size class: how many groups."""
    records: Counts
    """Per subset and size class: how many records in them."""
    top: Counts
    """Per subset and target: records that hold their group's most frequent value."""
    top_of_all: Counts
    """Per target: records that hold the table's most frequent value."""


@dataclass(frozen=True, eq=False)
class Groups:
    """The groups of one subset, and what each says about one target."""

    size: Counts
    top: Counts
    """Records with the group's most frequent value."""
    ties: Counts
    """How many values are that frequent."""
    times: Counts
    """How many groups are so."""


class Countable(Protocol):
    """What attacks read, wherever the cells are: here (:class:`Cells`), or where they were counted."""

    def sweep(self, max_size: int, progress: Callable[[float], object] | None = None) -> SubsetCounts:
        """Groups and top counts for every subset of at most ``max_size`` quasi columns."""

    def groups(self, subset: Sequence[str], target: str | None = None) -> Groups:
        """The groups that ``subset`` makes, and what they say about ``target``, if any."""


SIZE_CLASSES = tuple(_kernel.size_classes)
"""The smallest group of each size class: 1, 2, 3 (to 4), 5 (to 9), …, 100 (and more)."""


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of some quasi columns and targets (sensitive columns).

    Memory: 8 bytes a cell while the codes of all columns fit into 56 bits together, a multiple of that beyond; twice
    that while rows are counted. A cell with a small count is personal data.
    """

    quasi: tuple[str, ...]
    targets: tuple[str, ...]
    _counted: _kernel.Cells
    _order: tuple[int, ...]
    """The kernel's columns, as positions in ``quasi``."""

    @classmethod
    def count(
        cls,
        quasi: Sequence[CodedColumn],
        targets: Sequence[CodedColumn],
        rows: int,
        keep: NDArray[np.bool_] | None = None,
        counts: Counts | None = None,
    ) -> "Cells":
        """Count the rows of a table, or those that ``keep`` marks; each for as many records as ``counts`` says."""
        order = kernel_order(quasi)
        counted = _kernel.count_cells(
            [quasi[i].codes for i in order],
            [quasi[i].cardinality for i in order],
            [target.codes for target in targets],
            [target.cardinality for target in targets],
            rows,
            keep,
            counts_for_kernel(counts),
        )
        return cls(tuple(c.name for c in quasi), tuple(t.name for t in targets), counted, order)

    def __len__(self) -> int:
        return len(self._counted)

    def sweep(self, max_size: int, progress: Callable[[float], object] | None = None) -> SubsetCounts:
        """Groups and top counts for every subset of at most ``max_size`` quasi columns."""
        found = self._counted.sweep(max_size, progress=progress)
        members = members_of(found["subset"].ravel(), self._order)
        order = by_size_then_columns(members)
        top = found["top"].astype(np.int64)
        return SubsetCounts(
            members=members[order],
            groups=found["groups"].astype(np.int64)[order],
            records=found["records"].astype(np.int64)[order],
            top=top[order] if self.targets else np.empty((len(order), 0), np.int64),
            top_of_all=top[0] if self.targets else np.empty(0, np.int64),
        )

    def groups(self, subset: Sequence[str], target: str | None = None) -> Groups:
        """The groups that ``subset`` makes, and what they say about ``target``, if any."""
        position = {self.quasi[column]: place for place, column in enumerate(self._order)}
        found = self._counted.groups(
            [position[name] for name in subset], -1 if target is None else self.targets.index(target)
        )
        size, top, ties = (found[key].ravel().astype(np.int64) for key in ("size", "top", "ties"))
        return Groups(size, top, ties, np.ones(len(size), np.int64))
