"""What every result of a search is: plans in their order, for one question."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, TypeVar, overload

from biombo._attack import Dropped
from biombo._frames import Framed, FrameKind
from biombo._glance import PageResult
from biombo._search.question import Question

Found = TypeVar("Found")


class FoundPlans(PageResult, Framed, Sequence[Found], Generic[Found]):
    """Plans of one kind, the best first."""

    plans: tuple[Found, ...]

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

    @property
    @abstractmethod
    def optimal(self) -> bool:
        """Is it proved that no plan comes before the first?"""

    @abstractmethod
    def as_json(self) -> dict[str, Any]:
        """The plans and what was proved, as plain values."""

    @property
    def _kind(self) -> FrameKind:
        return self.question.data.kind

    @overload
    def __getitem__(self, place: int) -> Found: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Found]: ...
    def __getitem__(self, place: int | slice) -> Found | Sequence[Found]:
        return self.plans[place]

    def __len__(self) -> int:
        return len(self.plans)
