"""What differential privacy guarantees of a synthetic table, for whom, under which assumption."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import exp
from typing import Any

from biombo._i18n import text
from biombo._plan import short

_LARGEST = 700
"""Beyond it e^ε is more than a float holds."""


@dataclass(frozen=True)
class Guarantee:
    """(ε, δ)-differential privacy of whatever is made of the noised marginals: whether a person with all records is in
    the table or not changes the chance of no result by more than the factor e^ε, but for δ.
    """

    epsilon: float
    delta: float
    records_per_person: int
    """Whoever has more records than this is less sure."""
    total: float
    """What there was to spend: ε itself, or where δ is not 0, the ρ of concentrated differential privacy."""
    spent: float
    """What the noise costs, as OpenDP proves it: no more than there was."""

    def sentences(self) -> Iterator[str]:
        """In words, in the language in use."""
        factor = short(exp(self.epsilon)) if self.epsilon < _LARGEST else "∞"
        told = {"epsilon": short(self.epsilon, 9), "delta": short(self.delta, 9), "factor": factor}
        yield text("synthesis.guarantee", records=self.records_per_person, **told)
        yield text("synthesis.guarantee-limits")

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {**asdict(self), "unit": "rho" if self.delta else "epsilon"}
