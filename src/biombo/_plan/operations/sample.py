"""Release only some of the records, drawn at random."""

from dataclasses import dataclass, field
from math import floor
from typing import ClassVar

import numpy as np

from biombo._data import Role
from biombo._documents import is_within_limit, limited
from biombo._engine import Dealing, Fate
from biombo._errors import UsageError
from biombo._hierarchy import exact
from biombo._plan.operations.operation import CountingOperation, Seen
from biombo._plan.treatment import NewFates, Treatment


@dataclass(frozen=True)
class Sample(CountingOperation):
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
    leaves_out: ClassVar[bool] = True

    one_of: ClassVar[tuple[str, ...]] = ("share", "records")
    """Entries of which exactly one is given."""

    share: float | None = field(default=None, metadata=limited(0, 1, above=True))
    records: int | None = field(default=None, metadata=limited(1))

    def __post_init__(self) -> None:
        super().__post_init__()
        if sum(getattr(self, entry) is not None for entry in self.one_of) != 1:
            raise UsageError("plan.sample-size")
        if not is_within_limit(self, "share"):
            raise UsageError("plan.sample-share", value=self.share)
        if not is_within_limit(self, "records"):
            raise UsageError("plan.sample-records", value=self.records)

    @property
    def draws(self) -> bool:
        """Yes: which records are drawn."""
        return True

    @property
    def chooses(self) -> bool:
        """Yes: not all of them come out."""
        return True

    def decide(self, seen: Seen) -> Treatment:
        """Draw the records that stay."""
        there = int(seen.counts[~seen.out].sum())
        left_out = there - self._size(there, seen.data.label)
        pile = np.where(seen.out, -1, 0).astype(np.int64)
        one = np.zeros(1, np.int64)
        return Treatment(Dealing(pile, one, one + Fate.NOT_DRAWN, one + left_out), NewFates())

    def _size(self, there: int, source: str) -> int:
        size = self.records if self.share is None else floor(exact(self.share) * there)
        if not size or size > there:
            raise UsageError("plan.sample-impossible", source=source, size=size, records=there)
        return size
