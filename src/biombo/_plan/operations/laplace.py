"""Laplace noise on numbers: local differential privacy."""

from dataclasses import dataclass, field
from typing import ClassVar

from biombo._documents import check_types, is_within_limit, limited
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

    decimals: int = field(default=2, metadata=limited(0, 9))

    def __post_init__(self) -> None:
        check_types(self)  # before the grid is made, which takes the decimals
        if not is_within_limit(self, "decimals"):
            raise UsageError("privacy.decimals", column=self.column, decimals=self.decimals)
        super().__post_init__()
        if self.bounds is not None and self.grid.dates:
            raise UsageError("privacy.laplace-dates", column=self.column)

    @property
    def steps_decimals(self) -> int:
        """As many as asked for."""
        return self.decimals
