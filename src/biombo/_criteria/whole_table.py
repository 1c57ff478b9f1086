"""What is asked of a table as a whole: the groups that are kept, added up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from biombo._cells import TOLERANCE, Counts

if TYPE_CHECKING:
    from biombo._criteria.base import Criterion

Floats = NDArray[np.float64]
Sizes = tuple[Counts, Counts]
"""Different numbers of members, and how many groups have each."""


@dataclass(frozen=True, eq=False)
class KeptPresence:
    """How likely people of the population are in one or several tables, by their kept groups: an entry for each table.

    With f the members of a group in the table and F the people who look so in the population.
    """

    likely: Floats
    """Σ f² / F."""
    members: Counts
    """Σ f."""
    least: Floats
    """The lowest f / F of any group of the population: 0 where nobody of one is in a kept group."""

    def only(self, tables: NDArray[np.intp]) -> "KeptPresence":
        """Those of some of the tables."""
        return KeptPresence(self.likely[tables], self.members[tables], self.least[tables])


@dataclass(frozen=True, eq=False)
class KeptGroups:
    """The groups that are kept of one or several tables: an entry for each table.

    The members of a group are its people where these are counted, else its records.
    """

    records: Counts
    unique: Counts
    """Records in groups of one member."""
    picked: Floats
    """Σ over the groups of records / members: the records that are picked right by whoever picks one member."""
    tops: Counts | None
    """Per table and target: Σ records with the most frequent value. None where nobody asks."""
    sizes: Sequence[Sizes | None] | None
    """None where nobody asks, or for a table without groups."""
    present: KeptPresence | None = None
    """None where nobody asks."""

    def only(self, tables: NDArray[np.intp]) -> "KeptGroups":
        """Those of some of the tables."""
        return KeptGroups(
            self.records[tables],
            self.unique[tables],
            self.picked[tables],
            None if self.tops is None else self.tops[tables],
            None if self.sizes is None else [self.sizes[table] for table in tables],
            None if self.present is None else self.present.only(tables),
        )


@dataclass(frozen=True)
class TableBound:
    """What a table-level criterion asks, about one target or about the sizes of groups."""

    criterion: "Criterion"
    target: int | None
    """The target's place among the targets, where it is about one."""
    highest: float
    """The highest value allowed."""
    sampled: float | None = None
    """The share of the population that is in the table with all its records, where an estimate goes by that: those that
    are suppressed were sampled as well."""

    def value(self, kept: KeptGroups) -> Floats:
        """By table: what is bounded."""
        if self.sampled is None:
            return self.criterion.of_table(kept, self.target)
        return self.criterion.of_sample(kept, self.sampled)

    def holds(self, kept: KeptGroups) -> NDArray[np.bool_]:
        """By table: is it met? Where nothing is kept, everything is."""
        found: NDArray[np.bool_] = (kept.records == 0) | self.criterion.surely_holds(kept)
        rest = np.flatnonzero(~found)
        found[rest] = self.value(kept.only(rest)) <= self.highest + TOLERANCE
        return found


def shares(numbers: Counts | Floats, of: Counts) -> Floats:
    """Quotients, nothing of nothing being nothing."""
    return np.asarray(numbers / np.maximum(of, 1), np.float64)
