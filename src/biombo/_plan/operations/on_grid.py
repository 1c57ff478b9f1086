"""What noise on numbers and dates has in common."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import polars as pl
import pyarrow as pa

from biombo._data import Schema
from biombo._errors import UsageError
from biombo._hierarchy import Numerals
from biombo._plan.operations.private import PrivateOperation
from biombo._plan.privacy.effect import Effect, Moved
from biombo._plan.privacy.grid import Bounds, Grid


@dataclass(frozen=True)
class NoiseOnGrid(PrivateOperation):
    """Puts values between declared bounds, adds noise, and puts the result between the bounds again.

    The bounds say how far apart two values can be, so they must be known without looking at the data.
    """

    bounds: Bounds | None = None
    """Two numbers, or two dates (YYYY-MM-DD); without them those that the schema declares."""

    decimal: str = field(default=".", kw_only=True)
    thousands: str = field(default="", kw_only=True)
    """The marks in numbers that are text."""

    def __post_init__(self) -> None:
        super().__post_init__()
        Numerals(self.decimal, self.thousands)
        if self.bounds is not None:
            _ = self.grid

    @property
    def steps_decimals(self) -> int:
        """Decimals of what is released."""
        return 0

    @cached_property
    def grid(self) -> Grid:
        """The values that can be released."""
        if self.bounds is None:
            raise UsageError("privacy.no-bounds", column=self.column)
        return Grid.of(self.column, self.bounds, self.steps_decimals, Numerals(self.decimal, self.thousands))

    @cached_property
    def scale(self) -> float:
        """The scale of the noise, in steps of the grid."""
        return self.grid.scale(self.epsilon)

    @property
    def effect(self) -> Effect:
        """How far values move on average."""
        width = self.grid.width * 10.0**-self.grid.decimals
        return Moved(self.grid.expected_move(self.scale), width, self.grid.dates)

    def completed(self, schema: Schema) -> Self:
        """With the bounds that the schema declares, where the plan has none."""
        operation = self if self.bounds is not None else replace(self, bounds=schema[self.column].bounds)
        _ = operation.grid
        return operation

    def as_looked_up(self, values: pl.Series) -> pl.Series:
        """Between the bounds, on the grid."""
        return pl.Series(self.grid.values(self.grid.steps(values.to_arrow(), self.column)))

    def drawn(self, chunk: pa.Array) -> pa.Array:
        """Numbers of the grid's decimals, or dates."""
        steps = self.grid.steps(chunk, self.column)
        return self.grid.values(self.grid.noised(steps, self.scale))
