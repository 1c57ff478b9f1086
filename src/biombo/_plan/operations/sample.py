"""Release only some of the records, drawn at random."""

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import ClassVar

import numpy as np

from biombo._data import Role
from biombo._errors import UsageError
from biombo._plan.decision import Decision, LeaveOut
from biombo._plan.operations.operation import Seen, TwoPassOperation


@dataclass(frozen=True)
class Sample(TwoPassOperation):
    """Draw ``records`` of the records, or a ``share`` of them (rounded down), without replacement; leave the rest out.

    Each choice of that many records has the same chance. Only records that the operations before have not dropped can
    be drawn. What is left out is not suppressed: it does not count towards the plan's limit.

    >>> Sample(share=0.1).to_tree()
    {'sample': {'share': 0.1}}
    """

    name: ClassVar[str] = "sample"
    roles: ClassVar[tuple[Role, ...]] = ()
    truthful: ClassVar[bool] = True
    reversible: ClassVar[bool] = False
    leaks: ClassVar[str] = "plan.leaks.sample"

    share: float | None = None
    records: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.share is None) == (self.records is None):
            raise UsageError("plan.sample-size")
        if self.share is not None and not 0 < self.share <= 1:
            raise UsageError("plan.sample-share", value=self.share)
        if self.records is not None and self.records < 1:
            raise UsageError("plan.sample-records", value=self.records)

    def decide(self, seen: Seen) -> Decision:
        """Draw the records that stay."""
        there = np.flatnonzero(~seen.suppressed)
        drawn = there[seen.context.random.order(len(there))[: self._size(len(there), seen.data.label)]]
        left_out = ~seen.suppressed
        left_out[drawn] = False
        return LeaveOut(left_out, because="not-drawn")

    def _size(self, there: int, source: str) -> int:
        size = self.records if self.share is None else floor(Fraction(str(self.share)) * there)
        if not size or size > there:
            raise UsageError("plan.sample-impossible", source=source, size=size, records=there)
        return size
