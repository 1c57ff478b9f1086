"""Two-sided geometric noise on whole numbers and dates: local differential privacy."""

from dataclasses import dataclass
from typing import ClassVar

from biombo._plan.operations.mechanism import NoiseOnGrid


@dataclass(frozen=True)
class Geometric(NoiseOnGrid):
    """Add two-sided geometric noise to the whole numbers or the dates of ``column``, between ``bounds``.

    It is Laplace noise on whole numbers, P(z) ∝ exp(−|z| ε / (high − low)), drawn by OpenDP. Dates move by whole days.

    >>> Geometric("birth", 4, ("1920-01-01", "2024-12-31")).to_tree()
    {'geometric': {'column': 'birth', 'epsilon': 4, 'bounds': ['1920-01-01', '2024-12-31']}}
    """

    name: ClassVar[str] = "geometric"
    leaks: ClassVar[str] = "privacy.leaks.geometric"
