"""What a release costs whose groups are each at levels of their own: local recoding."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Counts, LevelledColumn, tallied
from biombo._measures.marginals import Floats, bits_between, sharing
from biombo._measures.release_costs import Integers, ReleaseCosts
from biombo._measures.suppression_factor import EVEN, SuppressionFactor

Levels = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class LocalCosts(ReleaseCosts):
    """What one release costs, by the measures of all releases; every array has one place.

    Groups that show the same are one: whoever makes them must have put them together.
    """

    columns: tuple[LevelledColumn, ...]
    sizes: Integers
    """Records of each group that stays."""
    levels: Levels
    """Per group and column: its level."""
    codes: NDArray[np.uint32]
    """Per group and column: the original code of one of its members, whichever."""
    held: tuple[Integers, ...]
    """By column: per level and original code, how many records show it so; the last row has the suppressed ones (see
    :func:`held_at_levels`)."""
    suppressed: Integers
    groups: Integers
    squares: Floats
    suppressed_share: Floats
    weights: Floats
    factor: SuppressionFactor = EVEN

    @classmethod
    def of(
        cls,
        columns: Sequence[LevelledColumn],
        levels: Levels,
        group: NDArray[np.int64],
        counts: Counts | None = None,
        weights: Floats | None = None,
    ) -> "LocalCosts":
        """What it costs that rows are in the groups that ``group`` numbers, or suppressed where it is below 0, and that
        these are at ``levels``; each row stands for one record, or for as many as ``counts`` says.
        """
        kept = group >= 0
        sizes = tallied(group, len(levels), counts, kept)
        member = np.zeros(len(levels), np.int64)
        member[group[kept]] = np.flatnonzero(kept)
        above = np.array([[column.height + 1 for column in columns]], np.uint8)
        by_row = np.concatenate([levels, above])[np.where(kept, group, len(levels))]
        codes = np.stack([column.codes[member] for column in columns], axis=1).astype(np.uint32)
        held = [held_at_levels(column, by_row[:, i], counts) for i, column in enumerate(columns)]
        return cls.of_groups(columns, sizes, levels, codes, held, weights)

    @classmethod
    def of_groups(
        cls,
        columns: Sequence[LevelledColumn],
        sizes: Integers,
        levels: Levels,
        codes: NDArray[np.uint32],
        held: Sequence[Integers],
        weights: Floats | None = None,
    ) -> "LocalCosts":
        """The same of groups that are counted already; the arguments are what the fields are."""
        suppressed = np.array([held[0][-1].sum()])
        return cls(
            tuple(columns),
            sizes,
            levels,
            codes,
            tuple(held),
            suppressed=suppressed,
            groups=np.array([len(sizes)]),
            squares=np.array([(sizes.astype(float) ** 2).sum()]),
            suppressed_share=np.tile(suppressed[:, None].astype(float), len(columns)),
            weights=np.ones(len(columns)) if weights is None else weights,
        )

    @property
    def records(self) -> int:
        """How many records there were."""
        return int(self.sizes.sum() + self.suppressed[0])

    @property
    def domains(self) -> Floats:
        """Per column: how many values its loss is told over."""
        return np.array([column.domain for column in self.columns], float)

    @property
    def heights(self) -> Integers:
        """Per column: the highest level."""
        return np.array([column.height for column in self.columns])

    @property
    def relative_levels(self) -> Floats:
        """Per column: the mean of level/height over kept records."""
        relative = self.levels / np.maximum(self.heights, 1)
        return np.asarray(self.sizes @ relative / max(1, self.sizes.sum()))[None, :]

    @property
    def kept_share(self) -> Floats:
        """Per column: Σ over kept records of the share of the domain under their value."""
        return np.asarray(self.sizes @ group_shares(self.columns, self.levels, self.codes))[None, :]

    @cached_property
    def column_entropy(self) -> Floats:
        """Per column: the non-uniform entropy that is lost, in bits."""
        return np.array([[local_entropy(*each) for each in zip(self.columns, self.held, strict=True)]])


def group_shares(columns: Sequence[LevelledColumn], levels: Levels, codes: NDArray[np.uint32]) -> Floats:
    """Per group and column: the share of the domain that its value stands for, where each group is at ``levels`` of its
    own and ``codes`` are those of any of its members.
    """
    shares = [column.leaves[levels[:, i], codes[:, i]] / column.domain for i, column in enumerate(columns)]
    return np.stack(shares, axis=1)


def held_at_levels(column: LevelledColumn, level: Levels, counts: Counts | None = None) -> Integers:
    """Per level and code of a column: how many records show it at that level, where ``level`` has that of each row. A
    level above the highest is for suppressed rows.
    """
    shape = column.height + 2, column.levels.shape[1]
    places = level.astype(np.int64) * shape[1] + column.codes
    return tallied(places, shape[0] * shape[1], counts).reshape(shape)


def local_entropy(column: LevelledColumn, held: Integers) -> float:
    """The non-uniform entropy that a column loses where its values are at several levels, in bits; ``held`` is what
    :func:`held_at_levels` gives.

    As Prasser, Bild and Kuhn (2016) extend it to local recoding, and as ARX has it: values rise from each level in use
    to the next, ℓ. There a record that rises so far or further loses log₂ of how many of these share its value at ℓ,
    less those that shared it before. Suppressed records rise above all, where they are one. Where all records are at
    one level, or suppressed, that is what global recoding loses.
    """
    width = held.shape[1]
    shown = [*column.levels, np.zeros(width, np.int64)]
    before, bits = np.arange(width), 0.0
    for level in np.flatnonzero(held.any(axis=1)):
        rising = held[level:].sum(axis=0)
        bits += bits_between(sharing(before, rising), sharing(shown[level], rising), rising)
        before = shown[level]
    return bits
