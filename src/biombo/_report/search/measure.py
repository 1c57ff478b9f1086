"""What makes one plan better than another, as a number that people read."""

from collections.abc import Callable
from dataclasses import dataclass

from biombo._i18n import integer, number, percent, text
from biombo._search import JointResult, RankedPlan, SearchResult

_SHARES = ("precision", "loss")
_LARGE = 1000


@dataclass(frozen=True)
class Measure:
    """What plans are compared by."""

    policy: str
    value: Callable[[RankedPlan], float]

    @classmethod
    def of(cls, found: SearchResult | JointResult) -> "Measure":
        """What was preferred; the loss where each of several sets of columns has a preference of its own."""
        if isinstance(found, JointResult):
            return cls("loss", lambda plan: plan.loss)
        return cls(found.policy.name, lambda plan: plan.amount)

    @property
    def name(self) -> str:
        """What it is called, for a sentence."""
        return text(f"search.policy.{self.policy}")

    @property
    def title(self) -> str:
        """What it is called, for a heading."""
        return self.name[0].upper() + self.name[1:]

    def written(self, plan: RankedPlan) -> str:
        """Its value for one plan."""
        value = self.value(plan)
        if self.policy in _SHARES:
            return percent(value, 2)
        return integer(round(value)) if value == round(value) else number(value, 2)

    def on_axis(self, top: float) -> str:
        """How an axis up to ``top`` writes its values."""
        if self.policy in _SHARES:
            return "~%"
        return "~s" if top >= _LARGE else "~f"
