"""What bounds on an adversary's guess have in common."""

from abc import abstractmethod
from dataclasses import dataclass

from biombo._cells import Rule
from biombo._criteria.criterion import Scope, SensitiveCriterion


@dataclass(frozen=True)
class GuessCriterion(SensitiveCriterion):
    """A bound on how often the adversary of document 000 guesses the sensitive value right.

    It knows a person's group and says the group's most frequent value, so it is right about that value's share of the
    group, and about Σ top counts / records of the table.
    """

    @property
    @abstractmethod
    def over(self) -> Scope:
        """Whether the bound is for every group or for the table as a whole."""

    @property
    def scope(self) -> Scope:
        """Whether every group must meet it, or the table as a whole."""
        return self.over

    def monotonic(self, *, suppression: bool) -> bool:
        """Without suppression only."""
        return not suppression

    @abstractmethod
    def highest(self, prior: float) -> float:
        """The highest share of right guesses allowed where ``prior`` is right beforehand."""

    def rule(self, target: int, prior: float) -> Rule:
        """What the kernel checks in each group."""
        return Rule(target, "top-share", self.highest(prior))
