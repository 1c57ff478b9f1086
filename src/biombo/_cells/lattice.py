"""The generalisation lattice of a table: every combination of levels, swept once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from biombo import _kernel
from biombo._cells.cells import CodedColumn, Counts
from biombo._cells.codes import Codes, recoded


@dataclass(frozen=True, eq=False)
class LevelledColumn:
    """A column and its generalisations."""

    name: str
    codes: Codes
    levels: NDArray[np.int64]
    """Per level and code: a number that is the same for values that the level does not tell apart."""
    leaves: NDArray[np.int64]
    """Per code: how many values of the hierarchy's domain it stands for; usually 1."""
    domain: int
    """How many values the hierarchy's domain has, whether or not they occur."""

    @property
    def height(self) -> int:
        """The highest level."""
        return len(self.levels) - 1

    @cached_property
    def in_order(self) -> NDArray[np.intp]:
        """The codes in an order that keeps the values of a group together at every level."""
        return np.lexsort(tuple(self.levels))


@dataclass(frozen=True, eq=False)
class LatticeCounts:
    """What every node suppresses and keeps, under every requirement."""

    suppressed: Counts
    groups: Counts
    """Groups kept."""
    top: Counts
    """Σ top count of the target over kept groups."""
    squares: NDArray[np.float64]
    """Σ size² over kept groups."""
    suppressed_share: NDArray[np.float64]
    """Per node, requirement and column: Σ over suppressed records of the share of the domain under their value."""
    suppressed_entropy: NDArray[np.float64]
    """Per node, requirement and column: −Σ c(y) log₂(c(y)/suppressed) over the values y of suppressed records."""


@dataclass(frozen=True, eq=False)
class Lattice:
    """The distinct tuples of a table, ready to be generalised to any node.

    Memory: 8 bytes a tuple while all codes fit into 56 bits, for each level between the lowest node and the highest.
    """

    columns: tuple[LevelledColumn, ...]
    records: int
    _counted: _kernel.Lattice
    _order: tuple[int, ...]
    """The kernel's columns, as positions in ``columns``."""

    @classmethod
    def count(
        cls,
        columns: Sequence[LevelledColumn],
        target: CodedColumn | None,
        rows: int,
        keep: NDArray[np.bool_] | None = None,
    ) -> "Lattice":
        """Count the rows of a table, or those that ``keep`` marks."""
        order = tuple(sorted(range(len(columns)), key=lambda i: -columns[i].levels.shape[1]))
        stepped = [_Stepped.of(columns[i]) for i in order]
        kept = np.ones(rows, bool) if keep is None else keep
        shares = np.bincount(target.codes[kept], minlength=target.cardinality) / kept.sum() if target else np.zeros(0)
        counted = _kernel.count_lattice(
            [column.codes for column in stepped],
            [len(column.share[0]) for column in stepped],
            [target.codes] if target else [],
            [target.cardinality] if target else [],
            rows,
            [column.up for column in stepped],
            [column.share for column in stepped],
            shares.tolist(),
            keep,
        )
        return cls(tuple(columns), int(kept.sum()), counted, order)

    def __len__(self) -> int:
        """Distinct tuples at the lowest node."""
        return len(self._counted)

    @cached_property
    def nodes(self) -> NDArray[np.int64]:
        """Per node and column: the level. The order of the nodes is that of :meth:`sweep`."""
        heights = [range(self.columns[column].height + 1) for column in self._order]
        nodes = np.array(list(product(*heights)), np.int64).reshape(-1, len(self.columns))
        return nodes[:, self._places]

    def sweep(
        self,
        requirements: Sequence[_kernel.Requirement],
        limit: int,
        progress: Callable[[float], object] | None = None,
    ) -> LatticeCounts:
        """Check every node against every requirement: what a group must be, or else its records are suppressed.

        A requirement asks for at least ``k`` records, ``l`` distinct values of the target and its ``entropy`` in bits,
        and at most a ``top_share`` of its most frequent value and a total variation ``distance`` from the whole table.
        What the suppressed records would have been is told of nodes that suppress at most ``limit``.
        """
        found = self._counted.sweep(list(requirements), limit, progress=progress)
        shape = (-1, len(requirements), len(self.columns))
        return LatticeCounts(
            found["suppressed"].astype(np.int64),
            found["groups"].astype(np.int64),
            found["top"].astype(np.int64),
            found["squares"],
            found["suppressed_share"].reshape(shape)[..., self._places],
            found["suppressed_entropy"].reshape(shape)[..., self._places],
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
        leaves = column.leaves[column.in_order]
        up, share = [], []
        for level, own in enumerate(numbers):
            share.append((np.bincount(own, weights=leaves) / column.domain).tolist())
            if level < column.height:
                above = np.zeros(own[-1] + 1, np.int64)
                above[own] = numbers[level + 1]
                up.append(above.tolist())
        return cls(recoded(column.codes, code_at.tolist(), levels.shape[1]), up, share)
