"""Plans, best first, as a sequence."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import overload

from biombo._attack import Dropped
from biombo._search.question import Question
from biombo._search.ranking import RankedPlan


class PlanList(Sequence[RankedPlan]):
    """What every result of a search is: its plans in their order."""

    plans: tuple[RankedPlan, ...]
    """The best first."""

    @property
    @abstractmethod
    def question(self) -> Question:
        """What was asked; of the first set, where there are several sets of quasi columns."""

    @property
    def records(self) -> int:
        """How many records were searched."""
        return self.question.records

    @property
    def dropped(self) -> Dropped | None:
        """The records that were left out because of invalid values; None where that was not asked for."""
        rest = self.question.without_invalid
        return None if rest is None else rest.dropped

    @overload
    def __getitem__(self, place: int) -> RankedPlan: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[RankedPlan]: ...
    def __getitem__(self, place: int | slice) -> RankedPlan | Sequence[RankedPlan]:
        return self.plans[place]

    def __len__(self) -> int:
        return len(self.plans)
