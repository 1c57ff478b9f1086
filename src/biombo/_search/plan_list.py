"""Plans, best first, as a sequence."""

from collections.abc import Sequence
from typing import overload

from biombo._search.ranking import RankedPlan


class PlanList(Sequence[RankedPlan]):
    """What every result of a search is: its plans in their order."""

    plans: tuple[RankedPlan, ...]
    """The best first."""

    @overload
    def __getitem__(self, place: int) -> RankedPlan: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[RankedPlan]: ...
    def __getitem__(self, place: int | slice) -> RankedPlan | Sequence[RankedPlan]:
        return self.plans[place]

    def __len__(self) -> int:
        return len(self.plans)
