"""A population and a sample of it, counted together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo import _kernel
from biombo._cells.cells import CodedColumn
from biombo._cells.codes import Counts, counts_for_kernel
from biombo._cells.subsets import by_size_then_columns, kernel_order, members_of


@dataclass(frozen=True, eq=False)
class MembershipCounts:
    """What one sweep finds for every subset of the quasi columns, the empty one left out, in the order of
    :class:`SubsetCounts`. n is a group's people in the population, d those in the sample."""

    members: NDArray[np.bool_]
    """Per subset and quasi column: is it in?"""
    groups: Counts
    """Groups with someone of the sample."""
    found: Counts
    """People of the sample whose group is in the population."""
    not_found: Counts
    """People of the sample whose group is not (n = 0)."""
    absent: Counts
    """People of the population whose group is not in the sample (d = 0)."""
    right: Counts
    """Σ max(d, n − d): people of the population whose being in or out is guessed right."""
    certain: Counts
    """People of the sample whose whole group is in it (d = n)."""
    unique: Counts
    """People alone in the sample (d = 1)."""
    unique_found: Counts
    """Of them, those with n > 0."""
    unique_both: Counts
    """Of them, those with n = 1."""
    contradictions: Counts
    """Groups with d > n > 0."""
    share: NDArray[np.float64]
    """Σ d · d/n over the groups with n > 0."""
    published: NDArray[np.float64]
    """Σ n/d over the groups with n, d > 0."""
    worst: NDArray[np.float64]
    """The highest d/n."""


@dataclass(frozen=True, eq=False)
class SampledGroups:
    """The groups of one subset that have someone of the sample."""

    n: Counts
    d: Counts
    codes: NDArray[np.uint32]
    """Per group and column of the subset."""


@dataclass(frozen=True, eq=False)
class SampledCells:
    """The cells of a population and of a sample whose columns are coded alike. Memory: as for :class:`Cells`."""

    quasi: tuple[str, ...]
    _counted: _kernel.SampledCells
    _order: tuple[int, ...]

    @classmethod
    def count(
        cls,
        population: Sequence[CodedColumn],
        sample: Sequence[CodedColumn],
        rows: tuple[int, int],
        keep: tuple[NDArray[np.bool_] | None, NDArray[np.bool_] | None] = (None, None),
        counts: tuple[Counts | None, Counts | None] = (None, None),
    ) -> "SampledCells":
        """Count both tables (the sample's names are used), or the rows that ``keep`` marks.

        Each row stands for one person, or for as many as ``counts`` says.
        """
        order = kernel_order(population)
        counted = _kernel.count_sampled(
            [population[i].codes for i in order],
            rows[0],
            keep[0],
            [sample[i].codes for i in order],
            rows[1],
            keep[1],
            [population[i].cardinality for i in order],
            counts_for_kernel(counts[0]),
            counts_for_kernel(counts[1]),
        )
        return cls(tuple(column.name for column in sample), counted, order)

    def sweep(self, max_size: int, progress: Callable[[float], object] | None = None) -> MembershipCounts:
        """People in both tables for every subset of at most ``max_size`` quasi columns."""
        found = self._counted.sweep(max_size, progress=progress)
        members = members_of(found["subset"].ravel(), self._order)
        order = by_size_then_columns(members)
        numbers = {key: values.ravel()[order] for key, values in found.items() if key != "subset"}  # type: ignore[attr-defined]
        return MembershipCounts(
            members[order],
            **{key: v if v.dtype == np.float64 else v.astype(np.int64) for key, v in numbers.items()},
        )

    def groups(self, subset: Sequence[str]) -> SampledGroups:
        """The groups that ``subset`` makes, of those with someone of the sample."""
        position = {self.quasi[column]: place for place, column in enumerate(self._order)}
        found = self._counted.groups([position[name] for name in subset])
        return SampledGroups(found["n"].ravel().astype(np.int64), found["d"].ravel().astype(np.int64), found["codes"])
