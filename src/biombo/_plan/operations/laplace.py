"""Laplace noise on numbers: local differential privacy."""

from dataclasses import dataclass
from typing import ClassVar

from biombo._documents import check_types
from biombo._errors import UsageError
from biombo._plan.operations.mechanism import NoiseOnGrid


@dataclass(frozen=True)
class Laplace(NoiseOnGrid):
    """Add Laplace noise to the numbers of ``column``, between ``bounds`` declared beforehand, with ``decimals``.

    Numbers are put between the bounds and rounded; then whole steps of the last decimal are added with the chances of
    OpenDP's discrete Laplace, whose scale is (high − low) / ε; then they are put between the bounds again. Noise on the
    steps themselves, because what floating-point numbers have in their last bits can give the true value away.

    >>> Laplace("weight", 2.0, (0, 200), decimals=1).to_tree()
    {'laplace': {'column': 'weight', 'epsilon': 2.0, 'bounds': [0, 200], 'decimals': 1}}
    """

    name: ClassVar[str] = "laplace"
    leaks: ClassVar[str] = "privacy.leaks.laplace"

    decimals: int = 2

    def __post_init__(self) -> None:
        check_types(self)  # before the grid is made, which takes the decimals
        if not 0 <= self.decimals <= 9:
            raise UsageError("privacy.decimals", column=self.column, decimals=self.decimals)
        super().__post_init__()
        if self.bounds is not None and self.grid.dates:
            raise UsageError("privacy.laplace-dates", column=self.column)

    @property
    def steps_decimals(self) -> int:
        """As many as asked for."""
        return self.decimals
