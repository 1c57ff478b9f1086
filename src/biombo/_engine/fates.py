"""What becomes of each record: one of a few fates, which exclude each other."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Self

import numpy as np
from numpy.typing import NDArray

Fates = NDArray[np.uint8]
"""The fate of each record, or of each tuple."""
Rows = NDArray[np.bool_]
"""A yes or no for each record, or for each tuple."""
Numbers = NDArray[np.int64]


class Fate(IntEnum):
    """What a plan does to a record as a whole. Of two that are released the later one counts; who is out stays out."""

    RELEASED = 0
    MASKED = 1
    """Released with a mark for the quasi values, because its group failed."""
    MASKED_FURTHER = 2
    """Likewise, though its own group met the criteria: it hides the others."""
    SUPPRESSED = 3
    UNHIDDEN = 4
    """Suppressed: it was to be masked, but the masked would not have met the criteria as one group."""
    NOT_DRAWN = 5
    """Left out because a sample was drawn without it."""
    DUPLICATE = 6
    """Left out because another record says the same."""
    INVALID = 7
    """Left out because of an invalid value: as if it had never been there."""
    NOT_SELECTED = 8
    """Not what was asked for: as if it had never been there."""


NAMES: Mapping[str, tuple[Fate, ...]] = {
    "suppressed": (Fate.SUPPRESSED, Fate.UNHIDDEN),
    "unhidden": (Fate.UNHIDDEN,),
    "not_drawn": (Fate.NOT_DRAWN,),
    "duplicates": (Fate.DUPLICATE,),
    "invalid": (Fate.INVALID,),
    "masked": (Fate.MASKED, Fate.MASKED_FURTHER),
    "masked_further": (Fate.MASKED_FURTHER,),
}
"""What is told of records that are not released as the others are."""
NEVER_THERE = (Fate.INVALID, Fate.NOT_SELECTED)
"""Left out beforehand: such records count for nothing, not even for what was known before the release."""
LEFT_OUT = (Fate.NOT_DRAWN, Fate.DUPLICATE, *NEVER_THERE)
"""Not released, but not for what the records say about anyone: this is no suppression, which a plan may limit."""


def released(rows: int) -> Fates:
    """Nothing was done to any of so many rows."""
    return np.zeros(rows, np.uint8)


def are_out(fates: Fates) -> Rows:
    """Which records do not come out."""
    return fates >= Fate.SUPPRESSED


def were_there(fates: Fates) -> Rows | None:
    """Which records count for what was known beforehand; all where it is missing.

    >>> were_there(np.array([Fate.RELEASED, Fate.INVALID, Fate.SUPPRESSED, Fate.NOT_SELECTED], np.uint8)).tolist()
    [True, False, True, False]
    """
    there = ~are(fates, *NEVER_THERE)
    return None if there.all() else there


def are(fates: Fates, *which: Fate) -> Rows:
    """Which records have one of these fates."""
    return np.isin(fates, [int(fate) for fate in which])


def later(fates: Fates, marks: NDArray[np.integer]) -> Fates:
    """The fates once records that are not out yet get the fates that ``marks`` says, where it is not negative."""
    changed = ~are_out(fates) & (marks > fates)
    return np.where(changed, marks, fates).astype(np.uint8)


@dataclass(frozen=True)
class FateCounts:
    """How many records have each fate. Counts of parts of a table add up to those of the whole."""

    records: tuple[int, ...] = (0,) * len(Fate)

    @classmethod
    def of(cls, fates: Fates, counts: Numbers | None = None) -> Self:
        """Count records, or tuples that stand for so many."""
        if counts is None:
            return cls(tuple(np.bincount(fates, minlength=len(Fate)).tolist()))
        found = np.zeros(len(Fate), np.int64)
        np.add.at(found, fates, counts)
        return cls(tuple(found.tolist()))

    def __add__(self, other: "FateCounts") -> "FateCounts":
        return FateCounts(tuple(a + b for a, b in zip(self.records, other.records, strict=True)))

    def __getitem__(self, name: str) -> int:
        """How many have one of the fates of this name."""
        return sum(self.records[fate] for fate in NAMES[name])

    @property
    def total(self) -> int:
        """All records."""
        return sum(self.records)

    @property
    def out(self) -> int:
        """Those that do not come out."""
        return sum(self.records[Fate.SUPPRESSED :])

    @property
    def left_out(self) -> int:
        """Of these, the ones that are left out, not suppressed."""
        return sum(self.records[fate] for fate in LEFT_OUT)
