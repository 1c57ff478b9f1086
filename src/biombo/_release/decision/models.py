"""How the data will be released, which decides who may try to re-identify somebody (PDPC 2018, 15.2 step 1)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args

from biombo._documents import check_above, checked
from biombo._errors import UsageError
from biombo._release.decision.arguments import checked_texts
from biombo._release.decision.scenarios import CERTAIN, DataBreach, DeliberateInsider, InadvertentRecognition

Harm = Literal["low", "medium", "high"]
"""What a re-identification could do to the people in the data and to the organisation."""

THRESHOLDS: dict[Harm, float] = {"low": 0.2, "medium": 0.1, "high": 0.01}
"""The example values of 17.3."""

TechnicalControl = Literal[
    "revocable-access", "curated-queries", "limited-recipients", "view-only", "on-site", "subset", "physical"
]
"""The technical controls of section 18, in its order."""

TECHNICAL_CONTROLS: tuple[TechnicalControl, ...] = get_args(TechnicalControl)

Factor = Literal[
    "contract", "time-and-money", "well-known-people", "organisation", "administrative-controls", "technical-measures"
]
"""The factors of 17.8, in its order: three of the adversary's motivation and resources, three of the controls."""

FACTORS: tuple[Factor, ...] = get_args(Factor)


@dataclass(frozen=True, kw_only=True)
class _Release:
    harm: Harm
    """The potential harm, which sets the threshold."""
    own_threshold: float | None = None
    """Instead of the value that belongs to the harm."""
    expected_utility: str | None = None
    """What the data must still be good for, in your own words (15.2 step 2): step 8 is measured by it."""

    def __post_init__(self) -> None:
        checked(Harm, "harm", self.harm)
        if self.own_threshold is not None:
            check_above("own_threshold", self.own_threshold, 0, 1)
        if self.expected_utility is not None:
            (said,) = checked_texts("expected_utility", [self.expected_utility])
            object.__setattr__(self, "expected_utility", said.strip())

    @property
    def threshold(self) -> float:
        """The highest risk that is accepted."""
        return THRESHOLDS[self.harm] if self.own_threshold is None else self.own_threshold


@dataclass(frozen=True, kw_only=True)
class PublicRelease(_Release):
    """Anyone may have the data. Somebody will try, and no control holds them back: P(attempt) = 1.

    >>> release = PublicRelease(harm="medium")
    >>> release.attempt, release.threshold
    (1.0, 0.1)
    """

    name: ClassVar[str] = "public"
    controls_counted: ClassVar[bool] = False
    controls: ClassVar[tuple[TechnicalControl, ...]] = ()
    measures: ClassVar[tuple[str, ...]] = ()

    harm_assumed: bool = False
    """Did nobody say what the harm is, so that one was taken? The decision then says so."""

    @property
    def attempts(self) -> Mapping[str, float]:
        """No scenario is weighed."""
        return {}

    @property
    def attempt(self) -> float:
        """P(attempt)."""
        return CERTAIN


@dataclass(frozen=True, kw_only=True)
class ControlledRelease(_Release):
    """Known recipients have the data, on conditions. P(attempt) is the highest of three scenarios (17.11).

    >>> release = ControlledRelease(
    ...     harm="medium",
    ...     controls_counted=True,
    ...     insider=DeliberateInsider("medium", "high"),
    ...     recognition=InadvertentRecognition(acquaintances=150, prevalence=0.0001),
    ...     breach=DataBreach(0.02),
    ... )
    >>> release.attempt, release.threshold
    (0.05, 0.1)
    """

    name: ClassVar[str] = "controlled"

    controls_counted: bool
    """Does the threshold take controls into account, or is it for the data alone (15.2 step 2)?"""
    insider: DeliberateInsider
    recognition: InadvertentRecognition
    breach: DataBreach
    controls: tuple[TechnicalControl, ...] = ()
    """The technical controls that are in place. They are on record; what they are worth says the insider's level."""
    measures: tuple[str, ...] = ()
    """Other controls in your own words, such as a contract."""
    factors: Mapping[Factor, str] = field(default_factory=dict, hash=False)
    """What was found on the factors of 17.8, by which motivation and level of controls were chosen. It is on record,
    and changes no number."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.controls_counted, bool):
            raise UsageError("decision.controls-counted")
        for name in ("controls", "measures"):
            object.__setattr__(self, name, checked_texts(name, getattr(self, name)))
        for control in self.controls:
            checked(TechnicalControl, "controls", control)
        checked_texts("factors", self.factors.values())
        for factor in self.factors:
            checked(Factor, "factors", factor)

    @property
    def attempts(self) -> Mapping[str, float]:
        """P(attempt) in each scenario."""
        return {
            self.insider.name: self.insider.attempt(controls_counted=self.controls_counted),
            self.recognition.name: self.recognition.attempt,
            self.breach.name: self.breach.attempt,
        }

    @property
    def attempt(self) -> float:
        """P(attempt) = max(P(insider), P(recognition), P(breach))."""
        return max(self.attempts.values())


ReleaseModel = PublicRelease | ControlledRelease
