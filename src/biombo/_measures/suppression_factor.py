"""How much suppression weighs against generalisation."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SuppressionFactor:
    """ARX's generalisation–suppression factor: with 0 suppression costs nothing more than what is generalised anyway,
    with 0.5 both are treated alike, with 1 generalisation costs nothing.

    >>> SuppressionFactor(0.2).suppressed, SuppressionFactor(0.2).generalised
    (0.4, 1.0)
    >>> SuppressionFactor(0.9).suppressed, round(SuppressionFactor(0.9).generalised, 10)
    (1.0, 0.2)
    """

    value: float

    @property
    def generalised(self) -> float:
        """How much of what is lost by generalising counts."""
        return min(1.0, 2 - 2 * self.value)

    @property
    def suppressed(self) -> float:
        """How much of what is lost by suppressing, beyond generalising, counts."""
        return min(1.0, 2 * self.value)


EVEN = SuppressionFactor(0.5)
