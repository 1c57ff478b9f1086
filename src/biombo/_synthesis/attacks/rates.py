"""How often attacks succeed, how sure that is, and what remains of it beside a control set (Giomi et al. 2023)."""

from dataclasses import asdict, dataclass
from math import sqrt
from statistics import NormalDist
from typing import Any


@dataclass(frozen=True)
class Rate:
    """A share, and how far it may be off on either side."""

    value: float
    error: float

    @property
    def interval(self) -> tuple[float, float]:
        """From the lowest to the highest, within 0 and 1."""
        low, high = (min(max(end, 0.0), 1.0) for end in (self.value - self.error, self.value + self.error))
        return low, high


def wilson(successes: int, tries: int, confidence: float) -> Rate:
    """The interval of Wilson (1927): with z for the confidence, s successes in n tries,

    rate = (s + z²/2) / (n + z²), error = z √(s (n − s) / n + z²/4) / (n + z²).

    >>> found = wilson(8, 10, 0.95)
    >>> round(found.value, 4), round(found.error, 4)
    (0.7167, 0.2266)
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    spread = successes * (tries - successes) / tries
    return Rate((successes + z * z / 2) / (tries + z * z), z / (tries + z * z) * sqrt(spread + z * z / 4))


def residual(attack: Rate, control: Rate) -> Rate:
    """What an attack gains on records that the model has seen: (attack − control) / (1 − control).

    The error is propagated: √((error_a / (1 − c))² + (error_c (a − 1) / (1 − c)²)²).

    >>> round(residual(Rate(0.6, 0.05), Rate(0.2, 0.05)).value, 4)
    0.5
    """
    left = 1 - control.value
    by_attack, by_control = attack.error / left, control.error * (attack.value - 1) / left**2
    return Rate((attack.value - control.value) / left, sqrt(by_attack**2 + by_control**2))


@dataclass(frozen=True)
class Tries:
    """How often an attack was tried against each of three, and how often it succeeded."""

    original: tuple[int, int]
    """Successes and tries against records that the model was fitted on."""
    control: tuple[int, int]
    """Against records that it has not seen."""
    baseline: tuple[int, int]
    """Without looking: by predicates, pairs or guesses drawn at random."""


@dataclass(frozen=True)
class AttackRisk:
    """One attack. Its ``risk`` is what it gains on records that the model has seen, beyond what anybody like them
    risks: 0 where it gains nothing, 1 where it always succeeds and never on others.
    """

    attack: str
    """``singling-out``, ``singling-out-together``, ``linkability`` or ``inference``."""
    columns: tuple[str, ...]
    """The secret column, or the columns of predicates or of either side of a link."""
    tries: Tries
    confidence: float
    """Of this interval alone; that of all attacks together was asked for."""

    @property
    def rates(self) -> dict[str, Rate]:
        """By whom it was tried against; none where it could not be tried."""
        told = {"original": self.tries.original, "control": self.tries.control, "baseline": self.tries.baseline}
        return {name: wilson(*each, self.confidence) for name, each in told.items() if each[1]}

    @property
    def risk(self) -> Rate | None:
        """None where there was nothing to try."""
        rates = self.rates
        return residual(rates["original"], rates["control"]) if {"original", "control"} <= rates.keys() else None

    @property
    def is_found(self) -> bool:
        """Is the risk above 0 by more than chance explains?"""
        return self.risk is not None and self.risk.interval[0] > 0

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        risk = self.risk
        return {
            "attack": self.attack,
            "columns": list(self.columns),
            "tries": {name: {"successes": each[0], "tries": each[1]} for name, each in asdict(self.tries).items()},
            "risk": None if risk is None else min(max(risk.value, 0.0), 1.0),
            "interval": None if risk is None else list(risk.interval),
            "found": self.is_found,
        }
