"""Columns that determine each other: who knows the one knows the other."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biombo._cells import Codes
from biombo._data.dataset import Column, Dataset
from biombo._data.inspection.profile import Counts

MOST_COLUMNS = 100
MOST_ROWS = 2_000_000

_FIRST_LOOK = 4_096
_CERTAIN = 20.0
"""How unlikely agreement by chance must be, in natural logarithms: one in half a billion."""


@dataclass(frozen=True)
class Dependencies:
    """Which columns follow from which, and how far that was looked at."""

    determined_by: Mapping[str, tuple[str, ...]]
    """For each column that follows from others, those others."""
    columns: int
    """How many columns were compared with each other."""
    left_out: int
    """How many more could have been."""
    rows: int
    """How many rows were compared."""

    def same_as(self, name: str) -> tuple[str, ...]:
        """The columns that tell the same as ``name``: each follows from the other."""
        return tuple(other for other in self._sources(name) if name in self._sources(other))

    def follows_from(self, name: str) -> tuple[str, ...]:
        """The columns that tell ``name`` and more."""
        return tuple(other for other in self._sources(name) if name not in self._sources(other))

    def _sources(self, name: str) -> tuple[str, ...]:
        return self.determined_by.get(name, ())


def dependencies(data: Dataset, counts: Mapping[str, Counts]) -> Dependencies:
    """The dependencies among columns with at least two values and no more than one for every two rows.

    At most ``MOST_COLUMNS`` columns, in the table's order, and ``MOST_ROWS`` rows, evenly spread, are compared.
    """
    step = -(-data.rows // MOST_ROWS) or 1
    candidates = [_Candidate.of(column, counts[name], step) for name, column in data.columns.items()]
    eligible = [each for each in candidates if 2 <= each.distinct <= data.rows / 2]
    compared = eligible[:MOST_COLUMNS]
    determined_by = {target.name: tuple(_sources(target, compared)) for target in compared}
    return Dependencies(
        {name: sources for name, sources in determined_by.items() if sources},
        columns=len(compared),
        left_out=len(eligible) - len(compared),
        rows=len(range(0, data.rows, step)),
    )


@dataclass(frozen=True, eq=False)
class _Candidate:
    name: str
    codes: Codes
    distinct: int
    surprise: float
    """How surprising it is that two rows agree, in natural logarithms."""

    @classmethod
    def of(cls, column: Column, counts: Counts, step: int) -> "_Candidate":
        shares = counts / max(counts.sum(), 1)
        agreement = float((shares**2).sum())
        return cls(
            column.name,
            column.codes[::step],
            distinct=int((counts > 0).sum()),
            surprise=-math.log(agreement) if agreement else 0.0,
        )


def _sources(target: _Candidate, candidates: Iterable[_Candidate]) -> Iterable[str]:
    """The names of the candidates that determine ``target``, beyond what chance would explain."""
    for source in candidates:
        repeats = len(source.codes) - source.distinct
        if source is target or source.distinct < target.distinct or repeats * target.surprise < _CERTAIN:
            continue
        if _determines(source.codes[:_FIRST_LOOK], target.codes[:_FIRST_LOOK]) and _determines(
            source.codes, target.codes
        ):
            yield source.name


def _determines(source: Codes, target: Codes) -> bool:
    """Whether rows that agree in ``source`` agree in ``target``: one value of it stands for each code."""
    answer: NDArray[np.uint32] = np.zeros(int(source.max()) + 1, np.uint32)
    answer[source] = target
    return bool((answer[source] == target).all())
