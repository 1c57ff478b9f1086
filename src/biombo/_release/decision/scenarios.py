"""The three ways in which somebody comes to try a re-identification (PDPC 2018, 17.7 to 17.10)."""

from dataclasses import dataclass
from math import expm1, log1p
from typing import ClassVar, Literal

from biombo._documents import check_number, check_whole, checked

Motivation = Literal["low", "medium", "high"]
"""How much the recipient wants to re-identify somebody, and the time and money it has for that."""

ControlLevel = Literal["none", "low", "medium", "high"]
"""How far contracts, organisation, technical and physical measures keep the recipient from trying."""

INSIDER_ATTEMPT: dict[ControlLevel, dict[Motivation, float]] = {
    "high": {"low": 0.03, "medium": 0.05, "high": 0.1},
    "medium": {"low": 0.2, "medium": 0.25, "high": 0.3},
    "low": {"low": 0.4, "medium": 0.5, "high": 0.6},
    "none": {"low": 1.0, "medium": 1.0, "high": 1.0},
}
"""The table of 17.8, whose values are examples. Its third column is printed "low" once more, where "high" is meant."""

CERTAIN = 1.0


@dataclass(frozen=True)
class DeliberateInsider:
    """The recipient itself tries (17.8).

    >>> DeliberateInsider("medium", "high").attempt(controls_counted=True)
    0.05
    >>> DeliberateInsider("medium", "high").attempt(controls_counted=False)
    1.0
    """

    name: ClassVar[str] = "insider"

    motivation: Motivation
    control_level: ControlLevel
    own_probability: float | None = None
    """Instead of the table's."""

    def __post_init__(self) -> None:
        checked(Motivation, "motivation", self.motivation)
        checked(ControlLevel, "control_level", self.control_level)
        if self.own_probability is not None:
            check_number("own_probability", self.own_probability, 0, 1)

    def attempt(self, *, controls_counted: bool) -> float:
        """P(attempt). Where controls do not count, nothing keeps the recipient from it."""
        if not controls_counted:
            return CERTAIN
        if self.own_probability is not None:
            return self.own_probability
        return INSIDER_ATTEMPT[self.control_level][self.motivation]


@dataclass(frozen=True)
class InadvertentRecognition:
    """The recipient comes across somebody it knows (17.9).

    P(attempt) = 1 − (1 − p)ᵐ: that at least one of m acquaintances is in the data, when a share p of all people is. The
    guide has no formula; this is the usual one, by which each of them is in the data independently of the others.

    >>> round(InadvertentRecognition(acquaintances=150, prevalence=0.01).attempt, 4)
    0.7785
    """

    name: ClassVar[str] = "recognition"

    acquaintances: int
    """How many people the recipient knows well enough."""
    prevalence: float
    """The share of all such people who are in the data."""

    def __post_init__(self) -> None:
        check_whole("acquaintances", self.acquaintances, least=0)
        check_number("prevalence", self.prevalence, 0, 1)

    @property
    def attempt(self) -> float:
        """P(attempt)."""
        if self.prevalence == 1:
            return CERTAIN if self.acquaintances else 0.0
        return -expm1(self.acquaintances * log1p(-self.prevalence))


@dataclass(frozen=True)
class DataBreach:
    """The data escape from the recipient, and whoever has them tries (17.10).

    >>> DataBreach(prevalence=0.02).attempt
    0.02
    """

    name: ClassVar[str] = "breach"

    prevalence: float
    """How common breaches are where the recipient works."""

    def __post_init__(self) -> None:
        check_number("prevalence", self.prevalence, 0, 1)

    @property
    def attempt(self) -> float:
        """P(attempt)."""
        return self.prevalence
