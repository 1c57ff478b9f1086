"""Records that each are at levels of their own, and what that costs: by definitions, record by record."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log2, prod

from plain_generalising import PlainColumn, Value


@dataclass
class PlainLocal:
    """What becomes of each record: its levels, or None where it is suppressed."""

    columns: Sequence[PlainColumn]
    levels: Sequence[tuple[int, ...] | None]

    @property
    def records(self) -> range:
        return range(len(self.levels))

    @cached_property
    def shown(self) -> list[tuple[tuple[int, Value], ...] | None]:
        """Level and value of each cell; records with the same are one group."""
        return [
            None
            if levels is None
            else tuple(
                (level, column.paths[column.values[record]][level])
                for column, level in zip(self.columns, levels, strict=True)
            )
            for record, levels in enumerate(self.levels)
        ]

    @property
    def groups(self) -> Counter[tuple[tuple[int, Value], ...]]:
        return Counter(shown for shown in self.shown if shown is not None)

    @property
    def suppressed(self) -> int:
        return sum(levels is None for levels in self.levels)

    @property
    def imprecision(self) -> float:
        cells = [
            1.0 if levels is None else levels[i] / max(1, column.height)
            for levels in self.levels
            for i, column in enumerate(self.columns)
        ]
        return sum(cells) / len(cells)

    @property
    def column_loss(self) -> list[float]:
        """Per column, the mean over cells of (values that it stands for − 1) / (values of the domain − 1)."""
        return [sum(self._cell_loss(i, record) for record in self.records) / len(self.levels) for i in self._places]

    @property
    def loss(self) -> float:
        return prod(1 + loss for loss in self.column_loss) ** (1 / len(self.columns)) - 1

    @property
    def granularity(self) -> float:
        return 1 - sum(self.column_loss) / len(self.columns)

    @property
    def entropy(self) -> float:
        return sum(self.column_entropy)

    @property
    def column_entropy(self) -> list[float]:
        """Level by level, over the records that rise so far: how many share a value there, and how many did before."""
        return [self._bits(i) for i in self._places]

    @property
    def discernibility(self) -> int:
        return sum(size * size for size in self.groups.values()) + len(self.levels) * self.suppressed

    @property
    def class_size(self) -> float:
        return len(self.levels) / (len(self.groups) + bool(self.suppressed))

    @property
    def _places(self) -> range:
        return range(len(self.columns))

    def _stands_for(self, place: int, record: int) -> int:
        levels, column = self.levels[record], self.columns[place]
        if levels is None:
            return len(column.domain)
        own = column.paths[column.values[record]][levels[place]]
        return sum(column.paths[value][levels[place]] == own for value in column.domain)

    def _cell_loss(self, place: int, record: int) -> float:
        domain = len(self.columns[place].domain)
        if domain == 1:
            return float(self.levels[record] is None)
        return (self._stands_for(place, record) - 1) / (domain - 1)

    def _bits(self, place: int) -> float:
        column = self.columns[place]
        above = column.height + 1
        risen = [above if levels is None else levels[place] for levels in self.levels]

        def at(level: int, record: int) -> Value:
            return "suppressed" if level == above else column.paths[column.values[record]][level]

        bits, before = 0.0, 0
        for level in sorted(set(risen)):
            rising = [record for record in self.records if risen[record] >= level]
            own, shared = (Counter(at(each, record) for record in rising) for each in (before, level))
            bits += sum(log2(shared[at(level, record)] / own[at(before, record)]) for record in rising)
            before = level
        return bits
