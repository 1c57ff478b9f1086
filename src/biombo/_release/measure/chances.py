"""How likely true values become released ones, for many tuples at a time."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._data import Column
from biombo._engine import Floats
from biombo._plan import PrivateOperation

Places = NDArray[np.intp]

AT_ONCE = 1 << 20
"""So many chances are in memory at a time."""


@dataclass(frozen=True, eq=False)
class Chances:
    """What is made of the true values of some tuples, in one column or in several together."""

    of: Places
    """By tuple: the place of its true value."""
    into: Places
    """By number of released values: the place of what they say in these columns."""
    table: Floats
    """By place of a true value and place of a released one."""

    def at(self, own: slice, some: Places) -> Floats:
        """Those of some tuples, for some released values."""
        return np.take(self.table[:, self.into[some]], self.of[own], axis=0)

    def joined(self, other: "Chances") -> "Chances | None":
        """Both as one, which takes less time; none where there is no room for that."""
        (of, of_row), (into, into_row) = (
            np.unique(np.stack(pair), axis=1, return_inverse=True)
            for pair in ((self.of, other.of), (self.into, other.into))
        )
        if of.shape[1] * into.shape[1] > AT_ONCE:
            return None
        table = self.table[np.ix_(of[0], into[0])] * other.table[np.ix_(of[1], into[1])]
        return Chances(of_row.ravel(), into_row.ravel(), table)


@dataclass(frozen=True, eq=False)
class WideChances:
    """The same of a column with so many values that all of their chances have no room."""

    of: Places
    into: Places
    mechanism: PrivateOperation
    true: pl.Series
    released: pl.Series

    def at(self, own: slice, some: Places) -> Floats:
        """Those of some tuples, for some released values."""
        of, of_row = np.unique(self.of[own], return_inverse=True)
        into, into_column = np.unique(self.into[some], return_inverse=True)
        found = self.mechanism.chances(self.true.gather(of), self.released.gather(into))
        return np.take(found[:, into_column.ravel()], of_row.ravel(), axis=0)


def chances_between(mechanism: PrivateOperation, true: Column, released: Column) -> Chances | WideChances:
    (of, of_row), (into, into_row) = (np.unique(each.codes, return_inverse=True) for each in (true, released))
    places, values = (of_row.ravel(), into_row.ravel()), (true.values.gather(of), released.values.gather(into))
    if len(of) * len(into) > AT_ONCE:
        return WideChances(*places, mechanism, *values)
    return Chances(*places, mechanism.chances(*values))


def joined(found: Sequence[Chances | WideChances]) -> list[Chances | WideChances]:
    """As few as have room, the small ones joined first."""
    small = sorted((each for each in found if isinstance(each, Chances)), key=lambda each: each.table.size)
    joined: list[Chances | WideChances] = [each for each in found if not isinstance(each, Chances)]
    while small:
        first, *small = small
        together = first.joined(small[0]) if small else None
        if together is None:
            joined.append(first)
        else:
            small[0] = together
    return joined
